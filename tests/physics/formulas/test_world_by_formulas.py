"""Gravity, wind and magnetic field by formulas, beside solutions of scipy, gradients by differences, and the ledger."""

from collections.abc import Callable

import numpy as np
import pytest
from meaning import Meaning
from runs import continued, snapshots
from scipy.integrate import solve_ivp

from polhode.scene.fields import parse_path, with_value
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode.scene.toml_edit import stated
from polhode.simulation.simulation import Simulation
from polhode.udf.support_rules import what_no_udf_holds

TIMES = np.linspace(0.0, 1.5, 6)
MASSES = ((0.4, (0.1, 0.0, 0.05)), (0.2, (-0.1, 0.2, 0.0)), (0.3, (0.0, -0.1, -0.2)), (0.1, (0.05, 0.1, 0.15)))
DIPOLES = (((0.0, 0.1, 0.0), (0.0, 0.4, 1.0)), ((-0.1, 0.0, 0.05), (0.5, 0.0, -0.2)))
BALL = {"name": "ball", "mass": 0.5, "position": [0.3, -0.2, 0.1], "velocity": [0.5, 1.0, -0.3]}
Force = Callable[[np.ndarray, np.ndarray, float], np.ndarray]


def described(*, body=(), particle=(), **world) -> Scene:
    solver = {"method": "dormand_prince_8", "time_step": 2.5e-3}
    return scene_of({"solver": solver, "world": world, "body": list(body), "particle": list(particle)}, "test")


def thing(**more) -> dict:
    """A free body of four point masses, so that every force on it is a sum over these."""
    shapes = [{"kind": "point", "mass": mass, "position": place} for mass, place in MASSES]
    start = {"velocity": [0.4, -0.2, 0.3], "angular_velocity": [2.0, -1.0, 3.0]}
    return {"name": "thing", "support": "free", "position": [0.2, 0.1, -0.3], "shape": shapes, **start, **more}


def run(scene: Scene):
    return snapshots(scene, TIMES)


def solved(start: np.ndarray, rate: Callable[[float, np.ndarray], np.ndarray]) -> np.ndarray:
    return solve_ivp(rate, (0, TIMES[-1]), start, "DOP853", TIMES, rtol=1e-12, atol=1e-12).y.T


def nothing(*_: object) -> np.ndarray:
    return np.zeros(3)


def rigid_body(force: Callable = nothing, torque: Callable = nothing, at_center: Callable = nothing) -> np.ndarray:
    """(n, 12) position of the origin and basis of `thing`.

    force: of mass k at r with v; torque: a further one; at_center: a force at the centre of mass at r with v
    """
    mass = np.array([m for m, _ in MASSES])
    places = np.array([place for _, place in MASSES])
    center = mass @ places / mass.sum()
    arms = places - center
    tensor = sum(m * (a @ a * np.eye(3) - np.outer(a, a)) for m, a in zip(mass, arms, strict=True))
    spin, first = np.array([2.0, -1.0, 3.0]), np.array([0.2, 0.1, -0.3])
    start = [first + center, np.array([0.4, -0.2, 0.3]) + np.cross(spin, center), np.eye(3).ravel(), tensor @ spin]

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        x, v, turn, momentum = y[:3], y[3:6], y[6:15].reshape(3, 3), y[15:]
        w = turn @ np.linalg.solve(tensor, turn.T @ momentum)
        s = arms @ turn.T
        forces = np.array([force(k, x + s[k], v + np.cross(w, s[k]), turn, t) for k in range(len(mass))])
        change = np.cross(w, turn.T).T
        moment = np.cross(s, forces).sum(axis=0) + torque(turn, x - turn @ center, t)
        total = forces.sum(axis=0) + at_center(x, v, t)
        return np.concatenate([v, total / mass.sum(), change.ravel(), moment])

    found = solved(np.concatenate(start), rate)
    turns = found[:, 6:15].reshape(-1, 3, 3)
    return np.hstack([found[:, :3] - turns @ center, turns.transpose(0, 2, 1).reshape(-1, 9)])


def differs(found, expected) -> float:
    here = [np.concatenate([now.bodies.position[0], now.bodies.basis[0].ravel()]) for now in found]
    return float(np.abs(np.array(here) - expected).max())


GRAVITY = {"x": "-2*x + 0.3*sin(3*t)", "y": "x*z - y", "z": "-9.8*(1 + 0.1*sin(2*pi*t)) + y^2"}


def gravity(r: np.ndarray, t: float) -> np.ndarray:
    x, y, z = r
    return np.array([-2 * x + 0.3 * np.sin(3 * t), x * z - y, -9.8 * (1 + 0.1 * np.sin(2 * np.pi * t)) + y * y])


