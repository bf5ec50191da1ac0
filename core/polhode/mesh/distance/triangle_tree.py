"""A tree of boxes around the triangles of a mesh: the nearest point of the surface, from anywhere.

Triangles are in Morton order of their middles. The tree is complete and numbered as a heap: node i has the children
2 i + 1 and 2 i + 2, and the last nodes are the leaves, with LEAF triangles each.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, cross, dot, put, row, scale, subtract
from polhode.mesh.distance.order import morton_order
from polhode.mesh.triangles import nearest_on_triangle

NONE = -1  # no triangle
LEAF = 4  # triangles in a leaf, at most
DEEPEST = 64  # nodes on the stack of a search
STEPS = 8  # towards a depth below the surface
THERE = 1e-9  # of a depth: points that miss it by less are not moved
AT_SURFACE = 1e-6  # of a depth: points as near to the surface are below it along its normal
SAME = 1e-9  # relative difference of squared distances of triangles that share the nearest point


class TriangleTree(NamedTuple):
    """Triangles and the boxes of all nodes; lengths in the unit of the mesh."""

    corners: np.ndarray  # (t, 3, 3)
    low: np.ndarray  # (n, 3); above `high` of a node without triangles
    high: np.ndarray  # (n, 3)


def triangle_tree(corners: np.ndarray) -> TriangleTree:
    """The tree of triangles (t, 3, 3)."""
    corners = np.ascontiguousarray(corners[morton_order(corners.mean(axis=1))], np.float64)
    leaves = 1 << (max(1, -(-len(corners) // LEAF)) - 1).bit_length()
    tree = TriangleTree(corners, np.full((2 * leaves - 1, 3), np.inf), np.full((2 * leaves - 1, 3), -np.inf))
    surround(tree, leaves)
    return tree


@kernel
def surround(tree: TriangleTree, leaves: int) -> None:
    """Write the boxes of all nodes of a tree with a number of leaves."""
    for t in range(len(tree.corners)):
        node = leaves - 1 + t // LEAF
        for corner in range(3):
            for axis in range(3):
                at = tree.corners[t, corner, axis]
                tree.low[node, axis] = min(tree.low[node, axis], at)
                tree.high[node, axis] = max(tree.high[node, axis], at)
    for node in range(leaves - 2, -1, -1):
        for axis in range(3):
            tree.low[node, axis] = min(tree.low[2 * node + 1, axis], tree.low[2 * node + 2, axis])
            tree.high[node, axis] = max(tree.high[2 * node + 1, axis], tree.high[2 * node + 2, axis])


@kernel
def square_to_box(tree: TriangleTree, node: int, p: Triple) -> float:
    """Squared distance of p from the box of a node; 0 within it, infinite of a node without triangles."""
    square = 0.0
    for axis in range(3):
        outside = max(tree.low[node, axis] - p[axis], p[axis] - tree.high[node, axis])
        if outside > 0.0:
            square += outside * outside
    return square


@kernel
def nearest_point(tree: TriangleTree, p: Triple, most: float, stack: np.ndarray) -> tuple[float, Triple, int]:
    """Squared distance of p from the surface, the nearest point, and the number of its triangle; (most, p, NONE) if all
    is as far as the squared distance `most`.

    Of triangles that share the nearest point it is the one that p lies above or below most steeply: p is outside of a
    closed surface where it is above that one.

    stack: (DEEPEST,) int64, overwritten
    """
    found, number, steepest, square = p, NONE, 0.0, most
    stack[0], count = 0, 1
    leaves = (len(tree.low) + 1) // 2
    while count > 0:
        count -= 1
        node = stack[count]
        if square_to_box(tree, node, p) > square * (1.0 + SAME):
            continue
        if node >= leaves - 1:
            begin = LEAF * (node - leaves + 1)
            for t in range(begin, min(begin + LEAF, len(tree.corners))):
                at = nearest_on_triangle(p, row(tree.corners[t], 0), row(tree.corners[t], 1), row(tree.corners[t], 2))
                away = subtract(p, at)
                far = dot(away, away)
                if far > square * (1.0 + SAME):
                    continue
                steep = abs(dot(away, normal_of(tree, t)))
                if far < square * (1.0 - SAME) or steep > steepest:
                    found, number, steepest = at, t, steep
                square = min(square, far)
            continue
        first, second, most = 2 * node + 1, 2 * node + 2, square * (1.0 + SAME)
        to_first, to_second = square_to_box(tree, first, p), square_to_box(tree, second, p)
        if to_first < to_second:
            first, second, to_first, to_second = second, first, to_second, to_first
        if to_first <= most:
            stack[count] = first
            count += 1
        if to_second <= most:  # the nearer one, which is taken first
            stack[count] = second
            count += 1
    return square, found, number


@kernel
def normal_of(tree: TriangleTree, t: int) -> Triple:
    """Unit normal of triangle t; 0 of one without area."""
    a = row(tree.corners[t], 0)
    up = cross(subtract(row(tree.corners[t], 1), a), subtract(row(tree.corners[t], 2), a))
    length = sqrt(dot(up, up))
    return scale(1.0 / length, up) if length > 0.0 else up


@kernel
def lower_once(tree: TriangleTree, depth: float, points: np.ndarray, missed: np.ndarray, stack: np.ndarray) -> None:
    """Move points (n, 3) to a depth below the points of the surface nearest to them, and write by how much the depth
    that they had missed it (n,). Points are passed over that were there before.

    stack: (DEEPEST,) int64, overwritten
    """
    for n in range(len(points)):
        if missed[n] <= THERE * depth:
            continue
        p = row(points, n)
        square, near, t = nearest_point(tree, p, inf, stack)
        away, distance, normal = subtract(p, near), sqrt(square), normal_of(tree, t)
        above = dot(away, normal) >= 0.0
        missed[n] = abs((distance if above else -distance) + depth)
        if distance < AT_SURFACE * depth:
            away, above = normal, True
        length = sqrt(dot(away, away))
        if length > 0.0:
            put(points, n, subtract(near, scale((depth if above else -depth) / length, away)))


def lowered(tree: TriangleTree, points: np.ndarray, depth: float) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 3) moved to a depth below the surface, and by how much they miss it (n,).

    A point at an edge is moved below one of its faces after the other.
    """
    points, missed, stack = points.copy(), np.full(len(points), np.inf), np.empty(DEEPEST, dtype=np.int64)
    for _ in range(STEPS):
        lower_once(tree, depth, points, missed, stack)
    there = points.copy()
    lower_once(tree, depth, points, missed, stack)
    return there, missed
