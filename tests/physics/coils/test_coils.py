"""Coils in runs: published figures, conservation laws, energies against forces, and what an edit keeps."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from laws import imbalance

from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation

MU0 = 1.25663706127e-6
BALL = {"kind": "sphere", "radius": 0.003, "mass": 0.01, "magnet": {"moment": [0, 0, 1.0]}}
RING = {"kind": "loop", "radius": 0.02, "wire_radius": 0.0005}
FALL: dict[str, Any] = {
    "solver": {"time_step": 1e-4},
    "body": [{"name": "bob", "support": "free", "position": [0, 0, 0.2], "shape": [BALL]}],
    "coil": [{"name": "coil", "winding": RING, "turns": 100, "source": {"kind": "open"}}],
}


def changed(**of_coil: Any) -> dict[str, Any]:
    found = copy.deepcopy(FALL)
    found["coil"][0] |= of_coil
    return found


def run(described: dict[str, Any], until: float, every: float | None = None) -> Any:
    scene = Scene.model_validate(described)
    return Simulation(scene).run(until, every or scene.solver.time_step)


def test_a_magnet_that_falls_through_an_open_coil() -> None:
    """Peaks of the voltage and their times, from the closed form of the flux."""
    table = run(FALL, 0.3, 1e-5 * 10)
    voltage, time = table["coil.voltage"], table["time"]
    for found, at, peak in ((voltage.argmax(), 0.19693208, 0.26042414), (voltage.argmin(), 0.20702372, -0.27377807)):
        assert time[found] == pytest.approx(at, abs=1e-4)  # the distance of the rows
        assert voltage[found] == pytest.approx(peak, rel=1e-4)  # curvature times the square of half that distance
    lobe = np.cumsum((voltage[1:] + voltage[:-1]) / 2 * np.diff(time)).max()
    assert lobe == pytest.approx(3.1384976e-3, rel=5e-5)  # of trapezoids: h^2/12 times the difference of the slopes


def test_a_magnet_that_falls_through_a_shorted_coil() -> None:
    """Figures from an independent integration with flux and current as states."""
    described = changed(resistance=1.0, inductance=1e-3, source={"kind": "shorted"})
    described["body"][0]["position"] = [0, 0, 0.05]
    table = run(described, 0.2, 1e-4)
    middle, end = 1500, 2000
    assert table["bob.position.z"][[middle, end]] == pytest.approx([-0.057678260, -0.140804021], abs=2e-9)
    assert table["bob.velocity.z"][[middle, end]] == pytest.approx([-1.417371738, -1.907677757], abs=2e-8)
    assert -table["work.joule"][[middle, end]] == pytest.approx([5.148857247e-4, 5.153102879e-4], rel=1e-7)
    assert table["coil.current"][middle] == pytest.approx(7.894650e-3, rel=2e-6)
    assert np.ptp(imbalance(table)) < 1e-10
    assert (np.diff(table["work.joule"]) <= 0).all()


def test_without_its_inductance_a_coil_follows_at_once() -> None:
    described = changed(resistance=1.0, inductance=0.0, source={"kind": "shorted"})
    described["body"][0]["position"] = [0, 0, 0.05]
    table = run(described, 0.15, 1e-3)
    assert table["bob.position.z"][-1] == pytest.approx(-0.05761393, abs=2e-8)
    assert np.ptp(imbalance(table)) < 1e-10


def test_a_superconducting_ring_reflects_a_magnet_and_keeps_its_flux() -> None:
    start = MU0 * 100 * 0.02**2 / 2 / (0.02**2 + 0.05**2) ** 1.5
    described = changed(resistance=0.0, inductance=1e-3, current=-start / 1e-3, source={"kind": "shorted"})
    described["body"][0]["position"] = [0, 0, 0.05]
    simulation = Simulation(Scene.model_validate(described))
    at = simulation.compiled.model.circuits.at
    before = simulation.state[at]
    table = simulation.run(0.2, 1e-4)
    assert simulation.state[at] == before
    lowest = table["bob.position.z"].argmin()
    assert table["bob.position.z"][lowest] == pytest.approx(2.942733e-3, abs=1e-7)
    assert table["time"][lowest] == pytest.approx(0.1272176, abs=1e-4)


@pytest.mark.parametrize(("speed", "torque"), [(100, 6.107428e-5), (1000, 3.084251e-4), (5000, 1.186251e-4)])
def test_a_turning_magnet_is_braked_most_where_its_speed_is_resistance_over_inductance(
    speed: float, torque: float
) -> None:
    described = changed(resistance=1.0, inductance=1e-3, source={"kind": "shorted"})
    described["solver"]["time_step"] = 0.01 / speed
    turning = {"kind": "formula", "x": "0", "y": "0", "z": "0", "angle": f"{speed}*t", "axis": [1, 0, 0]}
    described["body"][0] |= {"support": "driven", "position": [0, 0, 0.02], "motion": turning}
    period = 2 * np.pi / speed
    table = run(described, 20 * period, period / 50)
    joule, time = -table["work.joule"], table["time"]
    lost = joule[-1] - np.interp(time[-1] - 5 * period, time, joule)
    assert lost / (5 * period) / speed == pytest.approx(torque, rel=1e-5)


def test_mutual_inductance_and_force_of_two_loops() -> None:
    carrier = {"name": "c", "support": "free", "shape": [{"kind": "sphere", "radius": 0.1, "mass": 1e3}]}
    described = {"world": {"gravity": [0, 0, 0]}, "solver": {"time_step": 1e-4}, "body": [carrier]}
    wide = {"winding": {"kind": "loop", "radius": 2.0, "wire_radius": 0.01}, "turns": 1}
    driven = {"source": {"kind": "current", "current": 1000}}
    carrier["position"] = [0, 0, 0.5]
    described["coil"] = [{"name": "a", **wide, **driven}, {"name": "b", "body": "c", **wide, **driven}]
    table = run(described, 1e-3)
    assert table["b.force.z"][0] == pytest.approx(-4.71890353, rel=1e-8)
    assert table["a.force.z"][0] == pytest.approx(4.71890353, rel=1e-8)
    one = {"winding": {"kind": "loop", "radius": 0.1, "wire_radius": 1e-3}, "turns": 1}
    other = {"winding": {"kind": "loop", "radius": 0.05, "wire_radius": 1e-3}, "turns": 1}
    described["coil"] = [
        {"name": "a", **one, "source": {"kind": "current", "current": 1}},
        {"name": "b", "body": "c", **other, "source": {"kind": "open"}},
    ]
    carrier["position"] = [0.03, 0, 0.06]
    carrier["orientation"] = {"axis": [0, 1, 0], "angle": np.pi / 6}
    assert run(described, 1e-3)["b.flux"][0] == pytest.approx(3.000432849e-8, rel=1e-9)


def free_coils(resistance: float) -> dict[str, Any]:
    """A magnet and two bodies with coils that move through each other's fields without other forces."""
    disc = {"kind": "cylinder", "radius": 0.02, "length": 0.01, "mass": 0.02}
    bodies = [
        {"name": "bob", "position": [0.004, 0.003, 0.03], "velocity": [0.01, 0, -1], "angular_velocity": [3, 20, 1]},
        {"name": "c", "position": [0, 0, 0], "angular_velocity": [1, 2, 3]},
        {"name": "d", "position": [0.01, 0, -0.03], "angular_velocity": [1, -2, 3]},
    ]
    solenoid = {"kind": "solenoid", "radius": 0.02, "length": 0.01}
    thick = {"kind": "thick", "inner_radius": 0.018, "outer_radius": 0.022, "length": 0.01}
    shared = {"turns": 100, "resistance": resistance, "source": {"kind": "shorted"}}
    return {
        "world": {"gravity": [0, 0, 0]},
        "solver": {"time_step": 1e-4},
        "body": [{"support": "free", "shape": [BALL if k == 0 else disc], **body} for k, body in enumerate(bodies)],
        "coil": [
            {"name": "first", "body": "c", "winding": solenoid, "current": 0.5, **shared},
            {"name": "second", "body": "d", "winding": thick, "current": 0.2, **shared},
        ],
    }


