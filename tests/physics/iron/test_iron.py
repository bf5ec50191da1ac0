"""Soft iron in runs: closed forms and series, energies against forces, conservation laws, and what is refused."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from laws import BOB, BODY, Laws, difference, imbalance
from meaning import refuses

from polhode.engine.compile import build
from polhode.engine.registry import SUBJECTS
from polhode.mesh.mesh import Meshes
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene, scene_of
from polhode.simulation.simulation import Simulation

SILENT = {"gravity": [0, 0, 0]}


def iron(mu: float, panels: int = 500, **shape: Any) -> dict[str, Any]:
    return {"mass": 0.03, "iron": {"permeability": mu, "panels": panels}, **shape}


def core(mu: float, panels: int = 500, **shape: Any) -> dict[str, Any]:
    shape = shape or {"kind": "sphere", "radius": 0.01}
    return {"name": "core", "support": "free", "shape": [iron(mu, panels, **shape)]}


def bob(at: Any, moment: Any, **body: Any) -> dict[str, Any]:
    small = {"kind": "sphere", "radius": 0.001, "mass": 0.01}
    return {"name": "bob", "support": "free", "position": at, "dipole": [{"moment": moment}], "shape": [small], **body}


@pytest.mark.parametrize(
    ("mu", "moment", "inside"),
    [(5, 0.5714285715, 0.2142857), (100, 0.9705882354, 0.2941176), (1000, 0.9970059882, 0.2994012), (np.inf, 1.0, 0.3)],
)
def test_moment_of_a_sphere_in_a_uniform_field(mu: float, moment: float, inside: float) -> None:
    """m = 4 pi a^3 H (mu - 1)/(mu + 2); the magnetisation is uniform, 3 (mu - 1)/(mu + 2) B0."""
    described = {
        "world": {**SILENT, "magnetic_field": {"kind": "uniform", "value": [0.06, 0, 0.08]}},
        "body": [core(mu)],
    }
    table = Simulation(Scene.model_validate(described)).run(1e-3, 1e-3)
    found = np.array([table[f"core.induced_moment.{axis}"][0] for axis in "xyz"])
    assert found == pytest.approx(moment * np.array([0.6, 0, 0.8]), rel=1e-5, abs=1e-9)
    magnetisation = inside - (0.1 * 3 / (mu + 2) if np.isfinite(mu) else 0.0)
    assert table["core.magnetisation"][0] == pytest.approx(magnetisation, rel=2e-5)
    assert table["energy.magnetic"][0] == pytest.approx(-0.05 * moment, rel=1e-5)


@pytest.mark.parametrize(
    ("axes", "mu", "torque"),
    [
        ((0.005, 0.005, 0.01), 5, 3.55466030e-3),
        ((0.005, 0.005, 0.01), 100, 1.28433776e-2),
        ((0.01, 0.01, 0.005), 100, -1.82968973e-2),
    ],
)
def test_an_ellipsoid_turns_its_long_axis_to_the_field(axes: Any, mu: float, torque: float) -> None:
    """Closed form with Osborn's demagnetising factors, at 45 degrees in 0.1 T."""
    field = {"kind": "uniform", "value": [0.1 / 2**0.5, 0, 0.1 / 2**0.5]}
    body = core(mu, 500, kind="ellipsoid", semi_axes=axes)
    found = Laws({"world": {**SILENT, "magnetic_field": field}, "body": [body]}).wrench(0)
    assert found[4] == pytest.approx(torque, rel=1e-4)
    assert np.abs(found[:3]).max() < 1e-15


@pytest.mark.parametrize(
    ("mu", "at", "moment", "pull"),
    [
        (np.inf, 0.016, [0, 0, 1], 22.7312741),
        (np.inf, 0.02, [0, 0, 1], 2.33796296),
        (np.inf, 0.03, [0, 0, 1], 0.0788282857),
        (np.inf, 0.02, [1, 0, 0], 0.740740741),
        (5, 0.02, [0, 0, 1], 1.41227144),
        (100, 0.02, [0, 0, 1], 2.27734058),
        (100, 0.03, [0, 0, 1], 0.0766344945),
    ],
)
def test_a_dipole_near_a_sphere(mu: float, at: float, moment: list[float], pull: float) -> None:
    """A series of multipoles. Errors as by the mesh: 0.4 % at two radii."""
    laws = Laws({"world": SILENT, "body": [core(mu), bob([0, 0, at], moment)]})
    bar = {0.016: 0.012, 0.02: 0.006, 0.03: 0.002}[at]
    assert laws.wrench(0)[2] == pytest.approx(pull, rel=bar)
    assert laws.wrench(1)[2] == -laws.wrench(0)[2]


