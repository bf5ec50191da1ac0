"""Wilberforce's pendulum as a disc on six slanted springs (Berg and Marshall, Am. J. Phys. 59, 32, 1991).

The springs lead from a circle of the radius R down by h to one of the radius r on the disc, three of them (s = 1)
turned by phi to one side and three (s = -1) to the other. Where the disc is up by z and turned by theta, each has the
length

    l_s^2 = R^2 + r^2 - 2 R r cos(s phi - theta) + (h - z)^2

All have the same tension at rest, m g l/(6 h), so that the disc does not turn; but the constants k_s differ, so that
V = sum 3/2 k_s (l_s - L_s)^2 + m g z has a mixed derivative. The disc moves with m z'' = -dV/dz and
I theta'' = -dV/dtheta; with I = m V_theta theta/V_zz both modes are tuned, and small motions exchange their energy with
the frequencies

    w^2 = (V_zz +- V_z theta sqrt(m/I))/m
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import cos, pi, radians, sin, sqrt
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import curve_fit

from polhode.scene.message import Message
from polhode.verification.published.experiment import Experiment, Row, Run

GRAVITY = 9.81  # [m/s^2]
MASS, DROP = 0.2, 0.3  # [kg], [m] h
UPPER, LOWER, SLANT = 0.12, 0.08, radians(60.0)  # [m], [m], phi
CONSTANTS = (9.5, 7.5)  # [N/m] of both kinds
LENGTH = sqrt(UPPER**2 + LOWER**2 - 2.0 * UPPER * LOWER * cos(SLANT) + DROP**2)  # [m] at rest
TENSION = MASS * GRAVITY * LENGTH / (6.0 * DROP)  # [N]
SPRINGS = tuple((k, LENGTH - TENSION / k) for k in CONSTANTS)  # [N/m] and rest length [m]
START, SMALL = 0.03, 0.001  # [m] above rest
OF_RK4 = "RK4 at 1 ms beside DOP853 with a tolerance of 1e-11"


def hessian() -> tuple[float, float, float]:
    """V_zz [N/m], V_theta theta [N m] and V_z theta [N] at rest."""
    down, turn = -DROP / LENGTH, -UPPER * LOWER * sin(SLANT) / LENGTH  # dl/dz and dl/dtheta of s = 1
    zz, tt, zt = 0.0, 0.0, 0.0
    for sign, k in zip((1.0, -1.0), CONSTANTS, strict=True):
        zz += 3.0 * (k * down**2 + TENSION * (1.0 - down**2) / LENGTH)
        tt += 3.0 * (k * turn**2 + TENSION * (UPPER * LOWER * cos(SLANT) - turn**2) / LENGTH)
        zt += 3.0 * sign * (k - TENSION / LENGTH) * down * turn
    return zz, tt, zt


INERTIA = MASS * hessian()[1] / hessian()[0]  # [kg m^2] about the vertical, tuned


def frequencies() -> tuple[float, float]:
    """[rad/s] of small motions, the faster one first."""
    zz, _, zt = hessian()
    share = abs(zt) * sqrt(MASS / INERTIA)
    return sqrt((zz + share) / MASS), sqrt((zz - share) / MASS)


@cache
def motion(start: float, time: float) -> tuple[float, float]:
    """z [m] and theta [rad] at a time [s] after a start at rest at z = start, theta = 0."""

    def rates(_time: float, state: np.ndarray) -> list[float]:
        height, angle, rising, turning = state.tolist()
        up, torque = -MASS * GRAVITY, 0.0
        for sign, (k, rest) in zip((1.0, -1.0), SPRINGS, strict=True):
            swept = sign * SLANT - angle
            long = sqrt(UPPER**2 + LOWER**2 - 2.0 * UPPER * LOWER * cos(swept) + (DROP - height) ** 2)
            pull = 3.0 * k * (long - rest) / long
            up += pull * (DROP - height)
            torque += pull * UPPER * LOWER * sin(swept)
        return [rising, turning, up / MASS, torque / INERTIA]

    found = solve_ivp(rates, (0.0, time), [start, 0.0, 0.0, 0.0], "DOP853", rtol=1e-11, atol=1e-13)
    return float(found.y[0, -1]), float(found.y[1, -1])


def height_at(time: float) -> Callable[[Run], float]:
    """Measures z [m] at a time [s]."""

    def measure(run: Run) -> float:
        return float(run.column("disc.position.z")[np.argmin(np.abs(run.times - time))]) + DROP

    return measure


def angle_at(time: float) -> Callable[[Run], float]:
    """Measures theta [rad] at a time [s]."""

    def measure(run: Run) -> float:
        axis = run.snapshots[int(np.argmin(np.abs(run.times - time)))].bodies.basis[0, 0]
        return float(np.arctan2(axis[1], axis[0]))

    return measure


def beat(run: Run) -> float:
    """Time [s] from one standstill of the bounces to the next, by the two frequencies of z."""

    def both(time: np.ndarray, one: float, fast: float, other: float, slow: float) -> np.ndarray:
        return np.asarray(one * np.cos(fast * time) + other * np.cos(slow * time))

    height = run.column("disc.position.z") + DROP
    fast, slow = frequencies()
    found, _ = curve_fit(both, run.times, height, (0.5 * height[0], fast, 0.5 * height[0], slow))
    return float(2.0 * pi / (found[1] - found[3]))


def started(height: float) -> dict[str, Any]:
    """A start at rest, up by a height [m]."""
    return {"body[0].position": [0.0, 0.0, height - DROP]}


def _row(name: Message, measure: Callable[[Run], float], time: float, which: int) -> Row:
    return Row(
        name, measure, lambda: motion(START, time)[which], 1e-6, ("m", "rad")[which], OF_RK4, origin="calculation"
    )


WILBERFORCE = Experiment(
    "wilberforces_pendulum",
    30.0,
    (
        _row(Message("height of the disc at 10 s"), height_at(10.0), 10.0, 0),
        _row(Message("angle of the disc at 10 s"), angle_at(10.0), 10.0, 1),
        _row(Message("height of the disc at 30 s"), height_at(30.0), 30.0, 0),
        _row(Message("angle of the disc at 30 s"), angle_at(30.0), 30.0, 1),
        Row(
            Message("time from one standstill of the bounces to the next"),
            beat,
            2.0 * pi / (frequencies()[0] - frequencies()[1]),
            0.003,
            "s",
            "of small motions; those of the run are 1 mm",
            started(SMALL),
        ),
    ),
    every=10,
)

EXPERIMENTS = (WILBERFORCE,)
