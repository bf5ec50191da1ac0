"""Energy that the projection onto the equations of joints adds at the end of every step.

The change of the kinetic energy of the bodies, less the work of all other forces along the displacements. It is of the
size of the step's error, and goes to the ledger's line PROJECTION.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import inlined, kernel
from polhode.jit.vec import add, cross, dot, put, row, scale, subtract
from polhode.physics.bodies.angular_velocity import angular_velocity
from polhode.physics.bodies.arrays import (
    ANGULAR_MOMENTUM,
    BASIS,
    FREE,
    MOMENTUM,
    POSITION,
    Bodies,
    BodyWork,
    read,
    read_basis,
)
from polhode.physics.joints.arrays import Joints, JointWork


@kernel
def kinetic_energy(bodies: Bodies, joints: Joints, state: np.ndarray) -> float:
    """P^2/(2 M) + omega.L/2 [J] of all bodies that joints move."""
    energy = 0.0
    for b in joints.jointed:
        u1, u2, u3 = read_basis(state, b)
        spin, momentum = read(state, b, ANGULAR_MOMENTUM), read(state, b, MOMENTUM)
        energy += 0.5 * dot(angular_velocity(bodies, b, spin, u1, u2, u3), spin)
        if bodies.support[b] == FREE:
            energy += 0.5 / bodies.mass[b] * dot(momentum, momentum)
    return energy


@inlined
def keep_loads(joints: Joints, body_work: BodyWork, work: JointWork) -> None:
    """Keep the sums of all other forces [N] and torques [N m] before those of the joints are added."""
    for n in range(len(joints.jointed)):
        b = joints.jointed[n]
        put(work.load, n, row(body_work.force, b))
        put(work.moment, n, row(body_work.torque, b))


@inlined
def begin_projection(bodies: Bodies, joints: Joints, state: np.ndarray, work: JointWork) -> None:
    """Keep the poses and the kinetic energy of `state` (k,) before it is projected."""
    for n in range(len(joints.jointed)):
        b = joints.jointed[n]
        put(work.poses[n], 0, read(state, b, POSITION))
        for i in range(3):
            put(work.poses[n], 1 + i, read(state, b, BASIS + 3 * i))
    work.kinetic[0] = kinetic_energy(bodies, joints, state)


@inlined
def energy_of_projection(bodies: Bodies, joints: Joints, state: np.ndarray, work: JointWork) -> float:
    """Energy [J] that the projection has added, after `begin_projection`. The turn is sum u_i x du_i/2."""
    energy = kinetic_energy(bodies, joints, state) - work.kinetic[0]
    for n in range(len(joints.jointed)):
        b = joints.jointed[n]
        turn = (0.0, 0.0, 0.0)
        for i in range(3):
            turn = add(turn, scale(0.5, cross(row(work.poses[n], 1 + i), read(state, b, BASIS + 3 * i))))
        displacement = subtract(read(state, b, POSITION), row(work.poses[n], 0))
        energy -= dot(row(work.load, n), displacement) + dot(row(work.moment, n), turn)
    return energy
