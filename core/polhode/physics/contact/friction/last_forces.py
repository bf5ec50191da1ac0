"""Friction found in the last evaluation of the same step, with which the next one begins.

The evaluations of a step are near each other, so their forces of friction are as well. The first one of a step begins
without any: a step depends on the state alone.
"""

from __future__ import annotations

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, row
from polhode.physics.contact.colliders import Colliders
from polhode.physics.contact.friction.arrays import FrictionContacts, FrictionRows
from polhode.physics.contact.friction.dry_rows import ZERO, node_of

SEARCHED = 12  # contacts that may be new or gone between two others


@kernel
def forget_last_contacts(rows: FrictionRows) -> None:
    """Begin without the forces of the last evaluation."""
    rows.known[0] = 0


@kernel
def last_force(colliders: Colliders, friction: FrictionContacts, rows: FrictionRows, k: int) -> Triple:
    """Force [N] on the first end of contact k that the last evaluation has found, 0 of a new contact.

    To be called for k = 0, 1, ...: contacts are in the same order in both evaluations, and those of two ends are equal
    in turn. `friction.force` still has the last forces.
    """
    one = node_of(colliders, friction.ends[k, 0], friction.ends[k, 1])
    other = node_of(colliders, friction.ends[k, 2], friction.ends[k, 3])
    begin = rows.known[1] if k > 0 else 0
    rows.known[1] = begin
    for m in range(begin, min(begin + SEARCHED, rows.known[0])):
        if rows.known_ends[m, 0] == one and rows.known_ends[m, 1] == other:
            rows.known[1] = m + 1
            return row(friction.force, m)
    return ZERO


@kernel
def note_last_contacts(colliders: Colliders, friction: FrictionContacts, rows: FrictionRows) -> None:
    """Note the ends of all contacts for the next evaluation."""
    rows.known[0] = friction.count[0]
    for k in range(friction.count[0]):
        rows.known_ends[k, 0] = node_of(colliders, friction.ends[k, 0], friction.ends[k, 1])
        rows.known_ends[k, 1] = node_of(colliders, friction.ends[k, 2], friction.ends[k, 3])
