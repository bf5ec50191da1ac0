"""A ball on a table that swings as A sin(w t): impacts of one period, and their doubling.

With the coefficient of restitution e, G = A w^2/g and one impact in each period, the phase of the impact is

    cos phi = pi (1 - e)/((1 + e) G)

which is stable for pi (1 - e)/(1 + e) < G < sqrt((pi (1 - e)/(1 + e))^2 + 4 (1 + e^2)^2/(1 + e)^4), that is from 1.0472
to 1.5268 for e = 1/2 (Luo and Han, Nonlinear Dynamics 10, 1, 1996; Guckenheimer and Holmes, section 2.4).
Beyond, two jumps of different duration alternate; their values here are those of an impact map solved by bisection.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import acos, cos, pi, sin
from typing import Any

import numpy as np
from scipy.optimize import brentq

from polhode.scene.message import Message
from polhode.verification.published.experiment import Experiment, Row, Run

GRAVITY, PERIOD, RESTITUTION = 9.81, 0.1, 0.5  # [m/s^2], [s]
FREQUENCY = 2.0 * pi / PERIOD  # [rad/s]
BALL = 0.01  # [m] radius
DOUBLED = 1.6  # G with two jumps
IMPACTS = 200  # of the map until it repeats
SUBSTEPS = 400  # of a period, in which the map looks for the next impact
OF_MAP = "impacts are found in the step, and the flights between them are exact; the table is a sine of steps of 1 ms"


def phase_of(strength: float) -> float:
    """Phase [rad] of the impacts of one period at G = strength."""
    return acos(pi * (1.0 - RESTITUTION) / ((1.0 + RESTITUTION) * strength))


@cache
def jumps_of_map(strength: float) -> tuple[float, float]:
    """Durations [s] of the last two jumps of an impact map, the shorter one first."""
    size = strength * GRAVITY / FREQUENCY**2
    time, up, found = phase_of(strength) / FREQUENCY, 0.5 * GRAVITY * PERIOD, list[float]()

    def gap(later: float, time: float, up: float) -> float:
        flown = size * sin(FREQUENCY * time) + up * later - 0.5 * GRAVITY * later**2
        return flown - size * sin(FREQUENCY * (time + later))

    for _ in range(IMPACTS):
        grid = np.arange(1, 3 * SUBSTEPS) * PERIOD / SUBSTEPS
        high = next(later for later in grid if gap(later, time, up) < 0.0)
        later = float(brentq(gap, high - PERIOD / SUBSTEPS, high, args=(time, up), xtol=1e-15))
        table = size * FREQUENCY * cos(FREQUENCY * (time + later))
        time, up = time + later, table - RESTITUTION * (up - GRAVITY * later - table)
        found.append(later)
    return min(found[-2:]), max(found[-2:])


def impacts(run: Run) -> np.ndarray:
    """(n,) [s] times of impacts: within steps whose change of velocity is not that of gravity."""
    times, velocity, height = run.times, run.column("ball.velocity.z"), run.column("ball.position.z") - BALL
    step = times[1] - times[0]
    strength = amplitude(run.scene)
    hit = np.flatnonzero(np.diff(velocity) > -GRAVITY * step + 1e-6)
    found = []
    for k in hit.tolist():

        def gap(later: float, k: int = k) -> float:
            flown = height[k] + velocity[k] * later - 0.5 * GRAVITY * later**2
            return float(flown - strength * sin(FREQUENCY * (times[k] + later)))

        if gap(0.0) * gap(step) <= 0.0:
            found.append(times[k] + brentq(gap, 0.0, step, xtol=1e-15))
    return np.array(found)


def amplitude(scene: Any) -> float:
    """A [m] of the table of a scene."""
    return float(scene.body[0].motion.z.partition("*")[0])


def phase(run: Run) -> float:
    """Phase [rad] of the last impact."""
    return float(impacts(run)[-1] * FREQUENCY % (2.0 * pi))


def last_jumps(run: Run) -> list[float]:
    """Durations [s] of the last two jumps, the shorter one first."""
    return sorted(after - before for before, after in pairwise(impacts(run)[-3:]))


def at_strength(strength: float) -> dict[str, Any]:
    """The motion of the table with G = strength, as the scene states it."""
    return {"body[0].motion.z": f"{strength * GRAVITY / FREQUENCY**2:.12g}*sin({FREQUENCY:.12g}*t)"}


TABLE = Experiment(
    "ball_on_a_vibrating_table",
    12.0,
    (
        Row(Message("phase of the impacts at 1.1 g"), phase, phase_of(1.1), 1e-5, "rad", OF_MAP, at_strength(1.1)),
        Row(Message("phase of the impacts at 1.3 g"), phase, phase_of(1.3), 1e-5, "rad", OF_MAP, at_strength(1.3)),
        Row(
            Message("difference of two jumps at 1.3 g"),
            lambda run: last_jumps(run)[1] - last_jumps(run)[0],
            0.0,
            1e-7,
            "s",
            OF_MAP,
            at_strength(1.3),
        ),
        Row(
            Message("shorter jump at 1.6 g"),
            lambda run: last_jumps(run)[0],
            lambda: jumps_of_map(DOUBLED)[0],
            1e-6,
            "s",
            OF_MAP,
            at_strength(DOUBLED),
            "calculation",
        ),
        Row(
            Message("longer jump at 1.6 g"),
            lambda run: last_jumps(run)[1],
            lambda: jumps_of_map(DOUBLED)[1],
            1e-6,
            "s",
            OF_MAP,
            at_strength(DOUBLED),
            "calculation",
        ),
    ),
)

EXPERIMENTS = (TABLE,)
