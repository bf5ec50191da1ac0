"""Volume, centre of mass and inertia of a closed triangle mesh by surface integrals, compiled.

By the divergence theorem, with the outward unit normal n on the surface of a solid of uniform density rho (PEM,
equations 3.13 to 3.15; compare Mirtich, J. Graphics Tools 1(2), 31, 1996):

    V = 1/3 int r.n dS      R_G = 1/(2V) int r^2 n dS      int rr dV = 1/5 int rr (r.n) dS

from which the inertia tensor is I = rho int (r^2 1 - rr) dV. They follow from div r = 3, grad r^2 = 2 r and
div (rr r) = 5 rr.

On a flat triangle r.n is constant, so no integrand is of a higher order than the second and the rule with the three
edge midpoints, each with a third of the area, is exact. (The rule with the centroid alone is not: it is exact for the
volume, but 27 % off for the inertia of a box of 12 triangles.)

The mesh must be closed and consistently oriented (core/polhode/mesh/topology.py); vertices that no face uses have no
effect.
Cost: one pass over the triangles, without memory.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import strict_kernel
from polhode.jit.vec import scale

FLAT = 1e-30  # volume, in parts of the cube of its longest extent, up to which a mesh has none


@strict_kernel  # a scene with meshes has the same numbers on every processor
def mesh_moments(vertices, faces, ox, oy, oz):  # type: ignore[no-untyped-def]
    """Moments of the enclosed volume, taken about the point (ox, oy, oz), which should be near the mesh.

    vertices: (n, 3) [m], read-only for the compiled types; faces: (m, 3), counterclockwise seen from outside

    Returns the volume [m^3], its first moments (x, y, z) [m^4] and its second moments (xx, yy, zz) and (xy, yz, zx)
    [m^5], with axes parallel to those of the vertices. All change their sign where the mesh is inside out.
    """
    v = sx = sy = sz = 0.0
    sxx = syy = szz = sxy = syz = szx = 0.0
    for f in range(faces.shape[0]):
        i, j, k = faces[f, 0], faces[f, 1], faces[f, 2]
        ax, ay, az = vertices[i, 0] - ox, vertices[i, 1] - oy, vertices[i, 2] - oz
        bx, by, bz = vertices[j, 0] - ox, vertices[j, 1] - oy, vertices[j, 2] - oz
        cx, cy, cz = vertices[k, 0] - ox, vertices[k, 1] - oy, vertices[k, 2] - oz
        # n dS of the whole triangle is (nx, ny, nz) / 2, and h / 2 is r.n dS
        nx = (by - ay) * (cz - az) - (bz - az) * (cy - ay)
        ny = (bz - az) * (cx - ax) - (bx - ax) * (cz - az)
        nz = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        h = ax * nx + ay * ny + az * nz
        # twice the three midpoints
        px, py, pz = ax + bx, ay + by, az + bz
        qx, qy, qz = bx + cx, by + cy, bz + cz
        rx, ry, rz = cx + ax, cy + ay, cz + az
        xx = px * px + qx * qx + rx * rx
        yy = py * py + qy * qy + ry * ry
        zz = pz * pz + qz * qz + rz * rz
        square = xx + yy + zz
        v += h
        sx += square * nx
        sy += square * ny
        sz += square * nz
        sxx += xx * h
        syy += yy * h
        szz += zz * h
        sxy += (px * py + qx * qy + rx * ry) * h
        syz += (py * pz + qy * qz + ry * rz) * h
        szx += (pz * px + qz * qx + rz * rx) * h
    first, second = 1.0 / 48.0, 1.0 / 120.0  # 1/2 (area) x 1/3 (weight) x 1/4 (doubled points) x 1/2 or 1/5 (formula)
    return v / 6.0, scale(first, (sx, sy, sz)), scale(second, (sxx, syy, szz)), scale(second, (sxy, syz, szx))


def bounding_box(vertices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest corner, each (3,), of the box around vertices (n, 3), in their unit."""
    columns = vertices.T  # one at a time: numpy is many times slower along the short axis of rows
    return np.array([column.min() for column in columns]), np.array([column.max() for column in columns])


def enclosed(vertices: np.ndarray, faces: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Volume [m^3], its centre (3,) [m] and its second moments int rr dV (3, 3) [m^5] about that centre, of a closed
    mesh.

    vertices: (n, 3) [m]; faces: (m, 3), counterclockwise seen from outside

    Far from the origin the formulas lose digits, so they are taken about the middle of the bounding box and shifted to
    the centre (Steiner). The volume is negative when the mesh is inside out; a mesh without volume has its centre in
    the middle of its box. The inertia tensor about the centre is rho (tr(J) 1 - J), J the second moments.
    """
    low, high = bounding_box(vertices)
    middle = (low + high) / 2
    given = vertices.view(), faces.view()
    for array in given:  # a writable array has another type for the compiler
        array.flags.writeable = False
    v, (sx, sy, sz), (xx, yy, zz), (xy, yz, zx) = mesh_moments(*given, middle[0], middle[1], middle[2])
    is_solid = abs(v) > FLAT * float((high - low).max()) ** 3  # else it is a remainder of rounding
    offset = np.array([sx, sy, sz]) / v if is_solid else np.zeros(3)
    about_middle = np.array([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]])
    return v, middle + offset, about_middle - v * np.outer(offset, offset)
