"""The tree by which neighbours are found: boxes around items in Morton order, whose neighbours are near in space.

It is complete, and its nodes are numbered as in a heap: node i has the children 2 i + 1 and 2 i + 2, and the leaves are
the last ones. n items take a time that grows as n log n. (Morton, IBM technical report, 1966)
"""

from __future__ import annotations

from math import inf

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.vec import put, row
from polhode.physics.contact.neighbours.arrays import LEAF, NeighbourWork

FINEST = 2.0**20 - 1.0  # largest coordinate in a Morton code


@kernel
def spread_bits(x: int) -> int:
    """The 20 bits of x, each at three times its place."""
    x = (x | x << 32) & 0x1F00000000FFFF
    x = (x | x << 16) & 0x1F0000FF0000FF
    x = (x | x << 8) & 0x100F00F00F00F00F
    x = (x | x << 4) & 0x10C30C30C30C30C3
    return (x | x << 2) & 0x1249249249249249


@kernel
def write_codes(work: NeighbourWork) -> None:
    """Write the Morton codes of the centres of all boxes."""
    count, corner, size = len(work.code), (inf, inf, inf), 0.0
    for i in range(count):
        at = row(work.low, i)
        corner = min(corner[0], at[0]), min(corner[1], at[1]), min(corner[2], at[2])
    for i in range(count):
        for axis in range(3):
            size = max(size, 0.5 * (work.low[i, axis] + work.high[i, axis]) - corner[axis])
    scaling = FINEST / max(size, 1e-300)
    for i in range(count):
        code = 0
        for axis in range(3):
            cell = scaling * (0.5 * (work.low[i, axis] + work.high[i, axis]) - corner[axis])
            code |= spread_bits(int(cell) if 0.0 <= cell <= FINEST else 0) << axis  # not of NaN
        work.code[i] = code


@kernel
def sort_by_code(code: np.ndarray, order: np.ndarray) -> None:
    """Write the numbers 0 ... n - 1 into the first row of `order` (2, n), sorted by code (n,): merge sort.

    The second row is overwritten.
    """
    count, width, source = len(code), 1, 0
    for i in range(count):
        order[0, i] = i
    while width < count:
        target = 1 - source
        for begin in range(0, count, 2 * width):
            a, b, end = begin, begin + width, min(begin + 2 * width, count)
            middle = min(b, count)
            for k in range(begin, end):
                if a < middle and (b >= end or code[order[source, a]] <= code[order[source, b]]):
                    order[target, k] = order[source, a]
                    a += 1
                else:
                    order[target, k] = order[source, b]
                    b += 1
        width, source = 2 * width, target
    if source == 1:
        for i in range(count):
            order[0, i] = order[1, i]


@kernel
def enclose(
    low: np.ndarray, high: np.ndarray, node: int, other_low: np.ndarray, other_high: np.ndarray, k: int
) -> None:
    """Enlarge box `node` of (low, high) so that box k of the others is in it."""
    for axis in range(3):
        low[node, axis] = min(low[node, axis], other_low[k, axis])
        high[node, axis] = max(high[node, axis], other_high[k, axis])


@kernel
def build_tree(work: NeighbourWork) -> None:
    """Make the tree around the boxes `work.low`, `work.high` (n, 3) [m]."""
    write_codes(work)
    sort_by_code(work.code, work.order)
    low, high, nodes = work.node_low, work.node_high, len(work.node_low)
    leaves = (nodes + 1) // 2
    for node in range(nodes):
        put(low, node, (inf, inf, inf))
        put(high, node, (-inf, -inf, -inf))
        work.node_last[node] = NOTHING
    for k in range(len(work.code)):
        item, node = work.order[0, k], leaves - 1 + k // LEAF
        enclose(low, high, node, work.low, work.high, item)
        work.node_last[node] = k // LEAF
        for axis in range(3):
            work.box[k, axis], work.box[k, 3 + axis] = work.low[item, axis], work.high[item, axis]
    for node in range(leaves - 2, -1, -1):
        enclose(low, high, node, low, high, 2 * node + 1)
        enclose(low, high, node, low, high, 2 * node + 2)
        work.node_last[node] = max(work.node_last[2 * node + 1], work.node_last[2 * node + 2])


@kernel
def meets(low: np.ndarray, high: np.ndarray, i: int, other_low: np.ndarray, other_high: np.ndarray, k: int) -> bool:
    """Whether box i of (low, high) and box k of the others overlap."""
    return (
        low[i, 0] <= other_high[k, 0]
        and high[i, 0] >= other_low[k, 0]
        and low[i, 1] <= other_high[k, 1]
        and high[i, 1] >= other_low[k, 1]
        and low[i, 2] <= other_high[k, 2]
        and high[i, 2] >= other_low[k, 2]
    )
