"""Neighbour list of narrow spheres (Verlet, Phys. Rev. 159, 98, 1967), found by a grid of cells.

The list holds all pairs of different owners that are nearer than touching distance plus a `skin`. It stays valid until
a sphere has moved by half the skin since it was made, so most evaluations only go through the list. Pairs are in the
order of their indices: sums of forces do not depend on when the list was made, and a run that is repeated from any of
its states is equal to the last bit.
"""

from __future__ import annotations

from math import floor

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.vec import dot, put, row, subtract
from polhode.physics.contact.arrays import Contacts, ContactWork


@kernel
def bucket(contact_work: ContactWork, x: int, y: int, z: int) -> int:
    """Index of the list of a grid cell (x, y, z), a hash; several cells may share a list."""
    return (x + y * 19349663 + z * 83492791) & (len(contact_work.head) - 1)


@kernel
def is_outdated(contacts: Contacts, contact_work: ContactWork) -> bool:
    """Whether a narrow sphere has moved by more than half the skin since the list was made, or there is no list."""
    allowed = 0.25 * contacts.skin * contacts.skin
    for n in range(len(contacts.narrow)):
        moved = subtract(row(contact_work.position, contacts.narrow[n]), row(contact_work.listed_at, n))
        if not dot(moved, moved) <= allowed:  # NaN without a list
            return True
    return False


@kernel
def fill_cells(contacts: Contacts, contact_work: ContactWork) -> None:
    """Put all narrow spheres into the lists of their cells."""
    for k in range(len(contact_work.head)):
        contact_work.head[k] = NOTHING
    cell = contact_work.cell
    for n in range(len(contacts.narrow)):
        here = row(contact_work.position, contacts.narrow[n])
        for axis in range(3):
            cell[n, axis] = floor(here[axis] / contacts.cell)
        own = bucket(contact_work, cell[n, 0], cell[n, 1], cell[n, 2])
        contact_work.next[n] = contact_work.head[own]
        contact_work.head[own] = n


@kernel
def find_near(contacts: Contacts, contact_work: ContactWork, n: int) -> int:
    """Write the narrow spheres m < n near n to `contact_work.near` in ascending order; returns their number.

    m and n are positions in `contacts.narrow`. The grid must have been filled.
    """
    found, cell, near = 0, contact_work.cell, contact_work.near
    one = contacts.narrow[n]
    here = row(contact_work.position, one)
    for turn in range(27):
        x, y, z = cell[n, 0] + turn % 3 - 1, cell[n, 1] + turn // 3 % 3 - 1, cell[n, 2] + turn // 9 - 1
        m = contact_work.head[bucket(contact_work, x, y, z)]
        while m != NOTHING:
            other = contacts.narrow[m]
            if m < n and contacts.owner[other] != contacts.owner[one]:
                between = subtract(here, row(contact_work.position, other))
                reach = contacts.radius[one] + contacts.radius[other] + contacts.skin
                if (
                    dot(between, between) < reach * reach
                    and cell[m, 0] == x
                    and cell[m, 1] == y
                    and cell[m, 2] == z  # another cell may share the list
                ):
                    k = found
                    while k > 0 and near[k - 1] > m:
                        near[k] = near[k - 1]
                        k -= 1
                    near[k] = m
                    found += 1
            m = contact_work.next[m]
    return found


@kernel
def list_pairs(contacts: Contacts, contact_work: ContactWork, start: int) -> int:
    """Replace the list by the pairs (m, n), m < n, of the narrow spheres n from `start` on, as far as there is room.

    Returns the first n whose pairs found no room, or the number of narrow spheres.

    contact_work: `pairs` and `pair_count` are overwritten.
    """
    count = 0
    contact_work.pair_count[0] = 0
    for n in range(start, len(contacts.narrow)):
        found = find_near(contacts, contact_work, n)
        if count + found > len(contact_work.pairs):
            return n
        for k in range(found):
            contact_work.pairs[count, 0] = contacts.narrow[contact_work.near[k]]
            contact_work.pairs[count, 1] = contacts.narrow[n]
            count += 1
        contact_work.pair_count[0] = count
    return len(contacts.narrow)


@kernel
def keep_list(contacts: Contacts, contact_work: ContactWork, whole: bool) -> None:
    """Note the centres that the list was made for; a list that is not `whole` is made again by the next evaluation."""
    for n in range(len(contacts.narrow)):
        here = row(contact_work.position, contacts.narrow[n])
        put(contact_work.listed_at, n, here if whole else (np.nan, np.nan, np.nan))
