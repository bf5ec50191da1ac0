"""A compass in a field that swings to and fro (Kim, Shin, Yi and Jang, Phys. Rev. E 56, 6613, 1997).

    theta'' = -(c/I) theta' - (p B/I) cos(w t) sin(theta)

Along the field, theta = 0, it is Mathieu's equation. The needle stays there if both eigenvalues of the linear motion in
one period 2 pi/w have a modulus below 1, which holds above a frequency that bisection finds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import cos, log, pi, sin
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from polhode.scene.message import Message
from polhode.simulation.simulation import Simulation
from polhode.verification.published.experiment import Experiment, Row, Run

HALF, SIZE = 0.005, (0.025, 0.005)  # [kg] and [m] of each half of the needle
HUB = 0.5 * 1e-5 * 0.004**2  # [kg m^2]
INERTIA = 2.0 * HALF * ((SIZE[0] ** 2 + SIZE[1] ** 2) / 12.0 + (0.5 * SIZE[0]) ** 2) + HUB  # [kg m^2] about the axle
BRAKING, TURNING = 1.5e-6 / INERTIA, 0.1 * 1e-3 / INERTIA  # [1/s] c/I, [1/s^2] p B/I
START, SMALL = 0.3, 1e-4  # [rad]
OF_RK4 = "RK4 at 5 ms beside DOP853 with a tolerance of 1e-11: up to 5e-6 rad while it turns over"


@cache
def angle(frequency: float, time: float) -> float:
    """theta [rad] at a time [s] with the field at w = frequency [rad/s]."""

    def rates(now: float, state: np.ndarray) -> list[float]:
        return [state[1], -BRAKING * state[1] - TURNING * cos(frequency * now) * sin(state[0])]

    found = solve_ivp(rates, (0.0, time), [START, 0.0], "DOP853", rtol=1e-11, atol=1e-13)
    return float(found.y[0, -1])


def largest_modulus(frequency: float) -> float:
    """Of the eigenvalues of the linear motion at theta = 0 in one period."""

    def rates(now: float, state: np.ndarray) -> list[float]:
        pull = -TURNING * cos(frequency * now)
        return [state[1], pull * state[0] - BRAKING * state[1], state[3], pull * state[2] - BRAKING * state[3]]

    found = solve_ivp(rates, (0.0, 2.0 * pi / frequency), [1.0, 0.0, 0.0, 1.0], "DOP853", rtol=1e-9, atol=1e-11)
    return float(np.abs(np.linalg.eigvals(found.y[:, -1].reshape(2, 2))).max())


@cache
def limit_of_rest() -> float:
    """w [rad/s] above which the needle stays along the field."""
    return float(brentq(lambda frequency: largest_modulus(frequency) - 1.0, 8.0, 14.0, xtol=1e-6))


def at_frequency(frequency: float) -> dict[str, Any]:
    """The field at w = frequency [rad/s]."""
    return {"world.magnetic_field.angular_frequency": frequency}


def turned(time: float) -> Callable[[Run], float]:
    """Measures theta [rad] at a time [s], whole turns included."""

    def measure(run: Run) -> float:
        axes = np.array([now.bodies.basis[0, 0] for now in run.snapshots if now.time < time + 1e-9])
        return float(np.unwrap(np.arctan2(axes[:, 1], axes[:, 0]))[-1])

    return measure


def growth(run: Run, frequency: float) -> float:
    """Logarithm of the growth of a small angle in ten periods, after ten others."""
    start = {"body[0].orientation": {"axis": [0.0, 0.0, 1.0], "angle": SMALL}}
    simulation = Simulation(run.scene.with_values(at_frequency(frequency) | start))
    found = []
    for _ in range(3):
        swings = []
        for _ in range(round(20.0 * pi / frequency / simulation.time_step)):
            simulation.advance_steps(1)
            swings.append(float(simulation.snapshot().bodies.basis[0, 0, 1]))
        found.append(max(map(abs, swings)))
    return log(found[2] / found[1])


def measured_limit(run: Run) -> float:
    """w [rad/s] at which a small angle neither grows nor decays, by a line between two frequencies."""
    low, high = limit_of_rest() - 0.02, limit_of_rest() + 0.02
    first, second = growth(run, low), growth(run, high)
    return low + (high - low) * first / (first - second)


def _row(name: Message, frequency: float, time: float) -> Row:
    return Row(
        name,
        turned(time),
        lambda: angle(frequency, time),
        2e-5,
        "rad",
        OF_RK4,
        at_frequency(frequency),
        "calculation",
    )


COMPASS = Experiment(
    "driven_compass",
    10.0,
    (
        _row(Message("angle at 3 s, field at 9 rad/s"), 9.0, 3.0),
        _row(Message("angle at 10 s, field at 14 rad/s"), 14.0, 10.0),
        Row(
            Message("frequency above which it stays along the field"),
            measured_limit,
            limit_of_rest,
            0.01,
            "rad/s",
            "a line between growths 0.02 rad/s below and above",
            origin="calculation",
        ),
    ),
)

EXPERIMENTS = (COMPASS,)
