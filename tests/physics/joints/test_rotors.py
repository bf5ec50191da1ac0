"""Rotors of hinges and sliders: closed forms, energy, and the same motion by the tree and by the matrix."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from polhode import Simulation
from polhode.scene.scene_file import scene_of

G, MASS, LENGTH, ACROSS, ROTOR = 9.80665, 0.8, 0.3, 0.02, 0.05
FAR = {"lower": -9.0, "upper": 9.0}  # limits that nothing reaches: the joints are solved by the matrix


def body(name: str, **more: object) -> dict[str, object]:
    tensor = np.diag([ACROSS, ACROSS, 0.01]) + MASS * LENGTH**2 * np.diag([1.0, 1.0, 0.0])
    stated = {"mass": MASS, "center": [0, 0, -LENGTH], "tensor": tensor.tolist()}
    return {"name": name, "support": "free", "inertia": stated, "shape": [{"kind": "point", "mass": MASS}]} | more


def simulated(bodies: list[dict], joints: list[dict], is_by_matrix: bool) -> Simulation:
    if is_by_matrix:
        joints = [joint | {"limits": FAR} for joint in joints]
    return Simulation(scene_of({"solver": {"time_step": 1e-3}, "body": bodies, "joint": joints}, ""))


@pytest.mark.parametrize("is_by_matrix", [False, True])
def test_a_rotor_adds_to_the_inertia_of_a_pendulum(is_by_matrix: bool) -> None:
    tilted = {"axis": [1, 0, 0], "angle": 0.9}
    hinge = {"name": "h", "kind": "hinge", "first": "bob", "axis": [1, 0, 0], "armature": ROTOR, "friction": 0.01}
    simulation = simulated([body("bob", orientation=tilted)], [hinge], is_by_matrix)
    simulation.advance(1.0)
    inertia = ACROSS + MASS * LENGTH**2 + ROTOR

    def rates(_: float, y: np.ndarray) -> list[float]:
        return [y[1], (-MASS * G * LENGTH * np.sin(y[0]) - 0.01 * y[1]) / inertia]

    wanted = solve_ivp(rates, (0, 1), [0.9, 0], "DOP853", rtol=1e-11, atol=1e-12).y[0, -1]
    _, second, _ = simulation.snapshot().bodies.basis[0]
    assert np.arctan2(second[2], second[1]) == pytest.approx(wanted, abs=1e-8)


CHAIN = [
    body("a", orientation={"axis": [0, 1, 0], "angle": 0.7}, angular_velocity=[0, 0.3, 0]),
    body("b", position=[-0.6 * np.sin(0.7), 0, -0.6 * np.cos(0.7)]),
]
JOINTS = [
    {"name": "h", "kind": "hinge", "first": "a", "axis": [0, 1, 0], "armature": ROTOR},
    {"name": "s", "kind": "slider", "first": "a", "second": "b", "axis": [1, 0.5, 1], "armature": 0.4,
     "anchor_first": [0, 0, -0.6], "spring": {"stiffness": 40.0, "rest": 0.05}},
]  # fmt: skip


def test_rotors_of_a_chain_move_alike_in_both_solvers_and_keep_the_energy() -> None:
    places, ledgers = [], []
    for is_by_matrix in (False, True):
        simulation = simulated(CHAIN, JOINTS, is_by_matrix)
        run = simulation.run(until=1.0, every=0.1)
        total = np.asarray(run["energy.total"])
        assert np.ptp(total) < 1e-6
        assert np.ptp(np.asarray(run["energy.kinetic"])) > 0.5
        places.append(simulation.snapshot().bodies.position.copy())
        ledgers.append(total[0])
    np.testing.assert_allclose(places[0], places[1], atol=1e-10)
    assert ledgers[0] == pytest.approx(ledgers[1], rel=1e-12)


def test_a_rotor_shares_in_the_impact_at_a_limit() -> None:
    """The energy after it is e^2 of that before: the rotor bounces with the pendulum."""
    hinge = {"name": "h", "kind": "hinge", "first": "bob", "axis": [1, 0, 0], "armature": ROTOR}
    hinge["limits"] = {"lower": -0.5, "upper": 2.0, "restitution": 0.5}
    spinning = body("bob", angular_velocity=[4.0, 0, 0])  # the laboratory, as the second body, turns against it
    run = simulated([spinning], [hinge], is_by_matrix=False).run(until=0.3, every=1e-3)
    rate, energy = np.gradient(np.asarray(run["h.angle"]), 1e-3), np.asarray(run["energy.kinetic"])
    inertia = ACROSS + MASS * LENGTH**2 + ROTOR
    np.testing.assert_allclose(energy[0], 0.5 * inertia * 16, rtol=1e-9)
    bounce = int(np.argmin(np.asarray(run["h.angle"])))
    assert abs(rate[bounce + 3] / rate[bounce - 3]) == pytest.approx(0.5, abs=0.02)
    assert energy[bounce + 2] / energy[bounce - 2] == pytest.approx(0.25, abs=0.02)
