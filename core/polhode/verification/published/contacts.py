"""Contacts and joints of SimBenchmark (Hwangbo, Kang), in which each result has a closed form.

A cube of velocity v slides v^2/(2 mu g) in v/(mu g). A row of n beams of length l and mass m in the first joint:
n m g and n^2 m g l/2. A box of mass M with n balls of mass m on it, which roll with 2/7 of its acceleration, slides on
the ground with a (M + 2 n m/7) = F - mu (M + n m) g. A ball that falls from h bounces for the times 2 e^n sqrt(2 h/g),
n = 1, 2, ..., of which the sum is finite for a coefficient of restitution e < 1. In the elastic test 6^3 balls fall
on a plane without friction: energy and horizontal momentum are constant.
"""

from __future__ import annotations

from collections.abc import Callable
from math import nan, sqrt

import numpy as np

from polhode.scene.message import Message
from polhode.verification.published.experiment import Experiment, Row, Run

GRAVITY = 9.81  # [m/s^2]
SPEED, FRICTION = 6.0, 0.5  # [m/s] and coefficient of the cube
BEAMS, BEAM, WEIGHT = 10, 0.1, 0.1  # number, length [m] and mass [kg]
SLOW = 1e-3  # [m/s] of a cube that has stopped
PRESSED = "the cube begins without a load and is pressed in by 0.02 mm: one step of 0.2 ms"


def stopping_time(run: Run) -> float:
    """Time [s] of the first step at which the cube is slower than 1 mm/s; nan if it is not."""
    slow = run.column("cube.velocity.x") < SLOW
    return float(run.times[np.argmax(slow)]) if slow.any() else nan


CUBE = Experiment(
    "thrown_cube",
    1.5,
    (
        Row(
            Message("distance until it is at rest"),
            lambda run: float(run.column("cube.position.x")[-1]),
            SPEED**2 / (2.0 * FRICTION * GRAVITY),
            5e-4,
            "m",
            PRESSED,
        ),
        Row(Message("time until it is at rest"), stopping_time, SPEED / (FRICTION * GRAVITY), 4e-4, "s", PRESSED),
        Row(
            Message("angle through which it has turned"),
            lambda run: float(np.arctan2(run.column("cube.u1.y")[-1], run.column("cube.u1.x")[-1])),
            0.0,
            1e-6,
            "rad",
            "the same friction at all four corners of the lower side",
        ),
    ),
)

BEAMS_IN_A_ROW = Experiment(
    "welded_beams",
    2.0,
    (
        Row(
            Message("force in the first joint"),
            lambda run: -float(run.column("weld0.force.z")[-1]),
            BEAMS * WEIGHT * GRAVITY,
            1e-9,
            "N",
            "rounding",
        ),
        Row(
            Message("torque in the first joint"),
            lambda run: float(run.column("weld0.torque.y")[-1]),
            0.5 * BEAMS**2 * WEIGHT * GRAVITY * BEAM,
            1e-9,
            "N m",
            "rounding",
        ),
        Row(
            Message("sag of the last beam"),
            lambda run: -float(run.column("beam9.position.z").min()),
            0.0,
            1e-12,
            "m",
            "joints are equations, not springs",
        ),
    ),
)


def acceleration(body: str) -> Callable[[Run], float]:
    """Measures the acceleration [m/s^2] of a body along the diagonal, by a line through its speed after 0.5 s."""

    def measure(run: Run) -> float:
        later = run.times > SETTLED
        speed = (run.column(f"{body}.velocity.x") + run.column(f"{body}.velocity.y")) / sqrt(2.0)
        return float(np.polyfit(run.times[later], speed[later], 1)[0])

    return measure


SETTLED = 0.5  # [s] after which the load has settled
PUSH, BOX, BALLS, UNDER = 150.0, 10.0, 25, 0.4  # [N], [kg], balls of 1 kg, friction under the box


def of_box(push: float, gravity: float = GRAVITY) -> float:
    """a [m/s^2] by F [N]; gravity in m/s^2."""
    return (push - UNDER * (BOX + BALLS) * gravity) / (BOX + 2.0 / 7.0 * BALLS)


