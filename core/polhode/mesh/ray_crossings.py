"""Ray crossings: a point is inside a closed mesh if a ray crosses an odd number of its triangles."""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel


@kernel
def count_crossings(vertices, faces, columns, points, above):  # type: ignore[no-untyped-def]
    """Add to `above` the number of triangles over each point, along z.

    An edge of two triangles is evaluated with the same numbers for both, so a point over it is over exactly one of
    them.

    vertices: (v, 3); faces: (t, 3) int.
    columns: (n,) x of the points; points: (n, 3) sorted by x, in the unit of the vertices.
    above: (n,) int64 added to.
    """
    for face in faces:
        a, b, c = vertices[face[0]], vertices[face[1]], vertices[face[2]]
        i = np.searchsorted(columns, min(a[0], b[0], c[0]))
        high = max(a[0], b[0], c[0])
        nx = (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1])
        ny = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2])
        nz = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        while i < len(columns) and columns[i] <= high:
            x, y = points[i, 0], points[i, 1]
            inside = False
            for k in range(3):
                low, top = vertices[face[k]], vertices[face[(k + 1) % 3]]
                if low[1] > top[1]:
                    low, top = top, low
                if low[1] <= y < top[1] and x < low[0] + (y - low[1]) * ((top[0] - low[0]) / (top[1] - low[1])):
                    inside = not inside
            if inside and nz != 0.0 and nx * (x - a[0]) + ny * (y - a[1]) + nz * (points[i, 2] - a[2]) < 0.0 < nz:
                above[i] += 1
            if inside and nz != 0.0 and nx * (x - a[0]) + ny * (y - a[1]) + nz * (points[i, 2] - a[2]) > 0.0 > nz:
                above[i] += 1
            i += 1
