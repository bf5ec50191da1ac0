"""Kernel arrays of dry friction: active contacts, and the rows of their equations. SI units, laboratory frame."""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel_struct import KernelStruct
from polhode.physics.contact.arrays import CROWD, Contacts, HullCorners, Surfaces, Walls
from polhode.physics.contact.fields.arrays import Fields
from polhode.physics.contact.solids.arrays import KINETIC, ROLLING, STATIC, Solids

MANIFOLD = 64  # capacity of contacts per solid: six neighbours, ten contacts each
DRY = [STATIC, KINETIC, ROLLING]


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
    """(c, 4) normal force [N], coefficients of static and kinetic friction, and of rolling resistance."""
    radius: np.ndarray
    """(c,) [m] rho of `Roundness`; not read without rolling resistance."""
    bends: np.ndarray
    """(2 c, 3) [m^0.5] both vectors b of `Roundness`; as `radius`."""
    force: np.ndarray
    """(c, 3) [N] friction on the first end; written by SOLVE."""
    torque: np.ndarray
    """(c, 3) [N m] rolling resistance on the first end; written by SOLVE."""
    count: np.ndarray
    """(1,) int64 number of active contacts; set to zero by PLACE, counted up by LAW."""


class FrictionRows(KernelStruct):
    """Scratch of SOLVE: pairs q of rows of equations, one of sliding and one of rolling for a contact; row r = 2 q + i.

    With the accelerations of both ends, the slip of a row accelerates by along.(a - a') + turn.alpha +
    other_turn.alpha' + bias under its force x, which adds `along` x to the force on the first end, `turn` x to its
    torque, and `other_turn` x to that of the second.
    """

    contact: np.ndarray
    """(q,) int64 index of the contact of each pair."""
    rolls: np.ndarray
    """(q,) bool: rolling, else sliding."""
    along: np.ndarray
    """(r, 3) unit vector across the normal; zero of rolling."""
    turn: np.ndarray
    """(r, 3) [m] torque on the first end over force."""
    other_turn: np.ndarray
    """(r, 3) [m] torque on the second end over force."""
    gain: np.ndarray
    """(r, 3) [1/(kg m)] angular acceleration of the first end over force."""
    other_gain: np.ndarray
    """(r, 3) [1/(kg m)] angular acceleration of the second end over force."""
    resists: np.ndarray
    """(q,) bool: slips, so that the power of the force may not be positive."""
    yielding: np.ndarray
    """(q, 2) [1/kg] 1/m of both ends, 0 where they don't move."""
    mobility: np.ndarray
    """(q, 3) [1/kg] slip's acceleration over force: components 11, 12 and 22."""
    inverse: np.ndarray
    """(q, 4) [kg] the inverse of that, components 11, 12 and 22, NaN of one that acts in one direction only; and the
    inverse of its largest eigenvalue.
    """
    scale: np.ndarray
    """(q,) [1/N^2] inverse square of the static limit, or of the normal force where that is smaller."""
    bias: np.ndarray
    """(r,) [m/s^2] acceleration of the slip apart from those of the ends, and slip over t_stop."""
    slip: np.ndarray
    """(r,) [m/s] of the surfaces, or of the contact point over them."""
    limit: np.ndarray
    """(q, 2) [N] static and kinetic."""
    force: np.ndarray
    """(r,) [N] x."""
    last_force: np.ndarray
    """(r,) [N] after the last sweep."""
    last_step: np.ndarray
    """(r,) [N] change by the last sweep."""
    state: np.ndarray
    """(q,) int64 HOLDS, YIELDS, SLIDES or STARTS (dry_rows.py)."""
    order: np.ndarray
    """(q,) int64 indices of the pairs of an island."""
    ends: np.ndarray
    """(q, 2) int64 node at each end of a pair: a body, a point after all bodies, or the last one if nothing moves."""
    next: np.ndarray
    """(q,) int64 next pair of the same island, or NOTHING."""
    parent: np.ndarray
    """(b + p,) int64 node of the same island; a root is its own parent (islands.py)."""
    member: np.ndarray
    """(b + p,) int64 nodes of an island."""
    first: np.ndarray
    """(b + p,) int64 first pair of the island of a root, or NOTHING."""
    last: np.ndarray
    """(b + p,) int64 last pair of the island of a root."""
    motion: np.ndarray
    """(b + p + 1, 6) acceleration of the reference point [m/s^2] of each node and its angular acceleration [rad/s^2],
    under the current forces; zero of points, and of the last node, which does not move.
    """
    last_motion: np.ndarray
    """(b + p + 1, 6) the same after the last sweep."""


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
    arrays = {name: np.zeros((most, 3)) for name in rows} | {"numbers": np.zeros((most, 4)), "radius": np.zeros(most)}
    count, ends = np.zeros(1, dtype=np.int64), np.zeros((most, 4), dtype=np.int64)
    return FrictionContacts(ends, bends=np.zeros((2 * most, 3)), count=count, **arrays)


def make_friction_rows(most: int, bodies: int, points: int) -> FrictionRows:
    """Scratch arrays with room for both pairs of `most` contacts."""
    pairs = 2 * most
    wide = {name: np.zeros((2 * pairs, 3)) for name in ("along", "turn", "other_turn", "gain", "other_gain")}
    flat = {name: np.zeros(2 * pairs) for name in ("bias", "slip", "force", "last_force", "last_step")}
    whole = {name: np.zeros(pairs, dtype=np.int64) for name in ("contact", "state", "order", "next")}
    nodes = {name: np.zeros(bodies + points, dtype=np.int64) for name in ("parent", "member", "first", "last")}
    return FrictionRows(
        rolls=np.zeros(pairs, dtype=np.bool_),
        resists=np.zeros(pairs, dtype=np.bool_),
        yielding=np.zeros((pairs, 2)),
        mobility=np.zeros((pairs, 3)),
        limit=np.zeros((pairs, 2)),
        inverse=np.zeros((pairs, 4)),
        scale=np.zeros(pairs),
        motion=np.zeros((bodies + points + 1, 6)),
        last_motion=np.zeros((bodies + points + 1, 6)),
        ends=np.zeros((pairs, 2), dtype=np.int64),
        **nodes,
        **wide,
        **flat,
        **whole,
    )