def test_momentum_angular_momentum_and_energy_of_free_coils() -> None:
    """Currents are solved in each stage, so momentum is kept to rounding, energy to the fourth order of RK4."""
    drifts = []
    for step in (4e-4, 2e-4):
        described = free_coils(0.0)
        described["solver"]["time_step"] = step
        table = run(described, 0.05, 0.01)
        drifts.append(np.ptp(imbalance(table)))
        momentum, angular = np.zeros((len(table["time"]), 3)), np.zeros((len(table["time"]), 3))
        for name, mass in (("bob", 0.01), ("c", 0.02), ("d", 0.02)):
            place, velocity, own = (
                np.stack([table[f"{name}.{what}.{axis}"] for axis in "xyz"], axis=1)
                for what in ("position", "velocity", "angular_momentum")
            )
            momentum += mass * velocity
            angular += own + mass * np.cross(place, velocity)
        assert np.ptp(momentum, axis=0).max() < 1e-15 * 10
        assert (
            np.ptp(angular, axis=0).max() < 2e-8 * np.abs(angular).max()
        )  # of the method: 16 times less at half the step
    assert drifts[0] / drifts[1] > 12


def test_ledger_of_driven_coils_in_a_field_that_changes() -> None:
    described = free_coils(1.0)
    field = {"kind": "rotating", "cosine": [0, 0, 0.02], "sine": [0.01, 0, 0], "angular_frequency": 200.0}
    described["world"]["magnetic_field"] = field
    lab = {"name": "lab", "position": [0.05, 0, 0], "orientation": {"axis": [1, 0, 0], "angle": 0.5}, "winding": RING}
    described["coil"].append({**lab, "turns": 50, "source": {"kind": "current", "current": "0.1*sin(30*t)"}})
    described["coil"][0]["source"] = {"kind": "voltage", "voltage": "0.5*cos(100*t)"}
    drifts = []
    for step in (2e-4, 1e-4):
        described["solver"]["time_step"] = step
        table = run(described, 0.05, 0.01)
        drifts.append(np.ptp(imbalance(table)))
    assert abs(table["work.source"][-1]) > 1e-4
    assert abs(table["work.field"][-1]) > 1e-6
    assert drifts[1] < 1e-8
    assert drifts[0] / drifts[1] > 10


