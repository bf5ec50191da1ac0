"""Nearest points of segments and triangles."""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, cross, dot, scale, subtract


@kernel
def nearest_on_segment(p: Triple, a: Triple, b: Triple) -> Triple:
    """Point of the segment from a to b nearest to p; all [m]."""
    along = subtract(b, a)
    square = dot(along, along)
    share = dot(subtract(p, a), along) / square if square > 0.0 else 0.0
    return add(a, scale(min(1.0, max(0.0, share)), along))


@kernel
def nearest_on_triangle(p: Triple, a: Triple, b: Triple, c: Triple) -> Triple:
    """Point of the triangle a, b, c nearest to p; all [m].

    The projection if it is inside, else the nearest point of the edges.
    """
    normal = cross(subtract(b, a), subtract(c, a))
    if (
        dot(cross(subtract(b, a), subtract(p, a)), normal) >= 0.0
        and dot(cross(subtract(c, b), subtract(p, b)), normal) >= 0.0
        and dot(cross(subtract(a, c), subtract(p, c)), normal) >= 0.0
        and dot(normal, normal) > 0.0
    ):
        return subtract(p, scale(dot(subtract(p, a), normal) / dot(normal, normal), normal))
    best, far = a, np.inf
    for edge in range(3):
        ends = (a, b) if edge == 0 else ((b, c) if edge == 1 else (c, a))
        found = nearest_on_segment(p, ends[0], ends[1])
        away = subtract(p, found)
        if dot(away, away) < far:
            best, far = found, dot(away, away)
    return best
