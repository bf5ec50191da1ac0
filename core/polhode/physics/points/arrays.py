"""State, constants and scratch arrays of points and springs.

SI units; positions, velocities and forces are in the laboratory frame unless a field says otherwise. Arrays of points
are component-major, x of all points before y, so that SIMD vectors hold the same component of eight consecutive points.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel, view
from polhode.jit.kernel_struct import Addresses, KernelStruct, rows_within
from polhode.jit.pages import aligned_zeros

POINT_SIZE = 6  # components of a point in the state: position and velocity


class Points(KernelStruct):
    """Constants of points: particles, and the points of soft bodies in scene order. Read by LAW, PROJECT and ENERGY."""

    mass: np.ndarray
    """(p,) [kg]."""
    inverse_mass: np.ndarray
    """(p,) [1/kg] of a free point, also of one that is held; whether a point is held is an input (`Inputs.held`)."""
    radius: np.ndarray
    """(p,) [m] of the sphere with which a point touches walls, surfaces and spheres; surfaces ignore radius 0."""
    fixed: np.ndarray
    """(p,) bool: points that the scene fixes; the start value of `Inputs.held`, which the mouse extends."""
    at: int = 0
    """Index of the first component in the state: x of all points, then y, z and the velocities x, y, z."""


class Anchors(KernelStruct):
    """Ends of springs that are not points: positions in bodies, or in the laboratory. Constant; read by PLACE."""

    body: np.ndarray
    """(q,) int64, NOTHING for the laboratory."""
    position: np.ndarray
    """(q, 3) [m] from the body's reference point, body frame; or in the laboratory frame."""


class Springs(KernelStruct):
    """Single springs in scene order: the tables `[[spring]]` of a scene, joined one by one.

    An end is an index: below p a point, otherwise anchor p + index. Law: springs.py.
    """

    first: np.ndarray
    """(s,) int64."""
    second: np.ndarray
    """(s,) int64."""
    rest: np.ndarray
    """(s,) [m] natural lengths."""
    stiffness: np.ndarray
    """(s,) [N/m]."""
    damping: np.ndarray
    """(s,) [N s/m]."""
    full: np.ndarray
    """(s,) bool: the damper acts against all relative motion, else along the spring only."""


class TensionLaws(KernelStruct):
    """Single springs and strings whose tension is a function f(l, v); their stiffness and damping in `Springs` are 0.

    Law: tension.py.
    """

    spring: np.ndarray
    """(n,) int64 index among the single springs."""
    address: Addresses
    """(n,) int64 machine code of f [N] of l [m] and v [m/s] (`call_2_1`)."""
    first: np.ndarray
    """(n,) int64 index of the first constant of each."""
    numbers: np.ndarray
    """(k,) constants of the formulas."""
    pull_only: np.ndarray
    """(n,) bool: no force below the natural length, and none that pushes."""
    has_axis: np.ndarray
    """(n,) bool: its length is signed along `axis`."""
    axis: np.ndarray
    """(n, 3) unit vectors, laboratory frame; zero without an axis."""
    switch: np.ndarray
    """(n,) int64 index of its two switching functions, NOTHING where it does not pull only."""
    first_pulley: np.ndarray
    """(n + 1,) int64 index of the first pulley of each, and the number of pulleys."""
    pulleys: np.ndarray
    """(m, 3) [m] places of the pulleys, from the first end on, laboratory frame."""
    between: np.ndarray
    """(n,) [m] length from the first pulley to the last."""
    has_course: np.ndarray
    """(n,) bool: its pulleys are placed at every step, or its parts have numbers of strands; else `pulleys` has them.
    """
    first_node: np.ndarray
    """(n + 1,) int64 index of the first of these pulleys of each."""
    node: np.ndarray
    """(q,) int64 their numbers, as those of the ends of springs."""
    first_strand: np.ndarray
    """(n + 1,) int64 index of the first part of each."""
    strands: np.ndarray
    """(q + n,) number of strands of each part, from the first end on."""


