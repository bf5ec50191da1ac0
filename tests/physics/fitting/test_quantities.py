"""Quantities that data are compared with: each against an independent computation, and a fit through each."""

from __future__ import annotations

import numpy as np
import pytest
from meaning import Meaning, refuses

from polhode.analysis.columns import columns
from polhode.data.measured import measured
from polhode.engine.compile import build
from polhode.engine.compiled_scene import CompiledScene
from polhode.fitting.chained import chained_sensitivities
from polhode.fitting.fit import fit
from polhode.fitting.forward import computed
from polhode.fitting.quantities.angles import hanging_start
from polhode.fitting.quantities.known import observe, offered, quantity_of
from polhode.fitting.quantities.names import along_name, field_name, point_in_frame_name, point_name
from polhode.fitting.task import fit_task
from polhode.fitting.units import units_of_fits
from polhode.fitting.unknowns import unknowns_of
from polhode.mesh.mesh import Meshes
from polhode.physics.magnets.field_in_space import fields
from polhode.scene import gallery
from polhode.scene.problem import InvalidValue
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene

MU0 = Scene().world.permeability
POINT = np.array([0.02, -0.1, -0.5])


def scene(**changes: float) -> Scene:
    """A phone that swings over a magnet, a compass beside it, a free cart that turns, in a field that swings."""
    now = {"friction": 0.002, "gravity": 9.81, "moment": 1.5, "height": -0.62, "tilt": 0.4, "speed": 0.3} | changes
    plate = {"kind": "cuboid", "size": [0.07, 0.14, 0.01], "mass": 0.2, "position": [0.0, 0.0, -0.5]}
    ball = {"kind": "sphere", "radius": 0.02, "mass": 0.1}
    turned = {"axis": [0.6, 0.8, 0.0], "angle": now["tilt"]}
    phone = {
        "name": "phone",
        "support": "pivot",
        "friction": now["friction"],
        "angular_velocity": [0.5, 1.0, 0.3],
        "orientation": turned,
        "shape": [plate],
        "dipole": [{"moment": [0.01, 0.0, 0.0], "position": [0.0, 0.02, -0.4]}],
    }
    magnet = {
        "name": "magnet",
        "support": "fixed",
        "position": [0.1, 0.0, now["height"]],
        "orientation": {"axis": [1.0, 0.0, 0.0], "angle": 0.3},
        "shape": [ball],
        "dipole": [{"moment": [0.0, 0.2, now["moment"]]}, {"moment": [0.3, 0.0, 0.0], "position": [0.0, 0.0, 0.03]}],
    }
    cart = {
        "name": "cart",
        "support": "free",
        "position": [0.0, 1.0, 2.0],
        "velocity": [now["speed"], 0.0, 1.0],
        "angular_velocity": [1.0, 2.0, 0.5],
        "shape": [{**ball, "position": [0.1, 0.0, 0.0]}],
    }
    wheel = {
        "name": "wheel",
        "support": "axle",
        "position": [0.0, 3.0, 0.0],
        "axis": [0.0, 2.0, 0.0],
        "friction": 0.003,
        "orientation": {"axis": [0.0, 1.0, 0.0], "angle": 0.8},
        "shape": [{**ball, "position": [0.0, 0.0, -0.3]}],
    }
    field = {"kind": "rotating", "cosine": [2e-5, 0.0, 4e-5], "sine": [0.0, 3e-5, 0.0], "angular_frequency": 7.0}
    world = {"gravity": [0.0, 0.0, -now["gravity"]], "magnetic_field": field}
    solver = {"method": "rk4", "time_step": 0.005}
    return Scene.model_validate({"world": world, "solver": solver, "body": [phone, magnet, cart, wheel]})


def values_of(made: Scene | CompiledScene, names: list[str], times: np.ndarray) -> np.ndarray:
    """(n, m) quantities of a run."""
    compiled = build(made, Meshes()) if isinstance(made, Scene) else made
    observed = observe(names, compiled)
    return observed.of_columns(computed(compiled, times, observed.chosen), compiled)


