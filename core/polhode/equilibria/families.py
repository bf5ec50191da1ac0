"""Families of equilibria: connected by directions without stiffness, such as the spin of a symmetric body. Two
equilibria belong together if one can be moved to the other along its neutral directions, always in equilibrium.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode.equilibria.newton import neutral_directions
from polhode.equilibria.system import System

SAME = 1e-4  # dimensionless distance of two results of Newton's method for one equilibrium
MET = 1e-3  # of two members of a family, after several moves
EQUAL = 1e-6  # of energies and eigenvalues, relative to the largest
STEPS, STRIDE = 60, 0.25
CORRECTIONS = 2  # Newton steps after each move


@dataclass(frozen=True, eq=False)
class Zero:
    """A state without forces and its stiffness."""

    state: np.ndarray  # (k,)
    tangent: np.ndarray | None  # (n, t)
    slope: np.ndarray  # (t, t) [1/s^2] of order 4
    neutral: np.ndarray  # (t, m)
    squares: np.ndarray  # (t,) [1/s^2] eigenvalues of the slope, sorted
    energy: float  # [J]


def describe(system: System, state: np.ndarray) -> Zero:
    """A zero with its stiffness."""
    tangent = system.tangent(state)
    slope = system.slope(state, tangent, fine=True)
    squares = np.sort(np.linalg.eigvals(slope).real)
    energy = float(system.freedoms.potentials(state[None])[0])
    return Zero(state, tangent, slope, neutral_directions(slope), squares, energy)


def is_same(system: System, one: Zero, other: Zero, energy: float) -> bool:
    """Whether two zeros are one equilibrium or members of one family; `energy` [J] is the scale of energies."""
    if one.neutral.shape != other.neutral.shape or abs(one.energy - other.energy) > EQUAL * energy:
        return False
    largest = max(np.abs(one.squares).max(initial=0.0), np.abs(other.squares).max(initial=0.0))
    if np.abs(one.squares - other.squares).max(initial=0.0) > 1e3 * EQUAL * largest:
        return False
    if _distance(system, one.state, other.state) < SAME:
        return True
    return one.neutral.shape[1] > 0 and _distance(system, nearest(system, one, other.state), other.state) < MET


def nearest(system: System, zero: Zero, goal: np.ndarray) -> np.ndarray:
    """(k,) the member of the family of `zero` nearest to the state `goal` (k,)."""
    state, tangent, neutral = zero.state, zero.tangent, zero.neutral
    for _ in range(STEPS):
        directions = neutral if tangent is None else tangent @ neutral  # (n, m)
        towards = directions @ (directions.T @ system.freedoms.difference(state, goal))
        length = float(np.abs(towards / system.unit).max(initial=0.0))
        if length < 1e-9:
            break
        state = system.moved(state, towards * min(1.0, STRIDE / length))
        for _ in range(CORRECTIONS):
            tangent = system.tangent(state)
            slope = system.slope(state, tangent)
            correction = -np.linalg.lstsq(slope, system.force(state, tangent), rcond=1e-7)[0]
            state = system.moved(state, system.embedded(correction, tangent))
        if not np.isfinite(state).all():
            return zero.state
        tangent = system.tangent(state)
        neutral = _softest(system.slope(state, tangent), neutral.shape[1])
    return state


def _softest(slope: np.ndarray, count: int) -> np.ndarray:
    """(t, count) the directions with the least stiffness."""
    return np.asarray(np.linalg.svd(slope)[2][len(slope) - count :].T)


def _distance(system: System, one: np.ndarray, other: np.ndarray) -> float:
    """Dimensionless distance of two states: the largest of all coordinates."""
    return float(np.abs(system.freedoms.difference(one, other) / system.unit).max(initial=0.0))
