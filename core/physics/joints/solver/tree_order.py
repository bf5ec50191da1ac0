"""Bodies of joints in the order of a tree, parents first; nothing where joints form loops."""

from __future__ import annotations

import numpy as np

from core.engine.model import NOTHING
from core.physics.bodies.arrays import FREE, Bodies
from core.physics.joints.arrays import (
    BALL,
    CYLINDRICAL,
    ENFORCED,
    FIRST,
    HINGE,
    MOST_FREEDOM,
    SECOND,
    SLIDER,
    UNIVERSAL,
    WELD,
    Joints,
    Trees,
)

FREEDOM = {BALL: 3, HINGE: 1, SLIDER: 1, CYLINDRICAL: 2, UNIVERSAL: 2, WELD: 0}
"""Motions that a joint leaves free, for the kinds that trees may have."""


def order_of_trees(joints: Joints, bodies: Bodies) -> Trees:
    """The trees of a scene whose joints have no loops.

    Empty where there is a loop, a gear, a rod, a motor that enforces a speed, a joint with a status, or a body that is
    held by a support besides its joints or has a direction without inertia.
    """
    count = len(joints.linked)
    support, inverse = bodies.support[joints.linked], bodies.inverse_inertia[joints.linked]
    moves = np.zeros(count, dtype=bool)
    moves[joints.member[joints.member != NOTHING]] = True
    is_simple = all(kind in FREEDOM for kind in joints.kind.tolist()) and not (joints.motor == ENFORCED).any()
    is_free = (support[moves] == FREE).all() and all(np.linalg.matrix_rank(each) == 3 for each in inverse[moves])
    parent, by, order = np.full(count, NOTHING), np.full(count, NOTHING), list[int]()
    if is_simple and is_free and not len(joints.switching):
        order = _parents_first(joints, moves, parent, by)
    joint = by[by != NOTHING]
    freedom = np.full(count, MOST_FREEDOM)
    freedom[by != NOTHING] = [FREEDOM[int(kind)] for kind in joints.kind[joint]]
    tensor = np.zeros((count, 3, 3))
    tensor[order] = np.linalg.inv(inverse[order]) if order else tensor[order]
    is_second = np.zeros(count, dtype=bool)
    is_second[by != NOTHING] = joints.member[joint, SECOND] == np.flatnonzero(by != NOTHING)
    return Trees(
        order=np.array(order, dtype=np.int64),
        parent=parent.astype(np.int64),
        joint=by.astype(np.int64),
        side=np.where(is_second, 1.0, -1.0),
        freedom=freedom.astype(np.int64),
        moves=moves,
        tensor=tensor,
    )


def _parents_first(joints: Joints, moves: np.ndarray, parent: np.ndarray, by: np.ndarray) -> list[int]:
    """Order of the bodies that move; empty if there is a loop. Writes the parent and the joint that leads there.

    A body whose joint leads to the laboratory, or to one that does not move, is a root; of a tree that flies freely any
    body is.
    """
    edges: dict[int, list[tuple[int, int]]] = {int(m): [] for m in np.flatnonzero(moves)}
    roots = []
    for j, (first, second) in enumerate(joints.listed[:, [FIRST, SECOND]].tolist()):
        ends = [m for m in (first, second) if m != NOTHING and moves[m]]
        if len(ends) == 2:
            edges[first].append((second, j))
            edges[second].append((first, j))
        else:
            held = first if ends == [second] else second
            roots.append((ends[0], held, j))
    order: list[int] = []
    known: set[int] = set()
    for start, held, j in [*roots, *((m, NOTHING, NOTHING) for m in edges)]:
        if start in known:
            if j != NOTHING:
                return []  # two joints lead from one tree to what does not move
            continue
        waiting = [(start, held, j)]
        while waiting:
            m, above, through = waiting.pop()
            if m in known:
                return []
            known.add(m)
            order.append(m)
            parent[m], by[m] = above, through
            waiting += [(other, m, k) for other, k in edges[m] if k != through]
    return order
