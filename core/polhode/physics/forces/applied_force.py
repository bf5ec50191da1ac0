"""Forces F and torques T by formulas of position and velocity of a point, and of time, laboratory frame.

Where a potential energy U(x, y, z, t) is given, F = -grad U, and the power dU/dt of its change with time goes to the
ledger's line DRIVE. Otherwise F.v goes there, and always T.w.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import DRIVE
from polhode.engine.model import NOTHING
from polhode.jit.formula_calls import call_7_8
from polhode.jit.kernel import kernel, part_of_caller
from polhode.jit.vec import Triple, accumulate, add, combine, dot, row
from polhode.physics.bodies.arrays import BodyWork, read_basis
from polhode.physics.bodies.at_point import add_force_at, velocity_at
from polhode.physics.forces.arrays import Forces
from polhode.physics.points.arrays import Points, PointWork, point_rows


@kernel
def acts_at(forces: Forces, points: Points, f: int, state: np.ndarray, body_work: BodyWork) -> tuple[Triple, Triple]:
    """Position [m] and velocity [m/s] of the point on which force f acts, laboratory frame; bodies are placed."""
    b = forces.body[f]
    if b == NOTHING:
        rows, i = point_rows(points, state), forces.point[f]
        return (rows[0, i], rows[1, i], rows[2, i]), (rows[3, i], rows[4, i], rows[5, i])
    u1, u2, u3 = read_basis(state, b)
    at = add(row(body_work.position, b), combine(row(forces.arm, f), u1, u2, u3))
    return at, velocity_at(body_work, b, at)


@kernel
def evaluated(forces: Forces, f: int, at: Triple, velocity: Triple, time: float) -> tuple[Triple, Triple, float, float]:
    """F [N], T [N m], U [J] and dU/dt [W] of force f at a point with a velocity, at `time` [s]."""
    n = call_7_8(
        forces.address[f],
        forces.numbers,
        forces.first[f],
        at[0],
        at[1],
        at[2],
        velocity[0],
        velocity[1],
        velocity[2],
        time,
    )
    return (n[0], n[1], n[2]), (n[3], n[4], n[5]), n[6], n[7]


@part_of_caller
def act_on(
    body_work: BodyWork,
    point_work: PointWork,
    power: np.ndarray,
    b: int,
    i: int,
    at: Triple,
    force: Triple,
    torque: Triple,
) -> None:
    """Add a force [N] at a position [m] and a torque [N m] to body b, and T.w to power[DRIVE]; or to point i without a
    body the force alone.
    """
    if b != NOTHING:
        add_force_at(body_work, b, at, force)
        accumulate(body_work.torque, b, torque)
        power[DRIVE] += dot(torque, row(body_work.angular_velocity, b))
    else:
        for axis in range(3):
            point_work.force[axis, i] += force[axis]


@kernel
def add_applied_forces(
    points: Points,
    forces: Forces,
    time: float,
    state: np.ndarray,
    body_work: BodyWork,
    point_work: PointWork,
    power: np.ndarray,
) -> None:
    """LAW: add all forces and torques by formulas at `time` [s]; power[DRIVE] gets their power, as in the module."""
    for f in range(len(forces.body)):
        b, i = forces.body[f], forces.point[f]
        at, velocity = acts_at(forces, points, f, state, body_work)
        force, torque, _, gained = evaluated(forces, f, at, velocity, time)
        power[DRIVE] += gained if forces.conserves[f] else dot(force, velocity)
        act_on(body_work, point_work, power, b, i, at, force, torque)


@kernel
def force_energy(forces: Forces, points: Points, time: float, state: np.ndarray, body_work: BodyWork) -> float:
    """ENERGY: sum of U [J] of the forces that have a potential; bodies are placed."""
    energy = 0.0
    for f in range(len(forces.body)):
        if forces.conserves[f]:
            at, velocity = acts_at(forces, points, f, state, body_work)
            energy += evaluated(forces, f, at, velocity, time)[2]
    return energy


@kernel
def write_forces(
    forces: Forces, points: Points, time: float, state: np.ndarray, body_work: BodyWork, out: np.ndarray
) -> int:
    """OBSERVE: sum of the forces [N] on each thing that has some; bodies are placed. Returns the number of columns."""
    count = 0
    for f in range(len(forces.body)):
        count = max(count, 3 * forces.column[f] + 3)
        for axis in range(3):
            out[3 * forces.column[f] + axis] = 0.0
    for f in range(len(forces.body)):
        at, velocity = acts_at(forces, points, f, state, body_work)
        force = evaluated(forces, f, at, velocity, time)[0]
        for axis in range(3):
            out[3 * forces.column[f] + axis] += force[axis]
    return count
