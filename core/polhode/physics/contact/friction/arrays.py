"""Kernel arrays of dry friction: active contacts, and the rows of their equations. SI units, laboratory frame."""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel_struct import KernelStruct
from polhode.physics.contact.arrays import CROWD, Contacts, HullCorners, Surfaces, Walls
from polhode.physics.contact.fields.arrays import Fields
from polhode.physics.contact.solids.arrays import KINETIC, ROLLING, SPINNING, STATIC, Solids

MANIFOLD = 64  # capacity of contacts per solid: six neighbours, ten contacts each
DRY = [STATIC, KINETIC, ROLLING, SPINNING]
PAIRS = 3  # of rows at a contact, at most: sliding, rolling and spinning


class FrictionContacts(KernelStruct):
    """Scratch: active contacts with dry friction, appended by LAW and solved by SOLVE; emptied by PLACE.

    The first end is a body or a point; the second a body, a point, or a wall or surface (NOTHING).
    """

    ends: np.ndarray
    """(c, 4) int64 body and point of the first end, and of the second, or NOTHING."""
    position: np.ndarray
    """(c, 3) [m] contact point."""
    normal: np.ndarray
    """(c, 3) unit vector towards the first end."""
    turning: np.ndarray
    """(c, 3) [1/s] time derivative of the normal."""
    moving: np.ndarray
    """(c, 3) [m/s] time derivative of the contact point, which wanders over both surfaces."""
    numbers: np.ndarray
    """(c, 5) normal force [N], coefficients of static and kinetic friction and of rolling resistance; [m] arm of
    spinning friction.
    """
    radius: np.ndarray
    """(c,) [m] rho of `Roundness`; not read without rolling resistance."""
    bends: np.ndarray
    """(2 c, 3) [m^0.5] both vectors b of `Roundness`; as `radius`."""
    force: np.ndarray
    """(c, 3) [N] friction on the first end; written by SOLVE."""
    torque: np.ndarray
    """(c, 3) [N m] rolling resistance and spinning friction on the first end; written by SOLVE."""
    count: np.ndarray
    """(1,) int64 number of active contacts; set to zero by PLACE, counted up by LAW."""


# Columns of `FrictionRows.numbers`; what belongs to two rows is next to each other. FIRST, OTHER: what each row does to
# the motions of both ends, six numbers each; BIAS: [m/s^2] acceleration of the slip apart from those of the ends, and
# slip over t_stop; SLIP: [m/s] of the surfaces, or of the contact point over them; FORCE, STEP, LAST: [N] x, its change
# by the last sweep, and x after that; STATIC_LIMIT, KINETIC_LIMIT: [N]; INVERSE: [kg] components 11, 12 and 22 of the
# inverse of the mobility, NaN of one that acts in one direction only; LARGEST: [kg] inverse of its largest eigenvalue;
# SCALE: [1/N^2] inverse square of the static limit, or of the normal force where that is smaller; MOBILITY: [1/kg]
# acceleration of the slip over force, components 11, 12 and 22.
FIRST, OTHER, BIAS, SLIP, FORCE, STEP, LAST, STATIC_LIMIT, KINETIC_LIMIT, INVERSE, LARGEST, SCALE, MOBILITY, COLUMNS = (
    *(0, 12, 24, 26, 28, 30, 32),
    *(34, 35, 36, 39, 40, 41),
    48,  # so that pairs begin at the same place in lines of the cache
)