def test_a_point_falls_as_the_formulas_of_gravity_and_wind_say():
    wind = {"velocity": {"x": "2*sin(t)", "y": "z", "z": "0.1*x"}, "drag": 0.2}

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        air = np.array([2 * np.sin(t), y[2], 0.1 * y[0]])
        return np.concatenate([y[3:], gravity(y[:3], t) + 0.2 / 0.5 * (air - y[3:])])

    expected = solved(np.array(BALL["position"] + BALL["velocity"]), rate)
    found = run(described(particle=[BALL], gravity=GRAVITY, wind=wind))
    assert np.abs(np.array([now.points.position[0] for now in found]) - expected[:, :3]).max() < 1e-7
    assert min(abs(found[-1].ledger.air), abs(found[-1].ledger.field)) > 0.1
    books = [now.energy.total - now.ledger.total for now in found]
    assert np.ptp(books) < 1e-9


def test_a_body_feels_gravity_at_all_its_masses():
    """Formulas that are linear in the position, for which force and torque of the expansion are exact."""
    masses = [mass for mass, _ in MASSES]
    told = {"x": "-2*x + 3*z*cos(t)", "y": "4*z - y", "z": "-9.8*(1 + 0.1*sin(2*pi*t)) + 5*y"}

    def pull(k: int, r: np.ndarray, v: np.ndarray, turn: np.ndarray, t: float) -> np.ndarray:
        x, y, z = r
        g = -2 * x + 3 * z * np.cos(t), 4 * z - y, -9.8 * (1 + 0.1 * np.sin(2 * np.pi * t)) + 5 * y
        return masses[k] * np.array(g)

    expected = rigid_body(pull)
    found = run(described(body=[thing()], gravity=told))
    assert differs(found, expected) < 1e-7
    assert np.ptp([now.energy.total - now.ledger.total for now in found]) < 1e-8
    assert abs(found[-1].ledger.field) > 0.1
    assert found[-1].energy.gravity == 0.0


def test_drag_of_a_body_is_that_of_the_wind_at_its_centre_of_mass():
    drag = {"drag": 0.3, "quadratic_drag": 0.2}
    wind = {"velocity": ["3*z", "2*cos(t)", 0.5], "drag": 0.0}

    def force(r: np.ndarray, v: np.ndarray, t: float) -> np.ndarray:
        against = np.array([3 * r[2], 2 * np.cos(t), 0.5]) - v
        return (0.3 + 0.2 * np.linalg.norm(against)) * against

    found = run(described(body=[thing(**drag)], gravity=[0, 0, 0], wind=wind))
    assert differs(found, rigid_body(at_center=force)) < 1e-7
    assert np.ptp([now.energy.total - now.ledger.total for now in found]) < 1e-8


FIELD = {"kind": "formula", "x": "-0.5*x", "y": "-0.5*y + z^2", "z": "z + 2*y*z + 0.4*sin(5*t)"}


def flux(r: np.ndarray, t: float) -> np.ndarray:
    x, y, z = r
    return np.array([-0.5 * x, -0.5 * y + z * z, z + 2 * y * z + 0.4 * np.sin(5 * t)])


def test_dipoles_in_a_field_by_formulas_move_as_by_its_gradient():
    at, moments = (np.array(part) for part in zip(*DIPOLES, strict=True))

    def pull(turn: np.ndarray, x: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray]:
        """Force and torque about the origin x; grad (m.B) by central differences, exact for these formulas."""
        total, torque = np.zeros(3), np.zeros(3)
        for place, moment in zip(at @ turn.T, moments @ turn.T, strict=True):
            force = [moment @ (flux(x + place + d, t) - flux(x + place - d, t)) / 2e-3 for d in 1e-3 * np.eye(3)]
            total, torque = total + force, torque + np.cross(place, force) + np.cross(moment, flux(x + place, t))
        return total, torque

    masses, places = np.array([mass for mass, _ in MASSES]), np.array([place for _, place in MASSES])
    center = masses @ places / masses.sum()

    def force(k, r, v, turn, t):
        x = r - turn @ places[k]
        return masses[k] / masses.sum() * pull(turn, x, t)[0]

    def torque(turn, x, t):
        total, about_origin = pull(turn, x, t)
        return about_origin - np.cross(turn @ center, total)

    body = thing(dipole=[{"position": place, "moment": moment} for place, moment in DIPOLES])
    found = run(described(body=[body], gravity=[0, 0, 0], magnetic_field=FIELD, permeability=0.0))
    assert differs(found, rigid_body(force, torque)) < 1e-7
    assert abs(found[-1].ledger.field) > 0.01
    assert np.ptp([now.energy.total - now.ledger.total for now in found]) < 1e-8