TIMES = np.linspace(0.0, 2.0, 41)


class Run:
    """Columns of a run as vectors."""

    def __init__(self, made: Scene):
        self.compiled = build(made, Meshes())
        self._names = list(columns(self.compiled))
        self._table = computed(self.compiled, TIMES, np.arange(len(self._names)))

    def vector(self, name: str) -> np.ndarray:
        """(n, 3)."""
        at = self._names.index(f"{name}.x")
        return self._table[:, at : at + 3]

    def point(self, body: str, place: np.ndarray) -> np.ndarray:
        """(n, 3) [m] in the laboratory."""
        return self.vector(f"{body}.position") + sum(place[k] * self.vector(f"{body}.u{k + 1}") for k in range(3))


@pytest.fixture(scope="module")
def run() -> Run:
    return Run(scene())


def test_places_in_the_frame_of_a_body(run):
    names = [point_in_frame_name("phone", POINT, "cart", axis) for axis in "xyz"]
    found = values_of(run.compiled, names, TIMES)
    apart = run.point("phone", POINT) - run.vector("cart.position")
    expected = np.stack([np.sum(apart * run.vector(f"cart.u{k}"), axis=1) for k in (1, 2, 3)], axis=1)
    assert found == pytest.approx(expected, abs=1e-14)
    assert np.ptp(expected, axis=0).min() > 0.1


def test_places_along_a_direction_are_sums_of_those_along_axes(run):
    way = np.array([3.0, 4.0, 0.0])
    found = values_of(run.compiled, [along_name("phone", POINT, way)], TIMES)[:, 0]
    assert found == pytest.approx(run.point("phone", POINT) @ (way / 5.0), abs=1e-14)
    origins = values_of(run.compiled, ["cart.position.along[0, 0, 2]", "cart.position.in[phone].y"], TIMES)
    assert origins[:, 0] == pytest.approx(run.vector("cart.position")[:, 2], abs=1e-14)
    expected = np.sum(run.vector("cart.position") * run.vector("phone.u2"), axis=1)  # its origin is the pivot
    assert origins[:, 1] == pytest.approx(expected, abs=1e-14)


def test_the_angle_on_an_axle_is_the_integral_of_its_speed():
    times = np.linspace(0.0, 1.0, 2001)
    names = ["wheel.angle", "wheel.angular_velocity.y"]
    angle, rate = values_of(scene(), names, times).T
    turned = np.concatenate([[0.0], np.cumsum((rate[1:] + rate[:-1]) / 2 * np.diff(times))])
    assert angle == pytest.approx(turned, abs=1e-5)  # of the trapezoidal rule
    assert np.ptp(angle) > 0.5


def test_the_deflection_on_an_axle_is_counted_from_hanging_straight_down():
    """Right-handed about the axle y, down is -z: a bob at (-l sin a, 0, -l cos a) has the deflection a."""
    bob = {"kind": "sphere", "radius": 0.03, "mass": 0.2, "position": [0.0, 0.0, -0.5]}
    rod = {"name": "rod", "support": "axle", "axis": [0, 2, 0], "shape": [bob]}
    rod |= {"orientation": {"axis": [0, 1, 0], "angle": 0.5}}
    made = Scene.model_validate({"body": [rod], "world": {"gravity": [0, 0, -9.81]}})
    times = np.linspace(0.0, 2.0, 101)
    center = point_name("rod", [0.0, 0.0, -0.5], "x"), point_name("rod", [0.0, 0.0, -0.5], "z")
    deflection, angle, x, z = values_of(made, ["rod.deflection", "rod.angle", *center], times).T
    assert deflection == pytest.approx(np.arctan2(-x, -z), abs=1e-12)
    assert deflection[0] == pytest.approx(0.5)
    assert hanging_start("rod.angle", build(made, Meshes())) == ("rod.deflection", pytest.approx(0.5))
    assert deflection - angle == pytest.approx(np.full(101, 0.5), abs=1e-12)
    upright = Scene.model_validate(
        {"body": [rod | {"axis": [0, 0, 1]}], "world": {"gravity": [0, 0, -9.81]}}
    )  # gravity along the axle
    assert "rod.deflection" not in offered(build(upright, Meshes()))


