"""Springs, chains and pendulums.

Swinging spring: a mass m on a spring k, with the length l under load. Where k/m = 4 g/l, bounces are twice as fast as
swings and turn into them (Vitt and Gorelik, 1933; Lynch, Int. J. Nonlinear Mechanics 37, 345, 2002).

Folded chain of the length L, held at one end, whose other end falls from the same height without loss of energy
(Calkin and March, Am. J. Phys. 57, 154, 1989): after x its speed is v^2 = g x (2 L - x)/(L - x).

Foucault's pendulum on a laboratory that turns with W: seen from there its plane turns with

    -W (1 - 3/8 a^2 - I3/(2 I1))

The second term, with the amplitude a, is that of the area of its narrow ellipse, the third that of the bob, which spins
with W at first as the laboratory does (Landau and Lifshitz, Mechanics, section 39; Somerville, Q. J. R. Astron. Soc.
13, 40, 1972).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import sqrt
from typing import Any

import numpy as np
from scipy.integrate import quad, solve_ivp

from polhode.scene.message import Message
from polhode.verification.bodies.rotation import azimuth_rate
from polhode.verification.published.experiment import Experiment, Row, Run

GRAVITY = 9.81  # [m/s^2]
REST, RATE = 0.75, 4.0 * GRAVITY  # [m] and [1/s^2] k/m of the swinging spring
START = (0.04, 0.0, -1.12, 0.0, 0.03, 0.0)  # [m], [m/s] of its ball
LINKS, LINK, FOLD = 59, 0.01, 0.012  # of each half of the chain, [m], [m] between the halves
CHAIN = 2 * LINKS * LINK + FOLD  # [m]
FALLEN = 1.0  # [m]
BOB = 0.4 * (0.0195 / 0.255) ** 2  # moment of inertia of the bob about itself, in that about the pivot of its mass
OF_RK4 = "RK4 at 2 ms beside DOP853 with a tolerance of 1e-12: 6e-9 m"
OF_LINKS = "119 links in place of a chain that bends sharply: 1.2 % of the time"


@cache
def spring_at(time: float, start: tuple[float, ...] = START) -> np.ndarray:
    """(3,) [m] position of the ball of the swinging spring, by its position [m] and velocity [m/s] at first."""

    def rates(_time: float, state: np.ndarray) -> np.ndarray:
        position, velocity = state[:3], state[3:]
        length = float(np.linalg.norm(position))
        pull = -RATE * (length - REST) / length * position
        return np.concatenate([velocity, pull + (0.0, 0.0, -GRAVITY)])

    found = solve_ivp(rates, (0.0, time), start, "DOP853", rtol=1e-12, atol=1e-13)
    return np.asarray(found.y[:3, -1])


def at(time: float, axis: int) -> Callable[[Run], float]:
    """Measures a coordinate [m] of the first point at a time [s]."""

    def measure(run: Run) -> float:
        (moment,) = [now for now in run.snapshots if abs(now.time - time) < 1e-9]
        return float(moment.points.position[0, axis])

    return measure


def chain_time(distance: float, gravity: float = GRAVITY) -> float:
    """Time [s] in which the end of the folded chain falls through a distance [m]; gravity in m/s^2."""

    def slowness(fallen: float) -> float:
        return sqrt((CHAIN - fallen) / (gravity * fallen * (2.0 * CHAIN - fallen)))

    return float(quad(slowness, 0.0, distance)[0])


def falling_time(run: Run, point: int, distance: float = FALLEN) -> float:
    """Time [s] in which a point has fallen through a distance [m]."""
    fallen = -np.array([now.points.position[point, 2] for now in run.snapshots])
    last = int(np.argmax(fallen > distance)) + 1
    return float(np.interp(distance, fallen[:last], run.times[:last]))


def plane_rate(rotation: float, amplitude: float) -> float:
    """Rate [rad/s] of the plane of swing by W [rad/s] and a [rad]."""
    return -rotation * (1.0 - 3.0 / 8.0 * amplitude**2 - BOB / (2.0 * (1.0 + BOB)))


def of_rotation(rotation: float, amplitude: float) -> dict[str, Any]:
    """The pendulum of the carousel with another rotation [rad/s] and a small amplitude [rad]."""
    return {
        "world.rotation": [0.0, 0.0, rotation],
        "body[0].orientation": {"axis": [0.0, 1.0, 0.0], "angle": -amplitude},
    }


def _of_spring(name: Message, time: float, axis: int) -> Row:
    """A coordinate of the ball of the swinging spring at a time [s]."""
    return Row(name, at(time, axis), lambda: float(spring_at(time)[axis]), 1e-7, "m", OF_RK4, origin="calculation")


SWINGING_SPRING = Experiment(
    "swinging_spring",
    60.0,
    (
        _of_spring(Message("x of the ball at 10 s"), 10.0, 0),
        _of_spring(Message("z of the ball at 10 s"), 10.0, 2),
        _of_spring(Message("x of the ball at 60 s"), 60.0, 0),
        _of_spring(Message("y of the ball at 60 s"), 60.0, 1),
    ),
    every=10,
)

FOLDED_CHAIN = Experiment(
    "falling_folded_chain",
    0.5,
    (
        Row(
            Message("time in which the end falls by 1 m"),
            lambda run: falling_time(run, LINKS + 1),
            chain_time(FALLEN),
            0.015 * chain_time(FALLEN),
            "s",
            OF_LINKS,
        ),
        Row(
            Message("time in which the ball falls by 1 m"),
            lambda run: falling_time(run, -1),
            sqrt(2.0 * FALLEN / GRAVITY),
            1e-5,
            "s",
            "linear between steps of 1 ms",
        ),
    ),
    every=20,
)

FOUCAULT = Experiment(
    "foucault_pendulum",
    0.01,
    (
        Row(
            Message("rate of the plane of swing, laboratory with 0.1 rad/s, amplitude 0.1 rad"),
            lambda run: azimuth_rate(run.scene),
            plane_rate(0.1, 0.1),
            5e-6,
            "rad/s",
            "terms of the fourth order in the amplitude, and of the rotation",
            of_rotation(0.1, 0.1),
        ),
    ),
)

EXPERIMENTS = (SWINGING_SPRING, FOLDED_CHAIN, FOUCAULT)
