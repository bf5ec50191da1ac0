"""All pairs of dipoles of different bodies, each pair once, eight pairs at a time.

Dipoles stand in blocks of eight, and a block's places, moments and sums stay in registers while it meets others: its
own by turning lanes past each other, the dipoles after it one by one. The few that are left behind the last whole block
meet without lanes, most of which would wait.

Lanes that must not meet, since they are of one body or past the last dipole, are moved so far apart that what they do
to each other is zero to the last bit.
"""

from __future__ import annotations

import numpy as np

from core.jit.kernel import inlined
from core.jit.simd import WIDTH, Bool8, Float64x8, broadcast, first_lanes, load, where
from core.jit.simd_rows import load_rows, store_rows, total_three, turned, turned_three
from core.jit.vec import accumulate, add, row, subtract
from core.physics.magnets.pair import pair

LaneTriple = tuple[Float64x8, Float64x8, Float64x8]

HALF = WIDTH // 2
FEW = 5  # dipoles up to which pairs cost less one by one
FAR = 1e120  # [m] The cube of its inverse is zero; its square and what the law makes of it are numbers.


@inlined
def apart(r: LaneTriple, meeting: Bool8) -> LaneTriple:
    """r, but far away where the lanes do not meet."""
    return where(meeting, r[0], FAR), r[1], r[2]


@inlined
def meet_inside(x: LaneTriple, p: LaneTriple, first: Float64x8, permeability: float) -> tuple[LaneTriple, LaneTriple]:
    """Fields [T] and forces [N] of the pairs within a block.

    Every dipole meets those that are one, two and three lanes ahead; of those four lanes ahead each pair would come
    twice. The sums of what is ahead turn along, and are back in their places when they have been once round.
    """
    zero = broadcast(0.0)
    field = force = ahead_field = ahead_force = (zero, zero, zero)
    ahead_x, ahead_p, ahead_first = x, p, first
    for turn in range(1, HALF + 1):
        ahead_x, ahead_p, ahead_first = turned_three(ahead_x), turned_three(ahead_p), turned(ahead_first)
        ahead_field, ahead_force = turned_three(ahead_field), turned_three(ahead_force)
        if turn == HALF:
            ahead_first = where(first_lanes(HALF), ahead_first, first)
        r = apart(subtract(ahead_x, x), ahead_first != first)
        field_a, field_b, force_a = pair(r, p, ahead_p, permeability)
        field, ahead_field = add(field, field_a), add(ahead_field, field_b)
        force, ahead_force = add(force, force_a), subtract(ahead_force, force_a)
    for _ in range(WIDTH - HALF):
        ahead_field, ahead_force = turned_three(ahead_field), turned_three(ahead_force)
    return add(field, ahead_field), add(force, ahead_force)


@inlined
def add_block(
    start: int,
    stop: int,
    permeability: float,
    first: np.ndarray,
    position: np.ndarray,
    moment: np.ndarray,
    field: np.ndarray,
    force: np.ndarray,
) -> None:
    """Pairs of the block that begins with dipole `start`: among its own, and with all after it up to `stop`."""
    count = min(WIDTH, stop - start)
    here = first_lanes(count)
    p = load_rows(moment, start, count)
    x = apart(load_rows(position, start, count), here)
    own_field, own_force = meet_inside(x, p, load(first, 0, start, here), permeability)
    for a in range(start + WIDTH, stop):
        others = int(first[0, a]) - start  # those in the block before the first dipole of the body of a
        if others > 0:
            r = apart(subtract(x, row(position, a)), first_lanes(others))
            field_a, field_b, force_a = pair(r, row(moment, a), p, permeability)
            own_field, own_force = add(own_field, field_b), subtract(own_force, force_a)
            accumulate(field, a, total_three(field_a))
            accumulate(force, a, total_three(force_a))
    store_rows(field, start, count, add(load_rows(field, start, count), own_field))
    store_rows(force, start, count, add(load_rows(force, start, count), own_force))


@inlined
def add_few(
    start: int,
    stop: int,
    permeability: float,
    first: np.ndarray,
    position: np.ndarray,
    moment: np.ndarray,
    field: np.ndarray,
    force: np.ndarray,
) -> None:
    """Pairs of the dipoles from `start` up to `stop`, one by one."""
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
def add_all_pairs(
    begin: int,
    stop: int,
    permeability: float,
    first: np.ndarray,
    position: np.ndarray,
    moment: np.ndarray,
    field: np.ndarray,
    force: np.ndarray,
) -> None:
    """Add the fields [T] of dipoles at those of other bodies and the forces [N] of their gradients, all (m, 3).

    position [m], moment [A m^2]; first (1, m) float: which dipole is the first of the same body. They stand in the
    order of their bodies; those from `begin` up to `stop` meet.
    """
    for start in range(begin, stop, WIDTH):
        if stop - start > FEW:
            add_block(start, stop, permeability, first, position, moment, field, force)
        else:
            add_few(start, stop, permeability, first, position, moment, field, force)


@inlined
def add_pairs_between(
    begin: int,
    stop: int,
    other_begin: int,
    other_stop: int,
    permeability: float,
    position: np.ndarray,
    moment: np.ndarray,
    field: np.ndarray,
    force: np.ndarray,
) -> None:
    """The same of the dipoles from `begin` up to `stop` with others of other bodies."""
    for start in range(other_begin, other_stop, WIDTH):
        count = min(WIDTH, other_stop - start)
        p = load_rows(moment, start, count)
        x = apart(load_rows(position, start, count), first_lanes(count))
        own_field, own_force = load_rows(field, start, count), load_rows(force, start, count)
        for a in range(begin, stop):
            field_a, field_b, force_a = pair(subtract(x, row(position, a)), row(moment, a), p, permeability)
            own_field, own_force = add(own_field, field_b), subtract(own_force, force_a)
            accumulate(field, a, total_three(field_a))
            accumulate(force, a, total_three(force_a))
        store_rows(field, start, count, own_field)
        store_rows(force, start, count, own_force)
