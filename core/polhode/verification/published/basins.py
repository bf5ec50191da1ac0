"""Basins of a potential with two wells along each axis.

A field of b x (1 - x^2/a^2) along each axis, averaged over a ball of radius R, moves each of its coordinates by itself,

    x'' = b x (1 - (x^2 + 3 R^2/5)/a^2) - (d/m) x'

From rest at x > 0 it ends in the well at a, or in that at -a if it gets over the hill in the middle once, or at a if
twice: between these starts are those from which it comes to rest on the hill. Of starts that are symmetric about the
middle an eighth ends in each corner, else the product of three shares. Counting as Menck, Heitzig, Marwan and Kurths,
Nature Physics 9, 89 (2013).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from polhode.scene.message import Message
from polhode.simulation.simulation import Simulation
from polhode.verification.published.experiment import Experiment, Row, Run

HILL, WELL, DAMPING = 20.0, 0.5, 1.2  # b [1/s^2], a [m], d/m [1/s]
RADIUS = 0.025  # [m] R
COUNT, SPACING = 8, 0.25  # along each axis, [m]
SECONDS = 6.0  # until all have chosen their well
SHIFTED = (0.09, -0.09, 0.09)  # [m] middle of a block of which five of eight layers end on the side it is moved to
FIRST, SECOND = (0.7, 0.85), (0.9, 1.05)  # [m] around the starts that come to rest on the hill
DEEPER = 6  # rows by which such a start is found, each in a seventh of the last interval
WHOLE = "whole numbers of 512 balls"
OF_METHOD = "eight balls in each of six rows: 0.15 m/7^6 = 1.3 um; RK4 has (w dt)^4/120 = 1e-8"


def end(x: float, damping: float = DAMPING, seconds: float = SECONDS) -> float:
    """Coordinate [m] at the end, by DOP853, after a start at rest at x [m] with d/m [1/s]."""

    def rates(_time: float, state: np.ndarray) -> list[float]:
        mean = HILL * state[0] * (1.0 - (state[0] ** 2 + 0.6 * RADIUS**2) / WELL**2)
        return [state[1], mean - damping * state[1]]

    return float(solve_ivp(rates, (0.0, seconds), [x, 0.0], "DOP853", rtol=1e-11, atol=1e-12).y[0, -1])


@cache
def limit(low: float, high: float, damping: float = DAMPING) -> float:
    """Start [m] between two that end in different wells, from which a ball comes to rest on the hill."""
    return float(brentq(lambda x: np.sign(end(x, damping, 2.0 * SECONDS)), low, high, xtol=1e-9))


@cache
def share_of(middle: tuple[float, float, float], corner: tuple[int, int, int], spacing: float = SPACING) -> float:
    """Share of the balls of a block, by its middle and spacing [m], that end in a corner: signs of x, y and z."""
    places = (np.arange(COUNT) - (COUNT - 1) / 2.0) * spacing
    axes = zip(middle, corner, strict=True)
    return float(np.prod([np.mean([end(at + x) * sign > 0.0 for x in places]) for at, sign in axes]))


def shares(run: Run) -> np.ndarray:
    """(8,) share of the balls in each corner at the end; the first is -, -, -, the second +, -, -."""
    places = run.snapshots[-1].bodies.position[: COUNT**3]
    return np.bincount((places > 0.0) @ (1, 2, 4), minlength=8) / COUNT**3


def limit_in(run: Run, low: float, high: float) -> float:
    """Start [m] between two at which the well of the end changes, by rows of balls in ever shorter intervals."""
    for _ in range(DEEPER):
        places = np.linspace(low, high, COUNT)
        simulation = Simulation(run.scene.with_values(row_between(low, high)))
        simulation.advance(SECONDS)
        ends = simulation.snapshot().bodies.position[:COUNT, 0] > 0.0
        changes = np.flatnonzero(ends[1:] != ends[:-1])
        if changes.size == 0:
            return float("nan")
        low, high = places[changes[0]], places[changes[0] + 1]
    return 0.5 * (low + high)


def row_between(low: float, high: float) -> dict[str, Any]:
    """Numbers of the scene with one row of balls along x between two places [m]."""
    return {
        "sphere[0].position": [0.5 * (low + high), 0.1, 0.1],
        "sphere[0].arrangement.counts": [COUNT, 1, 1],
        "sphere[0].arrangement.spacing": [(high - low) / (COUNT - 1), 1.0, 1.0],
    }


def block_at(middle: tuple[float, float, float]) -> dict[str, Any]:
    """Numbers of the scene with its block at another middle [m]."""
    return {"sphere[0].position": list(middle)}


def _limit(name: Message, between: tuple[float, float]) -> Row:
    """A start that comes to rest on the hill."""
    return Row(
        name,
        lambda run: limit_in(run, *between),
        lambda: limit(*between),
        5e-6,
        "m",
        OF_METHOD,
        origin="calculation",
    )


BASINS = Experiment(
    "eight_basins",
    SECONDS,
    (
        Row(Message("smallest share of the balls in a corner"), lambda run: shares(run).min(), 0.125, 1e-12, "", WHOLE),
        Row(Message("largest share of the balls in a corner"), lambda run: shares(run).max(), 0.125, 1e-12, "", WHOLE),
        Row(
            Message("share in the corner +, -, + of a shifted block"),
            lambda run: float(shares(run)[5]),
            lambda: share_of(SHIFTED, (1, -1, 1)),
            1e-12,
            "",
            WHOLE,
            block_at(SHIFTED),
            "calculation",
        ),
        _limit(Message("start from which a ball just reaches the hill"), FIRST),
        _limit(Message("start from which it just reaches the hill a second time"), SECOND),
    ),
    every=40,
)

EXPERIMENTS = (BASINS,)
