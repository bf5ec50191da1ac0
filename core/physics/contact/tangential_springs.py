"""Rough spheres: the springs along their surfaces, which have a memory, are placed and go on.

Where two rough spheres touch, or one and a rough wall, a spring holds the one surface to the other. Its stretch is a
part of the state: dxi/dt = s - n (xi.dn/dt), s being the velocity of one surface along the other, so that it stays
across the normal n. When they part it gives back what it still holds: it goes on until it is without stretch. What is
left then is forgotten, within a few steps. So no energy is lost, also where impacts overlap in time.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from core.engine.model import NOTHING, Inputs, Model, Work
from core.jit.kernel import kernel
from core.jit.vec import Triple, add, cross, dot, put, row, scale, subtract
from core.physics.contact.penetration import wall_pose

NO_DISTANCE = 1e-150  # [m] middles in one place have no normal


@kernel
def tangential_displacement(model: Model, state: np.ndarray, r: int) -> Triple:
    """Stretch xi [m] of spring r in the state."""
    i = model.rough.at + 3 * r
    return state[i], state[i + 1], state[i + 2]


@kernel
def surface_velocity(work: Work, b: int, at: Triple) -> Triple:
    """Velocity [m/s] of body b in a place; zero of none."""
    if b == NOTHING:
        return 0.0, 0.0, 0.0
    return add(
        row(work.bodies.velocity, b),
        cross(row(work.bodies.angular_velocity, b), subtract(at, row(work.bodies.position, b))),
    )


@kernel
def place_tangential_springs(model: Model, inputs: Inputs, time: float, work: Work) -> None:
    """How deep the spheres of each spring press, and how their surfaces move along each other. All else is placed."""
    for r in range(len(model.rough.first)):
        i, j, b = model.rough.first[r], model.rough.second[r], model.rough.body[r, 0]
        here, radius = (
            row(work.contacts.position, i) if i != NOTHING else row(work.bodies.position, b),
            model.rough.radius[r],
        )
        moving, turning = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        if model.rough.is_wall[r]:
            point, moving = wall_pose(model, inputs, j, time)
            normal = row(model.walls.normal, j)
            depth = radius - dot(subtract(here, point), normal)
            at = subtract(here, scale(radius, normal))
        else:
            there = row(work.contacts.position, j)
            between = subtract(here, there)
            distance = max(sqrt(dot(between, between)), NO_DISTANCE)
            depth, normal = radius + model.contacts.radius[j] - distance, scale(1.0 / distance, between)
            at = subtract(here, scale(radius - 0.5 * depth, normal))
            moving = surface_velocity(work, model.rough.body[r, 1], at)
            passing = subtract(surface_velocity(work, b, here), surface_velocity(work, model.rough.body[r, 1], there))
            turning = scale(1.0 / distance, subtract(passing, scale(dot(passing, normal), normal)))
        velocity = subtract(surface_velocity(work, b, at), moving)
        work.roughness.depth[r] = depth
        put(work.roughness.normal, r, normal)
        put(work.roughness.place, r, at)
        put(work.roughness.slip, r, subtract(velocity, scale(dot(velocity, normal), normal)))
        put(work.roughness.turning, r, turning)


@kernel
def holds_on(work: Work, r: int, xi: Triple) -> bool:
    """Whether the surfaces of spring r touch, or have parted and it has not gone through being without stretch."""
    slip = row(work.roughness.slip, r)
    if work.roughness.depth[r] > 0.0 or dot(xi, slip) < 0.0:
        return True
    return dot(xi, xi) > dot(slip, slip) * work.stop_time[0] * work.stop_time[0]  # not just gone through


@kernel
def project_tangential_springs(model: Model, state: np.ndarray, work: Work, rate: np.ndarray) -> None:
    """Write the rates of all stretches [m/s]."""
    for r in range(len(model.rough.first)):
        xi = tangential_displacement(model, state, r)
        if holds_on(work, r, xi):
            turned = dot(xi, row(work.roughness.turning, r))
            going = subtract(row(work.roughness.slip, r), scale(turned, row(work.roughness.normal, r)))
        else:
            going = scale(-1.0 / work.stop_time[0], xi)
        for axis in range(3):
            rate[model.rough.at + 3 * r + axis] = going[axis]
