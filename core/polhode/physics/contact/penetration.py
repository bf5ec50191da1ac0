"""Penetration depth of spheres, and displacement of walls."""

from __future__ import annotations

from math import sqrt

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.formula_calls import call_1_2
from polhode.jit.kernel import kernel
from polhode.jit.libm.trigonometric import sincos
from polhode.jit.vec import Triple, add, dot, row, scale, subtract
from polhode.physics.contact.arrays import Contacts, ContactWork, Walls
from polhode.physics.contact.separate import are_separate
from polhode.physics.sensor.sensor_motion import follower_motion


@kernel
def overlap(contacts: Contacts, contact_work: ContactWork, i: int, j: int) -> tuple[float, Triple]:
    """Depth [m] of spheres i and j, and the unit normal from j to i, laboratory frame.

    Depth 0 and no normal if they are apart, of one owner or of separate bodies, or concentric, when there is no normal.
    """
    between = subtract(row(contact_work.position, i), row(contact_work.position, j))
    touch = contacts.radius[i] + contacts.radius[j]
    square = dot(between, between)
    separate = square >= touch * touch or square == 0.0  # coincident centres have no normal
    if separate or contacts.owner[i] == contacts.owner[j]:
        return 0.0, (0.0, 0.0, 0.0)
    a, b = contacts.body[i], contacts.body[j]
    if a != NOTHING and b != NOTHING and are_separate(contacts.first_separate, contacts.separate, a, b):
        return 0.0, (0.0, 0.0, 0.0)
    distance = sqrt(square)
    return touch - distance, scale(1.0 / distance, between)


@kernel
def wall_displacement(walls: Walls, track: np.ndarray, wall: int, time: float) -> tuple[float, float]:
    """Displacement [m] of a wall along its normal and its velocity [m/s], at `time` [s].

    A sin(wt) of an oscillating wall; by its formula; that of follower `wall` of the sensor's `track` if it follows it;
    else zero.
    """
    amplitude, w = walls.amplitude[wall], walls.frequency[wall]
    sine, cosine = sincos(w * time)
    displacement, velocity = amplitude * sine, amplitude * w * cosine
    if walls.address[wall] != 0:
        displacement, velocity = call_1_2(walls.address[wall], walls.numbers, walls.first[wall], time)
    if walls.follows[wall, 0] != 0.0:
        displacement, velocity = follower_motion(walls.follows, wall, track, time)
    return displacement, velocity


@kernel
def wall_pose(walls: Walls, track: np.ndarray, wall: int, time: float) -> tuple[Triple, Triple]:
    """A point of the wall [m] and its velocity [m/s] at `time` [s], laboratory frame."""
    normal = row(walls.normal, wall)
    displacement, velocity = wall_displacement(walls, track, wall, time)
    return add(row(walls.point, wall), scale(displacement, normal)), scale(velocity, normal)


@kernel
def wall_displacements(walls: Walls, track: np.ndarray, time: float, displacements: np.ndarray) -> None:
    """Write the displacement [m] of each wall along its normal at `time` [s] into `displacements` (w,)."""
    for wall in range(len(displacements)):
        displacements[wall] = wall_displacement(walls, track, wall, time)[0]
