"""Uncertainty of the position of a point that moves with a body.

With the origin x and the basis u1, u2, u3 of the body the point p is at x + p1 u1 + p2 u2 + p3 u3; its change by one
deviation of a source is dx + p1 du1 + p2 du2 + p3 du3 + dp1 u1 + dp2 u2 + dp3 u3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from polhode.uncertainty.differences import first_different

if TYPE_CHECKING:
    from polhode.uncertainty.result import Uncertainties  # imports the compiler

AXES = ("x", "y", "z")


def point_columns(body: str, is_origin: bool = False) -> tuple[str, ...]:
    """Columns of a body by which the position of a point of it follows; those of the position alone at the origin."""
    vectors = ("position",) if is_origin else ("position", "u1", "u2", "u3")
    return tuple(f"{body}.{vector}.{axis}" for vector in vectors for axis in AXES)


@dataclass(frozen=True, eq=False)
class UncertainPoint:
    """Position of a point with its covariance to first order, laboratory frame."""

    time: np.ndarray
    """(n,) [s]"""
    position: np.ndarray
    """(n, 3) [m]"""
    covariance: np.ndarray
    """(n, 3, 3) [m^2]"""
    differs_from: float
    """The time [s] from which tangents and draws differ by more than 20 %; inf if they never do, or without draws."""


def uncertain_point(
    found: Uncertainties, body: str, point: np.ndarray, moved: np.ndarray | None = None
) -> UncertainPoint | None:
    """A point (3,) [m] of a body, body frame; None if its columns are not in `found`, or certain.

    moved: (g, 3) [m] changes of the point in the body frame by one deviation of each source, such as those of the end
    of a pendulum whose length is uncertain; None for a point that stays
    """
    moved = np.zeros((len(found.sources), 3)) if moved is None else moved
    is_origin = not point.any() and not moved.any()
    names = point_columns(body, is_origin)
    if not set(names) <= set(found.names):
        return None
    index = [found.names.index(name) for name in names]
    values, tangents = found.values[:, index], found.tangents[:, :, index]
    position, changes = values[:, :3], tangents[:, :, :3]
    if not is_origin:
        basis, turned = (part[..., 3:].reshape(*part.shape[:-1], 3, 3) for part in (values, tangents))
        position = position + point @ basis
        changes = changes + point @ turned + np.einsum("gk,nkj->gnj", moved, basis)
    if not np.nan_to_num(changes).any():
        return None
    begin = np.inf
    if found.drawn is not None:
        arms = np.concatenate([np.ones(3), np.repeat(np.abs(point), 3)])[: len(index)]
        first = np.sqrt((tangents**2).sum(axis=0))
        begin = first_different(found.time, arms * first, arms * found.drawn.sd[:, index])
    return UncertainPoint(found.time, position, np.einsum("gni,gnj->nij", changes, changes), begin)
