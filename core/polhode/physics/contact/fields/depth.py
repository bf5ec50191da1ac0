"""How deep two shapes overlap, and where to one of them would have to move to come free."""

from __future__ import annotations

from math import sqrt

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, dot, row, scale
from polhode.physics.contact.fields.arrays import Fields, FieldWork
from polhode.physics.contact.fields.patch import find_overlaps, may_touch
from polhode.physics.contact.solids.arrays import Solids
from polhode.physics.contact.solids.frames import frame_of, seen_from


@kernel
def deepest_overlap(fields: Fields, solids: Solids, work: FieldWork, i: int, j: int) -> tuple[float, Triple]:
    """Largest overlap [m] of the sample points of shapes i and j, and the direction that frees i, laboratory frame.

    The direction is the sum of the gradients at all points, weighted by their overlaps, as a unit vector; no direction
    (0, 0, 0) where they cancel each other. `work` holds the frames of the shapes.
    """
    if not may_touch(fields, work, i, j):
        return 0.0, (0.0, 0.0, 0.0)
    one, other = frame_of(work, i), frame_of(work, j)
    first = find_overlaps(fields, solids, work, (i, j), seen_from(one, other), other, 1.0, 0)
    count = find_overlaps(fields, solids, work, (j, i), seen_from(other, one), one, 1.0, first)
    depth, total, away = 0.0, 0.0, (0.0, 0.0, 0.0)
    for n in range(count):
        overlap = work.share[n, 1]
        depth, total = max(depth, overlap), total + overlap
        away = add(away, scale(overlap if n < first else -overlap, row(work.slope, n)))
    length = sqrt(dot(away, away))
    if length <= 1e-6 * total:
        return depth, (0.0, 0.0, 0.0)
    return depth, scale(1.0 / length, away)
