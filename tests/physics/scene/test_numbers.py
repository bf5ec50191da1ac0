"""Numbers that no scene means are refused with a message: extreme magnitudes, counts, sizes, nesting."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Any

import numpy as np
import pytest
from hostile.scene_mutations import REFUSED, SOUND, outcomes
from meaning import Meaning, refuses
from pydantic import TypeAdapter, ValidationError

from polhode.engine.compile import build
from polhode.integrators import METHODS
from polhode.mesh.mesh import Meshes
from polhode.scene import gallery
from polhode.scene.fields import numbers, with_value
from polhode.scene.problem import InputError
from polhode.scene.quantity import BASES, MAGNITUDES, Quantity, Vector, magnitudes
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene, scene_of, scene_schema, tables_of
from polhode.simulation.simulation import Diverged, Simulation

SPHERE = "[[body]]\nname = 'ball'\n[[body.shape]]\nkind = 'sphere'\nmass = 1\nradius = 1\n"
FEW_CASES = 100
DIVERGING = ("heavy_top", "jelly_pendulum", "rolling_10_two_spheres", "magnet_pendulum", "bead_on_circle")


def refusal(text: str) -> InputError:
    with pytest.raises(InputError) as stop:
        build(scene_of(tables_of(text, "scene.toml"), "scene.toml"), Meshes())
    return stop.value


def test_mutated_scenes_are_sound_or_refused() -> None:
    found = outcomes(0, FEW_CASES)
    assert {seed: said for seed, said in found.items() if said not in (SOUND, REFUSED)} == {}
    assert len(found) == FEW_CASES
    assert {SOUND, REFUSED} <= set(found.values())


def test_every_number_of_a_scene_has_a_largest_magnitude() -> None:
    """Directions, which are normalised, and whole numbers, which have bounds of their own, aside."""
    random = np.random.default_rng(1)
    for name in gallery.scene_names():
        scene = read_scene(gallery.path(name))
        places = [(place, form) for place, form in numbers(scene) if form.unit]
        for k in random.integers(len(places), size=min(1, len(places))):
            place, form = places[k]
            with pytest.raises(InputError) as stop:
                with_value(scene, place, random.choice([1e200, -1e200]))
            assert any(problem.rule for problem in stop.value.problems), (name, place, form)


@pytest.mark.parametrize("unit", sorted({*BASES, *MAGNITUDES}))
def test_magnitudes_are_limited_by_unit(unit: str) -> None:
    checked: TypeAdapter[Any] = TypeAdapter(Annotated[Vector, Quantity(unit)])
    _, largest = magnitudes(unit)
    assert checked.validate_python((6e-17, 0.0, -largest)) == (6e-17, 0.0, -largest)
    with refuses("", "computed", raised=ValidationError):
        checked.validate_python((0.0, 1.01 * largest, 0.0))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            "position = [1e308, 0, 0]",
            Meaning("body[0].shape[0].position", "most", value=1e308, unit="m", limit=1e15),
        ),
        ("radius = 5e-324", Meaning("body[0].shape[0].radius", "computed", value=5e-324)),
        ("mass = 1e-300", Meaning("body[0].shape[0].mass", "least", value=1e-300, unit="kg", limit=1e-33)),
        ("mass = 1e50", Meaning("body[0].shape[0].mass", "most", value=1e50, unit="kg", limit=1e33)),
    ],
)
def test_a_magnitude_beyond_its_limits_is_named_with_its_unit(change: str, expected: Meaning) -> None:
    key = change.split(" ")[0]
    lines = [line for line in SPHERE.splitlines() if not line.startswith(f"{key} =")]
    assert expected.of(refusal("\n".join([*lines, change])))


def test_limits_count_in_si_whatever_the_units_of_the_file() -> None:
    text = SPHERE.replace("radius = 1", "radius = {}")
    scene = scene_of(tables_of("[units]\nlength = 1e-9\n" + text.format("1e18"), ""), "")
    assert scene.body[0].shape[0].radius == pytest.approx(1e9)  # type: ignore[union-attr]
    assert Meaning("body[0].shape[0].radius", "computed", value=1e18, unit="m").of(
        refusal("[units]\nlength = 1e6\n" + text.format("1e12"))
    )


def test_sizes_of_one_scene_are_within_twelve_orders_of_magnitude() -> None:
    small = "[[particle]]\nname = 'p{}'\nmass = 1\nradius = {}\nposition = [6e-17, {}, 0]\n"
    build(scene_of(tables_of(SPHERE + small.format(0, 1e-11, 5), ""), ""), Meshes())
    said = refusal(SPHERE + small.format(0, 1e-13, 5))
    assert Meaning(
        "body[0].shape[0].radius",
        largest=1,
        ratio=1e12,
        place="particle[0].radius",
        smallest=1e-13,
    ).of(said)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[ghost]]\n" * 20_000, Meaning("ghost", count=20000, things="ghosts", most=100)),
        (
            "".join(
                f"[[sphere]]\nname = 's{k}_'\nmass = 1\nradius = 1\n"
                "arrangement = { kind = 'grid', counts = [100, 100, 10], spacing = [3, 3, 3] }\n"
                for k in range(40)
            ),
            Meaning("", count=4000000, things="bodies", most=200000),
        ),
        (
            "[[sphere]]\nname = 's'\nmass = 1\nradius = 1\n"
            "arrangement = { kind = 'grid', counts = [100000000, 100000000, 100000000], spacing = [3, 3, 3] }\n",
            Meaning("sphere[0].arrangement.counts[2]", "most", limit=100000, value=100000000),
        ),
        ("[" + ".".join("a" * 20_000) + "]", Meaning("", "deeply")),
        ("x = " + "[" * 60 + "]" * 60, Meaning("", "deeply")),
        ("[world]\ngravity = [0, 0, 0x" + "F" * 6000 + "]", Meaning("world.gravity[2]", bits=24000)),
        ("[world]\nrotation = [1" + "0" * 400 + ", 0, 0]", Meaning("world.rotation[0]", "finite", value="inf")),
    ],
)
def test_counts_and_nesting_are_bounded_before_arrays_are_made(text: str, expected: Meaning) -> None:
    assert expected.of(refusal(text))


def test_the_schema_states_the_largest_magnitude_of_each_quantity() -> None:
    radius = scene_schema()["$defs"]["Sphere"]["properties"]["radius"]
    assert (radius["unit"], radius["largest"], radius["exclusiveMinimum"]) == ("m", 1e15, 0)


def diverging(name: str, method: str, times: float) -> Scene:
    scene = read_scene(gallery.path(name))
    solver = scene.solver.model_copy(update={"method": method, "time_step": times * scene.solver.time_step})
    return scene.model_copy(update={"solver": solver, "ghost": ()})


@pytest.mark.parametrize("name", DIVERGING)
@pytest.mark.parametrize("method", [method for method in METHODS if method != "implicit"])
def test_the_last_state_of_a_run_has_finite_numbers_however_it_ends(name: str, method: str) -> None:
    for times in (20.0, 1000.0):
        simulation = Simulation(diverging(name, method, times))
        with suppress(Diverged):
            simulation.advance_steps(2000)
        assert np.isfinite(simulation.snapshot().numbers).all()


LATTICE = (
    "[[soft]]\nname = 'net'\nkind = 'lattice'\ncounts = [{}]\nspacing = [1, 1, 1]\nparticle_mass = 1\nstiffness = 1\n"
)
SHAPE = "kind = 'cuboid'\nsize = [{}]\nmass = 1\nmagnet = {{ moment = [0, 0, 1] }}\n"
MAGNET = f"[[body]]\nname = 'foil'\n[[body.shape]]\n{SHAPE}"
BEAD = (
    "[[bead]]\nname = 'b'\nradius = 0.01\nmass = 1\npath = {kind = 'ellipse', semi_axes = [1, 2], normal = [0, 1, 0]}\n"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[world]\ngravity = ['1e308', 0, 0]", Meaning("world.gravity.x", "large", t=0)),
        (
            LATTICE.format("25, 25, 40") + "modes = 3\nfixed = [0]\n",
            Meaning("soft[0].modes", name="net", springs=301911),
        ),
        (
            LATTICE.format("12, 12, 1") + "natural_length = 1e9\nmodes = 12\nfixed = [0, 11]\n",
            Meaning("soft[0].natural_length", "pressure", name="net"),
        ),
        ("[view]\ncamera = { up = [0, 1] }", Meaning("view.camera.up", count=2, needed=3)),
    ],
)
@pytest.mark.filterwarnings("error")
def test_what_a_fuzz_found_is_refused(text: str, expected: Meaning) -> None:
    assert expected.of(refusal("format = 1\n" + text))


@pytest.mark.parametrize("size", ["1e5, 1e5, 1e-6", "1e6, 1e-5, 1e-5", "1e-6, 1e5, 1e5"])
def test_thin_magnets_are_cut_into_few_dipoles(size: str) -> None:
    text = "format = 1\n" + MAGNET.format(size)
    compiled = build(scene_of(tables_of(text, "scene.toml"), "scene.toml"), Meshes())
    assert 1 <= len(compiled.model.dipoles.moment) < 10_000


def test_gravity_of_denormal_size_has_a_direction() -> None:
    text = "format = 1\n[world]\ngravity = [0, 0, -5e-324]\n" + BEAD
    with np.errstate(all="raise", under="ignore"):
        build(scene_of(tables_of(text, "scene.toml"), "scene.toml"), Meshes())
