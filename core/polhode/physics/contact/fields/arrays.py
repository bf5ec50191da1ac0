"""Kernel arrays of shapes that press as they look: a signed distance on a grid, and sample points of the surface.

SI units. Lengths and places are in the frame of the shape: its axes through its origin.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel_struct import KernelStruct

LEAF = 4  # sample points in a leaf of the tree, at most
DEEPEST = 64  # nodes on the stack of a search


class Fields(KernelStruct):
    """Shapes of bodies, in body order. Constant; read by PLACE and LAW."""

    body: np.ndarray
    """(m,) int64 index of the body of each; shapes of one body do not touch."""
    position: np.ndarray
    """(m, 3) [m] origin from the reference point of the body, body frame."""
    axes: np.ndarray
    """(m, 3, 3) rows: axes of the shape, body frame."""
    solid: np.ndarray
    """(m,) int64 index of a convex solid, NOTHING of a shape with a grid. Its distance is that of its core; it
    presses here on shapes with a grid only.
    """
    center: np.ndarray
    """(m, 3) [m] centre of the sphere around the shape."""
    reach: np.ndarray
    """(m,) [m] radius of that sphere."""
    material: np.ndarray
    """(m, 9) numbers of the contact law, as `Solids.material`."""
    rounding: np.ndarray
    """(m,) [m] depth of the sample points, and radius of the spheres around them."""
    largest: np.ndarray
    """(m,) [m] radius of spheres that press by the distance of their centres; larger ones by the sample points."""
    patch: np.ndarray
    """(m,) [m^2] area of a flat patch that has the stiffness of the material."""
    first_number: np.ndarray
    """(m,) int64 index in `numbers` of the coefficient of the first node."""
    nodes: np.ndarray
    """(m, 3) int64 number of nodes along each axis."""
    low: np.ndarray
    """(m, 3) [m] the first node."""
    cell: np.ndarray
    """(m,) [m] distance of nodes; of a convex solid none."""
    spacing: np.ndarray
    """(m,) [m] side of the square that a sample point has on average."""
    numbers: np.ndarray
    """flat float32 [m]: coefficients of all splines."""
    reached: np.ndarray
    """flat bool of each of these: whether a sample point of any shape may overlap this one in the cell behind the node
    (reached.py).
    """
    first_point: np.ndarray
    """(m + 1,) int64: the points of shape i are first_point[i] ... first_point[i + 1] - 1."""
    point: np.ndarray
    """(p, 3) [m] sample points, in Morton order."""
    area: np.ndarray
    """(p,) [m^2] of each point."""
    first_node: np.ndarray
    """(m + 1,) int64: the nodes of the tree of shape i are first_node[i] ... first_node[i + 1] - 1, as in a heap."""
    middle: np.ndarray
    """(n, 3) [m] centre of the sphere around the points of each node."""
    around: np.ndarray
    """(n,) [m] radius of that sphere; negative of a node without points."""
    first_separate: np.ndarray
    """(n + 1,) int64, as that of `Solids`."""
    separate: np.ndarray
    """(k,) int64 indices of bodies, as those of `Solids`."""


class FieldWork(KernelStruct):
    """Scratch of shapes that press as they look; frames and time are written by PLACE, the rest by LAW for one pair."""

    center: np.ndarray
    """(m, 3) [m] origin of each shape, laboratory frame."""
    axes: np.ndarray
    """(m, 3, 3) rows: axes of each shape, laboratory frame."""
    stack: np.ndarray
    """(DEEPEST,) int64 nodes to be visited."""
    place: np.ndarray
    """(q, 3) [m] points that overlap, laboratory frame."""
    slope: np.ndarray
    """(q, 3) gradient of the distance there, laboratory frame."""
    share: np.ndarray
    """(q, 2) weight w times the cube of the overlap d [m^5], and the overlap [m]."""
    sums: np.ndarray
    """(2,) [m^4] S of the pair, and [m] the largest overlap of a point that is too deep for the law, or of any point on
    a large sphere.
    """
    pressure: np.ndarray
    """(q,) [N] normal force at each of the points."""
    gap: np.ndarray
    """(q,) [m^2] squared distance from the nearest of the points at which friction acts."""
    nearest: np.ndarray
    """(q,) int64 number of that."""
    time: np.ndarray
    """(1,) [s] of the frames."""
    deepest: np.ndarray
    """(m,) [m] largest overlap with each shape that was too deep for the law, since the last check of the run, or 0."""
    since: np.ndarray
    """(m,) [s] time of the first of these overlaps."""
    deep_owner: np.ndarray
    """(m,) int64 scene item that has the largest of them, as `Contacts.owner`."""


def make_field_work(fields: Fields) -> FieldWork:
    """Scratch arrays for the shapes of a scene: a pair has at most the points of both."""
    count, most = len(fields.body), 2 * int(np.diff(fields.first_point).max(initial=0))
    return FieldWork(
        np.zeros((count, 3)),
        np.zeros((count, 3, 3)),
        np.zeros(DEEPEST, dtype=np.int64),
        np.zeros((most, 3)),
        np.zeros((most, 3)),
        np.zeros((most, 2)),
        np.zeros(2),
        np.zeros(most),
        np.zeros(most),
        np.zeros(most, dtype=np.int64),
        np.zeros(1),
        np.zeros(count),
        np.zeros(count),
        np.zeros(count, dtype=np.int64),
    )
