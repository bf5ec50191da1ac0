"""Time derivative of the whole state, and how a step ends: all that an integrator knows of the physics.

Bodies, their weight and the friction of their supports are part of every step, for nearly every scene has bodies, and
a call by address would cost a single top more than they do. Every other subject joins by its hooks, and only where the
scene has it.
"""

from __future__ import annotations

import numpy as np

from core.engine.ledger import DRIVE, FRICTION, LEDGER_SIZE
from core.engine.model import Clock, Inputs, Model, SampleBuffer, Work
from core.engine.program import FINISH, LAW, PLACE, PROJECT, REDUCE, REST, SOLVE, call_phase
from core.jit.kernel import inlined, kernel
from core.jit.kernel_struct import rows_within
from core.jit.simd import WIDTH, broadcast, load, reduce_sum, store
from core.jit.vec import add, cross, dot
from core.jit.work_sharing import (
    CHECK,
    COMBINE,
    PARTS,
    first_of,
    first_part,
    has_help,
    next_part,
    piece_of,
    publish_task,
    wait,
)
from core.physics.bodies.arrays import read_basis
from core.physics.bodies.pivot_friction import add_support_friction, friction_torque
from core.physics.bodies.placement import orthonormalise_bodies, place_bodies, place_body, project_bodies, project_body
from core.physics.frame.gravity import add_weight_of_bodies, weight

UNCOUNTED = -1  # where it is asked how many numbers are not finite


