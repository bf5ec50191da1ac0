"""Beads on paths of bodies that are free to move: a hoop on an axle, a free rod, and a rod with ends.

Angular momentum L and energy E remain, so that the motion along the path is an integral: with the inertia I of the body
and J(q) that of the bead about the axis, u^2/2 plus the effective potential L^2/(2 (I + J)) + V is constant.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin, sqrt
from typing import Any

import numpy as np
from scipy.optimize import brentq

from polhode.scene.scene import Scene
from polhode.verification.case import GRAVITY, Case, at_end
from polhode.verification.paths.beads import turning_point

MASS, BODY_MASS, INERTIA = 0.3, 0.6, 0.05  # [kg] of the bead and of the body, [kg m^2] of the body


def scene_on(body: dict[str, Any], gravity: float, **bead: Any) -> Scene:
    """One bead of MASS on a path of a body of BODY_MASS with INERTIA, in steps of 0.5 ms."""
    tensor = [[INERTIA if i == j else 0.0 for j in range(3)] for i in range(3)]
    look = {"kind": "sphere", "radius": 0.05, "mass": BODY_MASS}
    stated = {"name": "body", "shape": [look], "inertia": {"mass": BODY_MASS, "tensor": tensor}, **body}
    on_body = {"name": "bead", "mass": MASS, "path_motion": {"kind": "body", "body": "body"}, **bead}
    world, solver = {"gravity": [0, 0, -gravity]}, {"time_step": 5e-4}
    return Scene.model_validate({"body": [stated], "bead": [on_body], "world": world, "solver": solver})


def integral(function: Callable[[float], float], low: float, high: float) -> float:
    """Integral by Gauss's quadrature with 80 points."""
    nodes, weights = np.polynomial.legendre.leggauss(80)
    half, middle = (high - low) / 2, (high + low) / 2
    return float(half * sum(w * function(middle + half * s) for s, w in zip(nodes, weights, strict=True)))


def hoop() -> Case:
    """Second time at rest on a hoop of 0.3 m on a vertical axle: I + m R^2 sin^2 a varies, and with it the rate.

    a is the angle from the bottom: R^2 a'^2/2 + L^2/(2 m (I + m R^2 sin^2 a)) - g R cos a is constant.
    """
    radius, spin, start = 0.3, 9.0, 1.2
    level = (INERTIA + MASS * (radius * sin(start)) ** 2) * spin

    def potential(a: float) -> float:
        return level**2 / (2 * MASS * (INERTIA + MASS * (radius * sin(a)) ** 2)) - GRAVITY * radius * cos(a)

    lowest = brentq(lambda a: potential(a + 1e-6) - potential(a - 1e-6), 0.3, 1.5)
    other = brentq(lambda a: potential(a) - potential(start), *((0.05, lowest) if start > lowest else (lowest, 3.0)))
    middle, half = (start + other) / 2, (start - other) / 2

    def per_angle(s: float) -> float:  # a = middle + half sin(s) removes the singularities at both ends
        a = middle + half * sin(s)
        return abs(half) * cos(s) * radius / sqrt(2 * (potential(start) - potential(a)))

    expected = 2 * integral(per_angle, -pi / 2, pi / 2)
    described = scene_on(
        {"support": "axle", "axis": [0, 0, 1], "angular_velocity": [0, 0, spin]},
        GRAVITY,
        path={"kind": "circle", "radius": radius},
        parameter=start - pi / 2,
    )
    reason = "RK4 adds (w dt)^4/120 < 1e-10 of the phase; the curve between steps as much"
    name = "period on a hoop that is free to turn"
    return Case(name, described, turning_point(2, 1.05 * expected), expected, 1e-8, "s", reason)


def rod() -> Case:
    """Distance from the middle of a free rod at the time that s'^2 + L^2/(mu (I + mu s^2)) = constant gives it.

    mu is the reduced mass; from rest relative to the rod at 0.1 m to 0.5 m. The substitution s = 0.1 cosh x removes the
    singularity at the start.
    """
    start, end, spin, reduced = 0.1, 0.5, 3.0, MASS * BODY_MASS / (MASS + BODY_MASS)
    level = (INERTIA + reduced * start**2) * spin

    def potential(s: float) -> float:
        return level**2 / (2 * reduced * (INERTIA + reduced * s * s))

    def per_part(x: float) -> float:
        s = start * np.cosh(x)
        return float(start * np.sinh(x) / sqrt(2 * (potential(start) - potential(s))))

    time = integral(per_part, 0.0, float(np.arccosh(end / start)))

    measure = at_end(time, lambda now: now.beads.parameter[0])

    path = {"kind": "line", "start": [0, 0, 0], "end": [2, 0, 0]}
    body = {"support": "free", "angular_velocity": [0, 0, spin]}
    described = scene_on(body, 0.0, path=path, parameter=start)
    reason = "RK4 adds (w dt)^4/120 of the motion, 1e-13; roundings of 2000 steps"
    return Case("bead flung out along a free rod", described, measure, end, 1e-10, "m", reason)


def bounces() -> Case:
    """Speed [m/s] of a free rod after a bead of 2 m/s has struck its ends three times, every 0.5 s, without loss.

    With the centre of mass at rest the rod moves against the bead with m/(m + M) of the relative speed.
    """

    measure = at_end(1.4, lambda now: now.bodies.velocity[0, 0])

    speed = 2.0 * MASS / (MASS + BODY_MASS)
    path = {"kind": "line", "start": [-0.5, 0, 0], "end": [0.5, 0, 0]}
    body = {"support": "free", "velocity": [-speed, 0, 0]}
    described = scene_on(body, 0.0, path=path, parameter=0.5, speed=2.0)
    reason = "each bounce is found to rounding, and between them nothing acts"
    return Case("free rod that a bead strikes from inside", described, measure, speed, 1e-12, "m/s", reason)


CASES = (hoop(), rod(), bounces())