@pytest.mark.parametrize(
    "world",
    [
        {"gravity": {"x": "-2*x + y*z", "y": "0.3*y + x*z", "z": "-9.8 + x*y"}},
        {
            "gravity": {
                "x": "-9*x*(x^2+y^2+z^2+1)^(-1.5)",
                "y": "-9*y*(x^2+y^2+z^2+1)^(-1.5)",
                "z": "-9*z/sqrt((x^2+y^2+z^2+1)^3)",
            }
        },
        {"gravity": [0, 0, 0], "magnetic_field": {"kind": "formula", "x": "-0.5*x", "y": "-0.5*y", "z": "z"}},
    ],
    ids=["second degree", "Plummer", "magnetic"],
)
def test_forces_are_the_gradient_of_the_energy(world):
    dipoles = [{"position": place, "moment": moment} for place, moment in DIPOLES]
    scene = described(body=[thing(dipole=dipoles)], particle=[BALL], permeability=0.0, **world)
    simulation = Simulation(scene)
    now = simulation.snapshot(forces=True)
    law = "gravity" if "magnetic_field" not in world else "magnetic"

    def energy(path: str, value: float) -> float:
        return Simulation(with_value(scene, parse_path(path), value)).snapshot().energy.total

    h, body, ball = 1e-3, scene.body[0].position, scene.particle[0].position
    for axis in range(3):
        for path, start, force in (
            (f"body[0].position[{axis}]", body[axis], now.forces[law].on_bodies[0, axis]),
            (f"particle[0].position[{axis}]", ball[axis], now.forces[law].on_points[0, axis]),
        ):
            steps = [energy(path, start + k * h) for k in (-2, -1, 1, 2)]
            slope = (steps[0] - 8 * steps[1] + 8 * steps[2] - steps[3]) / (12 * h)
            assert force == pytest.approx(-slope, abs=2e-9)


def test_a_constant_field_without_curl_has_an_energy_and_no_work():
    field = {"x": "-2*x", "y": "-3*y*exp(-y^2)", "z": "-9.8 - z"}
    found = run(described(particle=[BALL], gravity=field))
    assert found[-1].ledger.field == 0.0
    x, y, z = BALL["position"]
    assert found[0].energy.gravity == pytest.approx(
        0.5 * (x**2 - 1.5 * (np.exp(-(y**2)) - 1) + 9.8 * z + z * z / 2), abs=1e-14
    )
    assert np.ptp([now.energy.total for now in found]) < 1e-9


def test_gravity_of_a_point_mass_has_its_work_in_the_ledger():
    """Its potential can't be integrated from the origin, so that it is not stated."""
    kepler = {axis: f"-{axis}/(x^2 + y^2 + z^2)^1.5" for axis in "xyz"}
    ball = {"name": "ball", "mass": 1.0, "position": [1, 0, 0], "velocity": [0, 1.2, 0]}
    found = run(described(particle=[ball], gravity=kepler))
    energy = [0.5 * (now.points.velocity[0] ** 2).sum() - 1 / np.linalg.norm(now.points.position[0]) for now in found]
    assert np.ptp(energy) < 1e-10
    assert np.ptp([now.energy.total - now.ledger.total for now in found]) < 1e-10


def test_numbers_as_formulas_are_the_uniform_laws():
    dipoles = [{"position": place, "moment": moment} for place, moment in DIPOLES]
    plain = {"gravity": [1.0, 2.0, -9.0], "wind": {"velocity": [1.0, 0.0, 2.0], "drag": 0.1}}
    plain["magnetic_field"] = {"value": [0.1, 0.2, -0.3]}
    told = {"gravity": ["1", 2, "-9"], "wind": {"velocity": {"x": "1", "y": "0", "z": "2"}, "drag": 0.1}}
    told["magnetic_field"] = {"kind": "formula", "x": "0.1", "y": "0.2", "z": "-0.3"}
    one, other = (run(described(body=[thing(dipole=dipoles)], particle=[BALL], **world))[-1] for world in (plain, told))
    assert np.abs(one.bodies.basis - other.bodies.basis).max() < 1e-12
    assert np.abs(one.points.position - other.points.position).max() < 1e-12
    assert one.energy.total == pytest.approx(other.energy.total, abs=1e-11)