def mixed() -> dict[str, Any]:
    """Two irons, one of two shapes with an own magnet, and a magnet of many dipoles, all free."""
    own = {"kind": "cylinder", "radius": 0.004, "length": 0.01, "position": [0, 0, 0.012]}
    pole = {"kind": "cuboid", "size": [0.01, 0.012, 0.008]}
    yoke = {
        "name": "yoke",
        "support": "free",
        "orientation": {"axis": [1, 2, 3], "angle": 0.4},
        "angular_velocity": [3, -2, 5],
        "dipole": [{"moment": [0, 0.3, 0.2], "position": [0, 0.02, 0]}],
        "shape": [iron(50, 120, **pole), iron(8, 60, **own)],
    }
    magnet = {"kind": "cylinder", "radius": 0.003, "length": 0.004, "mass": 0.01}
    bob = BOB | {"shape": [{**magnet, "magnet": {"moment": [0.1, 0, 0.5], "dipoles": 27}}]}
    ball = {**core(np.inf, 80, kind="sphere", radius=0.006), "name": "ball", "position": [-0.02, 0.024, 0.006]}
    return {"world": copy.deepcopy(SILENT), "solver": {"time_step": 1e-4}, "body": [yoke, bob, ball]}


FIELDS = {
    "none": {"kind": "uniform", "value": [0, 0, 0]},
    "uniform": {"kind": "uniform", "value": [0.02, -0.03, 0.05]},
    "formula": {"kind": "formula", "x": "2*x*z + 0.01", "y": "y", "z": "x^2 - z + 3*x*y*t"},
}


@pytest.mark.parametrize("field", FIELDS)
def test_forces_and_torques_are_the_gradient_of_the_energy(field: str) -> None:
    described = mixed()
    described["world"]["magnetic_field"] = FIELDS[field]
    laws = Laws(described)
    for body in range(3):
        assert difference(laws.wrench(body), laws.by_difference(body)) < 1e-6


def totals(state: np.ndarray) -> np.ndarray:
    """(2, 3) momentum [kg m/s] and angular momentum [kg m^2/s] about the origin of three bodies."""
    found = np.zeros((2, 3))
    for body in state[: 3 * BODY].reshape(3, BODY):
        found += body[3:6], body[15:18] + np.cross(body[:3], body[3:6])
    return found


def test_momentum_and_energy_of_free_iron_and_magnets() -> None:
    """Momentum is kept to rounding, whatever the panels; energy to the fourth order of RK4."""
    drifts = []
    for step in (2e-4, 1e-4):
        described = mixed()
        described["solver"]["time_step"] = step
        simulation = Simulation(Scene.model_validate(described))
        before = totals(simulation.state)
        table = simulation.run(0.01, 0.002)
        change = totals(simulation.state) - before
        assert np.abs(change[0]).max() < 1e-13 * np.abs(simulation.state[3:6]).max()
        assert np.abs(change[1]).max() < 1e-6 * np.abs(before[1]).max()
        drifts.append(np.ptp(imbalance(table)))
        assert np.ptp(table["energy.magnetic"]) > 1e3 * drifts[-1]
    assert drifts[0] / drifts[1] > 10


@pytest.mark.parametrize("field", ["rotating", "formula"])
def test_ledger_of_iron_in_a_field_that_changes(field: str) -> None:
    rotating = {"kind": "rotating", "cosine": [0, 0, 0.02], "sine": [0.01, 0, 0], "angular_frequency": 200.0}
    drifts = []
    for step in (2e-4, 1e-4):
        described = mixed()
        described["world"]["magnetic_field"] = rotating if field == "rotating" else FIELDS["formula"]
        described["body"] = described["body"][:1]
        described["solver"]["time_step"] = step
        table = Simulation(Scene.model_validate(described)).run(0.02, 0.005)
        drifts.append(np.ptp(imbalance(table)))
    assert abs(table["work.field"][-1]) > 1e3 * drifts[1]
    assert drifts[0] / drifts[1] > 10


