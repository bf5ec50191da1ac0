"""Which points are inside a closed mesh."""

from __future__ import annotations

from math import atan2, pi, sqrt

import numpy as np

from core.kernel import kernel
from core.vec import Triple, cross, dot, row, subtract


@kernel
def solid_angle(a: Triple, b: Triple, c: Triple) -> float:
    """Solid angle [sr] of a triangle seen from the origin, positive where it is seen from behind.

    (van Oosterom and Strackee, IEEE Trans. Biomed. Eng. 30, 125, 1983)
    """
    u, v, w = sqrt(dot(a, a)), sqrt(dot(b, b)), sqrt(dot(c, c))
    beside = u * v * w + dot(a, b) * w + dot(b, c) * u + dot(c, a) * v
    return 2.0 * atan2(dot(a, cross(b, c)), beside)


@kernel
def inside(points: np.ndarray, vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """(n,) bool for points (n, 3): inside of the closed, outward mesh of vertices (v, 3) and faces (f, 3).

    By the winding number, the sum of all solid angles over 4 pi: 1 inside, 0 outside.
    """
    found = np.zeros(len(points), dtype=np.bool_)
    for i in range(len(points)):
        at, angle = row(points, i), 0.0
        for face in range(len(faces)):
            a, b, c = row(vertices, faces[face, 0]), row(vertices, faces[face, 1]), row(vertices, faces[face, 2])
            angle += solid_angle(subtract(a, at), subtract(b, at), subtract(c, at))
        found[i] = angle > 2.0 * pi
    return found
