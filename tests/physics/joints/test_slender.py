"""Bodies of joints without inertia about an axis, or with little: the limit of thinner and thinner ones."""

from __future__ import annotations

from math import cos, sin

import numpy as np
import pytest
from joint_twin import Rigid, Twin
from scipy.integrate import solve_ivp

from core.integrators import AS_PRINTED, METHODS
from core.physics.bodies.shapes import Orientation
from core.physics.joints.ends import ends_of, frames_of
from core.physics.joints.slender import SLENDER
from core.scene.scene_file import scene_of
from core.simulation.simulation import Simulation

G = 9.80665
UNTIL = 0.1


# A rod that hangs on a turning cylinder: Lagrange's solution

CYLINDER, ROD, LENGTH = 0.5 * 1.0 * 0.02**2, 0.2 * 0.3**2 / 3, 0.3
"""Moments [kg m^2] of the cylinder about its axis, and of the rod about its end; length [m] of the rod."""


def hanging_rod(radius=None, leaning=1.0, spin=10.0, torque="0", swapped=False, **solver):
    """A cylinder on a hinge about z, and on it, by a hinge about y, a rod that leans from straight down."""
    shape = {"kind": "rod"} if radius is None else {"kind": "cylinder", "radius": radius}
    place = LENGTH / 2 * np.array([-sin(leaning), 0.0, -cos(leaning)])
    moving = {"support": "free", "angular_velocity": [0, 0, spin]}
    cylinder = moving | {"name": "a", "shape": [{"kind": "cylinder", "radius": 0.02, "length": 0.3, "mass": 1.0}]}
    rod = moving | {
        "name": "b",
        "position": place.tolist(),
        "velocity": np.cross([0, 0, spin], place).tolist(),
        "orientation": {"axis": [0, 1, 0], "angle": leaning},
        "shape": [shape | {"length": LENGTH, "mass": 0.2}],
    }
    bearing = {"name": "h", "kind": "hinge", "first": "a", "axis": [0, 0, 1], "anchor": [0, 0, 0]}
    # the laboratory is the second body, on which the torque acts
    bearing["motor"] = {"torque": f"-({torque})"}
    across = {"name": "j", "kind": "hinge", "first": "a", "second": "b", "axis": [0, 1, 0], "anchor": [0, 0, 0]}
    if swapped:  # y of the laboratory is y of the rod as well
        across |= {"first": "b", "second": "a"}
    data = {"format": 1, "world": {"gravity": [0, 0, -G]}, "solver": {"time_step": 1e-3} | solver}
    return scene_of(data | {"body": [rod, cylinder] if swapped else [cylinder, rod], "joint": [bearing, across]}, "")


def rate_by_lagrange(time, radius=0.0, leaning=1.0, spin=10.0, torque=0.0):
    """Rate [rad/s] about z: L_z = (C + A sin^2 b + c cos^2 b) w, A b'' = (A - c) w^2 sin b cos b - m g l/2 sin b."""
    c = 0.2 * radius**2 / 2
    a = ROD + 0.2 * radius**2 / 4

    def inertia(b):
        return CYLINDER + a * sin(b) ** 2 + c * cos(b) ** 2

    def rates(_, y):
        w = y[2] / inertia(y[0])
        return y[1], ((a - c) * w**2 * cos(y[0]) - 0.2 * G * LENGTH / 2) * sin(y[0]) / a, torque

    end = solve_ivp(rates, (0, time), [leaning, 0, inertia(leaning) * spin], "DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    return end[2] / inertia(end[0])


def rate_after(scene, time):
    simulation = Simulation(scene)
    simulation.advance(time)
    return float(simulation.snapshot().bodies.angular_velocity[[body.name for body in scene.body].index("a"), 2])


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("radius", [None, 1e-7, 1e-5, 1e-3])
def test_a_rod_on_a_turning_cylinder_moves_as_lagrange_says(radius, swapped):
    """At a step of 1 ms RK4 leaves 2e-9; by 4 ms, 256 times that."""
    for step in (1e-3, 4e-3):
        found = [rate_after(hanging_rod(radius, swapped=swapped, time_step=step), time) for time in (0.1, 1.0)]
        wanted = [rate_by_lagrange(time, radius or 0.0) for time in (0.1, 1.0)]
        assert found == pytest.approx(wanted, abs=1e-8 * (step / 1e-3) ** 4)
    assert wanted == pytest.approx([9.7847, 9.9833], abs=1e-4)