def test_a_magnet_that_is_led_round_iron_gains_nothing() -> None:
    """The work of a closed path is 0, to the order of the integrator; by collocation it is not."""
    path = {"kind": "formula", "x": "0.02*cos(2*pi*t)", "y": "0.024*sin(2*pi*t)", "z": "0.006*sin(4*pi*t + 1)"}
    cube = core(np.inf, 108, kind="cuboid", size=[0.016, 0.014, 0.018])
    cube["support"] = "fixed"
    works = []
    for step in (5e-3, 2.5e-3):
        led = bob([0, 0, 0], [0.6, 0.3, 0.5], support="driven", motion=path)
        described = {"world": SILENT, "solver": {"time_step": step}, "body": [cube, led]}
        table = Simulation(Scene.model_validate(described)).run(1.0, 0.05)
        works.append(abs(table["work.drive"][-1]))
    assert works[1] < 1e-6 * np.ptp(table["work.drive"])
    assert works[1] < works[0]


def test_scenes_without_iron_have_no_hook_of_iron() -> None:
    compiled = build(Scene.model_validate({"body": [bob([0, 0, 0], [0, 0, 1])]}), Meshes())
    assert compiled.model.iron.inverse.size == 0
    assert "iron" not in [part.name for part in SUBJECTS if part.is_in(compiled.model, compiled.inputs)]


def test_a_magnet_on_its_own_iron_is_stronger_and_feels_no_force_of_it() -> None:
    described = mixed()
    alone = {**described, "body": described["body"][:1]}
    laws = Laws(alone)
    assert np.abs(laws.wrench(0)).max() == 0.0


@pytest.mark.parametrize(
    ("values", "place"),
    [
        ({"permeability": 0.9}, "body[0].shape[0].iron.permeability"),
        ({"permeability": float("nan")}, "body[0].shape[0].iron.permeability"),
        ({"panels": 5}, "body[0].shape[0].iron.panels"),
        ({"panels": 100000}, "body[0].shape[0].iron.panels"),
    ],
)
def test_wrong_iron_is_refused_at_its_place(values: dict[str, Any], place: str) -> None:
    described = {"body": [core(100)]}
    described["body"][0]["shape"][0]["iron"] |= values
    with pytest.raises(InputError) as caught:
        scene_of(described, "iron")
    assert [problem.place for problem in caught.value.problems] == [place]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda d: d["body"][0]["shape"][0].update(magnet={"moment": [0, 0, 1]}), "body[0].shape[0].iron"),
        (lambda d: d["body"][0].update(shape=[iron(5, kind="point")]), "body[0].shape[0].iron"),
        (lambda d: d["world"].update(permeability=0), "body[0].shape[0].iron"),
        (lambda d: d["body"].extend({**core(5, 2400), "name": f"b{k}"} for k in range(9)), "body[0].shape[0].iron"),
        (lambda d: d["body"].append(bob([0, 0, 0.009], [0, 0, 1])), "body[1]"),
        (lambda d: d["body"][0].update(dipole=[{"moment": [0, 0, 1]}]), "body[0]"),
        (lambda d: d["body"].append({**core(5), "name": "other", "position": [0, 0, 0.015]}), "body[1]"),
    ],
)
def test_iron_that_is_elsewhere_or_nowhere_is_refused(change: Any, place: str) -> None:
    described: dict[str, Any] = {"world": copy.deepcopy(SILENT), "body": [core(100, 80)]}
    change(described)
    with pytest.raises(InputError) as caught:
        Simulation(scene_of(described, "iron"))
    assert caught.value.problems[0].place == place


def test_a_magnet_nearer_than_a_panel_is_named() -> None:
    simulation = Simulation(
        Scene.model_validate({"world": SILENT, "body": [core(100, 80), bob([0, 0, 0.013], [0, 0, 1e-3])]})
    )
    simulation.advance(0.02)
    assert [warning.place for warning in simulation.warnings] == ["body[0] and body[1]"]
    far = Simulation(Scene.model_validate({"world": SILENT, "body": [core(100, 80), bob([0, 0, 0.03], [0, 0, 1e-3])]}))
    far.advance(0.02)
    assert not far.warnings