HERE = "x = 0.3, y = -0.2, z = 0.1"
BAD = [
    ({"gravity": {"x": "0", "y": "0", "z": "0", "w": "0"}}, Meaning("world.gravity", "unknown", name="w")),
    ({"gravity": {"x": "0", "y": "0", "z": "-9.8*q"}}, Meaning("world.gravity.z")),
    ({"gravity": [0, 0, "__import__('os')"]}, Meaning("world.gravity[2]")),
    (
        {"gravity": {"x": "0", "y": "1/(x - 0.3)", "z": "0"}},
        Meaning("world.gravity.y", "finite", place="x = 0.3, y = -0.2, z = 0.1", t=0, value="inf"),
    ),
    (
        {"gravity": [0, 0, "sqrt(2 - t)"]},
        Meaning("world.gravity.z", "finite", place="x = 0.3, y = -0.2, z = 0.1", t=2.25, value="nan"),
    ),
    ({"gravity": [0, 0, "1/(t - 3.01)"]}, Meaning("world.gravity.z", "finite", t=3.01, value="inf")),
    ({"gravity": [0, 0, True]}, Meaning("world.gravity[2]", variables="x, y, z, t", value=True)),
    (
        {"wind": {"velocity": ["log(t - 1)", 0, 0], "drag": 0.1}},
        Meaning("world.wind.velocity.x", "finite", t=0, value="nan"),
    ),
    ({"wind": {"velocity": ["t", 0, 0], "drag": 0.1, "period": 2.0}}, Meaning("world.wind", "formulas", "velocity")),
    ({"magnetic_field": {"kind": "formula", "x": "1/y"}}, None),
    (
        {"magnetic_field": {"kind": "formula", "x": "log(-1 - y)"}},
        Meaning("world.magnetic_field.x", "finite", t=0, value="nan"),
    ),
    ({"magnetic_field": {"kind": "formula", "x": "vx"}}, Meaning("world.magnetic_field.x")),
]


@pytest.mark.parametrize(("world", "said"), BAD)
def test_what_is_wrong_is_found_before_the_run(world, said):
    try:
        Simulation(described(particle=[BALL], **world))
        found = None
    except InputError as error:
        found = error
    assert (found is None) if said is None else (found is not None and said.of(found)), found


def test_a_field_that_breaks_maxwells_equations_is_warned_of():
    def warnings(**field: str) -> list[str]:
        return [str(each) for each in Simulation(described(magnetic_field={"kind": "formula", **field})).warnings]

    assert warnings(x="-0.5e-3*x", y="-0.5e-3*y", z="1e-3*z") == []
    (source,) = warnings(x="x", y="y", z="z")
    assert Meaning("world.magnetic_field", "magnetic", value=3).of(source)
    (current,) = warnings(x="-2*y", y="2*x", z="sin(t)")
    assert Meaning("world.magnetic_field", "curl", value=4).of(current)


def test_formulas_are_written_and_go_on_from_a_later_moment():
    wind = {"velocity": {"x": "2*sin(t)", "y": "z", "z": "0.1*x"}, "drag": 0.2}
    scene = described(particle=[BALL], gravity=GRAVITY, wind=wind, magnetic_field=FIELD)
    again, once = continued(scene)
    assert np.abs(again.points.position - once.points.position).max() < 1e-12


def test_gravity_becomes_a_formula_while_it_runs():
    simulation = Simulation(described(particle=[BALL]))
    simulation.advance(0.1)
    simulation.load(with_value(simulation.scene, parse_path("world.gravity[2]"), "2*x"))
    now = simulation.snapshot(forces=True)
    assert now.forces["gravity"].on_points[0] == pytest.approx([0, 0, 0.5 * 2 * now.points.position[0, 0]])


def test_no_pem_file_holds_formulas():
    scene = described(body=[thing()], gravity=GRAVITY, magnetic_field=FIELD)
    places = [problem.place for problem in what_no_udf_holds(scene)]
    assert {"world.gravity", "world.magnetic_field"} <= set(places)


def test_numbers_count_in_the_units_of_the_file_and_formulas_in_si():
    units = {"length": 0.01, "time": 0.1}
    scene = scene_of({"units": units, "world": {"gravity": [1.0, "2", "-9.8*x"]}}, "test")
    x, *formulas = scene.world.gravity
    assert x == pytest.approx(0.01 / 0.1**2, rel=1e-15)  # the last bit of a power depends on the C library
    assert formulas == ["2", "-9.8*x"]
    scene = scene_of({"units": {**units, "time": 1.0}, "world": {"gravity": [1.0, "2", "-9.8*x"]}}, "test")
    assert scene.world.gravity == (0.01, "2", "-9.8*x")
    assert scene_of(stated(scene), "again") == scene


def test_all_problems_are_told_at_once():
    world = {"gravity": {"x": "0", "y": "1/(x - 0.3)", "z": "0"}, "wind": {"velocity": ["log(y)", 0, 0]}}
    force = {"on": "ball", "force": ["sqrt(z - 1)", 0, 0]}
    spring = {"from": [0, 0, 0], "to": "ball", "force": "sqrt(-l)"}
    parts = {"world": world, "particle": [BALL], "force": [force], "spring": [spring]}
    with pytest.raises(InputError) as caught:
        Simulation(scene_of(parts, "test"))
    places = {problem.place for problem in caught.value.problems}
    assert places == {"world.gravity.y", "world.wind.velocity.x", "force[0].force.x", "spring[0].force"}
