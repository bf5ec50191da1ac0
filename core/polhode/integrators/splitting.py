"""Splitting of a rigid body's motion into rotations about its principal axes, between half kicks.

With R_k(s) the exact rotation about principal axis k for the time s at the rate n_k.L/I_k,

    half a kick by T and F      R_1(dt/2) R_2(dt/2) R_3(dt) R_2(dt/2) R_1(dt/2)      half a kick

Order 2, explicit, two evaluations of the forces per step, no memory. Every rotation is exact, so the basis stays
orthonormal by construction, the angular momentum of a free body does not change at all, and its energy is bounded: it
oscillates but does not drift. Points move as by velocity Verlet, beads and modal bodies by the midpoint rule.
(Dullweber, Leimkuhler and McLachlan, J. Chem. Phys. 107, 5840, 1997)
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.engine.rates import accept_step, kick, motion, rates, time_at
from polhode.integrators.verlet import growth as growth  # on a point the two are the same
from polhode.jit.kernel import kernel
from polhode.jit.vec import add, combine, dot, rotated, row, scale
from polhode.physics.bodies.arrays import (
    ANGULAR_MOMENTUM,
    BASIS,
    BODY_SIZE,
    FREE,
    MOMENTUM,
    ON_PATH,
    POSITION,
    read,
    read_basis,
    write,
)
from polhode.physics.points.arrays import point_rows

NAME = "splitting"
ORDER = 2
HISTORY = 0
OSCILLATION_LIMIT = 2.0
DECAY_LIMIT = 2.0


@kernel
def turn(model: Model, b: int, k: int, dt: float, state: np.ndarray) -> None:
    """Rotate body b about its principal axis k for dt [s] at the rate n.L/I_k, n the axis; L does not change.

    The rotation by the angle dt n.L/I_k is exact (Rodrigues). An axis without inertia has 1/I = 0 and no rotation.

    state: (k,) whose basis is written; n and L are in the laboratory frame.
    """
    u1, u2, u3 = read_basis(state, b)
    axis = combine(row(model.bodies.axes[b], k), u1, u2, u3)
    angle = dt * model.bodies.inverse_moments[b, k] * dot(axis, read(state, b, ANGULAR_MOMENTUM))
    write(state, b, BASIS, rotated(u1, axis, angle))
    write(state, b, BASIS + 3, rotated(u2, axis, angle))
    write(state, b, BASIS + 6, rotated(u3, axis, angle))


@kernel
def drift(model: Model, dt: float, state: np.ndarray) -> None:
    """Symmetric sequence of rotations of all bodies, free flight of bodies and points, for dt [s] with constant
    momenta.

    Order 2: R_1(dt/2) R_2(dt/2) R_3(dt) R_2(dt/2) R_1(dt/2) of each body; `state` (k,) is advanced in place.
    """
    for b in range(len(model.bodies.mass)):
        turn(model, b, 0, 0.5 * dt, state)
        turn(model, b, 1, 0.5 * dt, state)
        turn(model, b, 2, dt, state)
        turn(model, b, 1, 0.5 * dt, state)
        turn(model, b, 0, 0.5 * dt, state)
        if model.bodies.support[b] in (FREE, ON_PATH):  # not used for a bead on its path
            flight = scale(dt / model.bodies.mass[b], read(state, b, MOMENTUM))
            write(state, b, POSITION, add(read(state, b, POSITION), flight))
    rows = point_rows(model.points, state)  # not used for points of modal bodies
    for axis in range(3):
        for i in range(len(model.points.mass)):
            rows[axis, i] += dt * rows[axis + 3, i]


@kernel
def drift_reduced(model: Model, inputs: Inputs, time: float, dt: float, work: Work) -> None:
    """Advance frames, modes, beads and tangential springs in `work.stage` by dt [s], by the midpoint rule (order 2).

    Bodies and points are left to `drift`, but for the spin of rolling beads, which follows from their speed in the
    middle. Overwrites `work.rate` and `work.second_stage`.
    """
    motion(model, inputs, time, work.stage, work, work.rate)
    for i in range(len(work.stage)):
        work.second_stage[i] = work.stage[i] + 0.5 * dt * work.rate[i]
    motion(model, inputs, time + 0.5 * dt, work.second_stage, work, work.rate)
    for i in range(BODY_SIZE * len(model.bodies.mass), model.points.at):
        work.stage[i] += dt * work.rate[i]
    for i in range(model.modal.at, model.ledger):
        work.stage[i] += dt * work.rate[i]
    for b in model.beads.body:  # rolling beads rotate by their spin in the middle of the step
        write(work.stage, b, ANGULAR_MOMENTUM, read(work.second_stage, b, ANGULAR_MOMENTUM))


@kernel
def advance(
    model: Model, inputs: Inputs, state: np.ndarray, history: np.ndarray, work: Work, clock: Clock, steps: int
) -> int:
    """Advance `state` in place by `steps` steps; returns their number, fewer if the next state is not finite.

    Scratch as of velocity Verlet: work.increment holds the rates at the start, work.rate those at the end.
    """
    for step in range(steps):
        time, dt = time_at(clock, step), clock.step
        rates(model, inputs, time, state, work, work.increment)
        kick(model, 0.5 * dt, work.increment, state, work.stage)
        if len(model.modal.mass) + len(model.beads.body) + len(model.tangential.first) > 0:
            drift_reduced(model, inputs, time, dt, work)
        drift(model, dt, work.stage)
        kick(model, 0.5 * dt, work.increment, work.stage, work.second_stage)
        rates(model, inputs, time + dt, work.second_stage, work, work.rate)
        kick(model, 0.5 * dt, work.rate, work.stage, work.stage)
        if not accept_step(model, inputs, time + dt, work, state):
            return step
    return steps
