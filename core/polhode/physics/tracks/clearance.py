"""How far a flying bead is above its one-sided track: the nearest point of a path, and the offset from there.

The search is made in the frame in which the path is at rest: first among points of the path, then by Newton's method
for (r(q) - x).r'(q) = 0 between the neighbours of the nearest one.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, cross, dot, rotated, row, scale, subtract
from polhode.physics.paths.arrays import Beads
from polhode.physics.paths.path_kernels import Paths, curve, path_moves
from polhode.physics.paths.placement import nearest_on, rolling_axis
from polhode.physics.tracks.arrays import Tracks

ITERATIONS = 30
ROUNDING = 1e-15  # relative step of q at which Newton's method ends
ON_IT = 1e-6  # tolerance of lengths, in radii of the bead


@kernel
def at_rest(paths: Paths, i: int, position: Triple, track: np.ndarray, time: float) -> Triple:
    """Position [m] of a point relative to path i at rest; `position` is that at `time` [s], laboratory frame."""
    if paths.turns[i]:
        pivot = row(paths.pivot, i)
        return add(pivot, rotated(subtract(position, pivot), row(paths.axis, i), -paths.rate[i] * time))
    return subtract(position, path_moves(paths, i, track, time)[0])


@kernel
def nearest_point(tracks: Tracks, i: int, position: Triple) -> int:
    """Index of the nearest of the points of path i to `position` [m], both at rest."""
    best, least = tracks.first[i], np.inf
    for k in range(tracks.first[i], tracks.stop[i]):
        offset = subtract(row(tracks.points, k), position)
        if dot(offset, offset) < least:
            best, least = k, dot(offset, offset)
    return best


@kernel
def nearest_parameter(beads: Beads, tracks: Tracks, i: int, position: Triple) -> float:
    """q of the point of path i that is nearest to `position` [m], both at rest; an end of the path if it is that."""
    q = tracks.parameters[nearest_point(tracks, i, position)]
    step = tracks.parameters[tracks.first[i] + 1] - tracks.parameters[tracks.first[i]]
    low, high = nearest_on(beads, i, q - step), nearest_on(beads, i, q + step)
    for _ in range(ITERATIONS):
        r, first, second = curve(beads.paths, i, q)
        offset = subtract(r, position)
        slope, square = dot(offset, first), dot(first, first)
        bend = square + dot(offset, second)
        following = min(max(q - slope / (bend if bend > 0.1 * square else square), low), high)
        if abs(following - q) <= ROUNDING * (abs(q) + step):
            return following
        q = following
    return q


@kernel
def offset_at(beads: Beads, i: int, q: float, position: Triple) -> Triple:
    """Offset [m] of `position` from path i at q, both at rest, along n, e and t."""
    r, first, _ = curve(beads.paths, i, q)
    tangent, offset = scale(1.0 / np.sqrt(dot(first, first)), first), subtract(position, r)
    across = rolling_axis(tangent, row(beads.side, i), beads.level[i])
    return dot(offset, cross(tangent, across)), dot(offset, across), dot(offset, tangent)


@kernel
def clearance(beads: Beads, tracks: Tracks, i: int, track: np.ndarray, time: float, position: Triple) -> float:
    """Offset [m] of bead i at `position` [m], laboratory frame, from its path along n at `time` [s].

    Infinite where it is beside the path, which means more than a radius along e, or beyond an end.
    """
    still = at_rest(beads.paths, i, position, track, time)
    over, beside, along = offset_at(beads, i, nearest_parameter(beads, tracks, i, still), still)
    inside = abs(beside) <= beads.radius[i] and abs(along) <= ON_IT * beads.radius[i]
    return over if inside else np.inf
