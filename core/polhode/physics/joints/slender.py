"""Bodies of joints with little or no inertia about an axis: thin rods, rows of points, point masses."""

from __future__ import annotations

from typing import Any

import numpy as np

from polhode.engine.model import NOTHING
from polhode.physics.bodies.arrays import AXLE, FREE, PIVOT, Bodies

SLENDER = 1e-3
"""Moments of inertia below this part of the largest one of a body: how it turns about such an axis follows from joints
at every evaluation, since errors of L, divided by so small a moment, would not be small within a step."""
NEEDLE = 1e-5
"""Likewise, below which trees do not solve a body: their tensors add the large moments of a basis that is not quite
orthonormal within a step."""
VANISHING = 1e-7
"""Moment in place of 0, in parts of the largest one, with which responses are computed. Repetitions remove what it adds
(constraints/slender_axes.py). Smaller ones leave fewer digits to the other equations of a joint."""


def slender(bodies: Bodies, part: float = SLENDER) -> np.ndarray:
    """(n, 3) bool: principal axes, rows of `Bodies.axes`, about which a body has less than a part of its largest moment
    of inertia, or none, although its support lets it turn. That is one axis, or all of a point.
    """
    moments = _moments(bodies)
    turns = np.isin(bodies.support, [FREE, PIVOT])[:, None] | np.outer(bodies.support == AXLE, [True, False, False])
    return turns & (moments <= part * moments.max(axis=1, initial=0.0, keepdims=True))


def slender_axis(bodies: Bodies) -> np.ndarray:
    """(n, 3) unit vectors, body frame: the slender axis of each body; 0 of points and of bodies that have none."""
    found = slender(bodies)
    return np.where(found.sum(axis=1, keepdims=True) == 1, np.einsum("nk,nki->ni", found.astype(float), bodies.axes), 0)


def slender_members(bodies: Bodies, linked: np.ndarray, tied: np.ndarray, anchor: np.ndarray) -> dict[str, Any]:
    """The members of Joints for slender axes. linked: (m,); tied: (n, s); anchor: (n, 2, 3) [m], as in Joints"""
    is_slender, axes = slender(bodies)[linked], bodies.axes[linked]
    is_null = is_slender & (bodies.inverse_moments[linked] == 0.0)
    arms = np.array([_longest_arm(b, tied, anchor) for b in linked.tolist()], dtype=float)
    largest = _moments(bodies)[linked].max(axis=1, initial=0.0)
    size = VANISHING * np.where(largest > 0.0, largest, bodies.mass[linked] * arms**2)
    response = is_null / np.where(size > 0.0, size, np.inf)[:, None]
    return {
        "slender": np.flatnonzero(is_slender.any(axis=1)).astype(np.int64),
        "slender_axis": slender_axis(bodies)[linked],
        "null_response": np.einsum("mki,mk,mkj->mij", axes, response, axes),
    }


def _moments(bodies: Bodies) -> np.ndarray:
    """(n, 3) [kg m^2] principal moments; 0 about axes without inertia and those that a support blocks."""
    can_turn = bodies.inverse_moments > 0.0
    return np.where(can_turn, 1.0, 0.0) / np.where(can_turn, bodies.inverse_moments, 1.0)


def _longest_arm(b: int, tied: np.ndarray, anchor: np.ndarray) -> float:
    """Largest distance [m] of an anchor from the reference point of body b; 1 where all are there."""
    arms = np.linalg.norm(anchor, axis=2)[(tied[:, :2] == b) & (b != NOTHING)]
    return float(arms.max(initial=0.0)) or 1.0
