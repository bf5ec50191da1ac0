"""Time derivative of the whole state, and how a step ends: all that an integrator knows of the physics."""

from __future__ import annotations

import numpy as np

from core.forces import add_forces, clear
from core.kernel import kernel
from core.modal_placement import add_inertial
from core.model import Clock, Inputs, Model, Tape, Work
from core.placement import orthonormalise, place, project


@kernel
def rates(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, rate: np.ndarray) -> None:
    """Write d(state)/dt at `time` [s] into `rate`: place everything, sum the forces, keep what the supports allow."""
    place(model, time, state, work)
    add_forces(model, inputs, time, state, work)
    if len(model.modal.mass) > 0:
        add_inertial(model, state, work)
    project(model, inputs, state, work, rate)


@kernel
def motion(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, rate: np.ndarray) -> None:
    """As `rates`, without forces: how the places change while the momenta stay. Costs next to nothing."""
    place(model, time, state, work)
    clear(work)
    project(model, inputs, state, work, rate)


@kernel
def drift(model: Model, inputs: Inputs, time: float, dt: float, work: Work) -> None:
    """Move the places in `work.stage` on by dt [s] at the rates in the middle, while the momenta stay: order 2."""
    motion(model, inputs, time, work.stage, work, work.rate)
    for i in range(len(work.stage)):
        work.middle[i] = work.stage[i] + 0.5 * dt * work.rate[i]
    motion(model, inputs, time + 0.5 * dt, work.middle, work, work.rate)
    for i in range(len(work.stage)):
        work.stage[i] += dt * work.rate[i]


@kernel
def kick(model: Model, dt: float, rate: np.ndarray, state: np.ndarray, kicked: np.ndarray) -> None:
    """Write into `kicked` the state with its momenta changed by dt [s] times their rates; it may be `state` itself."""
    for i in range(len(state)):
        kicked[i] = state[i] + dt * rate[i] if model.is_momentum[i] else state[i]


@kernel
def time_at(clock: Clock, step: int) -> float:
    """Time [s] at the start of a step of the batch."""
    return clock.start + (clock.done + step) * clock.step


@kernel
def accept(model: Model, work: Work, state: np.ndarray) -> bool:
    """End a step: repair the bases of the next state, which stands in `work.stage`, and make it the state.

    Where it is not finite the state stays the last good one, and the answer is False.
    """
    drift = orthonormalise(model, work.stage)
    lost = 0
    for i in range(len(state)):  # a count, unlike a sum, may be taken in any order: eight numbers at once
        lost += not abs(work.stage[i]) < np.inf
    if lost:
        return False
    work.drift[0] = max(work.drift[0], drift)
    for i in range(len(state)):
        state[i] = work.stage[i]
    if work.tape.count[0] > 0:
        keep(work.tape, state)
    return True


@kernel
def keep(tape: Tape, state: np.ndarray) -> None:
    """Count a step, and write its state on the tape if it is one to keep and there is room."""
    tape.count[1] += 1
    number = tape.count[2]
    if tape.count[1] < tape.count[0] or number == len(tape.states):
        return
    tape.count[1] = 0
    tape.count[2] = number + 1
    for i in range(len(state)):
        tape.states[number, i] = state[i]