@pytest.mark.parametrize(
    ("field", "moment"), [(0.1, 0.996510750), (0.5, 4.94926756), (1.0, 6.95205321), (2.0, 6.98870905)]
)
def test_a_sphere_saturates(field: float, moment: float) -> None:
    """Froehlich and Kennelly's law in a sphere, where the field is uniform: a quadratic equation; mu0 Ms = 2.1 T."""
    body = core(1000, 320)
    body["shape"][0]["iron"]["saturation"] = 2.1
    world = {**SILENT, "magnetic_field": {"kind": "uniform", "value": [0, 0, field]}}
    table = Simulation(Scene.model_validate({"world": world, "body": [body]})).run(1e-3, 1e-3)
    assert table["core.induced_moment.z"][0] == pytest.approx(moment, rel=1e-5)


def test_forces_on_iron_that_saturates_are_the_gradient_of_the_energy() -> None:
    cube = core(500, 108, kind="cuboid", size=[0.016, 0.014, 0.018])
    cube["shape"][0]["iron"]["saturation"] = 0.05
    described = {"world": copy.deepcopy(SILENT), "body": [cube, bob([0.004, 0.003, 0.024], [2, 0, 3])]}
    described["world"]["magnetic_field"] = FIELDS["formula"]
    laws = Laws(described)
    start, h, found = laws.compiled.start, 1e-6, laws.wrench(1)
    for k in range(3):
        ends = [laws.energy(start + sign * h * (np.arange(len(start)) == BODY + k)) for sign in (1, -1)]
        assert found[k] == pytest.approx((ends[1] - ends[0]) / (2 * h), rel=1e-6, abs=1e-7 * np.abs(found[:3]).max())
    linear = copy.deepcopy(described)
    del linear["body"][0]["shape"][0]["iron"]["saturation"]
    assert abs(found[2]) < 0.9 * abs(Laws(linear).wrench(1)[2])


def test_the_needle_of_the_scene_swings_about_the_direction_of_the_ball() -> None:
    """Closed form of the frequency from the energies along and across, 4.65778 Hz; 0.1 % by the mesh of the ball."""
    scene = read_scene("compass_and_iron_ball")
    still = scene.with_values({"body[0].friction": 0.0, "body[0].orientation.angle": 0.02})
    table = Simulation(still).run(1.5, 2e-3)
    angular, time = table["needle.angular_momentum.z"], table["time"]
    rising = np.flatnonzero((angular[1:] > 0.0) & (angular[:-1] <= 0.0))
    zeros = time[rising] - angular[rising] * 2e-3 / (angular[rising + 1] - angular[rising])
    assert (len(zeros) - 1) / (zeros[-1] - zeros[0]) == pytest.approx(4.65778, rel=2e-3)


def test_the_rifle_of_the_scene_shoots_faster_than_it_is_loaded() -> None:
    """A ball of ideal iron from far away meets the fixed magnet at 2.4402 m/s; the scene has losses and a recoil."""
    ball = core(np.inf)
    mass = 7870 * 4 / 3 * np.pi * 0.01**3
    magnet = {"kind": "sphere", "radius": 0.01, "mass": 1, "magnet": {"remanence": [0, 0, 1.2]}}
    target = {"name": "magnet", "support": "fixed", "position": [0, 0, 0.02], "shape": [magnet]}
    laws = Laws({"world": SILENT, "body": [ball, target]})
    assert np.sqrt(-2 * laws.energy(laws.compiled.start) / mass) == pytest.approx(2.4402, rel=3e-3)
    table = Simulation(read_scene("gauss_rifle")).run(0.35, 0.005)
    assert table["last.velocity.x"].max() > 4 * table["first.velocity.x"][0]
    assert np.ptp(imbalance(table)) < 0.02 * -table["energy.magnetic"].min()


@pytest.mark.parametrize("panels", [416, pytest.param(1400, marks=pytest.mark.nightly)])
def test_a_disc_magnet_over_an_iron_disc(panels: int) -> None:
    """Axisymmetric rings of charge, by an independent program; the last digit is uncertain."""
    magnet = {"kind": "cylinder", "radius": 0.00635, "length": 0.003175, "mass": 0.01}
    disc = core(np.inf, panels, kind="cylinder", radius=0.012, length=0.005)
    for gap, pull in ((0.001, 12.450), (0.002, 6.5138), (0.005, 1.32428)):
        solid = {**magnet, "magnet": {"remanence": [0, 0, 1.32], "dipoles": 1000}}
        over = {"name": "bob", "support": "free", "position": [0, 0, 0.0025 + gap + 0.0015875], "shape": [solid]}
        found = Laws({"world": SILENT, "body": [disc, over]}).wrench(1)[2]
        assert found == pytest.approx(-pull, rel=6e-3 if panels < 1000 else 5e-3)


