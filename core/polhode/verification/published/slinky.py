"""A slinky that is let go from its upper end (Cross and Wheatland, Am. J. Phys. 80, 1051, 2012).

N masses m are connected by springs with the tension f + k (l - a). Where they would be shorter than a, their length
when closed, the turns touch: an elastic force K d pushes them apart, d = a - l, and a damper of c min(d/e, 1), in its
full strength from the depth e on, takes nearly all of the energy of the impact, so that closed turns stay together.
Hanging, the spring above n masses is longer than a by (n m g - f)/k, or shorter by (f - n m g)/(k + K). The lower end
waits until the turns above it have collapsed: as the centre of mass falls freely by g t^2/2 from its height h over the
lower end to the middle of the closed slinky there,

    t_c = sqrt(2 (h - (N - 1) a/2)/g)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import sqrt

import numpy as np
from scipy.integrate import solve_ivp

from polhode.scene.message import Message
from polhode.verification.published.experiment import Experiment, Row, Run

GRAVITY = 9.81  # [m/s^2]
COUNT, WHOLE = 31, 0.2  # masses, [kg] of all
CLOSED, PULL, SPRING = 0.002, 0.2, 25.0  # [m] a, [N] f, [N/m] k
STOP, DAMPER, DEPTH = 1e4, 100.0, 2e-5  # [N/m] K, [N s/m] c, [m] e
MASS = WHOLE / COUNT  # [kg]
OF_STEPS = "RK4 at 20 us beside DOP853: turns touch within a step"


def hanging() -> np.ndarray:
    """(N,) [m] heights of the masses over the lower end, the uppermost one first."""
    more = np.arange(1, COUNT) * MASS * GRAVITY - PULL
    long = CLOSED + np.where(more > 0.0, more / SPRING, more / (SPRING + STOP))
    return np.concatenate([np.cumsum(long)[::-1], [0.0]])


def tension() -> str:
    """That of a spring as the scene states it."""
    depth = f"max({CLOSED:g} - l, 0)"
    return f"{PULL:g} + {SPRING:g}*(l - {CLOSED:g}) - {STOP:g}*{depth} + {DAMPER:g}*v*min({depth}/{DEPTH:g}, 1)"


def collapse() -> float:
    """t_c [s]."""
    return sqrt(2.0 * (float(hanging().mean()) - 0.5 * (COUNT - 1) * CLOSED) / GRAVITY)


@cache
def heights(times: tuple[float, ...]) -> np.ndarray:
    """(n, N) [m] of the masses over the lower end at first, at times [s]."""

    def rates(_time: float, state: np.ndarray) -> np.ndarray:
        height, speed = state[:COUNT], state[COUNT:]
        long, rate = height[:-1] - height[1:], speed[:-1] - speed[1:]
        depth = np.maximum(CLOSED - long, 0.0)
        pull = PULL + SPRING * (long - CLOSED) - STOP * depth + DAMPER * rate * np.minimum(depth / DEPTH, 1.0)
        force = np.concatenate([-pull, [0.0]]) + np.concatenate([[0.0], pull])
        return np.concatenate([speed, force / MASS - GRAVITY])

    start = np.concatenate([hanging(), np.zeros(COUNT)])
    found = solve_ivp(rates, (0.0, times[-1]), start, "LSODA", times, rtol=1e-9, atol=1e-11)
    return np.asarray(found.y[:COUNT].T)


def height(point: int, time: float) -> Callable[[Run], float]:
    """Measures the height [m] of a mass at a time [s]."""

    def measure(run: Run) -> float:
        return float(run.snapshots[int(np.argmin(np.abs(run.times - time)))].points.position[point, 2])

    return measure


def closed_at(run: Run) -> float:
    """Time [s] at which the slinky is first as short as when it is closed."""
    ends = np.array([now.points.position[[0, COUNT - 1], 2] for now in run.snapshots])
    long = ends[:, 0] - ends[:, 1] - (COUNT - 1) * CLOSED
    k = int(np.argmax(long < 0.0))
    return float(np.interp(0.0, [-long[k - 1], -long[k]], run.times[k - 1 : k + 1]))


WATCHED = (0.1, 0.2, 0.26)  # [s]


def _height(name: Message, point: int, which: int) -> Row:
    time = WATCHED[which]
    return Row(
        name,
        height(point, time),
        lambda: float(heights(WATCHED)[which, point]),
        1e-5,
        "m",
        OF_STEPS,
        origin="calculation",
    )


SLINKY = Experiment(
    "falling_slinky",
    0.3,
    (
        _height(Message("height of the upper end at 0.1 s"), 0, 0),
        _height(Message("height of the upper end at 0.2 s"), 0, 1),
        _height(Message("height of the lower end at 0.2 s"), COUNT - 1, 1),
        _height(Message("height of the upper end at 0.26 s"), 0, 2),
        Row(
            Message("time of the collapse"),
            closed_at,
            collapse(),
            0.02 * collapse(),
            "s",
            "30 springs in place of a coil; the closed turns are pressed together",
        ),
    ),
    every=25,
)

EXPERIMENTS = (SLINKY,)
