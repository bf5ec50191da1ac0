"""The arrays of what touches: spheres, corners and walls, and the contacts of a moment that rub. Members of the Model.

SI units; body-frame components are along u1, u2, u3, everything else is in the laboratory frame.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.jit.kernel_struct import KernelStruct

# Contacts that there is room for, per sphere: of hard ones, whatever their sizes, no more than 7.5 can touch
# (Kuperberg, Schramm, Math. Res. Lett. 1, 339, 1994, have the mean of their neighbours below 15).
CROWD = 12


@dataclass(frozen=True, eq=False)
class Contacts(KernelStruct):
    """Spheres that press on each other: those of bodies, in their order as dipoles are, then those of points."""

    first: np.ndarray  # (n + 1,) int64
    position: np.ndarray  # (s, 3) [m] of the middle from the reference point, body frame; zero for points
    body: np.ndarray  # (s,) int64, NOTHING for a point
    point: np.ndarray  # (s,) int64, NOTHING for a body's
    owner: np.ndarray  # (s,) int64: what the sphere is a part of, which does not press on itself
    radius: np.ndarray  # (s,) [m]
    stiffness: np.ndarray  # (s,) [N/m]
    damping: np.ndarray  # (s,) [N s/m]
    friction: np.ndarray  # (s,) [N s/m]
    rolling: np.ndarray  # (s,) [N m s]
    dry: np.ndarray  # (s, 4) damping ratio, coefficients of static, kinetic friction and of rolling resistance
    mobility: np.ndarray  # (s, 2) [1/kg] acceleration per force along the normal, and across it where it touches
    wide: np.ndarray  # (v,) int64: those that are tried with all others
    narrow: np.ndarray  # (s - v,) int64: those that are tried with their neighbours in a grid
    cell: float  # [m] side of its cells, the widest of the narrow ones


@dataclass(frozen=True, eq=False)
class HullCorners(KernelStruct):
    """Corners of bodies' convex hulls, which press on walls, in the order of their bodies; none of fixed ones.

    A corner is an ellipsoid with semi-axes A, or a disc, or a point, thickened by a sphere.
    """

    first: np.ndarray  # (n + 1,) int64
    position: np.ndarray  # (h, 3) [m] of the middle from the reference point, body frame
    square: np.ndarray  # (h, 3, 3) [m^2] A A^T, body frame
    axis: np.ndarray  # (h, 3) unit vector across a disc, body frame; zero if it is none
    places: np.ndarray  # (h,) int64: how many places of it can touch a wall
    spread: np.ndarray  # (h,) [m] longest semi-axis
    radius: np.ndarray  # (h,) [m] of the sphere
    reach: np.ndarray  # (n,) [m] nothing of a body is farther from its reference point


@dataclass(frozen=True, eq=False)
class Walls(KernelStruct):
    point: np.ndarray  # (w, 3) [m]
    normal: np.ndarray  # (w, 3) unit vectors
    stiffness: np.ndarray  # (w,) [N/m]
    damping: np.ndarray  # (w,) [N s/m]
    friction: np.ndarray  # (w,) [N s/m]
    sticky: np.ndarray  # (w,) bool
    dry: np.ndarray  # (w, 4) damping ratio, coefficients of static, kinetic friction and of rolling resistance
    amplitude: np.ndarray  # (w,) [m] swings along the normal: amplitude sin(frequency t)
    frequency: np.ndarray  # (w,) [rad/s]
    follows: np.ndarray  # (w, 4) how each follows the hand (sensor_motion.py); all zero: it does not


@dataclass(frozen=True, eq=False)
class Surfaces(KernelStruct):
    """Curved surfaces: formulas as machine code, and meshes, whose triangles are found by a grid of cells."""

    is_mesh: np.ndarray  # (n,) bool
    address: np.ndarray  # (n,) int64 of the code of f and its derivatives
    first: np.ndarray  # (n,) int64 where its numbers begin
    numbers: np.ndarray  # (k,) flat
    low: np.ndarray  # (n, 2) [m] ends of the rectangle in x and y, as the formula takes them
    high: np.ndarray  # (n, 2) [m]
    offset: np.ndarray  # (n, 3) [m] of the formula's origin
    triangles: np.ndarray  # (t, 3, 3) [m] corners of all meshes
    corner: np.ndarray  # (n, 3) [m] lowest of the grid
    cell: np.ndarray  # (n,) [m] side of its cells
    counts: np.ndarray  # (n, 3) int64 of cells along each axis
    first_cell: np.ndarray  # (n,) int64 where the cells begin in `start`
    start: np.ndarray  # flat int64: where the list of each cell begins in `items`, and where the last one ends
    items: np.ndarray  # flat int64: numbers of triangles
    stiffness: np.ndarray  # (n,) [N/m]
    damping: np.ndarray  # (n,) [N s/m]
    friction: np.ndarray  # (n,) [N s/m]
    dry: np.ndarray  # (n, 4) damping ratio, coefficients of static, kinetic friction and of rolling resistance


@dataclass(frozen=True, eq=False)
class TangentialSprings(KernelStruct):
    """Springs along the surfaces of rough spheres: for each two that could touch, and for each with each rough wall."""

    first: np.ndarray  # (r,) int64: number of the sphere in Contacts; NOTHING where it has none, but meets a wall
    second: np.ndarray  # (r,) int64: that of the other, or of the wall
    is_wall: np.ndarray  # (r,) bool
    body: np.ndarray  # (r, 2) int64: of which they are part, NOTHING for the wall
    radius: np.ndarray  # (r,) [m] of the first
    share: np.ndarray  # (r,) stiffness in parts of that along the normal
    at: int = 0  # where their stretches begin in the state


@dataclass(frozen=True, eq=False)
class TangentialState(KernelStruct):
    """Where those springs are now."""

    depth: np.ndarray  # (r,) [m] of the overlap, at most 0 where there is none
    normal: np.ndarray  # (r, 3) unit vector towards the first
    place: np.ndarray  # (r, 3) [m]
    slip: np.ndarray  # (r, 3) [m/s] of the first's surface along the second's
    turning: np.ndarray  # (r, 3) [1/s] how fast the normal turns


@dataclass(frozen=True, eq=False)
class FrictionContacts(KernelStruct):
    """Contacts with dry friction of one moment, noted while they press."""

    ends: np.ndarray  # (c, 4) int64: body and point of the first, and of the second, or NOTHING
    place: np.ndarray  # (c, 3) [m]
    normal: np.ndarray  # (c, 3) unit vector towards the first
    turning: np.ndarray  # (c, 3) [1/s] how fast it turns
    numbers: np.ndarray  # (c, 4) pressure [N], coefficients of static, kinetic friction and of rolling resistance
    force: np.ndarray  # (c, 3) [N] of friction on the first
    torque: np.ndarray  # (c, 3) [N m] of rolling resistance on it
    count: np.ndarray  # (1,) int64 how many there are


def make_tangential_state(count: int) -> TangentialState:
    """For so many springs."""
    return TangentialState(np.zeros(count), *(np.zeros((count, 3)) for _ in range(4)))


def make_friction_contacts(
    walls: Walls, surfaces: Surfaces, hulls: HullCorners, contacts: Contacts, bodies: int, points: int
) -> FrictionContacts:
    """Room for all places that can touch walls or surfaces and for a crowd about each sphere, if friction is dry."""
    most = len(walls.dry) * (int(hulls.places.sum()) + points) if walls.dry[:, 1:].any() else 0
    most += len(surfaces.dry) * (bodies + points) if surfaces.dry[:, 1:].any() else 0
    if contacts.dry[:, 1:].any():
        most += min(CROWD * len(contacts.radius), len(contacts.radius) ** 2)
    shapes = {"place": 3, "normal": 3, "turning": 3, "numbers": 4, "force": 3, "torque": 3}
    arrays = {name: np.zeros((most, width)) for name, width in shapes.items()}
    return FrictionContacts(np.zeros((most, 4), dtype=np.int64), **arrays, count=np.zeros(1, dtype=np.int64))


@dataclass(frozen=True, eq=False)
class ContactWork(KernelStruct):
    """Scratch: where the spheres that press are in space, and the lists of the cells of a grid that they are in."""

    position: np.ndarray  # (s, 3) [m] of the middles
    cell: np.ndarray  # (s - v, 3) int64: whole coordinates in the grid
    head: np.ndarray  # (a power of 2,) int64: the last sphere in every list of a cell, or NOTHING
    next: np.ndarray  # (s - v,) int64: the one before it in its list


def make_contact_work(contacts: Contacts) -> ContactWork:
    """Scratch arrays of the sizes that the spheres need."""
    narrow = len(contacts.narrow)
    shapes = (narrow, 3), 2 ** (2 * narrow).bit_length(), narrow
    return ContactWork(np.zeros((len(contacts.radius), 3)), *(np.zeros(shape, dtype=np.int64) for shape in shapes))
