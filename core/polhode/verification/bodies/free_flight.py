"""Bodies that fall, and bodies that are driven."""

from __future__ import annotations

from math import cos, sin
from typing import Any

import numpy as np

from polhode.scene.scene import Scene
from polhode.verification.case import GRAVITY, Case, moments, scene

FALL = 1.5  # [s]


def dumbbell() -> Case:
    """A spinning pair of balls: its centre of mass falls on the parabola R + V t + g t^2/2.

    The body's origin is in one of the balls, so the position that is shown has the rotation in it: position + Q center
    is compared, with V = v + omega x center. RK4 is exact for polynomials of time up to the fourth degree.
    """
    heavy, light, distance = 0.3, 0.1, 0.2
    center = np.array([light * distance / (heavy + light), 0.0, 0.0])  # from the heavy ball
    velocity, spin = np.array([1.0, -0.5, 4.0]), np.array([3.0, 7.0, -2.0])
    ball: dict[str, Any] = {"kind": "sphere", "radius": 0.03}
    thrown = {
        "name": "thrown",
        "support": "free",
        "velocity": velocity.tolist(),
        "angular_velocity": spin.tolist(),
        "shape": [{**ball, "mass": heavy}, {**ball, "mass": light, "position": [distance, 0, 0]}],
    }

    def measure(described: Scene) -> float:
        errors = []
        for moment in moments(described, FALL):
            t = moment.time
            expected = center + (velocity + np.cross(spin, center)) * t + np.array([0, 0, -GRAVITY / 2]) * t**2
            errors.append(moment.bodies.position[0] + center @ moment.bodies.basis[0] - expected)
        return float(np.abs(errors).max())

    reason = "RK4 is exact on parabolas; 1500 roundings of 1e-15 m"
    return Case("centre of mass of a thrown dumbbell", scene(thrown), measure, 0.0, 1e-12, "m", reason)


def ellipse() -> Case:
    """x = c + r1 cos(wt + p) + r2 sin(wt + p) (PEM), while the body turns with its constant angular velocity of 2
    rad/s.

    Largest error of positions [m] and of u1.
    """
    c, r1, r2, w, p = np.array([0.5, 0, 1]), np.array([0.1, 0, 0]), np.array([0, 0.05, 0.02]), 7.0, 0.3
    led = {
        "name": "led",
        "support": "driven",
        "position": c.tolist(),
        "angular_velocity": [0, 0, 2.0],
        "motion": {"kind": "ellipse", "r1": r1.tolist(), "r2": r2.tolist(), "angular_frequency": w, "phase": p},
        "shape": [{"kind": "sphere", "radius": 0.02, "mass": 1.0}],
    }

    def measure(described: Scene) -> float:
        errors = []
        for moment in moments(described, 1.0):
            angle = w * moment.time + p
            errors.append(moment.bodies.position[0] - (c + r1 * cos(angle) + r2 * sin(angle)))
            errors.append(moment.bodies.basis[0, 0] - [cos(2 * moment.time), sin(2 * moment.time), 0])
        return float(np.abs(errors).max())

    reason = "the place is a formula; RK4 adds (w dt)^4/120 w t = 3e-13 to the turn"
    return Case("driven round an ellipse while turning", scene(led), measure, 0.0, 1e-12, "", reason)


CASES = (dumbbell(), ellipse())
