"""Tangential springs of rough spheres: contact geometry and rates of their displacements.

Where two rough spheres touch, or one and a rough wall, a spring couples the surfaces. Its displacement xi is part of
the state: dxi/dt = s - n (xi.dn/dt), s the relative velocity of the surfaces, so that xi stays perpendicular to the
normal n. After separation the spring remains until its force vanishes, and then decays with the rate 1/t_stop within a
few steps; no energy is lost, also where impacts overlap in time. Force: tangential_friction.py.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, dot, put, row, scale, subtract
from polhode.physics.bodies.arrays import BodyWork
from polhode.physics.bodies.at_point import velocity_at
from polhode.physics.contact.arrays import Contacts, ContactWork, TangentialSprings, TangentialState, Walls
from polhode.physics.contact.penetration import wall_pose

NO_DISTANCE = 1e-150  # [m] coincident centres have no normal


@kernel
def tangential_displacement(springs: TangentialSprings, state: np.ndarray, r: int) -> Triple:
    """Displacement xi [m] of spring r in the state, laboratory frame."""
    i = springs.at + 3 * r
    return state[i], state[i + 1], state[i + 2]


@kernel
def surface_velocity(body_work: BodyWork, b: int, at: Triple) -> Triple:
    """Velocity [m/s] of body b at the point `at` [m], laboratory frame; zero for NOTHING."""
    if b == NOTHING:
        return 0.0, 0.0, 0.0
    return velocity_at(body_work, b, at)


@kernel
def place_tangential_springs(
    contacts: Contacts,
    walls: Walls,
    springs: TangentialSprings,
    track: np.ndarray,
    time: float,
    body_work: BodyWork,
    contact_work: ContactWork,
    tangential: TangentialState,
) -> None:
    """PLACE: write depth, normal, contact point, slip and rate of the normal of each spring at `time` [s].

    Spheres and bodies must have been placed. For two spheres dn/dt = (v - (v.n) n)/distance, v the relative velocity of
    the centres; for a wall it is zero.
    """
    for r in range(len(springs.first)):
        i, j, b = springs.first[r], springs.second[r], springs.body[r, 0]
        here, radius = (
            row(contact_work.position, i) if i != NOTHING else row(body_work.position, b),
            springs.radius[r],
        )
        moving, turning = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        if springs.is_wall[r]:
            point, moving = wall_pose(walls, track, j, time)
            normal = row(walls.normal, j)
            depth = radius - dot(subtract(here, point), normal)
            at = subtract(here, scale(radius, normal))
        else:
            there = row(contact_work.position, j)
            between = subtract(here, there)
            distance = max(sqrt(dot(between, between)), NO_DISTANCE)
            depth, normal = radius + contacts.radius[j] - distance, scale(1.0 / distance, between)
            at = subtract(here, scale(radius - 0.5 * depth, normal))
            moving = surface_velocity(body_work, springs.body[r, 1], at)
            passing = subtract(
                surface_velocity(body_work, b, here), surface_velocity(body_work, springs.body[r, 1], there)
            )
            turning = scale(1.0 / distance, subtract(passing, scale(dot(passing, normal), normal)))
        velocity = subtract(surface_velocity(body_work, b, at), moving)
        tangential.depth[r] = depth
        put(tangential.normal, r, normal)
        put(tangential.position, r, at)
        put(tangential.slip, r, subtract(velocity, scale(dot(velocity, normal), normal)))
        put(tangential.turning, r, turning)


@kernel
def holds_on(tangential: TangentialState, stop_time: np.ndarray, r: int, xi: Triple) -> bool:
    """Whether the surfaces of spring r touch, or have separated and its force has not yet vanished.

    xi: its displacement [m]; after separation the force vanishes when xi has come back, xi.slip >= 0.
    """
    slip = row(tangential.slip, r)
    if tangential.depth[r] > 0.0 or dot(xi, slip) < 0.0:
        return True
    return dot(xi, xi) > dot(slip, slip) * stop_time[0] * stop_time[0]  # it has not just passed through zero


@kernel
def project_tangential_springs(
    springs: TangentialSprings, state: np.ndarray, tangential: TangentialState, stop_time: np.ndarray, rate: np.ndarray
) -> None:
    """PROJECT: write dxi/dt [m/s] of all springs: s - n (xi.dn/dt) while they hold, -xi/t_stop afterwards."""
    for r in range(len(springs.first)):
        xi = tangential_displacement(springs, state, r)
        if holds_on(tangential, stop_time, r, xi):
            turned = dot(xi, row(tangential.turning, r))
            going = subtract(row(tangential.slip, r), scale(turned, row(tangential.normal, r)))
        else:
            going = scale(-1.0 / stop_time[0], xi)
        for axis in range(3):
            rate[springs.at + 3 * r + axis] = going[axis]
