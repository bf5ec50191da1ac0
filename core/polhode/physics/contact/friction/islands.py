"""Islands: pairs of rows of dry friction that share moving bodies or points, directly or through others.

The forces in an island do not depend on those of others, so each one is solved by itself, with as many sweeps as it
needs. Found by union-find with path halving (Tarjan and van Leeuwen, J. ACM 31, 245, 1984); pairs keep their order.
"""

from __future__ import annotations

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.physics.contact.friction.arrays import FrictionRows
from polhode.physics.contact.friction.dry_rows import HOLDS, STARTS
from polhode.physics.contact.friction.dry_solver import solve_pairs


@kernel
def root_of(rows: FrictionRows, node: int) -> int:
    """Root of the island of a node in the forest `parent`; halves the path to it."""
    parent = rows.parent
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


@kernel
def join_ends(rows: FrictionRows, pairs: int) -> None:
    """Join the nodes at the ends of each pair to one island."""
    still = len(rows.parent)
    for q in range(pairs):
        a, b = rows.ends[q, 0], rows.ends[q, 1]
        if a != still and b != still:
            rows.parent[root_of(rows, b)] = root_of(rows, a)


@kernel
def island_of(rows: FrictionRows, q: int) -> int:
    """Root of the island of pair q."""
    a = rows.ends[q, 0]
    return root_of(rows, a if a != len(rows.parent) else rows.ends[q, 1])


@kernel
def gather(rows: FrictionRows, q: int) -> tuple[int, int]:
    """Write the pairs of the island that begins with pair q to `order` and its nodes to `member`; returns the numbers
    of both.
    """
    count, members, pair = 0, 0, q
    while pair != NOTHING:
        rows.order[count] = pair
        count += 1
        for end in range(2):
            node = rows.ends[pair, end]
            if node != len(rows.parent) and rows.parent[node] != NOTHING:
                rows.parent[node] = NOTHING  # not needed any more
                rows.member[members] = node
                members += 1
        pair = rows.next[pair]
    return count, members


@kernel
def solve_islands(rows: FrictionRows, pairs: int, stop_time: float) -> None:
    """Find the forces of all pairs 0 ... pairs - 1. stop_time: t_stop [s]."""
    join_ends(rows, pairs)
    for q in range(pairs):
        root = island_of(rows, q)
        rows.next[q], rows.state[q] = NOTHING, STARTS
        if rows.first[root] == NOTHING:
            rows.first[root] = q
        else:
            rows.next[rows.last[root]], rows.state[q] = q, HOLDS
        rows.last[root] = q
    for q in range(pairs):
        if rows.state[q] == STARTS:
            rows.state[q] = HOLDS
            count, members = gather(rows, q)
            solve_pairs(rows, count, members, stop_time)
