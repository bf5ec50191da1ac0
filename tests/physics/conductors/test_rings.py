"""Magnets in tubes and beside discs of rings: drag in closed form, conservation laws, and rings against coils."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from laws import imbalance
from meaning import refuses
from scipy.special import iv, kv

from polhode.physics.conductors.compile import modes_of
from polhode.physics.conductors.loops import loops_of_body
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene, scene_of
from polhode.simulation.simulation import Simulation

MU0 = 1.25663706127e-6
SCENES = Path(__file__).parents[3] / "scenes"
SIGMA = 5.96e7  # [S/m]
SLOW_DRAG = 0.30545271  # [N s/m] of a dipole of 0.55 A m^2 in a thin wall of 1 mm with the radius 8 mm
BALL = {"kind": "sphere", "radius": 0.003, "mass": 0.006, "magnet": {"moment": [0, 0, 0.55]}}


def tube(
    length: float, panels: int, wall: tuple[float, float] = (7.5e-3, 8.5e-3), conductivity: float = SIGMA
) -> dict[str, Any]:
    metal = {"currents": "rings", "panels": panels, "conductivity": conductivity}
    form = {"kind": "tube", "inner_radius": wall[0], "radius": wall[1], "length": length}
    return {**form, "density": 8960.0, "conductor": metal}


def thin(length: float, panels: int, thickness: float = 1e-5) -> dict[str, Any]:
    """A wall at 8 mm that conducts as 1 mm of copper does."""
    wall = 8e-3 - thickness / 2, 8e-3 + thickness / 2
    return tube(length, panels, wall, SIGMA * 1e-3 / thickness)


def scene(shape: dict[str, Any], step: float, z: float, **bob: Any) -> dict[str, Any]:
    bodies = [
        {"name": "bob", "support": "free", "position": [0, 0, z], "shape": [BALL], **bob},
        {"name": "tube", "support": "fixed", "shape": [shape]},
    ]
    return {"solver": {"method": "rk4", "time_step": step}, "body": bodies}


def moved(shape: dict[str, Any], speed: float, start: float, step: float) -> Simulation:
    motion = {"kind": "uniform", "velocity": [0, 0, -speed]}
    return Simulation(Scene.model_validate(scene(shape, step, start, support="driven", motion=motion)))


def test_a_magnet_falls_through_a_thin_tube_at_its_constant_speed() -> None:
    simulation = Simulation(Scene.model_validate(scene(thin(0.4, 200), 1e-3, 0.1)))
    table = simulation.run(0.6, 0.1)
    assert -table["bob.velocity.z"][-1] == pytest.approx(0.006 * 9.80665 / SLOW_DRAG, rel=3e-6)
    assert simulation.warnings == ()


@pytest.mark.parametrize(
    ("shape", "factor"),
    [
        (thin(0.02, 100), 0.927950),
        (thin(0.04, 20), 0.997856),
        (thin(0.08, 60), 0.999974),
        (tube(0.4, 400), 0.30946280 / SLOW_DRAG),
        (tube(0.4, 400, (8e-3, 9e-3)), 0.24246269 / SLOW_DRAG),
    ],
)
def test_drag_of_a_slow_magnet_by_length_and_wall(shape: dict[str, Any], factor: float) -> None:
    """Error of 20 rings 4e-5, and of the inductance, which is left out: tau v/a squared."""
    table = moved(shape, 0.01, 1e-5, 1e-3).run(2e-3, 1e-3)
    assert table["tube.heating"][1] / 0.01**2 / SLOW_DRAG == pytest.approx(factor, rel=6e-5)


@pytest.mark.parametrize(("speed", "factor"), [(1.0, 0.999067), (3.0, 0.991673), (10.0, 0.915377)])
def test_drag_of_a_fast_magnet(speed: float, factor: float) -> None:
    """The wall of 10 um has the field of an infinitely thin one to k w/3, 4e-4 at the wave number 1/a."""
    table = moved(thin(0.12, 300), speed, 0.06, 0.04e-3 / speed).run(0.06 / speed, 0.006 / speed)
    assert 1 - table["tube.heating"][-1] / speed**2 / SLOW_DRAG == pytest.approx(1 - factor, rel=6e-3, abs=2e-5)


def test_slowest_modes_of_a_tube() -> None:
    described = Scene.model_validate(scene(tube(0.04, 60), 1e-3, 0.0)).body[1]
    constants, modes = modes_of(loops_of_body(described, MU0), 0.0)
    assert constants[:3] == pytest.approx([0.252e-3, 0.194e-3, 0.148e-3], rel=1.2e-2)  # of rings without sections
    assert constants.min() > 0.0
    finer = modes_of(loops_of_body(Scene.model_validate(scene(tube(0.04, 400), 1e-3, 0.0)).body[1], MU0), 0.0)[0]
    assert constants[:3] == pytest.approx(finer[:3], rel=2e-3)
    loops = loops_of_body(described, MU0)
    assert modes @ loops.resistance @ modes.T == pytest.approx(np.eye(len(modes)), abs=1e-9)


@pytest.mark.parametrize("wave", [0.5, 1.0, 2.0, 4.0])
def test_a_wave_of_current_in_a_long_tube_decays_as_in_closed_form(wave: float) -> None:
    """tau = mu0 sigma w a I1(ka) K1(ka) of an infinitely thin wall."""
    radius, shape = 8e-3, thin(1.6, 2000)
    loops = loops_of_body(Scene.model_validate(scene(shape, 1e-3, 0.0)).body[1], MU0)
    middle, height = 1000, loops.position[:, 2]
    phase = np.cos(wave / radius * (height - height[middle]))
    found = loops.inductance[middle] @ phase / loops.resistance[middle, middle]
    expected = MU0 * SIGMA * 1e-3 * radius * iv(1, wave) * kv(1, wave)
    assert found == pytest.approx(expected, rel=3e-3 + 7e-3 * wave)  # currents are even over a ring


def drifting(step: float) -> dict[str, Any]:
    """A magnet and a tube that move and turn freely, the magnet off the axis and tilted."""
    described = scene(tube(0.03, 30), step, 0.03, velocity=[0.02, -0.01, -1.0], angular_velocity=[40, 9, 5])
    described["body"][0] |= {"position": [2e-3, 1e-3, 0.03], "orientation": {"axis": [1, 2, 0], "angle": 0.7}}
    turning = {"axis": [0, 1, 0], "angle": 0.1}
    described["body"][1] |= {"support": "free", "angular_velocity": [3, -8, 20], "orientation": turning}
    return described | {"world": {"gravity": [0, 0, 0]}}


@pytest.mark.parametrize("step", [4e-4, 2.5e-5])
def test_momentum_and_angular_momentum_are_kept(step: float) -> None:
    """With modes that have an inductance, and without."""
    described = drifting(step)
    simulation = Simulation(Scene.model_validate(described))
    table = simulation.run(0.04, 4e-3)
    momentum, angular = np.zeros((len(table["time"]), 3)), np.zeros((len(table["time"]), 3))
    for body, properties in zip(("bob", "tube"), simulation.compiled.properties, strict=True):
        place, velocity, own = (
            np.stack([table[f"{body}.{what}.{axis}"] for axis in "xyz"], axis=1)
            for what in ("position", "velocity", "angular_momentum")
        )
        momentum += properties.mass * velocity
        angular += own + properties.mass * np.cross(place, velocity)
    assert abs(table["tube.velocity.z"][-1]) > 0.01  # the magnet drags the tube along
    assert np.ptp(momentum, axis=0).max() < 1e-13 * np.abs(momentum).max()
    # the bases of bodies are turned by the method, to its order; torques are opposite to rounding
    assert np.ptp(angular, axis=0).max() < 2e-6 * np.abs(angular).max()


def test_forces_and_torques_are_opposite_to_rounding() -> None:
    simulation = Simulation(Scene.model_validate(drifting(2.5e-5)))
    simulation.run(0.03, 0.03)
    acting = simulation.snapshot(forces=True).forces["conductors"]
    assert np.abs(acting.on_bodies).max() > 1e-3
    assert np.abs(acting.on_bodies.sum(axis=0)).max() < 1e-13 * np.abs(acting.on_bodies).max()
    total = (acting.torque + np.cross(acting.about, acting.on_bodies)).sum(axis=0)
    assert np.abs(total).max() < 1e-13 * np.abs(acting.torque).max()


def test_the_ledger_is_closed_by_the_order_of_the_method() -> None:
    drifts = []
    for step in (2e-5, 1e-5):
        table = Simulation(Scene.model_validate(drifting(step))).run(0.04, 4e-3)
        drifts.append(np.ptp(imbalance(table)))
        lost = -table["work.joule"][-1]
    assert lost > 1e-4
    assert drifts[1] < 2e-9 * 0.006 / 2 * 1.0**2  # of the energy of the magnet, 25 steps in the slowest time constant
    assert drifts[0] / drifts[1] > 11  # faster modes are resolved less well


@pytest.mark.parametrize("seed", range(4))
def test_metal_only_takes_energy(seed: int) -> None:
    """Whatever its form, the magnet and their motion: the energy falls, and no current heats by less than nothing."""
    rng = np.random.default_rng(seed)
    described = drifting([1e-3, 1e-4, 3e-5, 1e-5][seed])
    form = {"radius": 0.03 * rng.uniform(0.4, 1.0), "length": 0.05 * rng.uniform(0.1, 1.0)}
    if seed % 2:
        shape = {"kind": "cylinder", **form}
    else:
        shape = {"kind": "tube", "inner_radius": rng.uniform(0.3, 0.95) * form["radius"], **form}
    metal = {"currents": "rings", "panels": int(rng.integers(1, 60)), "conductivity": 10 ** rng.uniform(6, 8)}
    described["body"][1]["shape"] = [{**shape, "density": 3000.0, "conductor": metal}]
    aside, along = 0.1 * form["radius"] * rng.normal(size=2), rng.uniform(0.5, 1.0)
    velocity = [along, 0.1, 0.0] if seed % 2 else [0.02, -0.01, -along]  # over a disc, or through a tube
    described["body"][0] |= {"position": [*aside, form["length"] / 2 + 0.01], "velocity": velocity}
    table = Simulation(Scene.model_validate(described)).run(0.03, 1e-3)
    assert table["tube.heating"].min() >= 0.0
    assert (np.diff(table["work.joule"]) <= 0.0).all()
    taken = table["energy.total"][0] - table["energy.total"]
    assert (np.diff(taken) >= -1e-6 * taken[-1]).all()


@pytest.mark.parametrize("step", [1e-3, 2e-5])
def test_a_single_ring_is_a_shorted_coil_of_one_turn(step: float) -> None:
    shape = tube(0.01, 1, (0.0235, 0.0265), 3.7e7)
    of_ring = scene(shape, step, 0.03, position=[4e-3, 0, 0.03])
    body = Scene.model_validate(of_ring).body[1]
    loops = loops_of_body(body, MU0)
    of_coil = copy.deepcopy(of_ring)
    del of_coil["body"][1]["shape"][0]["conductor"]
    winding = {"kind": "loop", "radius": float(loops.radius[0]), "wire_radius": 1e-3}
    values = {"resistance": float(loops.resistance[0, 0]), "inductance": float(loops.inductance[0, 0])}
    of_coil["coil"] = [{"name": "ring", "body": "tube", "winding": winding, "turns": 1, **values}]
    one, other = (Simulation(Scene.model_validate(each)) for each in (of_ring, of_coil))
    assert one.compiled.model.conductors.slow[0] == (step < 1e-4)
    one, other = one.run(0.1, 0.01), other.run(0.1, 0.01)
    assert one["bob.position.z"] == pytest.approx(other["bob.position.z"], abs=1e-13)
    assert one["tube.heating"] == pytest.approx(other["ring.heat"], rel=1e-10)


def test_resistance_and_inductance_of_a_thick_ring() -> None:
    """The formula of a square section is 0.7 % low for 3 mm x 10 mm; the current of many rings is freer."""
    ring = Scene.model_validate(scene(tube(0.01, 60, (0.0235, 0.0265), 3.7e7), 1e-3, 0.03)).body[1]
    constants, _ = modes_of(loops_of_body(ring, MU0), 0.0)
    assert constants[0] == pytest.approx(7.011130e-8 / 1.415132e-4, rel=1.5e-2)
    assert constants[0] > 1.005 * 7.011130e-8 / 1.415132e-4


def test_moving_metal_is_braked_as_a_moving_magnet_is() -> None:
    """Only the motion relative to the metal counts, also while both turn about a common axis."""
    described = scene(tube(0.04, 40), 5e-5, 0.02, velocity=[0, 0, -0.4])
    described["world"] = {"gravity": [0, 0, 0]}
    described["body"][1] |= {"support": "driven", "motion": {"kind": "uniform", "velocity": [0, 0, 0.3]}}
    one = Simulation(Scene.model_validate(described)).run(0.05, 0.01)
    described["body"][0]["velocity"] = [0, 0, -0.7]
    described["body"][1]["support"] = "fixed"
    del described["body"][1]["motion"]
    other = Simulation(Scene.model_validate(described)).run(0.05, 0.01)
    assert one["bob.velocity.z"] - 0.3 == pytest.approx(other["bob.velocity.z"], abs=1e-12)
    assert one["tube.heating"] == pytest.approx(other["tube.heating"], rel=1e-9)


def in_field(field: dict[str, Any], step: float, panels: int = 1) -> Any:
    described = scene(tube(0.01, panels, (0.0235, 0.0265), 3.7e7), step, 0.5)
    described["body"] = described["body"][1:]
    described["body"][0] |= {"support": "driven", "angular_velocity": [0, 30, 0]}
    described["world"] = {"magnetic_field": field}
    return Simulation(Scene.model_validate(described)).run(0.2, 1e-2)


def test_a_ring_that_turns_in_a_field() -> None:
    """The mean heat is (B A w)^2 R/2/(R^2 + (w L)^2), without inductance (B A w)^2/2/R."""
    field = {"kind": "uniform", "value": [0, 0, 0.1]}
    loops = loops_of_body(Scene.model_validate(scene(tube(0.01, 1, (0.0235, 0.0265), 3.7e7), 1e-3, 0.5)).body[1], MU0)
    resistance, reactance = loops.resistance[0, 0], 30 * loops.inductance[0, 0]
    induced = 0.1 * np.pi * loops.radius[0] ** 2 * 30
    table = in_field(field, 1e-3)
    expected = (induced * np.sin(30 * table["time"])) ** 2 / resistance
    assert table["tube.heating"] == pytest.approx(expected, abs=1e-6 * expected.max())  # of the angle
    table = in_field(field, 1e-4)
    angle = 30 * table["time"] - np.arctan(reactance / resistance)
    expected = (induced * np.sin(angle)) ** 2 * resistance / (resistance**2 + reactance**2)
    assert table["tube.heating"][2:] == pytest.approx(expected[2:], abs=1e-6 * expected.max())
    assert np.ptp(imbalance(table)) < 1e-9


@pytest.mark.parametrize("step", [1e-3, 1e-4])
def test_a_field_by_formulas_acts_as_the_same_uniform_or_rotating_one(step: float) -> None:
    turning = {"kind": "rotating", "cosine": [0, 0, 0.1], "sine": [0, 0.05, 0], "angular_frequency": 50.0}
    formula = {"kind": "formula", "x": "0", "y": "0.05*sin(50*t)", "z": "0.1*cos(50*t)"}
    one, other = in_field(turning, step, 8), in_field(formula, step, 8)
    assert one["tube.heating"] == pytest.approx(other["tube.heating"], rel=1e-9)
    for table in (one, other):
        assert abs(table["work.field"][-1]) > 1e-5
        assert np.ptp(imbalance(table)) < 1e-7 * np.abs(table["work.joule"][-1])


def test_a_current_survives_an_edit() -> None:
    described = drifting(2.5e-5)
    simulation = Simulation(Scene.model_validate(described))
    simulation.run(0.02, 0.02)
    before = simulation.snapshot(forces=True).forces["conductors"].on_bodies
    described["body"][0]["friction"] = 0.1
    described["body"].append({"name": "other", "support": "fixed", "position": [1, 0, 0], "shape": [BALL]})
    simulation.load(Scene.model_validate(described))
    assert simulation.snapshot(forces=True).forces["conductors"].on_bodies[:2] == pytest.approx(before, rel=1e-4)


@pytest.mark.parametrize(
    ("shape", "place"),
    [
        ({"kind": "cone", "radius": 0.02, "length": 0.1, "density": 1.0}, "body[1].shape[0].conductor.currents"),
        ({"kind": "tube", "radius": 0.02, "inner_radius": 0.021, "length": 0.1, "density": 1.0}, "inner_radius"),
        ({"kind": "point", "mass": 1.0}, "body[1].shape[0]"),
    ],
)
def test_what_has_no_rings_is_refused(shape: dict[str, Any], place: str) -> None:
    with pytest.raises(InputError) as caught:
        Simulation(scene_of(scene({**shape, "conductor": {"currents": "rings"}}, 1e-3, 0.1), ""))
    assert any(place in problem.place for problem in caught.value.problems), caught.value


def test_rings_about_two_axes_and_magnets_in_metal_are_refused() -> None:
    described = scene(tube(0.04, 20), 1e-3, 0.1)
    described["body"][1]["shape"].append({**tube(0.04, 20), "position": [0.05, 0, 0]})
    with refuses("body[1].shape[1].conductor.currents", "axis"):
        Simulation(Scene.model_validate(described))
    described["body"][1]["shape"][1]["position"] = [0, 0, 0.05]
    Simulation(Scene.model_validate(described))
    described["body"][0]["position"] = [0.008, 0, 0.05]
    with refuses("body[0]", "metal"):
        Simulation(Scene.model_validate(described))


def test_rings_far_from_each_other_are_named() -> None:
    warnings = Simulation(Scene.model_validate(scene(tube(1.0, 100), 1e-3, 0.6))).warnings
    assert [warning.place for warning in warnings] == ["body[1].shape[0].conductor.panels"]
    more = warnings[0].remedy.values["count"]
    assert more >= 400
    assert Simulation(Scene.model_validate(scene(tube(1.0, more), 1e-3, 0.6))).warnings == ()


def test_two_tubes_of_one_body_are_as_one() -> None:
    """Two halves of a tube, with the mutual inductance of their rings."""
    whole = scene(tube(0.04, 40), 2e-5, 0.03)
    halves = copy.deepcopy(whole)
    parts = [{**tube(0.02, 20), "position": [0, 0, z]} for z in (0.01, -0.01)]
    parts[1]["orientation"] = {"axis": [1, 0, 0], "angle": np.pi}
    halves["body"][1]["shape"] = parts
    one, other = (Simulation(Scene.model_validate(each)).run(0.1, 0.01) for each in (whole, halves))
    assert one["bob.position.z"] == pytest.approx(other["bob.position.z"], abs=2e-5 * 0.02)


@pytest.mark.parametrize("method", ["semi_implicit_euler", "verlet", "implicit", "dormand_prince_8"])
def test_methods_agree(method: str) -> None:
    described = scene(tube(0.04, 20), 5e-5, 0.03)
    exact = Simulation(Scene.model_validate(described)).run(0.12, 0.02)
    described["solver"]["method"] = method
    found = Simulation(Scene.model_validate(described)).run(0.12, 0.02)
    assert found["bob.velocity.z"] == pytest.approx(exact["bob.velocity.z"], rel=2e-3)


def test_a_checkpoint_holds_the_currents() -> None:
    simulation = Simulation(Scene.model_validate(drifting(2.5e-5)))
    simulation.run(0.02, 0.02)
    kept = simulation.checkpoint()
    first = simulation.run(0.03, 0.01)
    simulation.return_to(kept)
    again = simulation.run(0.03, 0.01)
    assert (first["tube.heating"] == again["tube.heating"]).all()


def test_what_acts_on_metal_without_effect_is_named() -> None:
    """Metal whose modes no step resolves beside coils with a current or close to it, and other metal."""
    described = scene(tube(0.04, 20), 1e-3, 0.1)
    winding = {"kind": "loop", "radius": 0.02, "wire_radius": 1e-3}
    described["coil"] = [
        {"name": "far", "winding": winding, "position": [0, 0, 0.2], "source": {"kind": "open"}},
        {"name": "near", "winding": winding, "position": [0, 0, 0.05], "source": {"kind": "open"}},
        {"name": "driven", "winding": winding, "position": [0, 0, 0.3], "resistance": 1.0},
    ]
    near = described["coil"].pop(1)
    for coils, step, expected in (
        (described["coil"], 1e-3, {"body[1].shape"}),
        ([*described["coil"][:1], near], 1e-3, {"body[1].shape"}),
        ([*described["coil"][:1], near], 1e-4, set()),
        (described["coil"][:1], 1e-3, set()),
    ):
        described["coil"], described["solver"]["time_step"] = coils, step
        warned = Simulation(Scene.model_validate(described)).warnings
        assert {warning.place for warning in warned if "body" in warning.place} == expected
    del described["coil"]
    assert not Simulation(Scene.model_validate(described)).warnings
    described["body"].append({"name": "other", "support": "fixed", "position": [1, 0, 0], "shape": [tube(0.04, 20)]})
    for step, expected in ((1e-3, {"body[1].shape", "body[2].shape"}), (1e-4, set())):
        described["solver"]["time_step"] = step
        assert {warning.place for warning in Simulation(Scene.model_validate(described)).warnings} == expected
    described["coil"] = [near | {"source": {"kind": "shorted"}, "resistance": 1e-3}]
    warned = {warning.place for warning in Simulation(Scene.model_validate(described)).warnings}
    assert not any("body" in place for place in warned)


def test_the_magnet_through_coil_and_tube() -> None:
    """Figures of the scene: both lobes of the voltage, and the constant speed of a thin wall of 1 mm at 8 mm."""
    simulation = Simulation(read_scene(SCENES / "magnet_through_coil_and_tube.toml"))
    table = simulation.run(0.9, 5e-4)
    voltage, time = table["coil.voltage"], table["time"]
    for found, at, peak in ((voltage.argmax(), 0.19693208, 0.26042414), (voltage.argmin(), 0.20702372, -0.27377807)):
        assert time[found] == pytest.approx(at, abs=5e-4)
        assert voltage[found] == pytest.approx(0.55 * peak, rel=3e-4)
    in_tube = np.abs(table["magnet.position.z"] - 0.075).argmin()
    assert -table["magnet.velocity.z"][in_tube] == pytest.approx(0.1926318, abs=5e-5)
    assert simulation.warnings == ()
