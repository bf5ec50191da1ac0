"""A tippe top on a table.

It is a ball of radius R whose centre of mass is alpha R below its middle, with friction in proportion to the speed
of gliding. Upright it is unstable above the spin n, and upside down it is stable above n', its own spin there:

    n^2 = m g alpha R (1 - alpha)^2/(I1 - (1 - alpha) I3)      n'^2 = m g alpha R (1 + alpha)^2/((1 + alpha) I3 - I1)

(Ebenfeld and Scheck, Annals of Physics 243, 195, 1995; Cohen, Am. J. Phys. 45, 12, 1977). Jellett's constant L.r, with
r from the centre of mass to the point of contact, does not depend on the friction: upside down the spin is
(1 - alpha)/(1 + alpha) of the one before the turn.
"""

from __future__ import annotations

from collections.abc import Callable
from math import acos, cos, degrees, log, pi, radians, sin, sqrt
from typing import Any

import numpy as np

from polhode.scene.message import Message
from polhode.simulation.simulation import Simulation
from polhode.verification.published.experiment import Experiment, Row, Run

GRAVITY = 9.81  # [m/s^2]
MASS, RADIUS, OFFSET = 0.02, 0.02, 0.1  # [kg], [m], alpha of the tippe top
SPINNING = 0.4 * MASS * RADIUS**2  # [kg m^2] I3
ACROSS = 0.95 * SPINNING  # [kg m^2] I1
SMALL = radians(0.2)  # tilt of the runs from which stability is seen
WATCHED, INTERVAL = 6.0, 0.01  # [s] of such a run, and between two looks at its tilt
OF_GROWTH = "the spin falls by 0.2 % in the 6 s in which the growth of a tilt of 0.2 degrees is measured"
SINKING = "the point of contact is 0.1 mm above the lowest point of the ball, which is pressed in"


def upright_limit(gravity: float = GRAVITY) -> float:
    """n [rad/s]; gravity in m/s^2."""
    lever = 1.0 - OFFSET
    return sqrt(MASS * gravity * OFFSET * RADIUS * lever**2 / (ACROSS - lever * SPINNING))


def inverted_limit(gravity: float = GRAVITY) -> float:
    """n' [rad/s]; gravity in m/s^2."""
    lever = 1.0 + OFFSET
    return sqrt(MASS * gravity * OFFSET * RADIUS * lever**2 / (lever * SPINNING - ACROSS))


def spun(spin: float, tilt: float) -> dict[str, Any]:
    """The start of the tippe top with a spin [rad/s] about its axis, at a tilt [rad]."""
    return {
        "body[0].orientation": {"axis": [0.0, 1.0, 0.0], "angle": tilt},
        "body[0].angular_velocity": [spin * sin(tilt), 0.0, spin * cos(tilt)],
    }


def growth(run: Run, spin: float, tilt: float) -> float:
    """Rate [1/s] at which a small tilt of the axis grows from the second third of a run to the last."""
    simulation = Simulation(run.scene.with_values(spun(spin, tilt)))
    found = []
    for _ in range(round(WATCHED / INTERVAL)):
        simulation.advance(INTERVAL)
        axis = simulation.snapshot().bodies.basis[0, 2]
        found.append(float(np.hypot(axis[0], axis[1])))
    third = len(found) // 3
    _, middle, last = (np.sqrt(np.mean(np.square(found[k * third : (k + 1) * third]))) for k in range(3))
    return log(last / middle) / (third * INTERVAL)


def limit_between(low: float, high: float, tilt: float) -> Callable[[Run], float]:
    """Measures the spin [rad/s] at which a small tilt neither grows nor decays, by a line between two spins."""

    def measure(run: Run) -> float:
        sign = 1.0 if tilt < 1.0 else -1.0
        first, second = growth(run, sign * low, tilt), growth(run, sign * high, tilt)
        return low + (high - low) * first / (first - second)

    return measure


def inclination(run: Run) -> float:
    """Angle [degrees] of the body's axis from the vertical at the end."""
    return degrees(acos(np.clip(run.snapshots[-1].bodies.basis[0, 2, 2], -1.0, 1.0)))


def jellett(run: Run) -> float:
    """Largest relative change of Jellett's constant."""
    found = []
    for now in run.snapshots:
        centre = now.bodies.position[0] - OFFSET * RADIUS * now.bodies.basis[0, 2]
        contact = np.array([*now.bodies.position[0, :2], 0.0]) - centre
        found.append(float(now.bodies.angular_momentum[0] @ contact))
    return float(np.abs(np.array(found) / found[0] - 1.0).max())


TIPPE_TOP = Experiment(
    "tippe_top",
    12.0,
    (
        Row(Message("inclination 12 s after a start with 60 rad/s"), inclination, 180.0, 3.0, "deg", OF_GROWTH),
        Row(
            Message("inclination 12 s after a start with 25 rad/s"),
            inclination,
            0.0,
            3.0,
            "deg",
            OF_GROWTH,
            spun(25.0, radians(5.0)),
        ),
        Row(
            Message("spin above which it is unstable upright"),
            limit_between(43.0, 46.0, SMALL),
            upright_limit(),
            0.15,
            "rad/s",
            OF_GROWTH,
        ),
        Row(
            Message("spin above which it is stable upside down"),
            limit_between(30.0, 33.0, pi - SMALL),
            inverted_limit(),
            0.15,
            "rad/s",
            OF_GROWTH,
        ),
        Row(Message("largest relative change of Jellett's constant"), jellett, 0.0, 2e-3, "", SINKING),
    ),
    every=100,
)


EXPERIMENTS = (TIPPE_TOP,)
