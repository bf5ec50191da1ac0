"""Kernel arrays of contacts: spheres, hull corners, walls and surfaces.

SI units; body-frame components are along u1, u2, u3, everything else is in the laboratory frame. Arrays named `dry`
hold, in this order, damping ratio, coefficients of static and of kinetic friction, coefficient of rolling resistance,
and the arm [m] of spinning friction.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel_struct import Addresses, KernelStruct

# Capacity of contacts per sphere: hard spheres of any sizes have at most 7.5 contacts per sphere on average
# (Kuperberg, Schramm, Math. Res. Lett. 1, 339, 1994, have the mean of their neighbours below 15).
CROWD = 12


class Contacts(KernelStruct):
    """Spheres that can touch each other: those of bodies, in body order, then those of points.

    Constant; read by LAW.
    """

    first: np.ndarray
    """(n + 1,) int64: the spheres of body b are first[b] ... first[b + 1] - 1."""
    position: np.ndarray
    """(s, 3) [m] centre from the reference point, body frame; zero for points."""
    body: np.ndarray
    """(s,) int64 index of the body, NOTHING for a point."""
    point: np.ndarray
    """(s,) int64 index of the point, NOTHING for a body's sphere."""
    owner: np.ndarray
    """(s,) int64 scene item of the sphere; spheres of one owner do not touch."""
    radius: np.ndarray
    """(s,) [m] of each sphere."""
    stiffness: np.ndarray
    """(s,) [N/m] force per overlap; two spheres are combined by the harmonic mean."""
    damping: np.ndarray
    """(s,) [N s/m] along the normal; added to that of the damping ratio."""
    friction: np.ndarray
    """(s,) [N s/m] viscous friction along the surfaces."""
    rolling: np.ndarray
    """(s,) [N m s] viscous resistance to relative rotation of two bodies."""
    dry: np.ndarray
    """(s, 5) numbers of dry friction, see above."""
    mobility: np.ndarray
    """(s, 2) [1/kg] acceleration per force along the normal, and tangentially; of extended bodies the largest."""
    first_separate: np.ndarray
    """(n + 1,) int64: the bodies that body b does not press on are those from separate[first_separate[b]] to
    separate[first_separate[b + 1] - 1].
    """
    separate: np.ndarray
    """(k,) int64 indices of bodies: those that a joint ties, and those that a contact ignores."""


class HullCorners(KernelStruct):
    """Corners of convex hulls of bodies, which can touch walls, in body order; fixed bodies have none.

    A corner is an ellipsoid with semi-axes A, a disc or a point, thickened by a sphere.
    """

    first: np.ndarray
    """(n + 1,) int64: the corners of body b are first[b] ... first[b + 1] - 1."""
    position: np.ndarray
    """(h, 3) [m] centre c of the corner from the reference point, body frame."""
    square: np.ndarray
    """(h, 3, 3) [m^2] A A^T, body frame; A has the semi-axes as columns."""
    axis: np.ndarray
    """(h, 3) unit normal of a disc, body frame; zero for others."""
    count: np.ndarray
    """(h,) int64 number of points that can touch a wall: FEET of a disc, 1 of the others."""
    spread: np.ndarray
    """(h,) [m] longest semi-axis; 0 of a point."""
    radius: np.ndarray
    """(h,) [m] of the sphere that thickens the corner; 0 of sharp ones."""
    reach: np.ndarray
    """(n,) [m] largest distance of any part of the body from its reference point; walls farther away are skipped."""


class Walls(KernelStruct):
    """Constants of walls: half spaces that press spheres and hull corners towards the side of their normal.

    Body b has column b of `stiffness`, point p column n + p.
    """

    point: np.ndarray
    """(w, 3) [m] a point of the wall without displacement, laboratory frame."""
    normal: np.ndarray
    """(w, 3) unit vectors towards the allowed side, laboratory frame."""
    stiffness: np.ndarray
    """(w, n + p) [N/m] force per penetration depth of each body and point."""
    damping: np.ndarray
    """(w,) [N s/m] along the normal; unused where a damping ratio is given."""
    friction: np.ndarray
    """(w,) [N s/m] viscous friction along the wall."""
    sticky: np.ndarray
    """(w,) bool: the normal force may pull."""
    dry: np.ndarray
    """(w, 5) numbers of dry friction, see above."""
    amplitude: np.ndarray
    """(w,) [m] displacement along the normal: amplitude sin(frequency t)."""
    frequency: np.ndarray
    """(w,) [rad/s] angular frequency of that oscillation."""
    address: Addresses
    """(w,) int64 machine code of the displacement [m] by a formula and its derivatives (`call_1_2`); 0 without."""
    first: np.ndarray
    """(w,) int64 index of the first constant of each of them."""
    numbers: np.ndarray
    """(k,) constants of all formulas."""
    follows: np.ndarray
    """(w, 4) followers of the sensor (sensor_motion.py); all zero: does not follow."""