LOADED = "contacts of 1e5 and 1e6 N/m that swing a little: 1e-4 of it with a step of 0.5 ms"
PUSHED = Experiment(
    "balls_on_a_pushed_box",
    3.0,
    (
        Row(
            Message("acceleration of the box"),
            acceleration("box"),
            of_box(PUSH),
            3e-4,
            "m/s^2",
            LOADED,
            origin="source",
        ),
        Row(
            Message("acceleration of the ball in the middle"),
            acceleration("ball12"),
            2.0 / 7.0 * of_box(PUSH),
            1e-4,
            "m/s^2",
            LOADED,
            origin="source",
        ),
        Row(
            Message("acceleration of a ball at a corner"),
            acceleration("ball4"),
            2.0 / 7.0 * of_box(PUSH),
            1e-4,
            "m/s^2",
            LOADED,
            origin="source",
        ),
    ),
    every=50,
)

FALL = 1.0  # [m] of the bouncing balls
RESTITUTIONS = (1.0, 0.9, 0.75, 0.5)


def bounced(restitution: float, time: float, gravity: float = GRAVITY) -> float:
    """Height [m] of a ball over the ground, a time [s] after it is let go from `FALL`."""
    jump, later = 2.0 * sqrt(2.0 * FALL / gravity), time + sqrt(2.0 * FALL / gravity)
    while later > jump > 1e-9:
        later, jump = later - jump, jump * restitution
    return 0.5 * gravity * later * (jump - later) if jump > 1e-9 else 0.0


def resting_time(run: Run) -> float:
    """Time [s] from which the last ball is less than 1 um over the ground."""
    away = np.flatnonzero(run.column("ball4.position.z") - RADIUS > 1e-6)
    return float(run.times[away[-1] + 1])


RADIUS = 0.05  # [m] of the bouncing balls
IN_STEPS = "impacts are found in the step, and the flights between them are exact"
NAMED = (
    Message("height of the ball with e = 1 at 6 s"),
    Message("height of the ball with e = 0.9 at 6 s"),
    Message("height of the ball with e = 0.75 at 3 s"),
)


def _height(ball: int, time: float) -> Row:
    def measure(run: Run) -> float:
        return float(run.column(f"ball{ball + 1}.position.z")[np.argmin(np.abs(run.times - time))]) - RADIUS

    return Row(NAMED[ball], measure, bounced(RESTITUTIONS[ball], time), 1e-7, "m", IN_STEPS)


BOUNCING = Experiment(
    "bouncing_balls",
    6.0,
    (
        _height(0, 6.0),
        _height(1, 6.0),
        _height(2, 3.0),
        Row(
            Message("time until the ball with e = 0.5 is at rest"),
            resting_time,
            sqrt(2.0 * FALL / GRAVITY) * (1.0 + 0.5) / (1.0 - 0.5),
            3e-3,
            "s",
            "rest begins with jumps of a few steps of 0.2 ms; one below 1 um lasts 1 ms",
        ),
    ),
    every=5,
)

FALLING = 0.4  # [s] before the first impact


def fallen(run: Run) -> float:
    """Mean fall [m] of the balls in a time before the first impact."""
    k = int(np.argmin(np.abs(run.times - FALLING)))
    start, now = (run.snapshots[i].bodies.position[:, 2].mean() for i in (0, k))
    return float(start - now)


def energy_error(run: Run) -> float:
    """Mean squared change [J^2] of the energy."""
    energy = run.column("energy.total")
    return float(np.mean(np.square(energy - energy[0])))


def pushed_aside(run: Run) -> float:
    """Largest horizontal momentum [kg m/s] of all balls together."""
    return float(max(np.abs(now.momentum[:2]).max() for now in run.snapshots))


ENDS_OF_CONTACTS = "contacts begin and end within steps: 3 to 5 J of 34 kJ at steps of 0.25 ms, 30 J at 0.5 ms"
ELASTIC = Experiment(
    "elastic_666",
    10.0,
    (
        Row(Message("fall of the balls in 0.4 s"), fallen, 0.5 * GRAVITY * FALLING**2, 1e-9, "m", "rounding"),
        Row(Message("mean squared error of the energy in 10 s"), energy_error, 0.0, 50.0, "J^2", ENDS_OF_CONTACTS),
        Row(Message("largest horizontal momentum"), pushed_aside, 0.0, 1e-8, "kg m/s", "forces are opposite: rounding"),
    ),
    every=40,
)

EXPERIMENTS = (CUBE, PUSHED, BEAMS_IN_A_ROW, BOUNCING, ELASTIC)
