"""Weights of the norm by which the implicit method measures rates: that of the kinetic energy.

The squared norm is the sum of m a^2 of a point, F^2/M + T^2/I of a body, a position as the force that
moves it there within h, V^2/L of a flux linkage, and I^2/C of a charge. With that measure the matrix of springs between
unequal masses is symmetric, too.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from polhode.engine.model import Inputs, Model, Work
from polhode.engine.rates import place
from polhode.jit.kernel import kernel
from polhode.jit.vec import dot, row
from polhode.physics.bodies.arrays import (
    ANGULAR_MOMENTUM,
    BASIS,
    BODY_SIZE,
    DRIVEN,
    FIXED,
    FREE,
    MOMENTUM,
    ON_PATH,
    POSITION,
    read,
)
from polhode.physics.paths.arrays import HOLD, PARAMETER, SPEED, is_held, moves_along


@kernel
def norm_weights(
    model: Model, inputs: Inputs, time: float, h: float, state: np.ndarray, weight: np.ndarray, work: Work
) -> float:
    """Write the weights of the squared norm of a rate into `weight` (k,), 0 for components that are no unknowns.

    Returns sqrt(sum m) times the length [m] of the scene: rounding of forces, and the step of a difference quotient,
    are in proportion to it.

    time: [s]; h: [s] step of a stage; state: (k,), placed here.
    """
    place(model, inputs, time, state, work)
    length, mass = 0.0, 0.0
    for i in range(len(weight)):
        weight[i] = 0.0
    for b in range(len(model.bodies.mass)):
        if model.bodies.support[b] == FIXED:
            continue
        moments = model.bodies.inverse_moments[b]
        stiff = (moments[0] + moments[1] + moments[2]) / 3.0
        moment = 1.0 / stiff if stiff > 0.0 and model.bodies.support[b] != DRIVEN else 0.0
        free = model.bodies.mass[b] if model.bodies.support[b] in (FREE, ON_PATH) else 0.0
        add_weights(weight, b, free, moment, h)
        mass += free if free > 0.0 else moment
        length = max(length, sqrt(moment / free) if free > 0.0 else 1.0, largest(read(state, b, POSITION)))
    for i in range(len(model.beads.body)):
        weigh_bead(model, i, state, work, weight, h)
    for s in range(len(model.modal.mass)):
        if model.modal.is_free[s]:
            weigh_frame(model, s, weight, h)
    points, at = len(model.points.mass), model.points.at
    for i in range(points):
        mass += model.points.mass[i]
        length = max(length, model.points.radius[i])
        for axis in range(3):
            weight[at + (axis + 3) * points + i] = model.points.mass[i]
            length = max(length, abs(state[at + axis * points + i]))
    for a in range(len(model.modal.damping)):
        weight[model.modal.at + a] = 1.0 / (h * h)
        weight[model.modal.at + len(model.modal.damping) + a] = 1.0
    for r in range(len(model.tangential.first)):
        for axis in range(3):
            weight[model.tangential.at + 3 * r + axis] = model.bodies.mass[model.tangential.body[r, 0]] / (h * h)
    weigh_linkages(model, weight)
    for q in range(len(model.anchors.body)):
        length = max(length, largest(row(work.anchors.position, q)))
    return sqrt(mass) * length if mass * length > 0.0 else 1.0


@kernel
def largest(a: tuple[float, float, float]) -> float:
    """Largest absolute component of a vector."""
    return max(abs(a[0]), abs(a[1]), abs(a[2]))


@kernel
def add_weights(weight: np.ndarray, b: int, mass: float, moment: float, h: float) -> None:
    """Write the weights of body b into `weight` (k,), for a step h [s].

    mass: [kg] of a free body, else 0; moment: [kg m^2] a mean moment of inertia, 0 if it cannot turn.
    """
    for k in range(3):
        if mass > 0.0:
            weight[BODY_SIZE * b + POSITION + k] = mass / (h * h)
            weight[BODY_SIZE * b + MOMENTUM + k] = 1.0 / mass
        weight[BODY_SIZE * b + ANGULAR_MOMENTUM + k] = 1.0 / moment if moment > 0.0 else 0.0
    for k in range(9):
        weight[BODY_SIZE * b + BASIS + k] = (moment if moment > 0.0 else 1.0) / (h * h)


@kernel
def weigh_bead(model: Model, i: int, state: np.ndarray, work: Work, weight: np.ndarray, h: float) -> None:
    """Write the weights of the placed bead i to `weight` (k,), 0 for the body of a bead on its path; h: [s]"""
    b, count, at = model.beads.body[i], len(model.beads.body), model.beads.at + i
    if moves_along(state[at + HOLD * count]):
        mass = model.beads.inertia[i] * model.bodies.mass[b]
        weight[at + PARAMETER * count] = mass * (work.beads.stretch[i] / h) ** 2
        weight[at + SPEED * count] = mass
    if is_held(state[at + HOLD * count]):
        for k in range(BODY_SIZE * b, BODY_SIZE * (b + 1)):
            weight[k] = 0.0


@kernel
def weigh_frame(model: Model, s: int, weight: np.ndarray, h: float) -> None:
    """Write the weights of the frame of modal body s into `weight` (k,), for a step h [s].

    Its moment of inertia is the mean one of its points at rest, 2/3 sum m s^2.
    """
    moment = 0.0
    for i in range(model.modal.first[s], model.modal.stop[s]):
        arm = (model.modal.rest[0, i], model.modal.rest[1, i], model.modal.rest[2, i])
        moment += 2.0 / 3.0 * model.points.mass[i] * dot(arm, arm)
    add_weights(weight, len(model.bodies.mass) + s, model.modal.mass[s], moment, h)


@kernel
def weigh_linkages(model: Model, weight: np.ndarray) -> None:
    """Write the weights of flux linkages and of charges of capacitors into `weight` (k,): inverse inductances and
    capacitances, by which they have an energy.
    """
    at = model.circuits.at
    for i in range(len(model.circuits.dynamic)):
        own = 0.0
        for k in range(len(model.coils.circuit)):
            if model.coils.circuit[k] == model.circuits.dynamic[i]:
                own += model.coils.inductance[k, k]
        weight[at + i] = 1.0 / own
    for i in range(len(model.circuits.charged)):
        weight[at + len(model.circuits.dynamic) + i] = model.circuits.elastance[model.circuits.charged[i]]
    at = model.conductors.at
    for c in range(len(model.conductors.body)):
        start = model.conductors.first_mode[c]
        for k in range(start, start + model.conductors.slow[c]):
            weight[at] = 1.0 / model.conductors.time_constant[k]
            at += 1