def test_the_angle_on_a_pivot_is_that_from_hanging_straight_down(run):
    """Where the phone swings out of its plane, it is that of the projection."""
    found = values_of(run.compiled, ["phone.angle"], TIMES)[:, 0]
    arm = run.point("phone", np.array([0.0, 0.0, -0.5]))
    assert np.cos(found) * np.hypot(arm[:, 2], arm @ [-0.8, 0.6, 0.0]) == pytest.approx(-arm[:, 2], abs=1e-12)
    assert found[0] == pytest.approx(0.4)


def field_of_dipoles(run: Run, places: np.ndarray, owners: dict[str, list[tuple[list[float], list[float]]]]):
    """(n, 3) [T] by the textbook sum, with vectors from columns alone."""
    total = np.stack([2e-5 * np.cos(7 * TIMES), 3e-5 * np.sin(7 * TIMES), 4e-5 * np.cos(7 * TIMES)], axis=1)
    for body, dipoles in owners.items():
        for moment, at in dipoles:
            turned = sum(moment[k] * run.vector(f"{body}.u{k + 1}") for k in range(3))
            r = places - run.point(body, np.array(at))
            d = np.linalg.norm(r, axis=1, keepdims=True)
            along = np.sum(turned * r, axis=1, keepdims=True)
            total = total + MU0 / (4 * np.pi) * (3 * along * r / d**5 - turned / d**3)
    return total


MAGNET = {"magnet": [([0.0, 0.2, 1.5], [0.0, 0.0, 0.0]), ([0.3, 0.0, 0.0], [0.0, 0.0, 0.03])]}
PHONE = {"phone": [([0.01, 0.0, 0.0], [0.0, 0.02, -0.4])]}


def test_the_field_at_a_place_of_the_laboratory_is_the_sum_over_all_dipoles(run):
    place = (0.05, 0.1, -0.3)
    found = values_of(run.compiled, [field_name("", place, axis) for axis in "xyz"], TIMES)
    expected = field_of_dipoles(run, np.tile(place, (len(TIMES), 1)), MAGNET | PHONE)
    assert found == pytest.approx(expected, rel=1e-11, abs=1e-16)


def test_the_field_at_a_place_of_a_body_is_along_its_axes_and_without_its_own_dipoles(run):
    found = values_of(run.compiled, [field_name("phone", POINT, axis) for axis in "xyz"], TIMES)
    field = field_of_dipoles(run, run.point("phone", POINT), MAGNET)
    expected = np.stack([np.sum(field * run.vector(f"phone.u{k}"), axis=1) for k in (1, 2, 3)], axis=1)
    assert found == pytest.approx(expected, rel=1e-11, abs=1e-16)
    assert np.ptp(found, axis=0).min() > 1e-5


def test_the_field_on_the_axis_of_a_dipole_is_the_closed_form():
    """B = mu0 m/(2 pi z^3); the cloud of a magnetised cube is off by (size/distance)^4."""
    cube = {"kind": "cuboid", "size": [0.04, 0.04, 0.04], "mass": 0.1}
    ball = {"kind": "sphere", "radius": 0.02, "mass": 0.1}
    body = {"name": "magnet", "support": "fixed", "position": [0.0, 0.0, 0.3], "shape": [ball]}
    cloud = {**body, "shape": [{**cube, "magnet": {"moment": [0.0, 0.0, 2.0]}}]}
    for made, exact in (({**body, "dipole": [{"moment": [0.0, 0.0, 2.0]}]}, 1e-13), (cloud, 1e-2)):
        names = ["field[0, 0, 0].z", "field[0, 0, 0].along[0, 0, -3]", "field[0, 0, 0].x"]
        found = values_of(Scene.model_validate({"body": [made]}), names, TIMES[:3])
        expected = MU0 * 2.0 / (2 * np.pi * 0.3**3)
        assert found[:, 0] == pytest.approx(expected, rel=exact, abs=0.0)
        assert found[:, 1] == pytest.approx(-found[:, 0])
        assert found[:, 2] == pytest.approx(0.0, abs=1e-3 * expected)