def test_a_formula_of_the_field_acts_on_a_coil_as_on_its_points() -> None:
    """In B = (-x/2, -y/2, z) b a coil of moment m along z feels m b."""
    described = free_coils(0.0)
    described["world"]["magnetic_field"] = {"kind": "formula", "x": "-0.5*x", "y": "-0.5*y", "z": "z"}
    described["body"] = [{**described["body"][1], "angular_velocity": [0, 0, 0]}]
    coil = {**described["coil"][0], "source": {"kind": "current", "current": 2.0}}
    described["coil"] = [{key: value for key, value in coil.items() if key != "current"}]
    table = run(described, 1e-3)
    moment = 2.0 * 100 * np.pi * 0.02**2
    assert table["first.force.z"][0] == pytest.approx(moment, rel=1e-12)
    assert np.ptp(imbalance(table)) < 1e-12


def test_a_voltage_drives_a_current_against_the_inductance() -> None:
    described = {
        "solver": {"time_step": 1e-5},
        "coil": [
            {
                "name": "s",
                "winding": {"kind": "solenoid", "radius": 0.01, "length": 0.04},
                "turns": 500,
                "resistance": 2.0,
                "source": {"kind": "voltage", "voltage": "5"},
            }
        ],
    }
    table, inductance = run(described, 5e-3), 2.018669054e-3
    expected = 2.5 * (1 - np.exp(-2.0 / inductance * table["time"]))
    assert table["s.current"] == pytest.approx(expected, abs=1e-8)
    stored = inductance * table["s.current"][-1] ** 2 / 2
    assert table["energy.magnetic"][-1] == pytest.approx(stored, rel=1e-9)
    assert table["work.source"][-1] + table["work.joule"][-1] == pytest.approx(stored, rel=1e-9)