class Surfaces(KernelStruct):
    """Curved surfaces: compiled formulas, and meshes whose triangles are found by a grid of cells.

    Constant; read by LAW.

    Fields of the other kind are zero: a mesh has a formula z = 0 that is not used, a formula has no triangles.
    """

    is_mesh: np.ndarray
    """(n,) bool: a mesh, else a formula."""
    address: Addresses
    """(n,) int64 address of the code of f, f_x, f_y, f_xx, f_xy, f_yy (core/polhode/jit/formula_calls.py)."""
    first: np.ndarray
    """(n,) int64 index of its constants in `numbers`."""
    numbers: np.ndarray
    """(k,) flat: constants of all formulas."""
    low: np.ndarray
    """(n, 2) [m] lower corner of the rectangle in x and y, formula coordinates."""
    high: np.ndarray
    """(n, 2) [m] upper corner of the rectangle; outside of it there is no surface."""
    offset: np.ndarray
    """(n, 3) [m] position of the formula's origin, laboratory frame."""
    triangles: np.ndarray
    """(t, 3, 3) [m] corners of all meshes, laboratory frame."""
    corner: np.ndarray
    """(n, 3) [m] lowest corner of the grid, laboratory frame."""
    cell: np.ndarray
    """(n,) [m] side of a cell."""
    counts: np.ndarray
    """(n, 3) int64 number of cells along each axis."""
    first_cell: np.ndarray
    """(n,) int64 index of its first cell in `start`."""
    start: np.ndarray
    """flat int64: first item of each cell in `items`, and the end of the last."""
    items: np.ndarray
    """flat int64: indices of triangles."""
    stiffness: np.ndarray
    """(s, n + p) [N/m] force per penetration depth of each body b, column b, and each point p, column n + p."""
    damping: np.ndarray
    """(n,) [N s/m] along the normal; unused where a damping ratio is given."""
    friction: np.ndarray
    """(n,) [N s/m] viscous friction along the surface."""
    dry: np.ndarray
    """(n, 5) numbers of dry friction, see above."""


class TangentialSprings(KernelStruct):
    """Springs along the surfaces of rough spheres: one for each pair that can touch, and each sphere and rough wall.

    Their displacements are a section of the state, three numbers each.
    """

    first: np.ndarray
    """(r,) int64 index of the sphere in Contacts; NOTHING for a sphere that meets a wall only."""
    second: np.ndarray
    """(r,) int64 index of the other sphere, or of the wall."""
    is_wall: np.ndarray
    """(r,) bool."""
    body: np.ndarray
    """(r, 2) int64 bodies of both, NOTHING for a wall."""
    radius: np.ndarray
    """(r,) [m] of the first sphere."""
    share: np.ndarray
    """(r,) tangential stiffness relative to the normal one, m_t/m_n; 2/7 of a solid sphere on a wall."""
    at: int = 0
    """Index of the first displacement in the state."""


class TangentialState(KernelStruct):
    """Scratch, laboratory frame: the contact of each tangential spring, written by PLACE; read by LAW and PROJECT."""

    depth: np.ndarray
    """(r,) [m] overlap; at most 0 without contact."""
    normal: np.ndarray
    """(r, 3) unit vector towards the first sphere."""
    position: np.ndarray
    """(r, 3) [m] contact point: the middle of the overlap of two spheres, the lowest point of a sphere on a wall."""
    slip: np.ndarray
    """(r, 3) [m/s] tangential velocity of the first surface relative to the second, at the contact point."""
    turning: np.ndarray
    """(r, 3) [1/s] time derivative of the normal."""


def make_tangential_state(count: int) -> TangentialState:
    """Scratch arrays for the contacts of `count` tangential springs."""
    return TangentialState(np.zeros(count), *(np.zeros((count, 3)) for _ in range(4)))


class ContactWork(KernelStruct):
    """Scratch: sphere centres, inverse masses and inertia of bodies; written by PLACE, read by LAW and SOLVE."""

    position: np.ndarray
    """(s, 3) [m] centres, laboratory frame."""
    inverse_mass: np.ndarray
    """(n,) [1/kg] of each body; 0 of one whose reference point is held."""
    inverse_inertia: np.ndarray
    """(n, 3, 3) [1/(kg m^2)] of each body about its reference point, laboratory frame; zero of one that can't turn."""


def make_contact_work(contacts: Contacts, bodies: int) -> ContactWork:
    """Scratch arrays for the spheres and a number of bodies."""
    return ContactWork(np.zeros((len(contacts.radius), 3)), np.zeros(bodies), np.zeros((bodies, 3, 3)))