def test_a_field_by_formulas_is_that_at_the_place_and_the_time():
    field = {"kind": "formula", "x": "0.1*x*t", "z": "0.2*z + 0.05*t"}
    ball = {"kind": "sphere", "radius": 0.02, "mass": 0.1}
    body = {"name": "cart", "support": "free", "velocity": [0.5, 0.0, 0.0], "shape": [ball]}
    made = Scene.model_validate({"world": {"magnetic_field": field, "gravity": [0, 0, 0]}, "body": [body]})
    names = ["cart.field[0.1, 0, 0].x", "field[0, 0, 2].z", "cart.position.x"]
    x, z, way = values_of(made, names, TIMES).T
    assert x == pytest.approx(0.1 * (way + 0.1) * TIMES, abs=1e-15)
    assert z == pytest.approx(0.4 + 0.05 * TIMES, abs=1e-15)


def test_the_distance_of_the_hand_is_that_of_the_simulated_target():
    wall = {"name": "hand", "stiffness": 1e3, "motion": {"kind": "sensor"}}
    sensor = {"centre": 0.25, "amplitude": 0.05, "period": 1.5}
    made = Scene.model_validate({"sensor": sensor, "wall": [wall], "body": list(scene().model_dump()["body"][2:3])})
    expected = 0.25 + 0.05 * np.sin(2 * np.pi * TIMES / 1.5)
    assert values_of(made, ["sensor.distance"], TIMES)[:, 0] == pytest.approx(expected)
    assert "sensor.distance" in offered(build(made, Meshes()))
    data = measured("made", TIMES, {"d": expected})
    start = made.model_copy(update={"sensor": made.sensor.model_copy(update={"period": 1.4, "centre": 0.2})})
    found = fit(start, data, {"d": "sensor.distance"}, ["sensor.period", "sensor.centre"])
    assert [each.value for each in found.estimates] == pytest.approx([1.5, 0.25], rel=1e-6)


@pytest.mark.parametrize(
    ("name", "free", "changes"),
    [
        (field_name("", (0.1, 0.0, -0.3), "z"), "body[1].dipole[0].moment[2]", {"moment": 1.2}),
        (field_name("phone", POINT, "x"), "body[1].dipole[0].moment[2]", {"moment": 2.0}),
        (field_name("phone", POINT, "y"), "body[1].position[2]", {"height": -0.7}),
        (point_in_frame_name("phone", POINT, "cart", "y"), "world.gravity[2]", {"gravity": 9.5}),
        (point_in_frame_name("phone", POINT, "cart", "x"), "body[2].velocity[0]", {"speed": 0.4}),
        (along_name("phone", POINT, (0.6, 0.8, 0.0)), "body[0].friction", {"friction": 0.005}),
        ("phone.angle", "world.gravity[2]", {"gravity": 9.4}),
        ("phone.angle", "body[0].tilt[0]", {}),
        ("wheel.angle", "body[3].friction", {"friction": 0.002}),
    ],
)
def test_numbers_are_found_through_each_quantity(name, free, changes):
    """From exact data to 1e-6."""
    truth = scene()
    data = measured("made", TIMES, {"q": values_of(truth, [name], TIMES)[:, 0]})
    start = scene(**changes) if changes else scene()
    found = fit(start, data, {"q": name}, [free])
    expected = {"moment": 1.5, "height": -0.62, "gravity": -9.81, "speed": 0.3, "friction": 0.002}
    wanted = expected[next(iter(changes))] if changes else 0.0
    if free == "body[3].friction":
        wanted = 0.003
    assert found.estimates[0].value == pytest.approx(wanted, rel=1e-6, abs=1e-7)


