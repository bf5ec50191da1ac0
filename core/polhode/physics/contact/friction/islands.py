"""Islands: pairs of rows of dry friction that share moving bodies or points, directly or through others.

The forces in an island do not depend on those of others, so each one is solved by itself, with as many sweeps as it
needs. Found by union-find with path halving (Tarjan and van Leeuwen, J. ACM 31, 245, 1984); pairs keep their order.
"""

from __future__ import annotations

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.physics.contact.colliders import Colliders, can_move
from polhode.physics.contact.friction.arrays import FrictionContacts, FrictionRows
from polhode.physics.contact.friction.dry_solver import solve_pairs


@kernel
def moving_end(colliders: Colliders, friction: FrictionContacts, rows: FrictionRows, q: int, end: int) -> int:
    """Index in `rows.parent` of the body or point at an end, 0 or 1, of pair q; NOTHING if no force moves it."""
    k = rows.contact[q]
    b, p = friction.ends[k, 2 * end], friction.ends[k, 2 * end + 1]
    if p != NOTHING:
        return NOTHING if colliders.held[p] else len(rows.body_gain) + p
    return b if b != NOTHING and can_move(colliders, b) else NOTHING


@kernel
def root_of(rows: FrictionRows, node: int) -> int:
    """Root of the island of a node in the forest `parent`; halves the path to it."""
    parent = rows.parent
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


@kernel
def solve_islands(
    colliders: Colliders, friction: FrictionContacts, rows: FrictionRows, pairs: int, stop_time: float
) -> None:
    """Find the forces of all pairs 0 ... pairs - 1. stop_time: t_stop [s]."""
    for q in range(pairs):
        for end in range(2):
            node = moving_end(colliders, friction, rows, q, end)
            rows.ends[q, end] = node
            if node != NOTHING:
                rows.parent[node], rows.first[node] = node, NOTHING
    for q in range(pairs):
        a, b = rows.ends[q, 0], rows.ends[q, 1]
        if a != NOTHING and b != NOTHING:
            rows.parent[root_of(rows, b)] = root_of(rows, a)
    for q in range(pairs):
        root = root_of(rows, max(rows.ends[q, 0], rows.ends[q, 1]))
        rows.next[q] = NOTHING
        if rows.first[root] == NOTHING:
            rows.first[root] = q
        else:
            rows.next[rows.last[root]] = q
        rows.last[root] = q
    for q in range(pairs):
        if rows.first[root_of(rows, max(rows.ends[q, 0], rows.ends[q, 1]))] == q:
            count, member = 0, q
            while member != NOTHING:
                rows.order[count] = member
                count += 1
                member = rows.next[member]
            solve_pairs(friction, rows, count, stop_time)
