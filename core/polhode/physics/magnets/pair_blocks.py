"""All pairs of dipoles of different bodies, each pair once, eight pairs at a time.

Dipoles are taken in blocks of eight. The positions, moments and sums of a block stay in registers while it meets
others: its own dipoles by rotating the lanes against each other, those after it one by one. Up to FEW dipoles behind
the last whole block are paired without SIMD, since most lanes would be unused.

Lanes that must not meet, since they are of one body or behind the last dipole, are moved so far apart that their fields
and forces are exactly zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from polhode.jit.kernel import inlined
from polhode.jit.simd import WIDTH, Bool8, Float64x8, broadcast, first_lanes, load, where
from polhode.jit.simd_rows import load_rows, store_rows, total_three, turned, turned_three
from polhode.jit.vec import accumulate, add, row, subtract
from polhode.physics.magnets.pair import pair

LaneTriple = tuple[Float64x8, Float64x8, Float64x8]

HALF = WIDTH // 2
FEW = 5  # dipoles up to which pairs cost less one by one
Dipolar = Any
"""DipoleWork or TreeWork: members position [m], moment [A m^2], field [T] and force [N], (m, 3) each; the last two are
added to."""
FAR = 1e120  # [m] The cube of its inverse is zero; its square and what the law makes of it are numbers.


@inlined
def separated(r: LaneTriple, meeting: Bool8) -> LaneTriple:
    """r [m], with its x component FAR in lanes that do not meet."""
    return where(meeting, r[0], FAR), r[1], r[2]


@inlined
def meet_inside(x: LaneTriple, p: LaneTriple, first: Float64x8, permeability: float) -> tuple[LaneTriple, LaneTriple]:
    """Fields [T] and forces [N] on the eight dipoles of a block by each other.

    Every dipole meets those one, two and three lanes ahead, and half of them the one four lanes ahead, so each pair is
    taken once. The sums for the dipoles ahead are rotated along, and are at their own lanes again after one whole turn.

    x: positions [m], p: moments [A m^2], eight each; permeability: mu0 [T m/A].
    first: eight numbers of the first dipole of the same body; dipoles with equal numbers do not meet.
    """
    zero = broadcast(0.0)
    field = force = ahead_field = ahead_force = (zero, zero, zero)
    ahead_x, ahead_p, ahead_first = x, p, first
    for turn in range(1, HALF + 1):
        ahead_x, ahead_p, ahead_first = turned_three(ahead_x), turned_three(ahead_p), turned(ahead_first)
        ahead_field, ahead_force = turned_three(ahead_field), turned_three(ahead_force)
        if turn == HALF:
            ahead_first = where(first_lanes(HALF), ahead_first, first)
        r = separated(subtract(ahead_x, x), ahead_first != first)
        field_a, field_b, force_a = pair(r, p, ahead_p, permeability)
        field, ahead_field = add(field, field_a), add(ahead_field, field_b)
        force, ahead_force = add(force, force_a), subtract(ahead_force, force_a)
    for _ in range(WIDTH - HALF):
        ahead_field, ahead_force = turned_three(ahead_field), turned_three(ahead_force)
    return add(field, ahead_field), add(force, ahead_force)


@inlined
def add_block(start: int, stop: int, permeability: float, first: np.ndarray, dipoles: Dipolar) -> None:
    """Add fields and forces of the pairs within a block of eight, and of the block with later dipoles.

    The block begins with dipole `start`; later dipoles are those up to `stop`. first: (1, m) as of `add_all_pairs`.
    """
    position, moment, field, force = dipoles.position, dipoles.moment, dipoles.field, dipoles.force
    count = min(WIDTH, stop - start)
    here = first_lanes(count)
    p = load_rows(moment, start, count)
    x = separated(load_rows(position, start, count), here)
    own_field, own_force = meet_inside(x, p, load(first, 0, start, here), permeability)
    for a in range(start + WIDTH, stop):
        others = int(first[0, a]) - start  # those in the block before the first dipole of the body of a
        if others > 0:
            r = separated(subtract(x, row(position, a)), first_lanes(others))
            field_a, field_b, force_a = pair(r, row(moment, a), p, permeability)
            own_field, own_force = add(own_field, field_b), subtract(own_force, force_a)
            accumulate(field, a, total_three(field_a))
            accumulate(force, a, total_three(force_a))
    store_rows(field, start, count, add(load_rows(field, start, count), own_field))
    store_rows(force, start, count, add(load_rows(force, start, count), own_force))


@inlined
def add_few(start: int, stop: int, permeability: float, first: np.ndarray, dipoles: Dipolar) -> None:
    """Add fields and forces of the pairs of the dipoles from `start` up to `stop`, one by one; first: (1, m)."""
    position, moment, field, force = dipoles.position, dipoles.moment, dipoles.field, dipoles.force
    for b in range(start, stop):
        x, p = row(position, b), row(moment, b)
        own_field, own_force = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for a in range(start, int(first[0, b])):
            field_a, field_b, force_a = pair(subtract(x, row(position, a)), row(moment, a), p, permeability)
            own_field, own_force = add(own_field, field_b), subtract(own_force, force_a)
            accumulate(field, a, field_a)
            accumulate(force, a, force_a)
        accumulate(field, b, own_field)
        accumulate(force, b, own_force)


@inlined
def add_all_pairs(begin: int, stop: int, permeability: float, first: np.ndarray, dipoles: Dipolar) -> None:
    """Add the fields of dipoles at those of other bodies, and the forces of their gradients.

    Only dipoles from `begin` up to `stop` take part. F = grad (p.B).

    permeability: mu0 [T m/A].
    first: (1, m) float index of the first dipole of the same body; dipoles are in the order of their bodies.
    """
    for start in range(begin, stop, WIDTH):
        if stop - start > FEW:
            add_block(start, stop, permeability, first, dipoles)
        else:
            add_few(start, stop, permeability, first, dipoles)


@inlined
def add_pairs_between(
    begin: int, stop: int, other_begin: int, other_stop: int, permeability: float, dipoles: Dipolar
) -> None:
    """As `add_all_pairs`, for the pairs of one dipole of a range and one of another range.

    The ranges are from `begin` up to `stop` and from `other_begin` up to `other_stop`; they must not have a body in
    common.
    """
    position, moment, field, force = dipoles.position, dipoles.moment, dipoles.field, dipoles.force
    for start in range(other_begin, other_stop, WIDTH):
        count = min(WIDTH, other_stop - start)
        p = load_rows(moment, start, count)
        x = separated(load_rows(position, start, count), first_lanes(count))
        own_field, own_force = load_rows(field, start, count), load_rows(force, start, count)
        for a in range(begin, stop):
            field_a, field_b, force_a = pair(subtract(x, row(position, a)), row(moment, a), p, permeability)
            own_field, own_force = add(own_field, field_b), subtract(own_force, force_a)
            accumulate(field, a, total_three(field_a))
            accumulate(force, a, total_three(force_a))
        store_rows(field, start, count, own_field)
        store_rows(force, start, count, own_force)
