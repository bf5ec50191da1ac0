"""Mechanisms of IFToMM's Library of Computational Benchmark Problems.

A01, a point on a light rod of length l from the horizontal: period 4 K(1/2) sqrt(l/g), with K of the parameter k^2.

A02, N four-bar linkages in a row, 2N + 1 bars of length l and mass m. They move as one pendulum with

    I = ((N + 1)/3 + N) m l^2      m' = ((N + 1)/2 + N) m      omega^2 = omega_0^2 + 2 m' g l (1 - cos theta)/I

where theta is the angle from the upright start.

A03, Andrews' squeezing mechanism: reference solution of the Test Set for IVP Solvers (Mazzia, Magherini, 2008), in
which the angle of the first rod is relative to the crank. A04, Bricard's mechanism: its energy is constant, and it
stays closed.
"""

from __future__ import annotations

from math import cos, pi, sqrt

import numpy as np
from scipy.integrate import quad
from scipy.interpolate import CubicHermiteSpline
from scipy.special import ellipk

from polhode.scene.message import Message
from polhode.verification.published.experiment import Experiment, Row, Run

GRAVITY = 9.81  # [m/s^2]
PHASE = "error of the phase of RK4, z^4/120, far below it"
BARS = 2  # N
ONE_TURN = 2.0 * pi
LENGTH = 1.0  # [m]


def angle_of(run: Run, body: str, start: float) -> np.ndarray:
    """(n,) [rad] angle of a body's z axis about y from the upright, continuous, near `start` at first."""
    along, up = run.column(f"{body}.u3.x"), run.column(f"{body}.u3.z")
    found = np.unwrap(np.arctan2(along, up))
    return np.asarray(found + 2.0 * pi * round((start - found[0]) / (2.0 * pi)))


def time_at(run: Run, body: str, angle: float, start: float = 0.0) -> float:
    """Time [s] at which a body first has turned to an angle [rad]; nan if it does not."""
    turned = CubicHermiteSpline(run.times, angle_of(run, body, start), run.column(f"{body}.angular_velocity.y"))
    found = turned.solve(angle, extrapolate=False)
    return float(found[0]) if len(found) else np.nan


def speed_at(run: Run, body: str, angle: float) -> float:
    """Angular velocity [rad/s] of a body when it first has an angle [rad]."""
    return float(np.interp(time_at(run, body, angle), run.times, run.column(f"{body}.angular_velocity.y")))


def four_bar_speed(bars: int, angle: float, start: float = 1.0) -> float:
    """Angular velocity [rad/s] at an angle [rad] from upright, of N linkages that start with `start` [rad/s]."""
    inertia, lever = (bars + 1) / 3 + bars, (bars + 1) / 2 + bars
    return sqrt(start**2 + 2.0 * lever * GRAVITY * (1.0 - cos(angle)) / (inertia * LENGTH))


def four_bar_time(bars: int, angle: float) -> float:
    """Time [s] from upright to an angle [rad]."""
    return float(quad(lambda theta: 1.0 / four_bar_speed(bars, theta), 0.0, angle, epsabs=1e-13, epsrel=1e-13)[0])


PENDULUM = Experiment(
    "pendulum_from_the_horizontal",
    10.0,
    (
        Row(
            Message("period"),
            lambda run: 2.0 * (_crossing(run, 1) - _crossing(run, 0)),
            4.0 * float(ellipk(0.5)) * sqrt(LENGTH / GRAVITY),
            1e-7,
            "s",
            PHASE,
        ),
        Row(
            Message("largest change of the energy in 10 s"),
            lambda run: float(np.abs(run.column("energy.total") - run.column("energy.total")[0]).max()),
            0.0,
            1e-9,
            "J",
            "the benchmark allows 5e-5 J; RK4 at 1 ms loses 1e-10 J",
        ),
    ),
)


