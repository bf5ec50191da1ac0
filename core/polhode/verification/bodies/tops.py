"""Spinning bodies: the free asymmetric top and the heavy symmetric one."""

from __future__ import annotations

from math import cos, sin, sqrt

import numpy as np
from scipy.special import ellipj, ellipk

from polhode.scene.scene import Scene
from polhode.verification.case import GRAVITY, Case, along, moments, scene, turned

Z = (0.0, 0.0, 1.0)

# A free box about its smallest (x), middle (y) and largest (z) principal axis.
BOX = {"kind": "cuboid", "size": [0.3, 0.2, 0.1], "mass": 1.0}
I1, I2, I3 = (0.2**2 + 0.1**2) / 12, (0.3**2 + 0.1**2) / 12, (0.3**2 + 0.2**2) / 12
SPIN = (5.0, 0.0, 6.0)  # [rad/s]
# Landau and Lifshitz, Mechanics, section 37: omega = (w1 cn, w2 sn, w3 dn) of RATE t, with modulus k^2 = MODULUS.
RATE = SPIN[2] * sqrt((I3 - I2) * (I3 - I1) / (I1 * I2))
MODULUS = (I2 - I1) * I1 * SPIN[0] ** 2 / ((I3 - I2) * I3 * SPIN[2] ** 2)
MIDDLE = SPIN[0] * sqrt(I1 * (I3 - I1) / (I2 * (I3 - I2)))

# A heavy top: a disc on a weightless stick.
RADIUS, THICKNESS, HEIGHT, MASS = 0.03, 0.01, 0.04, 0.1
ACROSS = MASS * (RADIUS**2 / 4 + THICKNESS**2 / 12 + HEIGHT**2)
ALONG = MASS * RADIUS**2 / 2
LEAN, FAST = 0.5, 250.0  # [rad], [rad/s] spin about its own axis


def free_top(method: str = "rk4", time_step: float = 1e-3) -> Scene:
    """A free box that turns mostly about its largest principal axis, without gravity."""
    box = {"name": "box", "support": "free", "angular_velocity": list(SPIN), "shape": [BOX]}
    return scene(box, method=method, time_step=time_step, gravity=[0, 0, 0])


def jacobi(time: float) -> np.ndarray:
    """(3,) angular velocity [rad/s] in the body frame of the free top at a time [s].

    (w1 cn, w2 sn, w3 dn) of RATE t and the parameter MODULUS, which starts at (w1, 0, w3) = SPIN.
    """
    sn, cn, dn, _ = ellipj(RATE * time, MODULUS)
    return np.array([SPIN[0] * cn, MIDDLE * sn, SPIN[2] * dn])


def body_spin(described: Scene, seconds: float) -> np.ndarray:
    """(n, 3) angular velocity [rad/s] in the body frame at every step: rows u1, u2, u3 of the basis times omega."""
    return np.array([m.bodies.basis[0] @ m.bodies.angular_velocity[0] for m in moments(described, seconds)])


def euler_top() -> Case:
    """Largest deviation [rad/s] of the angular velocity in 3 s from Euler's equations solved by Jacobi's functions.

    I1 w1' = (I2 - I3) w2 w3 and so on (Landau and Lifshitz, Mechanics, sections 36 and 37). RK4's error grows in
    proportion to time, by (w dt)^4/120 of the phase.
    """

    def measure(described: Scene) -> float:
        found = body_spin(described, 3.0)
        step = described.solver.time_step
        return float(np.abs(found - [jacobi(k * step) for k in range(len(found))]).max())

    reason = "RK4 is off by (w dt)^4/120 w t < 2e-9 of omega for w = 10 1/s in 3 s"
    return Case("free top beside Jacobi's functions", free_top(), measure, 0.0, 1e-8, "rad/s", reason)


def polhode() -> Case:
    """After 4 K/RATE the tip of omega is back where it was; Euler's method does not bring it back (PEM, figure 4.2)."""
    period = float(4 * ellipk(MODULUS) / RATE)

    def measure(described: Scene) -> float:
        found = body_spin(described, period)
        return float(np.linalg.norm(found[-1] - found[0]))

    reason = "as the free top"
    return Case("gap of its polhode", free_top(time_step=period / 2000), measure, 0.0, 1e-8, "rad/s", reason)


def heavy_top(precession: float) -> Scene:
    """A disc on a pivot, let go at LEAN with its spin FAST and an angular velocity about the vertical [rad/s]."""
    turn = turned(0, 1, 0, LEAN)
    spin = [FAST * sin(LEAN), 0.0, FAST * cos(LEAN) + precession]
    disc = {"kind": "cylinder", "radius": RADIUS, "length": THICKNESS, "mass": MASS, "position": [0, 0, HEIGHT]}
    top = {"name": "top", "orientation": turn, "angular_velocity": spin, "shape": [disc]}
    return scene(top, time_step=2e-4)


def steady_precession() -> float:
    """Slow root W [rad/s] of (I1 - I3) cos W^2 - I3 s W + M g h = 0, for a spin s beside the precession.

    Goldstein, Classical Mechanics, section 5.7, with omega_3 = s + W cos. Written so that no digits cancel.
    """
    square, spin, weight = (ACROSS - ALONG) * cos(LEAN), ALONG * FAST, MASS * GRAVITY * HEIGHT
    return 2 * weight / (spin + sqrt(spin**2 - 4 * square * weight))


def precession() -> Case:
    """Angular velocity about the vertical of a top that was let go with that of its steady precession, over 0.5 s."""

    def measure(described: Scene) -> float:
        axes = np.array([m.bodies.basis[0, 2] for m in moments(described, 0.5)])
        turned_by = np.unwrap(np.arctan2(axes[:, 1], axes[:, 0]))
        return float(turned_by[-1] / 0.5)

    expected = steady_precession()
    reason = "RK4 adds (w dt)^4/120 = 5e-8 of the phase for w = 250 1/s"
    return Case("steady precession", heavy_top(expected), measure, expected, 1e-6 * expected, "rad/s", reason)


def steady_lean() -> Case:
    """Range of the cosine of its lean meanwhile: 0."""

    def measure(described: Scene) -> float:
        heights = [m.bodies.basis[0, 2, 2] for m in moments(described, 0.5)]
        return float(np.ptp(heights))

    reason = "as the steady precession"
    return Case("nodding while it precesses steadily", heavy_top(steady_precession()), measure, 0.0, 1e-8, "", reason)


def nutation() -> Case:
    """Lowest point of a top that is let go without precession, as the cosine u of its lean.

    It sinks to the other root of b u^2 - a^2 u + a^2 u_0 - b = 0 and comes up again, with a = I3 s/I1 and b = 2 M g
    h/I1 (Goldstein, Classical Mechanics, section 5.7). The lowest point is a zero of the slope of a curve through the
    steps.
    """
    a, b, start = ALONG * FAST / ACROSS, 2 * MASS * GRAVITY * HEIGHT / ACROSS, cos(LEAN)
    expected = 2 * (a**2 * start - b) / (a**2 + sqrt(a**4 - 4 * b * (a**2 * start - b)))

    def measure(described: Scene) -> float:
        height = along(moments(described, 0.3), 0, 2, Z)
        turning = height.derivative().roots(extrapolate=False)
        return float(height(turning).min())

    reason = "RK4 loses (w dt)^6/72 = 2e-10 of the nodding per step; 1500 steps, and the curve between them"
    return Case("lowest point of the nutation, cos", heavy_top(0.0), measure, expected, 1e-7, "", reason)


CASES = (euler_top(), polhode(), precession(), steady_lean(), nutation())