def test_an_edit_keeps_the_current_and_a_new_current_applies_at_once() -> None:
    simulation = Simulation(Scene.model_validate(free_coils(1.0)))
    simulation.advance(0.02)
    before = simulation.run(0.0201, 1e-4)["first.current"][-1]
    scene = simulation.scene.with_values({"coil[0].turns": 150.0})
    simulation.load(scene)
    assert simulation.run(0.0202, 1e-4)["first.current"][0] == pytest.approx(before, rel=0.02)
    simulation.load(scene.with_values({"coil[0].current": 3.0}))
    assert simulation.run(0.0203, 1e-4)["first.current"][0] == pytest.approx(3.0, rel=0.02)


def test_a_resistance_changes_in_a_run_without_a_build_and_a_coil_keeps_its_flux() -> None:
    described = free_coils(1.0)
    simulation = Simulation(Scene.model_validate(described))
    simulation.advance(0.01)
    before, at = simulation.state.copy(), simulation.compiled.model.circuits.at
    simulation.set({"coil[0].resistance": 0.2})
    assert (simulation.state[at : at + 2] == before[at : at + 2]).all()
    assert simulation.compiled.model.coils.resistance.tolist() == [0.2, 1.0]
    simulation.set({"coil[0].resistance": 100.0})  # a step does not resolve it any more
    assert simulation.compiled.model.circuits.kind.tolist() != [3, 3]


@pytest.mark.parametrize(
    ("values", "place"),
    [
        ({"resistance": None, "source": {"kind": "shorted"}}, "coil[0].resistance"),
        ({"resistance": 1.0, "wire": {"radius": 1e-4}}, "coil[0].resistance"),
        ({"winding": {"kind": "loop", "radius": 0.01, "wire_radius": 0.02}}, "wire_radius"),
        ({"winding": {"kind": "thick", "inner_radius": 0.02, "outer_radius": 0.01, "length": 0.01}}, "outer_radius"),
        ({"body": "bobb"}, "coil[0].body"),
        ({"position": [0.02, 0, 0.2]}, "body[0]"),
        ({"source": {"kind": "current", "current": "1/(t - t)"}}, "coil[0].source.current"),
        ({"resistance": 0.0, "inductance": 0.0, "source": {"kind": "shorted"}}, "coil[0].inductance"),
    ],
)
def test_wrong_coils_are_refused_at_their_place(values: dict[str, Any], place: str) -> None:
    described = changed(**values)
    described["coil"][0] = {key: value for key, value in described["coil"][0].items() if value is not None}
    with pytest.raises(InputError) as caught:
        Simulation(scene_of(described, "coils"))
    assert any(place in problem.place for problem in caught.value.problems), caught.value


def test_coils_with_a_coupling_of_more_than_one_are_refused() -> None:
    described = free_coils(0.0)
    described["coil"][1] |= {"body": "c", "inductance": 1e-7}
    with pytest.raises(InputError) as caught:
        Simulation(Scene.model_validate(described))
    assert caught.value.problems[0].place == "coil[1]"


def test_a_step_that_does_not_resolve_a_coil_says_so() -> None:
    described = changed(resistance=100.0, inductance=1e-3, source={"kind": "shorted"})
    warnings = Simulation(Scene.model_validate(described)).warnings
    assert [warning.place for warning in warnings] == ["coil[0]"]
    described["solver"]["method"] = "implicit"
    assert not Simulation(Scene.model_validate(described)).warnings
