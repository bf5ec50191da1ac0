"""Two magnets on springs, above two coils that a switch connects in series (Donoso, Ladera and Martín, Eur. J.
Phys. 31, 433, 2010).

A dipole p at the height z over the middle of a coil of N turns, radius R and length l has its flux Phi, with the slope

    dPhi/dz = mu0 N p/(2 l) (g(z + l/2) - g(z - l/2))        g(s) = R^2/(R^2 + s^2)^(3/2)

the other coil, at the distance D, being a dipole N pi R^2: + mu0 N R^2 p/4 d/dz ((2 z^2 - D^2)/(z^2 + D^2)^(5/2)). The
slopes a_i of both magnets make the current I = -(a_1 v_1 + a_2 v_2)/R_c, and the forces I a_i. Both repel each other,
with U = mu0 p^2/(4 pi) (1/d^3 - 3 (z_1 - z_2)^2/d^5). Where a_1 = a_2 the difference of both motions is not damped.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import pi

import numpy as np
from scipy.integrate import solve_ivp

from polhode.scene.message import Message
from polhode.verification.case import GRAVITY
from polhode.verification.published.experiment import Experiment, Row, Run

PERMEABILITY = 1.25663706127e-6  # [T m/A]
BALL = 0.006  # [m] radius of the magnets
VOLUME = 4.0 / 3.0 * pi * BALL**3  # [m^3]
MASS, MOMENT = 7500.0 * VOLUME, 1.2 * VOLUME / PERMEABILITY  # [kg], [A m^2]
TURNS, RADIUS, LENGTH = 200, 0.013, 0.006  # turns, [m], [m] of the coils
RESISTANCE, CLOSES = 20.0, 2.0  # [ohm], [s] time of the switch
SPRING, UNLOADED, HOOK = 1.07, 0.0458, 0.12  # [N/m], [m] of the springs, [m] height of their upper ends
BETWEEN = 0.09  # [m] D
START = 0.018, 0.0065  # [m] heights
OF_DIPOLE = "a coil is a dipole for the magnet in the other one, which is an error of 2 % of 1 um"


def slope(z: float) -> float:
    """a [V s/m] of a magnet at the height z [m]."""

    def g(s: float) -> float:
        return RADIUS**2 / (RADIUS**2 + s**2) ** 1.5

    near = (g(z + 0.5 * LENGTH) - g(z - 0.5 * LENGTH)) / (2.0 * LENGTH)
    q = z**2 + BETWEEN**2
    far = 0.25 * RADIUS**2 * (4.0 * z / q**2.5 - 5.0 * z * (2.0 * z**2 - BETWEEN**2) / q**3.5)
    return PERMEABILITY * TURNS * MOMENT * (near + far)


def rates(_time: float, state: np.ndarray, resistance: float) -> list[float]:
    """Of both heights [m] and speeds [m/s]."""
    first, second, u, v = state.tolist()
    a, b = slope(first), slope(second)
    current = -(a * u + b * v) / resistance
    higher = first - second
    q = BETWEEN**2 + higher**2
    apart = PERMEABILITY * MOMENT**2 / (4.0 * pi) * (9.0 * higher / q**2.5 - 15.0 * higher**3 / q**3.5)
    pulls = (SPRING * (HOOK - BALL - z - UNLOADED) - MASS * GRAVITY for z in (first, second))
    return [u, v, (next(pulls) + current * a + apart) / MASS, (next(pulls) + current * b - apart) / MASS]


@cache
def motion(until: float, start: tuple[float, float] = START, resistance: float = RESISTANCE) -> tuple[float, ...]:
    """Both heights [m] and speeds [m/s] at a time [s], and the current [A]."""
    state, passed = np.array([*start, 0.0, 0.0]), 0.0
    for end, ohms in ((min(CLOSES, until), np.inf), (until, resistance)):
        found = solve_ivp(rates, (passed, end), state, "DOP853", args=(ohms,), rtol=1e-11, atol=1e-13)
        state, passed = found.y[:, -1], end
    first, second, u, v = state.tolist()
    return first, second, u, v, -(slope(first) * u + slope(second) * v) / resistance


def at(time: float, quantity: str) -> Callable[[Run], float]:
    """Measures a column at a time [s]."""
    return lambda run: float(run.column(quantity)[int(np.argmin(np.abs(run.times - time)))])


def _row(name: Message, quantity: str, which: int, time: float, unit: str, tolerance: float) -> Row:
    reference = lambda: motion(time)[which]  # noqa: E731
    return Row(name, at(time, quantity), reference, tolerance, unit, OF_DIPOLE, origin="calculation")


HEIGHTS = "left.position.z", "right.position.z"
SERIES = Experiment(
    "magnets_in_one_circuit",
    8.0,
    (
        _row(Message("height of the left magnet when the switch closes"), HEIGHTS[0], 0, CLOSES, "m", 1e-9),
        _row(Message("height of the left magnet at 4 s"), HEIGHTS[0], 0, 4.0, "m", 2e-7),
        _row(Message("height of the right magnet at 4 s"), HEIGHTS[1], 1, 4.0, "m", 2e-7),
        _row(Message("height of the left magnet at 8 s"), HEIGHTS[0], 0, 8.0, "m", 2e-7),
        _row(Message("height of the right magnet at 8 s"), HEIGHTS[1], 1, 8.0, "m", 2e-7),
        _row(Message("current at 5 s"), "left_coil.current", 4, 5.0, "A", 1e-7),
    ),
    every=10,
)

EXPERIMENTS = (SERIES,)