def test_sensitivities_by_segments_are_those_of_whole_runs():
    """Both of differences: of a field that moves with the unknown, and of an angle."""
    names = [field_name("phone", POINT, "y"), "wheel.angle"]
    found = values_of(scene(), names, TIMES)
    data = measured("made", TIMES, {"b": found[:, 0], "a": found[:, 1]})
    unknowns = unknowns_of(scene(), ["body[1].dipole[0].moment[2]", "body[3].friction"], {}, data, ("a", "b"))
    task = fit_task(unknowns, data, dict(zip("ba", names, strict=True)), Meshes())
    x = np.array([1.0, 1.0])
    whole = task.sensitivities(x)
    assert chained_sensitivities(task, x) == pytest.approx(whole, rel=1e-4, abs=1e-4 * np.abs(whole).max())


def test_angles_of_joints_and_coordinates_of_beads_are_columns_that_are_offered():
    trebuchet, slide = (
        offered(build(read_scene(gallery.path(name)), Meshes())) for name in ("trebuchet", "helix_slide")
    )
    assert "rad" in [unit for name, unit in trebuchet.items() if name.endswith(".angle")]
    assert {name.rpartition(".")[2] for name in slide} >= {"parameter", "speed"}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("phon.point[0, 0, 1].x", Meaning("", near="phone.point[0, 0, 1].x")),
        ("phone.point[0, 0, 1].in[card].x", Meaning("", near="phone.point[0, 0, 1].in[cart].x")),
        ("fone.field[0, 0, 1].x", Meaning("", near="phone.field[0, 0, 1].x")),
        ("phone.angel", Meaning("", near="phone.angle")),
        ("cart.angle", Meaning("", "quantity", name="cart.angle")),
        ("field[0, 0].x", Meaning("", "point", name="field[0, 0].x")),
        ("phone.point[0, 0, nan].x", Meaning("", "point", name="phone.point[0, 0, nan].x")),
        ("phone.point[0, 0, 1].along[0, 0, 0]", Meaning("", "numbers", "all")),
        ("sensor.distance", Meaning("", "quantity", name="sensor.distance")),
    ],
)
def test_wrong_names_are_refused_with_a_near_one(name, said):
    with pytest.raises(InvalidValue) as error:
        quantity_of(name, build(scene(), Meshes()))
    assert said.of(error.value)


def test_every_quantity_that_is_offered_exists():
    compiled = build(scene(), Meshes())
    known = offered(compiled)
    assert all(quantity_of(name, compiled).unit == unit for name, unit in known.items())
    assert known["phone.angle"] == known["wheel.angle"] == "rad"
    assert known["phone.field[0, 0, 0].x"] == "T"
    assert "time" not in known


def test_a_wrong_unit_of_a_field_is_recognised():
    name = field_name("", (0.1, 0.0, -0.3), "z")
    data = measured("made", TIMES, {"q": 1e3 * values_of(scene(), [name], TIMES)[:, 0]})
    with refuses("mapping", "varies", "unit", name="q", unit="mT"):
        fit(scene(), data, {"q": name}, ["body[1].dipole[0].moment[2]"])


def test_the_kernel_of_the_field_is_compiled_beforehand():
    """With the types that a run calls it with: a second signature would be compiled while the window waits."""
    values_of(scene(), [field_name("phone", POINT, "x")], TIMES[:3])
    unit = next(unit for unit in units_of_fits() if unit.kernel is fields)
    assert unit.kinds in [tuple(each) for each in fields.signatures]
    assert len(fields.signatures) == 1


def test_names_have_six_digits():
    assert point_name("bob", (0.0, -0.0, -1 / 3), "x") == "bob.point[0, 0, -0.333333].x"