@kernel
def place(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """Where everything is in space at `time` [s], and how it moves. No force acts yet."""
    call_phase(REDUCE, model, inputs, time, state, work, work.rate)
    place_bodies(model.bodies, inputs.hand, time, state, work.bodies)
    for k in range(LEDGER_SIZE):
        work.power[k] = 0.0
    call_phase(PLACE, model, inputs, time, state, work, work.rate)


@kernel
def add_forces(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """Forces [N], torques about the reference points [N m] and powers [W] of all laws; all is placed at `time` [s]."""
    moving = model.bodies.first_bead if work.idle[1] > 0 else len(model.bodies.mass)
    add_weight_of_bodies(model.bodies, moving, inputs.gravity, work.bodies)
    add_support_friction(model.bodies, work.bodies, work.power)
    call_phase(LAW, model, inputs, time, state, work, work.energy)
    call_phase(SOLVE, model, inputs, time, state, work, work.energy)


@kernel
def project(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, rate: np.ndarray) -> None:
    """Write d(state)/dt under the forces in `work` into `rate`, as far as supports, paths and hands allow it."""
    project_bodies(model.bodies, state, work.bodies, work.power, rate)
    call_phase(PROJECT, model, inputs, time, state, work, rate)
    for k in range(LEDGER_SIZE):
        rate[model.ledger + k] = work.power[k]


@kernel
def rates(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, rate: np.ndarray) -> None:
    """Write d(state)/dt at `time` [s] into `rate`: place everything, sum the forces, keep what the supports allow."""
    if work.program.first[FINISH] == 0:  # no other subject takes part
        rates_of_bodies(model, inputs, time, state, rate)
        return
    place(model, inputs, time, state, work)
    add_forces(model, inputs, time, state, work)
    project(model, inputs, time, state, work, rate)


@kernel
def rates_of_bodies(model: Model, inputs: Inputs, time: float, state: np.ndarray, rate: np.ndarray) -> None:
    """The same of bodies on which nothing acts but their weight and their supports: one loop, nothing is stored."""
    gravity, friction, drive = (inputs.gravity[0], inputs.gravity[1], inputs.gravity[2]), 0.0, 0.0
    for b in range(len(model.bodies.mass)):
        basis = read_basis(state, b)
        _, velocity, arm, omega = place_body(model.bodies, inputs.hand, b, time, state, basis)
        force, resisting = weight(model.bodies.mass[b], gravity), friction_torque(model.bodies.friction[b], omega)
        friction += dot(resisting, omega)
        drive += project_body(model.bodies, b, basis, velocity, omega, force, add(cross(arm, force), resisting), rate)
    for k in range(LEDGER_SIZE):
        rate[model.ledger + k] = 0.0
    rate[model.ledger + FRICTION], rate[model.ledger + DRIVE] = friction, drive


@kernel
def motion(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, rate: np.ndarray) -> None:
    """As `rates`, without forces: how the places change while the momenta stay. Costs next to nothing."""
    place(model, inputs, time, state, work)
    call_phase(REST, model, inputs, time, state, work, work.rate)
    project(model, inputs, time, state, work, rate)


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
def finish_step(model: Model, inputs: Inputs, time: float, work: Work, following: np.ndarray, lost: int) -> bool:
    """End a step at `time` [s]: mend the next state, and see that it is finite; only then it counts.

    Beads that are beyond the end of their path come back, and bases are orthonormal again. Rates in work.rate are lost
    where a bead does. `lost` is how many numbers of the state were not finite before all that, if somebody has counted.
    """
    call_phase(FINISH, model, inputs, time, following, work, work.rate)
    drift = orthonormalise_bodies(model.bodies, following)
    mended = len(model.bodies.mass) > 0 or work.program.first[FINISH + 1] > work.program.first[FINISH]
    if (mended or lost == UNCOUNTED) and not is_finite(work, following):
        return False
    if lost > 0:
        return False
    work.drift[0] = max(work.drift[0], drift)
    if work.tape.count[0] > 0:
        sample_step(work.tape, following)
    return True


@kernel
def is_finite(work: Work, following: np.ndarray) -> bool:
    """Whether all numbers are, but for those that wait."""
    if work.idle[1] > 0:
        return count_lost(following[work.idle[1] :]) + count_lost(following[: work.idle[0]]) == 0
    if has_help(work.crew):
        publish_task(work.crew, CHECK, PARTS, following, following, following, following)
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
        publish_task(work.crew, COMBINE, PARTS, now, rate, last, following)
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
    a, b, begin = work.factors[0], work.factors[1], first_of(len(now), piece, pieces)
    count = first_of(len(now), piece + 1, pieces) - begin
    y, f = rows_within(now, begin, 1, count), rows_within(rate, begin, 1, count)
    g, result = rows_within(last, begin, 1, count), rows_within(following, begin, 1, count)
    lost, zero = 0, broadcast(0.0)
    for i in range(0, count - WIDTH + 1, WIDTH):
        numbers = load(y, 0, i) + (a * load(f, 0, i) + b * load(g, 0, i))
        store(result, 0, i, None, numbers)
        zero = zero + 0.0 * numbers  # no longer zero where one is not finite
    for i in range(count - count % WIDTH, count):
        result[0, i] = y[0, i] + (a * f[0, i] + b * g[0, i])
        lost += not abs(result[0, i]) < np.inf
    lost += reduce_sum(zero) != 0.0
    work.part_lost[piece] = lost


@kernel
def accept_step(model: Model, inputs: Inputs, time: float, work: Work, state: np.ndarray) -> bool:
    """End a step at `time` [s] whose next state stands in `work.stage`, and make it the state.

    Where it is not finite the state stays the last good one, and the answer is False.
    """
    if not finish_step(model, inputs, time, work, work.stage, UNCOUNTED):
        return False
    if work.idle[1] > 0:
        copy(work.stage[work.idle[1] :], state[work.idle[1] :])
        copy(work.stage[: work.idle[0]], state[: work.idle[0]])
        return True
    for i in range(len(state)):
        state[i] = work.stage[i]
    return True


@kernel
def copy(numbers: np.ndarray, to: np.ndarray) -> None:
    for i in range(len(to)):
        to[i] = numbers[i]


@kernel
def sample_step(tape: SampleBuffer, state: np.ndarray) -> None:
    """Count a step, and write its state on the tape if it is one to keep and there is room."""
    tape.count[1] += 1
    number = tape.count[2]
    if tape.count[1] < tape.count[0] or number == len(tape.states):
        return
    tape.count[1] = 0
    tape.count[2] = number + 1
    for i in range(len(state)):
        tape.states[number, i] = state[i]
