"""Angular accelerations of a snapshot against closed forms; they are taken with the forces only."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np
import pytest

from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation

G = 9.8
ROD = {"kind": "cuboid", "size": [0.02, 0.04, 0.6], "mass": 0.5}
INERTIA = 0.5 * (0.6**2 + 0.02**2) / 12  # [kg m^2] of the rod about y through its centre of mass
ABOUT_END = INERTIA + 0.5 * 0.3**2


def simulated(**items: object) -> Simulation:
    return Simulation(scene_of({"format": 1, "world": {"gravity": [0, 0, -G]}, **items}, ""))


def taken(simulation: Simulation) -> np.ndarray:
    return simulation.snapshot(forces=True).angular_acceleration


def pendulum(kind: str, angle: float) -> Simulation:
    """A rod that hangs by its end at the origin, turned by `angle` [rad] about y, and held by a support or a hinge."""
    body = {"name": "rod", "orientation": {"axis": [0, 1, 0], "angle": angle}}
    if kind == "hinge":
        place = [-0.3 * sin(angle), 0, -0.3 * cos(angle)]
        hinge = {"name": "pin", "kind": "hinge", "first": "rod", "anchor": [0, 0, 0], "axis": [0, 1, 0]}
        return simulated(body=[body | {"support": "free", "position": place, "shape": [ROD]}], joint=[hinge])
    about = {"axis": [0, 1, 0]} if kind == "axle" else {}
    return simulated(body=[body | about | {"support": kind, "shape": [ROD | {"position": [0, 0, -0.3]}]}])


@pytest.mark.parametrize("kind", ["pivot", "axle", "hinge"])
def test_a_pendulum_released_at_rest_has_m_g_l_sin_over_i(kind: str) -> None:
    (found,) = taken(pendulum(kind, 0.7))
    assert found == pytest.approx([0, -0.5 * G * 0.3 * sin(0.7) / ABOUT_END, 0], rel=1e-9, abs=1e-9)


def test_a_free_symmetric_top_turns_its_angular_velocity_about_its_angular_momentum() -> None:
    """Without torque omega precesses about L at the rate L/I1, so that alpha = L x omega/I1."""
    top = {"name": "top", "support": "free", "orientation": {"axis": [1, 2, 0], "angle": 0.4}}
    shape = {"kind": "cylinder", "radius": 0.1, "length": 0.05, "mass": 2.0}
    simulation = simulated(body=[top | {"shape": [shape], "angular_velocity": [3.0, -1.0, 20.0]}])
    simulation.advance(0.2)
    now = simulation.snapshot(forces=True)
    across = 2.0 * (3 * 0.1**2 + 0.05**2) / 12
    expected = np.cross(now.bodies.angular_momentum, now.bodies.angular_velocity) / across
    assert np.linalg.norm(expected) > 10.0
    assert now.angular_acceleration == pytest.approx(expected, rel=1e-6)


def test_a_body_that_is_driven_by_an_angle_has_the_second_derivative_of_it() -> None:
    motion = {"kind": "formula", "axis": [0, 0, 1], "angle": "0.5*sin(4*t)"}
    simulation = simulated(body=[{"name": "table", "support": "driven", "motion": motion, "shape": [ROD]}])
    simulation.advance(0.3)
    assert taken(simulation)[0] == pytest.approx([0, 0, -8 * sin(4 * simulation.time)], rel=1e-7, abs=1e-9)


def test_a_ball_that_rolls_down_a_line_has_five_sevenths_of_the_weight() -> None:
    """a = (5/7) g sin(30 deg) along the path, alpha = a/r across it, and away from the path."""
    path = {"kind": "line", "start": [0, 0, 0], "end": [cos(pi / 6), 0, -sin(pi / 6)]}
    ball = {"name": "ball", "path": path, "mass": 0.1, "radius": 0.02, "rolling": True, "parameter": 0.2}
    (found,) = taken(simulated(bead=[ball]))
    assert np.abs(found) == pytest.approx([0, 5 / 7 * G * sin(pi / 6) / 0.02, 0], rel=1e-6, abs=1e-9)


def test_a_snapshot_without_forces_has_none() -> None:
    simulation = pendulum("pivot", 0.7)
    assert simulation.snapshot().angular_acceleration.shape == (0, 3)
    assert taken(simulation).shape == (1, 3)