class FrictionRows(KernelStruct):
    """Scratch of SOLVE: pairs q of rows of equations, of sliding, rolling and spinning at a contact; row r = 2 q + i.

    The motion of a node is a = (sqrt(m) dv/dt, (R^T)^-1 d(omega)/dt) of its reference point, with R^T R = I^-1: what a
    force adds to it, and what it adds to the acceleration of a slip, is then the same row of six numbers J. The slip of
    a row accelerates by J.a + J'.a' + bias, of both ends, and its force x adds J x and J' x to a and a'.
    """

    contact: np.ndarray
    """(q,) int64 index of the contact of each pair."""
    turns: np.ndarray
    """(q,) bool: rolling or spinning, else sliding."""
    direction: np.ndarray
    """(r, 3) force on the first end over x, a unit vector across the normal; of rolling and spinning its torque [m]."""
    resists: np.ndarray
    """(q,) bool: slips, so that the power of the force may not be positive."""
    numbers: np.ndarray
    """(q, COLUMNS) numbers of each pair, in the order above: one after another, since a sweep reads all of them."""
    state: np.ndarray
    """(q,) int64 HOLDS, YIELDS, SLIDES or STARTS (dry_rows.py)."""
    order: np.ndarray
    """(q,) int64 indices of the pairs of an island."""
    ends: np.ndarray
    """(q, 2) int64 node at each end of a pair: a body, a point after all bodies, or the last one if nothing moves."""
    next: np.ndarray
    """(q,) int64 next pair of the same island, or NOTHING."""
    parent: np.ndarray
    """(b + p,) int64 node of the same island; a root is its own parent (islands.py); NOTHING of what does not move."""
    member: np.ndarray
    """(b + p,) int64 nodes of an island."""
    first: np.ndarray
    """(b + p,) int64 first pair of the island of a root, or NOTHING."""
    last: np.ndarray
    """(b + p,) int64 last pair of the island of a root."""
    root: np.ndarray
    """(b + p + 1, 3, 3) [1/(kg^0.5 m)] R of each node, laboratory frame; zero of points, and of what does not move."""
    size: np.ndarray
    """(b + p + 1,) [1/kg^0.5] square root of the inverse mass of each node; 0 of what does not move."""
    motion: np.ndarray
    """(b + p + 1, 6) a of each node under the current forces; zero of the last node, which does not move."""
    last_motion: np.ndarray
    """(b + p + 1, 6) the same after the last sweep."""
    first_motion: np.ndarray
    """(b + p + 1, 6) the same before a sweep."""
    known: np.ndarray
    """(2,) int64 number of contacts whose forces the last evaluation of the same step has found, 0 in the first one;
    number of the next one of them to be compared with.
    """
    known_ends: np.ndarray
    """(c, 2) int64 nodes at their ends, NOTHING of a wall."""


def contacts_with_friction(
    walls: Walls,
    surfaces: Surfaces,
    hulls: HullCorners,
    contacts: Contacts,
    solids: Solids,
    fields: Fields,
    bodies: int,
    points: int,
) -> int:
    """Largest number of contacts with dry friction: all points that can touch walls or surfaces, CROWD contacts of each
    sphere and MANIFOLD contacts of each solid and each shape; 0 where nothing has dry friction.
    """
    most = len(walls.dry) * (int(hulls.count.sum()) + points) if walls.dry[:, 1:].any() else 0
    most += len(surfaces.dry) * (bodies + points) if surfaces.dry[:, 1:].any() else 0
    if contacts.dry[:, 1:].any():
        most += min(CROWD * len(contacts.radius), len(contacts.radius) ** 2)
    if solids.material[:, DRY].any():
        most += MANIFOLD * len(solids.body) + CROWD * len(contacts.radius)
    if fields.material[:, DRY].any():
        most += MANIFOLD * len(fields.body) + CROWD * len(contacts.radius)
    return most


def make_friction_contacts(most: int) -> FrictionContacts:
    """Scratch arrays with room for `most` contacts."""
    rows = ("position", "normal", "turning", "moving", "force", "torque")
    arrays = {name: np.zeros((most, 3)) for name in rows} | {"numbers": np.zeros((most, 5)), "radius": np.zeros(most)}
    count, ends = np.zeros(1, dtype=np.int64), np.zeros((most, 4), dtype=np.int64)
    return FrictionContacts(ends, bends=np.zeros((2 * most, 3)), count=count, **arrays)


def make_friction_rows(most: int, bodies: int, points: int) -> FrictionRows:
    """Scratch arrays with room for the pairs of `most` contacts."""
    pairs, nodes = PAIRS * most, bodies + points
    whole = {name: np.zeros(pairs, dtype=np.int64) for name in ("contact", "state", "order", "next")}
    of_nodes = {name: np.zeros(nodes, dtype=np.int64) for name in ("parent", "member", "first", "last")}
    motions = {name: np.zeros((nodes + 1, 6)) for name in ("motion", "last_motion", "first_motion")}
    return FrictionRows(
        turns=np.zeros(pairs, dtype=np.bool_),
        resists=np.zeros(pairs, dtype=np.bool_),
        direction=np.zeros((2 * pairs, 3)),
        numbers=np.zeros((pairs, COLUMNS)),
        ends=np.zeros((pairs, 2), dtype=np.int64),
        root=np.zeros((nodes + 1, 3, 3)),
        size=np.zeros(nodes + 1),
        known=np.zeros(2, dtype=np.int64),
        known_ends=np.zeros((most, 2), dtype=np.int64),
        **whole,
        **of_nodes,
        **motions,
    )
