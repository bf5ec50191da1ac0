"""Order of elimination of joints, and the blocks of the factors."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

import numpy as np

from polhode.engine.model import NOTHING
from polhode.physics.joints.arrays import Factor

MOST_COUNTED = 24  # neighbours of a joint among which pairs are counted


def eliminate(member: np.ndarray, sizes: Sequence[int]) -> Factor:
    """The pattern of J W J^T and of its factors.

    member: (n, slots) int, bodies of each joint by index, NOTHING for what no force moves; sizes: equations of each

    Two joints are neighbours if they have a body in common. The elimination of a joint makes its neighbours neighbours
    of each other; the joint that adds the fewest pairs comes first. Trees are eliminated without further blocks.
    """
    order, columns = _minimum_fill(_neighbours(member))
    position = {joint: p for p, joint in enumerate(order)}
    below = [sorted(position[k] for k in column) for column in columns]
    diagonal, offsets, size = {}, {}, 0
    for p, joint in enumerate(order):
        diagonal[p], size = size, size + sizes[joint] ** 2
        for q in below[p]:
            offsets[q, p], size = size, size + sizes[order[q]] * sizes[joint]
    pairs = _pairs(member, position, diagonal, offsets)
    counts = np.cumsum([0, *map(len, below)])
    rows = np.array([q for column in below for q in column], dtype=np.int64)
    offset = np.array([offsets[q, p] for p, column in enumerate(below) for q in column], dtype=np.int64)
    on_diagonal = np.array([diagonal[p] for p in range(len(order))], dtype=np.int64)
    target = [_targets(p, counts, rows, offset, on_diagonal) for p in range(len(order))]
    return Factor(
        order=np.array(order, dtype=np.int64),
        diagonal=on_diagonal,
        first=counts.astype(np.int64),
        below=rows,
        offset=offset,
        target=np.concatenate([np.zeros(0, dtype=np.int64), *target]),
        pairs=np.array(pairs, dtype=np.int64).reshape(-1, 5),
        size=size,
    )


def _targets(p: int, counts: np.ndarray, rows: np.ndarray, offset: np.ndarray, on_diagonal: np.ndarray) -> np.ndarray:
    """Offsets (m (m + 1)/2,) of the blocks that the elimination of joint p of the order changes, row by row.

    They are those of each pair of the m joints below it. All that come after one of these are below that one, too, so
    their blocks are found by their places in its column.
    """
    own = rows[counts[p] : counts[p + 1]]
    found = np.zeros((len(own), len(own)), dtype=np.int64)
    for k, o in enumerate(own.tolist()):
        column = slice(counts[o], counts[o + 1])
        found[k, k] = on_diagonal[o]
        found[k + 1 :, k] = offset[column][np.searchsorted(rows[column], own[k + 1 :])]
    return found[np.tril_indices(len(own))]


def _neighbours(member: np.ndarray) -> list[set[int]]:
    """The joints that have a body in common with each joint."""
    found: list[set[int]] = [set() for _ in member]
    of_body: dict[int, list[int]] = {}
    for joint, bodies in enumerate(member.tolist()):
        for body in set(bodies) - {NOTHING}:
            of_body.setdefault(body, []).append(joint)
    for joints in of_body.values():
        for joint in joints:
            found[joint].update(joints)
    for joint, near in enumerate(found):
        near.discard(joint)
    return found


def _minimum_fill(near: list[set[int]]) -> tuple[list[int], list[set[int]]]:
    """Order of elimination, and the joints that each one meets when it is eliminated; changes `near`."""
    costs = [_fill(near, joint) for joint in range(len(near))]
    queue = [(cost, joint) for joint, cost in enumerate(costs)]
    heapify(queue)
    order: list[int] = []
    columns: list[set[int]] = []
    is_done = [False] * len(near)
    while queue:
        cost, joint = heappop(queue)
        if is_done[joint] or cost != costs[joint]:
            continue  # an older cost
        is_done[joint], column = True, near[joint]
        order.append(joint)
        columns.append(column)
        for other in column:
            near[other] |= column
            near[other] -= {other, joint}
        changed = column if cost[0] == 0 else column.union(*(near[other] for other in column))
        for other in changed:
            costs[other] = _fill(near, other)
            heappush(queue, (costs[other], other))
    return order, columns


def _fill(near: list[set[int]], joint: int) -> tuple[int, int]:
    """Number of pairs of neighbours that would become neighbours, and the number of neighbours.

    Where these are many the number of all pairs, which is found faster.
    """
    around = near[joint]
    if len(around) > MOST_COUNTED:
        return len(around) ** 2, len(around)
    missing = sum(len(around) - 1 - len(near[other] & around) for other in around)
    return missing // 2, len(around)


def _pairs(
    member: np.ndarray, position: dict[int, int], diagonal: dict[int, int], offsets: dict[tuple[int, int], int]
) -> list[tuple[int, int, int, int, int]]:
    """The terms of the matrix: joint and slot of the rows, joint and slot of the columns, offset of the block."""
    of_body: dict[int, list[tuple[int, int]]] = {}
    for joint, bodies in enumerate(member.tolist()):
        for slot, body in enumerate(bodies):
            if body != NOTHING:
                of_body.setdefault(body, []).append((joint, slot))
    found = []
    for ends in of_body.values():
        for i, s in ends:
            for k, t in ends:
                p, q = position[i], position[k]
                if p >= q:
                    found.append((i, s, k, t, diagonal[p] if p == q else offsets[p, q]))
    return found