@pytest.mark.parametrize(("distance", "pull", "bar"), [(0.025, 2.34287365, 0.02), (0.03, 0.867434157, 0.005)])
def test_two_spheres_in_a_field_along_their_line(distance: float, pull: float, bar: float) -> None:
    """A series of 55 multipoles, mu = 100, 0.1 T."""
    world = {**SILENT, "magnetic_field": {"kind": "uniform", "value": [0, 0, 0.1]}}
    other = {**core(100, 180), "name": "other", "position": [0, 0, distance]}
    laws = Laws({"world": world, "body": [core(100, 180), other]})
    assert laws.wrench(0)[2] == pytest.approx(pull, rel=bar)
    assert np.abs(laws.wrench(0)[:3] + laws.wrench(1)[:3]).max() == 0.0


def test_iron_beyond_saturation_and_plates_beside_iron_are_named() -> None:
    described: dict[str, Any] = {"world": {**SILENT, "magnetic_field": {"kind": "uniform", "value": [0, 0, 0.8]}}}
    described["body"] = [core(1000, 80)]
    strong = Simulation(Scene.model_validate(described))
    strong.advance(0.02)
    assert [warning.place for warning in strong.warnings] == ["body[0].shape"]
    described["body"][0]["shape"][0]["iron"]["saturation"] = 2.1
    described["plate"] = [{"name": "plate", "point": [0, 0, -0.05], "conductivity": 6e7, "thickness": 0.001}]
    beside = Simulation(Scene.model_validate(described))
    beside.advance(0.02)
    assert [warning.place for warning in beside.warnings] == ["plate[0]"]


def field_in_shell(permeability: float, **values: Any) -> float:
    """Field near the middle of the shell of the scene, relative to the outer one, without needles."""
    scene = read_scene("scenes/shielding_box.toml")
    needles = {f"body[{b}].dipole[0].moment": (0.0, 0.0, 1e-9) for b in (1, 2)}
    changed = {"body[0].shape[0].iron.permeability": permeability} | needles | values
    return float(Simulation(scene.with_values(changed)).field(np.array([[0.0, 0.001, 0.0]]))[0, 0] / 1e-3)


def test_a_shell_of_iron_shields() -> None:
    """9 mu_r/((2 mu_r + 1)(mu_r + 2) - 2 (a/b)^3 (mu_r - 1)^2) of the outer field, to 0.012 of that."""

    def exact(mu: float, thickness: float) -> float:
        hollow = (1.0 - thickness / 0.05) ** 3
        return 9.0 * mu / ((2.0 * mu + 1.0) * (mu + 2.0) - 2.0 * hollow * (mu - 1.0) ** 2)

    assert exact(5.0, 0.005) == pytest.approx(0.83843, abs=1e-5)
    assert field_in_shell(5.0) == pytest.approx(0.83843, abs=5e-3)
    assert abs(field_in_shell(1000.0)) < 0.03
    for thickness in (0.003, 0.005):
        there = field_in_shell(100.0, **{"body[0].shape[0].iron.thickness": thickness})
        assert there == pytest.approx(exact(100.0, thickness), abs=0.012)


def test_the_ledger_of_the_shielding_box_balances() -> None:
    """The world's field turns, and does work on the iron and on both needles."""
    table = Simulation(read_scene("scenes/shielding_box.toml")).run(8.0, 0.02)
    ledger = sum(table[column] for column in table if column.startswith("work."))
    exchanged = np.ptp(table["energy.kinetic"])
    assert np.abs(table["work.field"]).max() > exchanged > 0.0
    assert np.ptp(table["energy.total"] - ledger) < 1e-3 * exchanged


@pytest.mark.parametrize(
    ("shape", "place"),
    [
        ({"kind": "cuboid", "size": [0.02, 0.02, 0.02]}, "body[0].shape[0].iron.thickness"),
        ({"kind": "sphere", "radius": 0.002}, "body[0].shape[0].iron.thickness"),
    ],
)
def test_a_thickness_that_is_no_wall_of_a_sphere_is_refused(shape: dict[str, Any], place: str) -> None:
    hollow = {"mass": 0.03, "iron": {"thickness": 0.002}, **shape}
    with refuses(place, **({"radius": 0.002} if shape["kind"] == "sphere" else {"kind": "cuboid"})):
        build(Scene.model_validate({"body": [{"name": "core", "support": "free", "shape": [hollow]}]}), Meshes())
