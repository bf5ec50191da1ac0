"""Kernel arrays of convex solids: cores, rounded by a radius, that touch spheres, points and each other.

SI units. A solid is the set of all points whose distance from its core is at most its radius. Cores are

    BOX         half-lengths along its axes             CYLINDER    radius and half-length along its third axis
    SEGMENT     half-length along its third axis        HULL        a convex polyhedron
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel_struct import KernelStruct

BOX, CYLINDER, SEGMENT, HULL = range(4)


class Solids(KernelStruct):
    """Convex solids of bodies, in body order. Constant; read by PLACE and LAW.

    Vertices, edges and faces are in the frame of the solid: its axes through its centre.
    """

    body: np.ndarray
    """(m,) int64 index of the body of each; solids of one body do not touch."""
    position: np.ndarray
    """(m, 3) [m] centre from the reference point of the body, body frame."""
    axes: np.ndarray
    """(m, 3, 3) rows: axes of the solid, body frame."""
    kind: np.ndarray
    """(m,) int64: BOX, CYLINDER, SEGMENT or HULL."""
    size: np.ndarray
    """(m, 3) [m] of the core: half-lengths of a box; radius, 0, half-length of a cylinder; 0, 0, half-length of a
    segment; half-lengths of the bounding box of a hull.
    """
    bound: np.ndarray
    """(m, 3) [m] half-lengths of the bounding box of each core, along the axes of the solid."""
    radius: np.ndarray
    """(m,) [m] by which the core is rounded."""
    reach: np.ndarray
    """(m,) [m] largest distance of any point of the solid from its centre."""
    material: np.ndarray
    """(m, 8) numbers of the contact law, see `MATERIAL`."""
    first_vertex: np.ndarray
    """(m + 1,) int64: the vertices of solid i are first_vertex[i] ... first_vertex[i + 1] - 1."""
    vertex: np.ndarray
    """(v, 3) [m] vertices of cores; none of a cylinder."""
    first_edge: np.ndarray
    """(m + 1,) int64, as `first_vertex`."""
    start: np.ndarray
    """(e, 3) [m] start of each edge; a cylinder has its axis instead of edges."""
    direction: np.ndarray
    """(e, 3) unit vectors along the edges."""
    length: np.ndarray
    """(e,) [m]."""
    outward: np.ndarray
    """(e, 3) sum of the normals of the faces at an edge; zero of a segment and of a cylinder."""
    thickness: np.ndarray
    """(e,) [m] radius around the edge: that of the solid, of a cylinder with the radius of its core."""
    first_face: np.ndarray
    """(m + 1,) int64, as `first_vertex`; hulls alone have faces."""
    normal: np.ndarray
    """(f, 3) outward unit normals of triangles."""
    level: np.ndarray
    """(f,) [m] distance of each face from the centre, along its normal."""
    triangle: np.ndarray
    """(f, 3, 3) [m] corners of each face."""
    first_separate: np.ndarray
    """(n + 1,) int64: the bodies that body b does not press on are those from separate[first_separate[b]] to
    separate[first_separate[b + 1] - 1].
    """
    separate: np.ndarray
    """(k,) int64 indices of bodies: those that a joint ties, and those that a contact ignores."""


# columns of `Solids.material`: stiffness [N/m], damping [N s/m], viscous friction [N s/m], viscous resistance to
# rolling [N m s], damping ratio, coefficients of static and of kinetic friction, and of rolling resistance, arm of
# spinning friction [m]
MATERIAL = STIFFNESS, DAMPING, VISCOUS, TURNING, RATIO, STATIC, KINETIC, ROLLING, SPINNING = range(9)


class SolidWork(KernelStruct):
    """Scratch of solids, laboratory frame; written by PLACE, read by LAW."""

    center: np.ndarray
    """(m, 3) [m]."""
    axes: np.ndarray
    """(m, 3, 3) rows: axes of the solid."""
    near: np.ndarray
    """(2, e, 11) edges of two solids that are close to the other one, in the frame of the second: start [m], direction,
    sum of the normals of their faces, length [m], thickness [m]; written and read by LAW.
    """


def make_solid_work(solids: Solids) -> SolidWork:
    """Scratch arrays for the solids of a scene."""
    count, most = len(solids.body), int(np.diff(solids.first_edge).max(initial=0))
    return SolidWork(np.zeros((count, 3)), np.zeros((count, 3, 3)), np.zeros((2, most, 11)))
