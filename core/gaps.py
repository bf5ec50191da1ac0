"""How deep spheres are in each other, and where walls are now."""

from __future__ import annotations

from math import cos, sin

from core.kernel import kernel
from core.model import Model, Work
from core.vec import Triple, add, dot, row, scale, subtract


@kernel
def overlap(model: Model, work: Work, i: int, j: int) -> tuple[float, Triple]:
    """Depth [m], at most 0 where they are apart or of one body, of spheres i and j; the unit normal from j to i."""
    between = subtract(row(work.contact_place, i), row(work.contact_place, j))
    touch = model.contacts.radius[i] + model.contacts.radius[j]
    square = dot(between, between)
    apart = square >= touch * touch or square == 0.0  # middles in one place have no normal
    if apart or model.contacts.owner[i] == model.contacts.owner[j]:
        return 0.0, (0.0, 0.0, 0.0)
    distance = square**0.5
    return touch - distance, scale(1.0 / distance, between)


@kernel
def wall_now(model: Model, wall: int, time: float) -> tuple[Triple, Triple]:
    """A point of the wall [m] and its velocity [m/s] at `time` [s]."""
    walls, normal = model.walls, row(model.walls.normal, wall)
    amplitude, w = walls.amplitude[wall], walls.frequency[wall]
    return add(row(walls.point, wall), scale(amplitude * sin(w * time), normal)), scale(
        amplitude * w * cos(w * time), normal
    )