class Hinges(KernelStruct):
    """Hinges between neighbouring edges of chains and flat lattices. Constant; law: bending.py."""

    first: np.ndarray
    """(h,) int64 index of the first point of the first edge."""
    middle: np.ndarray
    """(h,) int64 index of the point that both edges share."""
    last: np.ndarray
    """(h,) int64 index of the last point of the second edge."""
    stiffness: np.ndarray
    """(h,) [N m/rad]."""


class SpringRows(KernelStruct):
    """Springs of soft bodies in rows of equal springs: row r joins first[r] + k to second[r] + k, for k < count[r].

    Block b has the rows block[b] ... block[b + 1] - 1, which differ in their natural lengths only. First ends of
    different blocks are different points; second ends are shared by neighbouring blocks only. So two threads may sum
    the forces of two blocks at the same time. Made by lattice.runs and compile.build_points.
    """

    block: np.ndarray
    """(b + 1,) int64 index of the first row of each block, and the number of rows."""
    first: np.ndarray
    """(r,) int64 index of the first end of a row's first spring, a point."""
    second: np.ndarray
    """(r,) int64 index of its second end; larger than `first`."""
    count: np.ndarray
    """(r,) int64 number of springs of the row."""
    rest: np.ndarray
    """(r,) [m] natural lengths."""
    stiffness: np.ndarray
    """(r,) [N/m]."""
    damping: np.ndarray
    """(r,) [N s/m]."""
    full: np.ndarray
    """(r,) bool: the damper acts against all relative motion, else along the spring only."""


class Breaking(KernelStruct):
    """Springs that break, b in number: those of each soft body, then single ones, in scene order.

    Law: core/polhode/physics/breaking/breaking.py.

    An item is such a soft body or single spring. The section of the state has the status of each spring.
    """

    spring: np.ndarray
    """(b,) int64 number among all springs of the compiled scene."""
    first: np.ndarray
    """(i + 1,) int64 index of the first spring of each item, and b."""
    law: np.ndarray
    """(i,) int64 tension law of a single spring; NOTHING for a soft body."""
    force: np.ndarray
    """(i,) [N] tension at which a spring breaks, inf: at none."""
    strain: np.ndarray
    """(i,) strain at which a spring breaks, inf: at none."""
    first_group: np.ndarray
    """(i + 1,) int64 index of the first of the groups of each item, and their number g."""
    group: np.ndarray
    """(g,) int64 index among the groups of SpringWork."""
    first_of_group: np.ndarray
    """(g,) int64 index of the first spring of each group."""
    count: np.ndarray
    """(g,) int64 number of springs of each group."""
    of_law: np.ndarray
    """(n,) int64 index of the spring of each tension law, NOTHING where it can't break."""
    at: int = 0
    """Index of the first status in the state."""


class BreakingWork(KernelStruct):
    """Scratch of springs that break."""

    margin: np.ndarray
    """(i,) margins at the end of a step that is not divided; FINISH."""


class PointWork(KernelStruct):
    """Scratch: the resultant of all forces on points."""

    force: np.ndarray
    """(3, p) [N] laboratory frame. Initialised with the weight by the first LAW (frame/gravity.py), or with zero by
    REST; added to by the other LAW hooks and by SOLVE; read by PROJECT.
    """


class AnchorWork(KernelStruct):
    """Scratch of anchors, laboratory frame."""

    position: np.ndarray
    """(q, 3) [m] written by PLACE; read by LAW and ENERGY."""
    velocity: np.ndarray
    """(q, 3) [m/s] written by PLACE for anchors in bodies; stays zero for those in the laboratory."""
    force: np.ndarray
    """(q, 3) [N] cleared and summed by the law of springs, which then adds it to the bodies."""


def make_point_work(count: int) -> PointWork:
    """Scratch arrays for `count` points; the force (3, count) begins at a page boundary."""
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


@kernel
def is_broken(breaking: Breaking, n: int, state: np.ndarray) -> bool:
    """Whether spring n of those that can break is broken; False for NOTHING."""
    return n != NOTHING and state[breaking.at + n] > 0.5
