"""How deep two shapes, or a sphere and a shape, overlap, and where to one of them would have to move to come free.

What has passed the middle of a wall is pushed out on its other side: there the law of contact ends. In a run, points of
a shape are too deep about halfway through a wall, and spheres with their centres inside of a shape. At the start, where
it is still easy to move things, overlaps are deep beyond the sum of both roundings, and beyond half of the radius of a
sphere, of a large one half of that of the largest sphere that a shape takes for a small one.
"""

from __future__ import annotations

from math import sqrt

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, dot, row, scale
from polhode.physics.contact.fields.arrays import Fields, FieldWork
from polhode.physics.contact.fields.patch import distance_from, find_overlaps, find_overlaps_of_sphere, may_touch
from polhode.physics.contact.solids.arrays import Solids
from polhode.physics.contact.solids.frames import frame_of, seen_from, to_local, turned

DEEP = 0.5  # of the radius of a sphere at the start, and of that of the largest sphere that is a small one


@kernel
def note_depth(work: FieldWork, j: int, owner: int, depth: float, most: float) -> None:
    """Note an overlap [m] of shape j and a scene item `owner`, see `Contacts.owner`, if it is beyond `most` [m]."""
    if depth <= most:
        return
    if work.deepest[j] == 0.0:
        work.since[j] = work.time[0]
    if depth > work.deepest[j]:
        work.deepest[j], work.deep_owner[j] = depth, owner


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
    return deepest_of(work, first, count)


@kernel
def deepest_of(work: FieldWork, first: int, count: int) -> tuple[float, Triple]:
    """The same of the points that were found, of which the first ones are those of the shape that is freed."""
    depth, total, away = 0.0, 0.0, (0.0, 0.0, 0.0)
    for n in range(count):
        overlap = work.share[n, 1]
        depth, total = max(depth, overlap), total + overlap
        away = add(away, scale(overlap if n < first else -overlap, row(work.slope, n)))
    length = sqrt(dot(away, away))
    if length <= 1e-6 * total:
        return depth, (0.0, 0.0, 0.0)
    return depth, scale(1.0 / length, away)


@kernel
def overlap_of_sphere(
    fields: Fields, solids: Solids, work: FieldWork, j: int, center: Triple, radius: float
) -> tuple[float, Triple]:
    """Overlap [m] of a sphere and shape j, and the direction that frees the sphere, laboratory frame: a unit vector.

    center: of the sphere [m], laboratory frame; radius: [m]
    """
    if radius > fields.largest[j]:
        return deepest_of(work, 0, find_overlaps_of_sphere(fields, work, j, center, radius, 1.0))
    frame = frame_of(work, j)
    known, distance, slope = distance_from(fields, solids, j, to_local(frame, center), radius)
    steepness = sqrt(dot(slope, slope))
    if not known or distance >= radius or steepness == 0.0:
        return 0.0, (0.0, 0.0, 0.0)
    return radius - distance, turned(frame, scale(1.0 / steepness, slope))
