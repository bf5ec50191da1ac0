"""Forces F and torques T by functions of a program that uses the library, on bodies and points, laboratory frame.

A function gets the time and the motion of the centre of mass, on which F acts; T is about it. One that numba has
compiled is called at each evaluation of the rates; the values of others are held during a step
(core/polhode/simulation/function_forces.py). The power F.v + T.w goes to the ledger's line DRIVE.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import DRIVE
from polhode.engine.model import NOTHING, Inputs, Model, Work
from polhode.engine.rates import place
from polhode.jit.kernel import kernel
from polhode.jit.user_functions import FOUND, GIVEN, Motion, call_function
from polhode.jit.vec import Triple, add, dot, row
from polhode.physics.bodies.arrays import BodyWork, read_basis
from polhode.physics.bodies.at_point import velocity_at
from polhode.physics.forces.applied_force import act_on
from polhode.physics.forces.arrays import FunctionForces
from polhode.physics.points.arrays import Points, PointWork, point_rows

ZERO = (0.0, 0.0, 0.0)
AXES = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@kernel
def motion_of(
    points: Points, forces: FunctionForces, f: int, time: float, state: np.ndarray, body_work: BodyWork
) -> Motion:
    """The arguments (GIVEN) of the function of force f: those of a point have the axes of the laboratory.

    Bodies are placed.
    """
    b, i = forces.body[f], forces.point[f]
    x, v, w = ZERO, ZERO, ZERO
    u1, u2, u3 = AXES
    if b != NOTHING:
        u1, u2, u3 = read_basis(state, b)
        x = add(row(body_work.position, b), row(body_work.com_offset, b))
        v, w = velocity_at(body_work, b, x), row(body_work.angular_velocity, b)
    else:
        rows = point_rows(points, state)
        x, v = (rows[0, i], rows[1, i], rows[2, i]), (rows[3, i], rows[4, i], rows[5, i])
    return (time,) + x + v + u1 + u2 + u3 + w  # kernels don't unpack tuples


@kernel
def force_and_torque(forces: FunctionForces, f: int, motion: Motion) -> tuple[Triple, Triple]:
    """F [N] and T [N m] of force f, nan where its function raises an exception, which ends the step.

    motion: (GIVEN) of `motion_of`
    """
    if forces.address[f] == 0:
        h = forces.held
        return (h[f, 0], h[f, 1], h[f, 2]), (h[f, 3], h[f, 4], h[f, 5])
    n = call_function(forces.address[f], motion)
    if n[FOUND - 1] != 0.0:
        for k in range(GIVEN):
            forces.arguments[f, k] = motion[k]
        forces.failed[f] = True
        return (np.nan, np.nan, np.nan), (np.nan, np.nan, np.nan)
    return (n[0], n[1], n[2]), (n[3], n[4], n[5])


@kernel
def add_function_forces(
    points: Points,
    forces: FunctionForces,
    time: float,
    state: np.ndarray,
    body_work: BodyWork,
    point_work: PointWork,
    power: np.ndarray,
) -> None:
    """LAW: add all forces and torques by functions at `time` [s], and their power to power[DRIVE]."""
    for f in range(len(forces.body)):
        b, i = forces.body[f], forces.point[f]
        motion = motion_of(points, forces, f, time, state, body_work)
        force, torque = force_and_torque(forces, f, motion)
        power[DRIVE] += dot(force, (motion[4], motion[5], motion[6]))
        act_on(body_work, point_work, power, b, i, (motion[1], motion[2], motion[3]), force, torque)


@kernel
def write_motions(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> None:
    """Write the arguments of all functions at `time` [s] into `out` (f, GIVEN); places the state (k,)."""
    place(model, inputs, time, state, work)
    for f in range(len(inputs.function_forces.body)):
        motion = motion_of(model.points, inputs.function_forces, f, time, state, work.bodies)
        for k in range(GIVEN):
            out[f, k] = motion[k]
