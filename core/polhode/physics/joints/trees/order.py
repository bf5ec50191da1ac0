"""Bodies of joints that form no loops, in the order of a tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from polhode.engine.model import NOTHING
from polhode.physics.bodies.arrays import DRIVEN, FIXED, FREE, Bodies
from polhode.physics.joints.arrays import BALL, CYLINDRICAL, HINGE, SLIDER, UNIVERSAL, WELD
from polhode.physics.joints.ends import FIRST, SECOND
from polhode.physics.joints.slender import slender, slender_axis
from polhode.physics.joints.trees.arrays import FLIES, MOST_FREEDOM, Trees

FREEDOM = {BALL: 3, HINGE: 1, SLIDER: 1, CYLINDRICAL: 2, UNIVERSAL: 2, WELD: 0, FLIES: MOST_FREEDOM}
"""Motions that a joint leaves free, for the kinds that trees may have."""


@dataclass(frozen=True)
class Node:
    """A body of a tree."""

    body: int
    parent: int  # node
    above: int  # body
    joint: int


def nodes_of_trees(
    kind: np.ndarray, tied: np.ndarray, is_simple: np.ndarray, support: np.ndarray, restricted: np.ndarray
) -> list[Node]:
    """The nodes of all components of bodies and joints that are trees, parents before their children.

    kind: (n,) of the joints; tied: (n, s) their bodies; is_simple: (n,) bool, neither a status nor an enforced speed;
    support: (b,) of all bodies, as in Bodies; restricted: (b,) bool, with no inertia, or very little, about an axis

    A component has the matrix of its equations instead where it has a loop, a gear, a rod or string, a joint that is
    not simple, or a body that is held by a support besides its joints or is restricted. Bodies that do not move connect
    nothing.
    """
    moves = ~np.isin(support, [FIXED, DRIVEN])
    is_free = (support == FREE) & ~restricted
    is_simple = is_simple & np.isin(kind, list(FREEDOM))
    nodes: list[Node] = []
    for members, joints in _components(tied, moves):
        if is_free[members].all() and is_simple[joints].all():
            nodes += _parents_first(tied, moves, joints, len(nodes))
    return nodes


def _components(tied: np.ndarray, moves: np.ndarray) -> Iterator[tuple[list[int], list[int]]]:
    """Bodies and joints of each set of moving bodies that joints connect."""
    group = {int(b): int(b) for b in tied[tied != NOTHING] if moves[b]}

    def root(b: int) -> int:
        while group[b] != b:
            group[b] = b = group[group[b]]
        return b

    ends = [[int(b) for b in row if b != NOTHING and moves[b]] for row in tied]
    for row in ends:
        for b in row[1:]:
            group[root(b)] = root(row[0])
    found: dict[int, tuple[list[int], list[int]]] = {}
    for b in group:
        found.setdefault(root(b), ([], []))[0].append(b)
    for j, row in enumerate(ends):
        if row:
            found[root(row[0])][1].append(j)
    yield from found.values()


def _parents_first(tied: np.ndarray, moves: np.ndarray, joints: list[int], count: int) -> list[Node]:
    """The nodes of a component of bodies, from node `count` on; empty if there is a loop.

    A body whose joint leads to the laboratory, or to one that does not move, is the root; of a tree that flies freely
    the first one is.
    """
    edges: dict[int, list[tuple[int, int]]] = {}
    roots = []
    for j in joints:
        first, second = tied[j, [FIRST, SECOND]].tolist()
        if all(b != NOTHING and moves[b] for b in (first, second)):
            edges.setdefault(first, []).append((second, j))
            edges.setdefault(second, []).append((first, j))
        else:
            hangs, held = (first, second) if first != NOTHING and moves[first] else (second, first)
            edges.setdefault(hangs, [])
            roots.append((hangs, held, j))
    if len(roots) > 1 or sum(map(len, edges.values())) != 2 * (len(edges) - 1):
        return []
    start, held, j = roots[0] if roots else (next(iter(edges)), NOTHING, NOTHING)
    nodes: list[Node] = []
    waiting = [Node(start, NOTHING, held, j)]
    while waiting:
        node = waiting.pop()
        number = count + len(nodes)
        nodes.append(node)
        waiting += [Node(other, number, node.body, k) for other, k in edges[node.body] if k != node.joint]
    return nodes


def trees_of(
    nodes: list[Node],
    kind: np.ndarray,
    tied: np.ndarray,
    anchor: np.ndarray,
    frame: np.ndarray,
    armature: np.ndarray,
    linked: np.ndarray,
    bodies: Bodies,
) -> Trees:
    """The arrays of the nodes. anchor (n, 2, 3), frame (n, 2, 3, 3), armature (n,) and linked (m,) as in
    Joints."""
    count = len(nodes)
    body = np.array([node.body for node in nodes], dtype=np.int64)
    above = np.array([node.above for node in nodes], dtype=np.int64)
    parent = np.array([node.parent for node in nodes], dtype=np.int64)
    joint = np.array([node.joint for node in nodes], dtype=np.int64)
    has_joint, hangs = joint != NOTHING, (above != NOTHING) & (parent == NOTHING)
    kinds = np.full(count, FLIES, dtype=np.int64)
    kinds[has_joint] = kind[joint[has_joint]]
    is_second = np.zeros(count, dtype=bool)
    is_second[has_joint] = tied[joint[has_joint], SECOND] == body[has_joint]
    arm, hold, frames = np.zeros((count, 3)), np.zeros((count, 3)), np.tile(np.eye(3), (count, 2, 1, 1))
    for t in np.flatnonzero(has_joint).tolist():
        own = SECOND if is_second[t] else FIRST
        arm[t], hold[t] = -anchor[joint[t], own], anchor[joint[t], 1 - own]
        frames[t] = frame[joint[t]][[own, 1 - own]]
    rotors = np.zeros(count)
    rotors[has_joint] = armature[joint[has_joint]]
    moments = 1.0 / bodies.inverse_moments[body] if count else np.zeros((0, 3))
    held_by, node = np.full(count, NOTHING, dtype=np.int64), np.full(len(kind), NOTHING, dtype=np.int64)
    held_by[hangs] = np.searchsorted(linked, above[hangs])
    node[joint[has_joint]] = np.flatnonzero(has_joint)
    return Trees(
        body=body,
        parent=parent,
        above=above,
        held_by=held_by,
        joint=joint,
        kind=kinds,
        is_second=is_second,
        freedom=np.array([FREEDOM[int(k)] for k in kinds], dtype=np.int64),
        arm=arm,
        hold=hold,
        frame=frames,
        mass=bodies.mass[body],
        armature=rotors,
        slender=np.flatnonzero(slender(bodies)[body].any(axis=1)).astype(np.int64),
        slender_axis=slender_axis(bodies)[body],
        axes=np.ascontiguousarray(bodies.axes[body][:, :2]),
        moments=np.stack([moments[:, 2], moments[:, 0] - moments[:, 2], moments[:, 1] - moments[:, 2]], axis=1),
        node=node,
    )