def _crossing(run: Run, number: int) -> float:
    """Time [s] of a passage of the lowest point, counted from 0."""
    at = CubicHermiteSpline(run.times, angle_of(run, "bob", 0.5 * pi), run.column("bob.angular_velocity.y"))
    return float(at.solve(0.0, extrapolate=False)[number])


TWO_FOUR_BARS = Experiment(
    "two_four_bars",
    2.5,
    (
        Row(
            Message("time at which the bars are first in one line"),
            lambda run: time_at(run, "rod0", 0.5 * pi),
            four_bar_time(BARS, 0.5 * pi),
            1e-7,
            "s",
            PHASE,
        ),
        Row(
            Message("angular velocity then"),
            lambda run: speed_at(run, "rod0", 0.5 * pi),
            four_bar_speed(BARS, 0.5 * pi),
            1e-5,
            "rad/s",
            "linear between steps: 1e-3 s times a change of 2e-2 rad/s a step",
        ),
        Row(
            Message("angular velocity at the bottom"),
            lambda run: float(run.column("rod0.angular_velocity.y").max()),
            four_bar_speed(BARS, pi),
            1e-5,
            "rad/s",
            "the largest of steps of 1 ms",
        ),
        Row(
            Message("time of the first turn"),
            lambda run: time_at(run, "rod0", ONE_TURN),
            four_bar_time(BARS, ONE_TURN),
            1e-7,
            "s",
            PHASE,
        ),
    ),
)


def turned(run: Run, body: str) -> float:
    """Angle [rad] of a body about z at the end, continuous from the start."""
    return float(np.unwrap(np.arctan2(run.column(f"{body}.u1.y"), run.column(f"{body}.u1.x")))[-1])


SQUEEZER_STEP = "RK4 at 10 microseconds; at half the step the difference is the same, that of the rounded start"
SQUEEZER = Experiment(
    "andrews_squeezer",
    0.03,
    (
        Row(
            Message("angle of the crank"),
            lambda run: turned(run, "crank"),
            15.81077119629904,
            1e-8,
            "rad",
            SQUEEZER_STEP,
            origin="source",
        ),
        Row(
            Message("angle of the rod relative to the crank"),
            lambda run: turned(run, "rod") - turned(run, "crank"),
            -15.75637105984298,
            1e-8,
            "rad",
            SQUEEZER_STEP,
            origin="source",
        ),
        Row(
            Message("angle of the triangle"),
            lambda run: turned(run, "squeezer"),
            0.04082224013073101,
            1e-9,
            "rad",
            SQUEEZER_STEP,
            origin="source",
        ),
    ),
)


def gap_of_bricard(run: Run) -> float:
    """Largest distance [m] of the end of the last rod from its hinge."""
    ends = np.array([now.bodies.position[-1] + 0.5 * now.bodies.basis[-1, 2] for now in run.snapshots])
    return float(np.linalg.norm(ends - ends[0], axis=1).max())


BRICARD = Experiment(
    "bricards_mechanism",
    10.0,
    (
        Row(
            Message("largest change of the energy in 10 s"),
            lambda run: float(np.abs(run.column("energy.total") - run.column("energy.total")[0]).max()),
            0.0,
            1e-8,
            "J",
            "RK4 at 1 ms: 1e-11 J of 4.6 J",
        ),
        Row(Message("largest gap of the last hinge"), gap_of_bricard, 0.0, 1e-10, "m", "rounding"),
        Row(
            Message("greatest height of the third hinge"),
            lambda run: float(_corner(run)[:, 2].max()),
            -0.5 * sqrt(3.0),
            1e-5,
            "m",
            "where the two rods are in one plane with the axis; the largest of steps of 10 ms",
        ),
    ),
    every=10,
)


def _corner(run: Run) -> np.ndarray:
    """(n, 3) [m] position of the hinge of the second and third rod."""
    return np.array([now.bodies.position[1] - 0.5 * now.bodies.basis[1, 2] for now in run.snapshots])


EXPERIMENTS = (PENDULUM, TWO_FOUR_BARS, SQUEEZER, BRICARD)
