"""Time derivative of the whole state, and how a step ends: all that an integrator knows of the physics."""

from __future__ import annotations

import numpy as np

from core.bead_ends import end_paths
from core.crew import CHECK, COMBINE, PARTS, first_part, has_help, next_part, piece_of, share_out, wait
from core.forces import add_forces, clear
from core.kernel import inlined, kernel
from core.modal_placement import add_inertial
from core.model import Clock, Inputs, Model, Tape, Work
from core.placement import orthonormalise, place, project

UNCOUNTED = -1  # where it is asked how many numbers are not finite


@kernel
def rates(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, rate: np.ndarray) -> None:
    """Write d(state)/dt at `time` [s] into `rate`: place everything, sum the forces, keep what the supports allow."""
    place(model, inputs, time, state, work)
    add_forces(model, inputs, time, state, work)
    if len(model.modal.mass) > 0:
        add_inertial(model, state, work)
    project(model, inputs, state, work, rate)


@kernel
def motion(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, rate: np.ndarray) -> None:
    """As `rates`, without forces: how the places change while the momenta stay. Costs next to nothing."""
    place(model, inputs, time, state, work)
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


@inlined
def is_sound(model: Model, inputs: Inputs, time: float, work: Work, following: np.ndarray, lost: int) -> bool:
    """End a step at `time` [s]: mend the next state, and see that it is finite; only then it counts.

    Beads that are beyond the end of their path come back, and bases are orthonormal again. Rates in work.rate are lost
    where a bead does. `lost` is how many numbers of the state were not finite before all that, if somebody has counted.
    """
    if len(model.beads.body) > 0:
        end_paths(model, inputs, time, following, work)
    drift = orthonormalise(model, following)
    mended = len(model.bodies.mass) + len(model.modal.mass) > 0
    if (mended or lost == UNCOUNTED) and not is_finite(work, following):
        return False
    if lost > 0:
        return False
    work.drift[0] = max(work.drift[0], drift)
    if work.tape.count[0] > 0:
        keep(work.tape, following)
    return True


@kernel
def is_finite(work: Work, following: np.ndarray) -> bool:
    if has_help(work.crew):
        share_out(work.crew, CHECK, PARTS, following, following, following, following)
        part = first_part(work.crew)
        while part >= 0:
            work.part_lost[part] = count_lost(following[piece_of(len(following), part, PARTS)])
            part = next_part(work.crew)
        wait(work.crew, PARTS)
        return all_lost(work) == 0
    return count_lost(following) == 0


@kernel
def all_lost(work: Work) -> int:
    """What the parts have counted."""
    lost = 0
    for part in range(PARTS):
        lost += work.part_lost[part]
    return lost


@kernel
def count_lost(numbers: np.ndarray) -> int:
    """Numbers that are not finite; a count, unlike a sum, may be taken in any order: eight numbers at once."""
    lost = 0
    for i in range(len(numbers)):
        lost += not abs(numbers[i]) < np.inf
    return lost


@kernel
def combine_rates(
    now: np.ndarray, a: float, rate: np.ndarray, b: float, last: np.ndarray, work: Work, following: np.ndarray
) -> int:
    """following = now + a rate + b last; returns how many numbers of it are not finite."""
    work.factors[0], work.factors[1] = a, b
    if has_help(work.crew):
        share_out(work.crew, COMBINE, PARTS, now, rate, last, following)
        part = first_part(work.crew)
        while part >= 0:
            combine_some(now, rate, last, work, following, part, PARTS)
            part = next_part(work.crew)
        wait(work.crew, PARTS)
        return all_lost(work)
    combine_some(now, rate, last, work, following, 0, 1)
    return work.part_lost[0]


@kernel
def combine_some(
    now: np.ndarray, rate: np.ndarray, last: np.ndarray, work: Work, following: np.ndarray, piece: int, pieces: int
) -> None:
    a, b, here = work.factors[0], work.factors[1], piece_of(len(now), piece, pieces)
    y, f, g, result, lost = now[here], rate[here], last[here], following[here], 0
    for i in range(len(result)):
        number = y[i] + (a * f[i] + b * g[i])
        result[i] = number
        lost += not abs(number) < np.inf
    work.part_lost[piece] = lost


@kernel
def accept(model: Model, inputs: Inputs, time: float, work: Work, state: np.ndarray) -> bool:
    """End a step at `time` [s] whose next state stands in `work.stage`, and make it the state.

    Where it is not finite the state stays the last good one, and the answer is False.
    """
    if not is_sound(model, inputs, time, work, work.stage, UNCOUNTED):
        return False
    for i in range(len(state)):
        state[i] = work.stage[i]
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
