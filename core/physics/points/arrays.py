"""State, constants and scratch arrays of points and springs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.jit.kernel import view
from core.jit.kernel_struct import KernelStruct, aligned_zeros, rows_within

POINT_SIZE = 6  # components of a point in the state: position and velocity


@dataclass(frozen=True, eq=False)
class Points(KernelStruct):
    """Constants of points."""

    mass: np.ndarray  # (p,) [kg]
    inverse_mass: np.ndarray  # (p,) [1/kg]
    radius: np.ndarray  # (p,) [m]
    fixed: np.ndarray  # (p,) bool: points that no force moves
    at: int = 0  # index of their first component in the state: x of all points, then y, z and the velocities x, y, z


@dataclass(frozen=True, eq=False)
class Anchors(KernelStruct):
    """Ends of springs that are not points: positions in bodies, or in the laboratory."""

    body: np.ndarray  # (q,) int64, NOTHING for the laboratory
    position: np.ndarray  # (q, 3) [m] from the body's reference point, body frame; or in the laboratory frame


@dataclass(frozen=True, eq=False)
class Springs(KernelStruct):
    """Single springs in scene order. Ends below p are points, others anchors p + index."""

    first: np.ndarray  # (s,) int64
    second: np.ndarray  # (s,) int64
    rest: np.ndarray  # (s,) [m] natural lengths
    stiffness: np.ndarray  # (s,) [N/m]
    damping: np.ndarray  # (s,) [N s/m]
    full: np.ndarray  # (s,) bool: the damper acts against all relative motion, else along the spring only


@dataclass(frozen=True, eq=False)
class SpringRows(KernelStruct):
    """Springs of soft bodies in rows of equal springs: row r joins first[r] + k to second[r] + k, for k < count[r].

    Block b has the rows block[b] ... block[b + 1] - 1, which differ in their natural lengths only. First ends of
    different blocks are different points; second ends are shared by neighbouring blocks only.
    """

    block: np.ndarray  # (b + 1,) int64
    first: np.ndarray  # (r,) int64
    second: np.ndarray  # (r,) int64
    count: np.ndarray  # (r,) int64
    rest: np.ndarray  # (r,) [m] natural lengths
    stiffness: np.ndarray  # (r,) [N/m]
    damping: np.ndarray  # (r,) [N s/m]
    full: np.ndarray  # (r,) bool


@dataclass(frozen=True, eq=False)
class PointWork(KernelStruct):
    """Scratch: forces on points, added by the laws."""

    force: np.ndarray  # (3, p) [N] laboratory frame


@dataclass(frozen=True, eq=False)
class AnchorWork(KernelStruct):
    """Scratch, laboratory frame: position and velocity by the place phase, force by the law of springs."""

    position: np.ndarray  # (q, 3) [m]
    velocity: np.ndarray  # (q, 3) [m/s]
    force: np.ndarray  # (q, 3) [N]


def make_point_work(count: int) -> PointWork:
    """Scratch arrays for `count` points."""
    return PointWork(aligned_zeros(3 * count).reshape(3, count))


def make_anchor_work(count: int) -> AnchorWork:
    """Scratch arrays for `count` anchors."""
    return AnchorWork(*(np.zeros((count, 3)) for _ in range(3)))


def point_states(points: Points, state: np.ndarray) -> np.ndarray:
    """(2, 3, p) view of the points in the state: positions [m] and velocities [m/s]."""
    count = len(points.mass)
    return state[points.at : points.at + POINT_SIZE * count].reshape(2, 3, count)


@view
def point_rows(points: Points, state: np.ndarray) -> np.ndarray:
    """(6, p) view of the points in the state, for kernels: rows x, y, z and the velocities x, y, z."""
    return rows_within(state, points.at, POINT_SIZE, len(points.mass))
