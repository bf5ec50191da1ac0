"""Walls, by penalty: what is behind one is pressed back to the side of its normal (Imura).

The force law is asked at every stage of a step: a contact that is chosen once per step loses energy.
"""

from __future__ import annotations

from math import cos, sin

import numpy as np

from core.forces.contact import contact_energy, contact_force
from core.kernel import kernel
from core.model import CONTACT, DRIVE, Model, Work, point_rows
from core.vec import Triple, add, dot, row, scale, subtract


@kernel
def wall_now(model: Model, wall: int, time: float) -> tuple[Triple, Triple]:
    """A point of the wall [m] and its velocity [m/s] at `time` [s]."""
    walls, normal = model.walls, row(model.walls.normal, wall)
    amplitude, w = walls.amplitude[wall], walls.frequency[wall]
    return add(row(walls.point, wall), scale(amplitude * sin(w * time), normal)), scale(
        amplitude * w * cos(w * time), normal
    )


@kernel
def add_walls(model: Model, time: float, state: np.ndarray, work: Work) -> None:
    """All points against all walls."""
    walls, rows = model.walls, point_rows(model, state)
    for wall in range(len(walls.stiffness)):
        normal = row(walls.normal, wall)
        place, moving = wall_now(model, wall, time)
        for i in range(len(model.points.mass)):
            height = dot(subtract((rows[0, i], rows[1, i], rows[2, i]), place), normal)
            depth = model.points.radius[i] - height
            if depth > 0.0:
                velocity = subtract((rows[3, i], rows[4, i], rows[5, i]), moving)
                stiffness = walls.stiffness[wall]
                force = contact_force(
                    depth, normal, velocity, stiffness, walls.damping[wall], walls.friction[wall], walls.sticky[wall]
                )
                for axis in range(3):
                    work.point_force[axis, i] += force[axis]
                work.power[DRIVE] += dot(force, moving)
                work.power[CONTACT] += dot(subtract(force, scale(stiffness * depth, normal)), velocity)


@kernel
def wall_energy(model: Model, time: float, state: np.ndarray) -> float:
    """U = k depth^2/2 [J] of all points behind walls."""
    walls, rows = model.walls, point_rows(model, state)
    energy = 0.0
    for wall in range(len(walls.stiffness)):
        place, _ = wall_now(model, wall, time)
        for i in range(len(model.points.mass)):
            height = dot(subtract((rows[0, i], rows[1, i], rows[2, i]), place), row(walls.normal, wall))
            depth = model.points.radius[i] - height
            if depth > 0.0:
                energy += contact_energy(depth, walls.stiffness[wall])
    return energy
