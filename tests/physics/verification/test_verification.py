"""The analytic cases of `polhode verify`, and that each of them notices when its scene is not what it should be."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sampling import sampled
from scipy.integrate import quad

from polhode.integrators import METHODS
from polhode.scene.scene import Scene
from polhode.verification import GROUPS, Case
from polhode.verification.case import pendulum_period

CASES = [case for cases in GROUPS.values() for case in cases]
MORE = 1.001


def stretched(value: Any) -> Any:
    """A number larger by a thousandth, and so for each component of a vector."""
    return [MORE * number for number in value] if isinstance(value, list | tuple) else MORE * value


def one_length(shape: dict[str, Any]) -> None:
    """A single length of a shape, so that no ratio of moments stays; the one along z of three."""
    for key in ("radius", "length", "scale"):
        if key in shape:
            shape[key] *= MORE
            return
    key = "size" if "size" in shape else "semi_axes"
    shape[key] = [*shape[key][:2], MORE * shape[key][2]]


def of_bodies(key: str, change: Callable[[Any], Any] = stretched) -> Callable[[dict[str, Any]], None]:
    def flaw(data: dict[str, Any]) -> None:
        for body in data["body"]:
            body[key] = change(body[key])

    return flaw


def of_first(part: str, key: str) -> Callable[[dict[str, Any]], None]:
    def flaw(data: dict[str, Any]) -> None:
        data["body"][0][part][0][key] = stretched(data["body"][0][part][0][key])

    return flaw


def gravity(data: dict[str, Any]) -> None:
    data["world"]["gravity"] = stretched(data["world"]["gravity"])


def rotation(data: dict[str, Any]) -> None:
    data["world"]["rotation"] = stretched(data["world"]["rotation"])


def permeability(data: dict[str, Any]) -> None:
    data["world"]["permeability"] *= MORE


def field(data: dict[str, Any]) -> None:
    table = data["world"]["magnetic_field"]
    table.update({key: stretched(table[key]) for key in ("value", "cosine", "sine") if key in table})


def inertia(data: dict[str, Any]) -> None:
    for body in data["body"]:
        one_length(body["shape"][0])


def motion(data: dict[str, Any]) -> None:
    data["body"][0]["motion"]["angular_frequency"] *= MORE


def path(data: dict[str, Any]) -> None:
    """One length, so that no shape stays."""
    table = data["bead"][0]["path"]
    for key in ("radius", "coefficient"):
        if key in table:
            table[key] *= MORE
            return
    table["end"] = [*table["end"][:2], MORE * table["end"][2]]


def bead(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def flaw(data: dict[str, Any]) -> None:
        data["bead"][0][key] = value

    return flaw


def weaker_magnet(data: dict[str, Any]) -> None:
    dipole = data["body"][1]["dipole"][0]
    dipole["moment"] = [number / MORE for number in dipole["moment"]]


def remanence(data: dict[str, Any]) -> None:
    magnet = data["body"][-1]["shape"][0]["magnet"]
    magnet["remanence"] = stretched(magnet["remanence"])


def method(name: str) -> Callable[[dict[str, Any]], None]:
    def flaw(data: dict[str, Any]) -> None:
        data["solver"]["method"] = name

    return flaw


def of_all(part: str, key: str, value: Any = None) -> Callable[[dict[str, Any]], None]:
    """A number of every sphere or wall a thousandth larger, or another."""

    def flaw(data: dict[str, Any]) -> None:
        for row in data[part]:
            row[key] = stretched(row[key]) if value is None else value

    return flaw


def of_chains(key: str, name: str | None = None) -> Callable[[dict[str, Any]], None]:
    """A number of the soft body of this name larger by a thousandth, of a list the first one; or of all bodies."""

    def flaw(data: dict[str, Any]) -> None:
        for row in data["soft"]:
            if name in (None, row["name"]):
                value = row[key]
                row[key] = [MORE * value[0], *value[1:]] if isinstance(value, list | tuple) else MORE * value

    return flaw


def formulas(*place: str | int) -> Callable[[dict[str, Any]], None]:
    """Formulas larger by a thousandth."""

    def flaw(data: dict[str, Any]) -> None:
        part: Any = data
        for step in place[:-1]:
            part = part[step]
        told = part[place[-1]]
        more = [f"{MORE}*({text})" for text in ([told] if isinstance(told, str) else told)]
        part[place[-1]] = more[0] if isinstance(told, str) else more

    return flaw


def metal(key: str) -> Callable[[dict[str, Any]], None]:
    """A number of all conductors larger by a thousandth."""

    def flaw(data: dict[str, Any]) -> None:
        for shape in (shape for body in data["body"] for shape in body["shape"] if shape.get("conductor")):
            shape["conductor"][key] *= MORE

    return flaw


def geared(data: dict[str, Any]) -> None:
    data["joint"][-1]["ratio"] *= MORE


def motor(key: str) -> Callable[[dict[str, Any]], None]:
    def flaw(data: dict[str, Any]) -> None:
        data["joint"][0]["motor"][key] = f"{MORE}*({data['joint'][0]['motor'][key]})"

    return flaw


def longer_crank(data: dict[str, Any]) -> None:
    data["joint"][1]["anchor"] = stretched(data["joint"][1]["anchor"])


def first_particle(data: dict[str, Any]) -> None:
    data["particle"][0]["mass"] *= MORE


FLAWS: dict[str, Callable[[dict[str, Any]], None]] = {
    "heavier": of_all("sphere", "mass"),
    "faster": of_all("sphere", "velocity"),
    "spinning": of_all("sphere", "angular_velocity", [0.0, 0.0, 1.0]),
    "air": of_all("sphere", "drag"),
    "slippery": of_all("wall", "kinetic_friction", 0.0499),
    "bouncy": of_all("wall", "restitution"),
    "gravity": gravity,
    "rotation": rotation,
    "permeability": permeability,
    "field": field,
    "inertia": inertia,
    "mass": of_first("shape", "mass"),
    "place": of_first("shape", "position"),
    "moment": of_first("dipole", "moment"),
    "spin": of_bodies("angular_velocity"),
    "friction": of_bodies("friction"),
    "motion": motion,
    "remanence": remanence,
    "a weaker magnet": weaker_magnet,
    "path": path,
    "a rolling bead": bead("rolling", True),
    "a sliding bead": bead("rolling", False),
    "friction of the path": bead("friction", 1e-3),
    "harder": of_chains("stiffness"),
    "damped more": of_chains("modal_damping"),
    "damped more by modes": of_chains("modal_damping", "modes"),
    **{name: method(name) for name in METHODS},
    "other formulas of gravity": formulas("world", "gravity"),
    "another formula of the field": formulas("world", "magnetic_field", "z"),
    "another formula of the spring": formulas("spring", 0, "force"),
    "another formula of the force": formulas("force", 0, "force"),
    "moment of beads": of_all("bead", "moment"),
    "friction of beads": of_all("bead", "kinetic_friction"),
    "start of beads": of_all("bead", "parameter"),
    "faster beads": of_all("bead", "speed"),
    "heavier beads": of_all("bead", "mass"),
    "faster bodies": of_bodies("velocity"),
    "heavier particles": first_particle,
    "harder springs": of_all("spring", "stiffness"),
    "a better conductor": of_all("plate", "conductivity"),
    "a thicker plate": of_all("plate", "thickness"),
    "more turns": of_all("coil", "turns"),
    "a larger resistance": of_all("coil", "resistance"),
    "a larger inductance": of_all("coil", "inductance"),
    "a better metal": metal("conductivity"),
    "another ratio": geared,
    "a faster motor": motor("speed"),
    "a stronger motor": motor("torque"),
    "a longer crank": longer_crank,
    "another formula of the motion": formulas("body", 0, "motion", "z"),
}

# Errors that a case must detect: by the beginning of its name, else by its group.
OF_NAME = {
    "ellipsoid of iron": ("field", "inertia", "permeability"),
    "magnet towards iron": ("inertia",),
    "magnet across iron": ("inertia",),
    "a magnet pulls a ball of iron": ("inertia", "mass"),
    "pull of an iron plane": ("a weaker magnet",),
    "torque of an iron plane": ("a weaker magnet",),
    "a ball of iron adds": ("inertia", "permeability", "more turns"),
    "a superconducting ring": ("more turns", "mass", "a larger inductance", "gravity"),
    "a resistive ring": ("more turns", "mass", "a larger resistance"),
    "a magnet falls through a tube": ("gravity", "permeability", "mass", "a better metal"),
    "a magnet thrown through a tube": ("permeability", "mass", "a better metal"),
    "an alternating current": ("permeability", "a better metal", "more turns"),
    "an alternating field": ("field", "inertia", "a better metal"),
    "a current pulls": ("more turns", "mass"),
    "point": ("gravity", "place"),
    "tilted point": ("gravity", "place"),
    "wheel with friction": ("friction", "inertia", "mass", "spin"),
    "order of a mesh sphere": ("inertia",),
    "gap of its polhode": ("spin", "inertia", "euler", "semi_implicit_euler"),
    "free top": ("spin", "inertia", "euler", "verlet"),
    "centre of mass": ("gravity", "mass", "spin"),
    "driven": ("motion", "spin"),
    "field of a cloud": ("remanence", "moment"),
    "two discs meet": ("permeability", "mass", "remanence"),
    "field at the face of a disc": ("remanence", "permeability"),
    "compass": ("field", "moment", "inertia", "mass"),
    "needle in a rotating field": ("field", "moment", "inertia", "mass"),
    "slides down": ("gravity", "slippery"),
    "sliding ball begins": ("gravity", "slippery", "faster"),
    "sliding ball rolls": ("faster",),
    "speed after an impact": ("bouncy", "faster"),
    "rough ball": ("faster",),
    "ball in air": ("air", "faster"),
    "twelve elastic impacts, change": ("heavier", "faster"),
    "twelve elastic impacts, angular": ("spinning",),
    "twelve elastic impacts, energy": ("heavier", "faster"),
    "change of momentum": ("mass",),
    "change of angular momentum": ("mass",),
    "two magnets meet": ("permeability", "moment", "mass"),
    "two needles": ("permeability", "moment", "inertia", "mass"),
    "order of euler": ("rk4", "verlet"),
    "order of semi_implicit_euler": ("rk4", "verlet"),
    "order of rk4": ("verlet", "euler"),
    "order of": ("rk4", "euler"),
    "drift of euler": ("rk4", "field"),
    "drift of rk4": ("euler", "verlet", "field"),
    "drift of": ("euler", "field"),
    "circle, 2 rad, sliding": ("gravity", "path", "a rolling bead"),
    "circle, 2 rad, rolling": ("gravity", "path", "a sliding bead"),
    "period on a spinning hoop": ("gravity", "path", "a rolling bead"),
    "circle, force of the path": ("gravity",),
    "Foucault": ("rotation",),
    "bead at rest": ("rotation", "gravity", "path"),
    "axis of a free top": ("rotation", "spin", "inertia", "verlet"),
    "slope with an end": ("gravity", "path", "friction of the path"),
    "energy on a": ("euler", "verlet"),
    "free mass under the force": ("gravity",),
    "orthonormality lost per step of rk4": ("spin", "verlet"),
    "two masses, w": ("harder",),
    **{
        f"two masses by {body}, x{number} after 1000": ("gravity", "harder", "damped more", "euler")
        for body in ("points", "modes")
        for number in (1, 2)
    },
    "two masses by": ("gravity", "euler"),
    "modes - points": ("damped more by modes",),
    "orthonormality lost per step of splitting": ("rk4",),
    "orbit in gravity": ("other formulas of gravity", "rk4"),
    "magnet in a field gradient": ("another formula of the field", "moment", "mass"),
    "spring of the third power": ("another formula of the spring",),
    "resonance of a force": ("another formula of the force", "rk4"),
    "magnet falls beside": ("gravity", "permeability", "a better conductor", "a thicker plate", "moment of beads"),
    "needle spins over": ("permeability", "a better conductor", "a thicker plate", "spin", "mass", "moment"),
    "magnet thrown at": ("permeability", "a better conductor", "a thicker plate", "mass", "faster bodies"),
    "up an incline with friction": ("gravity", "path", "friction of beads", "faster beads"),
    "at rest on an incline": ("gravity", "path", "friction of beads", "faster beads"),
    "squared speed in a loop": ("gravity", "path", "friction of beads", "faster beads"),
    "ball caught and thrown": ("gravity", "heavier particles", "harder springs", "euler"),
    "weights on a string": ("gravity", "heavier particles", "harder springs", "euler"),
    "piston of a slider-crank": ("a faster motor", "a longer crank"),
    "angle of a geared wheel": ("another ratio", "a stronger motor", "mass"),
    "force in the joint of a rod": ("gravity", "mass", "spin"),
    "falls off a ball": ("start of beads", "friction of the path"),
    "falls out of a loop": ("gravity", "path", "faster beads", "friction of the path"),
    "period on a hoop that is free": ("gravity", "path", "spin", "heavier beads", "euler"),
    "bead flung out": ("spin", "start of beads", "heavier beads", "euler"),
    "free rod that a bead strikes": ("faster beads", "heavier beads"),
    "pendulum on a pivot that falls": ("another formula of the motion", "gravity", "spin"),
}
OF_GROUP = {
    "spheres": ("gravity",),
    "spheres on paths": ("gravity", "path"),
    "pendulums": ("gravity", "inertia", "place"),
    "meshes": ("gravity", "inertia", "place"),
    "tops": ("gravity", "inertia", "place"),
}


def flaws_of(group: str, case: Case) -> tuple[str, ...]:
    named = [names for start, names in OF_NAME.items() if case.name.startswith(start)]
    return named[0] if named else OF_GROUP[group]


def flawed(scene: Scene, flaw: str) -> Scene:
    data = scene.model_dump()
    FLAWS[flaw](data)
    return Scene.model_validate(data)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_agrees_with_its_closed_form(case: Case) -> None:
    result = case.run()
    assert result.passed, f"{result.value!r} instead of {case.expected!r}: {case.reason}"


@pytest.mark.parametrize(
    ("case", "flaw"),
    sampled([(case, flaw) for group, cases in GROUPS.items() for case in cases for flaw in flaws_of(group, case)], 9),
    ids=lambda given: given if isinstance(given, str) else given.name,
)
def test_case_notices_a_flaw_of_a_thousandth_or_another_method(case: Case, flaw: str) -> None:
    assert not case.run(flawed(case.scene, flaw)).passed


@pytest.mark.parametrize("amplitude", [1e-4, 1.5, 3.0])
def test_the_period_of_a_pendulum_is_that_of_its_energy_integral(amplitude: float) -> None:
    """T = 4/w int_0^(pi/2) dp/sqrt(1 - sin^2(a/2) sin^2 p), summed by quadrature."""
    k = np.sin(amplitude / 2)
    integral, error = quad(lambda p: 1 / np.sqrt(1 - (k * np.sin(p)) ** 2), 0, np.pi / 2, epsabs=1e-13, epsrel=1e-13)
    assert error < 1e-10
    assert pendulum_period(3.0, amplitude) == pytest.approx(4 / 3.0 * integral, rel=1e-12)


def test_names_of_cases_are_unique() -> None:
    assert len({case.name for case in CASES}) == len(CASES)


def test_a_case_that_leaves_the_numbers_is_off() -> None:
    case = next(case for case in CASES if case.name.startswith("two magnets meet"))
    data = case.scene.model_dump()
    for body in data["body"]:
        body["dipole"][0]["moment"] = [0, 0, 1e30]  # the force of two of them overflows
    assert not case.run(Scene.model_validate(data)).passed
