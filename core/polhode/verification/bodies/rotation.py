"""Motion in a rotating laboratory: Foucault's pendulum, a bead on a turning hoop, a top that is free.

Centrifugal, Coriolis and Euler forces: Landau and Lifshitz, Mechanics, section 39.
"""

from __future__ import annotations

from math import acos, pi, sqrt

import numpy as np
from scipy.interpolate import CubicHermiteSpline
from scipy.spatial.transform import Rotation

from polhode.scene.scene import Scene
from polhode.verification.case import GRAVITY, Case, after, at_end, moments, scene, turned

TURN = 0.1  # [rad/s] of the laboratory of the pendulum
SWING = 0.1  # [rad]
LENGTH = 1.0  # [m]


def azimuth_rate(described: Scene) -> float:
    """Mean rate [rad/s] of the direction of the turning points of the bob, over eight half swings."""
    run = moments(described, 4.6 * 2 * pi / sqrt(GRAVITY / LENGTH))
    times = [moment.time for moment in run]
    position = np.array([-moment.bodies.basis[0, 2] for moment in run])
    velocity = np.cross([moment.bodies.angular_velocity[0] for moment in run], position)
    paths = [CubicHermiteSpline(times, position[:, k], velocity[:, k]) for k in range(2)]
    outward = CubicHermiteSpline(times, (position**2)[:, :2].sum(axis=1), 2 * (position * velocity)[:, :2].sum(axis=1))
    ends = [t for t in outward.derivative().roots(extrapolate=False) if outward(t) > SWING**2 / 2]
    first, last = ends[1], ends[9]  # the first one may be the start
    angles = [np.arctan2(paths[1](t), paths[0](t)) for t in (first, last)]
    return float((angles[1] - angles[0]) / (last - first))


def foucault() -> Case:
    """Let go at rest it goes round an ellipse of semi-axes a l and a l W/w in an inertial frame, which runs on.

    In the laboratory the plane of the swing turns with -W; the axes of the ellipse turn by 3/8 w (product of the
    semi-axes)/ l^2 besides (Olsson, Am. J. Phys. 46, 1118, 1978), so with -W (1 - 3/8 a^2) altogether.
    """
    bob = {
        "name": "bob",
        "orientation": turned(0, 1, 0, -SWING),
        "shape": [{"kind": "point", "mass": 1.0, "position": [0, 0, -LENGTH]}],
    }
    reason = "the next term of the closed form is 0.09 a^4 = 9e-6 of it; the curve between steps adds 1e-9"
    described = scene(bob, time_step=2e-3, rotation=[0, 0, TURN])
    name = f"Foucault's pendulum, {SWING:g} rad"
    return Case(name, described, azimuth_rate, -TURN * (1 - 3 / 8 * SWING**2), 1e-6, "rad/s", reason)


def hoop() -> Case:
    """A bead stays on a turning hoop at an angle of g/(W^2 R) as its cosine, from its lowest point.

    There the centrifugal force and gravity balance along the hoop (Strogatz, Nonlinear Dynamics and Chaos, section
    3.5). It is the minimum of their potential, so that the bead rests.
    """
    turn, radius = 6.0, 0.5
    angle = acos(GRAVITY / (turn**2 * radius)) - pi / 2
    path = {"kind": "circle", "radius": radius}
    world = {"rotation": [0, 0, turn]}
    described = Scene.model_validate({"world": world, "bead": [{"name": "bead", "path": path, "parameter": angle}]})

    measure = at_end(2.0, lambda now: now.beads.parameter[0])

    reason = "it rests in a minimum of the potential, and a rounding of its position does not grow"
    return Case("bead at rest on a turning hoop", described, measure, angle, 1e-13, "rad", reason)


def free_top() -> Case:
    """A symmetric top that nothing turns: its axis goes round its angular momentum with L/I1.

    In an inertial frame (Landau and Lifshitz, Mechanics, section 33); the laboratory turns with W, so the result is
    turned back by W t. All forces of the rotating frame act on the top, and only their sum leaves this motion.
    """
    turn, seconds, radius, length = np.array([0.3, -0.5, 0.8]), 2.0, 0.1, 0.05
    spin = np.array([2.0, 0.0, 7.0])
    across, along = radius**2 / 4 + length**2 / 12, radius**2 / 2  # per mass
    momentum = np.array([across, across, along]) * (spin + turn)
    disc = {
        "name": "disc",
        "support": "free",
        "angular_velocity": spin.tolist(),
        "shape": [{"kind": "cylinder", "radius": radius, "length": length, "mass": 0.5}],
    }
    described = scene(disc, gravity=[0, 0, 0], rotation=turn.tolist())

    def measure(described: Scene) -> float:
        round_it = Rotation.from_rotvec(momentum / across * seconds).apply([0, 0, 1])
        expected = Rotation.from_rotvec(-turn * seconds).apply(round_it)
        return float(np.linalg.norm(after(described, seconds).bodies.basis[0, 2] - expected))

    reason = "RK4 is off by (w dt)^4/120 w t = 1e-9 of a turn for w = 15 1/s"
    return Case("axis of a free top in a turning laboratory", described, measure, 0.0, 1e-8, "rad", reason)


CASES = (foucault(), hoop(), free_top())
