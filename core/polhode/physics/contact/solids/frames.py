"""Frames of solids: from the frame of one to that of another, and to the laboratory."""

from __future__ import annotations

from typing import NamedTuple

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, combine, components, row, subtract
from polhode.physics.contact.fields.arrays import FieldWork
from polhode.physics.contact.solids.arrays import SolidWork


class Frame(NamedTuple):
    """Origin [m] and axes (unit vectors) of a frame, as seen from another one."""

    origin: Triple
    x: Triple
    y: Triple
    z: Triple


@kernel
def frame_of(solid_work: SolidWork | FieldWork, i: int) -> Frame:
    """Frame of solid i, or of shape i, as seen from the laboratory."""
    axes = solid_work.axes[i]
    return Frame(row(solid_work.center, i), row(axes, 0), row(axes, 1), row(axes, 2))


@kernel
def seen_from(frame: Frame, other: Frame) -> Frame:
    """`frame` as seen from `other`, where both are given as seen from a third one."""
    return Frame(
        to_local(other, frame.origin),
        components(frame.x, other.x, other.y, other.z),
        components(frame.y, other.x, other.y, other.z),
        components(frame.z, other.x, other.y, other.z),
    )


@kernel
def to_local(frame: Frame, at: Triple) -> Triple:
    """Coordinates [m] in `frame` of the point `at` [m]."""
    return components(subtract(at, frame.origin), frame.x, frame.y, frame.z)


@kernel
def to_outer(frame: Frame, at: Triple) -> Triple:
    """The point [m] whose coordinates in `frame` are `at` [m]."""
    return add(frame.origin, combine(at, frame.x, frame.y, frame.z))


@kernel
def turned(frame: Frame, a: Triple) -> Triple:
    """The vector whose components in `frame` are a."""
    return combine(a, frame.x, frame.y, frame.z)
