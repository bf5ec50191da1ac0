"""Time derivative of the state and the end of a step: everything an integrator needs to know of the physics.

`rates` evaluates f(t, y) of dy/dt = f(t, y): REDUCE, placement, LAW, SOLVE, PROJECT. It writes to `work` only, and to
the rows of y that REDUCE expands. A method combines rates, and ends a step by `accept_step` or `finish_step`.

Bodies, their weight and the friction of their supports are called directly, because nearly every scene has bodies and a
call by address would cost more than they do. All other subjects are called by the addresses of their hooks, phase by
phase (core/polhode/engine/part.py), and only if the scene has them.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import DRIVE, FRICTION, LEDGER_SIZE
from polhode.engine.model import Clock, Inputs, Model, StoredStates, Work
from polhode.engine.program import FINISH, LAW, PLACE, PROJECT, REDUCE, REST, SOLVE, call_phase
from polhode.jit.kernel import inlined, kernel
from polhode.jit.kernel_struct import rows_within
from polhode.jit.simd import WIDTH, broadcast, load, reduce_sum, store
from polhode.jit.vec import add, cross, dot
from polhode.jit.work_sharing import (
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
from polhode.physics.bodies.arrays import read_basis
from polhode.physics.bodies.pivot_friction import add_support_friction, friction_torque
from polhode.physics.bodies.placement import (
    orthonormalise_bodies,
    place_bodies,
    place_body,
    project_bodies,
    project_body,
)
from polhode.physics.frame.gravity import add_weight_of_bodies, weight

NOT_COUNTED = -1  # in place of a number of non-finite components
LARGEST = 1e100  # of a component of a good state [SI]: energies, products of two of them, are finite, too
TO_INFINITY = 1.79e308 / LARGEST  # factor beyond which values overflow


@kernel
def place(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """REDUCE and PLACE: write world positions and velocities at `time` [s] into `work`.

    All forces and powers become zero.

    Forces on points are an exception: the first law, or REST, initialises them. Rows of reduced coordinates are
    expanded in `state` (k,) first.
    """
    call_phase(REDUCE, model, inputs, time, state, work, work.rate)
    place_bodies(model.bodies, inputs.sensor_track, time, state, work.bodies)
    for k in range(LEDGER_SIZE):
        work.power[k] = 0.0
    call_phase(PLACE, model, inputs, time, state, work, work.rate)


@kernel
def add_forces(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """LAW and SOLVE: add forces [N], torques [N m] about the reference points and powers [W] to `work`.

    `state` (k,) must have been placed at `time` [s]. Afterwards `work` holds the resultants of all forces.
    """
    moving = model.bodies.first_bead if work.idle[1] > 0 else len(model.bodies.mass)
    add_weight_of_bodies(model.bodies, moving, inputs.gravity, work.bodies)
    add_support_friction(model.bodies, work.bodies, work.power)
    call_phase(LAW, model, inputs, time, state, work, work.energy)
    call_phase(SOLVE, model, inputs, time, state, work, work.energy)


@kernel
def project(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, rate: np.ndarray) -> None:
    """PROJECT: write d(state)/dt (k,) under the forces in `work` into `rate`, subject to supports and paths.

    The rates of the ledger are the powers of all phases so far.
    """
    project_bodies(model.bodies, state, work.bodies, work.power, rate)
    call_phase(PROJECT, model, inputs, time, state, work, rate)
    for k in range(LEDGER_SIZE):
        rate[model.ledger + k] = work.power[k]


@kernel
def rates(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, rate: np.ndarray) -> None:
    """Write f(t, y) = d(state)/dt (k,) at `time` [s] into `rate`: place, sum the laws, project.

    Without hooks up to PROJECT a scene has bodies only, and `rates_of_bodies` does the same in one loop.
    """
    if work.program.first[FINISH] == 0:  # bodies only
        rates_of_bodies(model, inputs, time, state, rate)
        return
    place(model, inputs, time, state, work)
    add_forces(model, inputs, time, state, work)
    project(model, inputs, time, state, work, rate)


@kernel
def rates_of_bodies(model: Model, inputs: Inputs, time: float, state: np.ndarray, rate: np.ndarray) -> None:
    """As `rates` (k,), for bodies under weight and support friction only: one loop without scratch arrays."""
    gravity, friction, drive = (inputs.gravity[0], inputs.gravity[1], inputs.gravity[2]), 0.0, 0.0
    for b in range(len(model.bodies.mass)):
        basis = read_basis(state, b)
        _, velocity, arm, omega = place_body(model.bodies, inputs.sensor_track, b, time, state, basis)
        force, resisting = weight(model.bodies.mass[b], gravity), friction_torque(model.bodies.friction[b], omega)
        friction += dot(resisting, omega)
        drive += project_body(model.bodies, b, basis, velocity, omega, force, add(cross(arm, force), resisting), rate)
    for k in range(LEDGER_SIZE):
        rate[model.ledger + k] = 0.0
    rate[model.ledger + FRICTION], rate[model.ledger + DRIVE] = friction, drive


@kernel
def motion(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, rate: np.ndarray) -> None:
    """As `rates`, without forces: the kinematic part of d(state)/dt (k,), with constant momenta."""
    place(model, inputs, time, state, work)
    call_phase(REST, model, inputs, time, state, work, work.rate)
    project(model, inputs, time, state, work, rate)


@kernel
def drift(model: Model, inputs: Inputs, time: float, dt: float, work: Work) -> None:
    """Advance the positions in `work.stage` by dt [s] with constant momenta, by the midpoint rule (order 2).

    Overwrites `work.rate` and `work.second_stage`.
    """
    motion(model, inputs, time, work.stage, work, work.rate)
    for i in range(len(work.stage)):
        work.second_stage[i] = work.stage[i] + 0.5 * dt * work.rate[i]
    motion(model, inputs, time + 0.5 * dt, work.second_stage, work, work.rate)
    for i in range(len(work.stage)):
        work.stage[i] += dt * work.rate[i]


@kernel
def kick(model: Model, dt: float, rate: np.ndarray, state: np.ndarray, kicked: np.ndarray) -> None:
    """Write `state` (k,) with its momenta changed by dt [s] times `rate` (k,) into `kicked` (k,), which may be `state`.

    The ledger counts as a momentum, since its rates depend on forces.
    """
    for i in range(len(state)):
        kicked[i] = state[i] + dt * rate[i] if model.is_momentum[i] else state[i]


@kernel
def time_at(clock: Clock, step: int) -> float:
    """Time [s] at the start of step `step` of the batch: start + (done + step) dt, without accumulated rounding."""
    return clock.start + (clock.done + step) * clock.step


@inlined
def finish_step(model: Model, inputs: Inputs, time: float, work: Work, following: np.ndarray, nonfinite: int) -> bool:
    """End a step at `time` [s]: project the next state `following` (k,), and return whether it is good: finite, and no
    component beyond LARGEST. One with an event (core/polhode/engine/events.py) is not good.

    FINISH moves beads beyond the end of their path back, which overwrites `work.rate`; bases are made orthonormal
    again, and the largest deviation before is kept in `work.basis_error`. A due state is stored in the sample buffer.
    `nonfinite` is the number of components of `following` that were not finite on entry, or NOT_COUNTED.
    """
    call_phase(FINISH, model, inputs, time, following, work, work.rate)
    if work.events.found[0] != 0:
        return False
    error = orthonormalise_bodies(model.bodies, following)
    mended = len(model.bodies.mass) > 0 or work.program.first[FINISH + 1] > work.program.first[FINISH]
    if (mended or nonfinite == NOT_COUNTED) and not is_finite(work, following):
        return False
    if nonfinite > 0:
        return False
    work.basis_error[0] = max(work.basis_error[0], error)
    left = work.samples.count[1]
    if left > 1:  # here, since a call would take a fortieth of a step of a top
        work.samples.count[1] = left - 1
    elif left == 1:
        sample_step(work.samples, following)
    return True


@kernel
def is_finite(work: Work, following: np.ndarray) -> bool:
    """Whether `following` (k,) is within LARGEST, idle rows excepted. Shared with a helper thread."""
    if work.idle[1] > 0:
        return count_nonfinite(following[work.idle[1] :]) + count_nonfinite(following[: work.idle[0]]) == 0
    if has_help(work.work_sharing):
        publish_task(work.work_sharing, CHECK, PARTS, following, following, following, following)
        part = first_part(work.work_sharing)
        while part >= 0:
            work.nonfinite_counts[part] = count_nonfinite(following[piece_of(len(following), part, PARTS)])
            part = next_part(work.work_sharing)
        wait(work.work_sharing, PARTS)
        return total_nonfinite(work) == 0
    return count_nonfinite(following) == 0


@kernel
def total_nonfinite(work: Work) -> int:
    """Sum of `work.nonfinite_counts`, the counts of all parts."""
    nonfinite = 0
    for part in range(PARTS):
        nonfinite += work.nonfinite_counts[part]
    return nonfinite


@kernel
def count_nonfinite(numbers: np.ndarray) -> int:
    """Number of values beyond LARGEST, or NaN, in `numbers` (n,): an integer sum, which may be vectorised."""
    nonfinite = 0
    for i in range(len(numbers)):
        nonfinite += not abs(numbers[i]) <= LARGEST
    return nonfinite


@kernel
def combine_rates(
    now: np.ndarray, a: float, rate: np.ndarray, b: float, last: np.ndarray, work: Work, following: np.ndarray
) -> int:
    """following = now + a rate + b last, all (k,), with a and b in s; returns the number of non-finite components.

    Shared with a helper thread if there is one; every component is computed the same way then.
    """
    work.factors[0], work.factors[1] = a, b
    if has_help(work.work_sharing):
        publish_task(work.work_sharing, COMBINE, PARTS, now, rate, last, following)
        part = first_part(work.work_sharing)
        while part >= 0:
            combine_some(now, rate, last, work, following, part, PARTS)
            part = next_part(work.work_sharing)
        wait(work.work_sharing, PARTS)
        return total_nonfinite(work)
    combine_some(now, rate, last, work, following, 0, 1)
    return work.nonfinite_counts[0]


@kernel
def combine_some(
    now: np.ndarray, rate: np.ndarray, last: np.ndarray, work: Work, following: np.ndarray, piece: int, pieces: int
) -> None:
    """The part `piece` of `pieces` of `combine_rates`; all arrays (k,). Writes its count to `work.nonfinite_counts`.

    The factors are read from `work.factors`, since a helper knows the task and its arrays only.
    """
    a, b, begin = work.factors[0], work.factors[1], first_of(len(now), piece, pieces)
    count = first_of(len(now), piece + 1, pieces) - begin
    y, f = rows_within(now, begin, 1, count), rows_within(rate, begin, 1, count)
    g, result = rows_within(last, begin, 1, count), rows_within(following, begin, 1, count)
    nonfinite, zero = 0, broadcast(0.0)
    for i in range(0, count - WIDTH + 1, WIDTH):
        numbers = load(y, 0, i) + (a * load(f, 0, i) + b * load(g, 0, i))
        store(result, 0, i, None, numbers)
        zero = zero + 0.0 * (TO_INFINITY * numbers)  # no longer zero where one is beyond LARGEST
    for i in range(count - count % WIDTH, count):
        result[0, i] = y[0, i] + (a * f[0, i] + b * g[0, i])
        nonfinite += not abs(result[0, i]) <= LARGEST
    nonfinite += reduce_sum(zero) != 0.0
    work.nonfinite_counts[piece] = nonfinite


@kernel
def accept_step(model: Model, inputs: Inputs, time: float, work: Work, state: np.ndarray) -> bool:
    """End a step at `time` [s] whose next state is in `work.stage`, and copy it into `state` (k,).

    Returns False and leaves `state` unchanged if the next state is not finite, or the step is cancelled
    (`work.cancel`).
    """
    if work.cancel[0] != 0 or not finish_step(model, inputs, time, work, work.stage, NOT_COUNTED):
        return False
    if work.idle[1] > 0:
        copy(work.stage[work.idle[1] :], state[work.idle[1] :])
        copy(work.stage[: work.idle[0]], state[: work.idle[0]])
        return True
    for i in range(len(state)):
        state[i] = work.stage[i]
    return True


@kernel
def accept_step_as_it_is(model: Model, inputs: Inputs, time: float, work: Work, state: np.ndarray) -> bool:
    """As `accept_step`, but bases of bodies are not made orthonormal. For methods without idle rows."""
    call_phase(FINISH, model, inputs, time, work.stage, work, work.rate)
    if count_nonfinite(work.stage) > 0:
        return False
    left = work.samples.count[1]
    if left > 1:  # here, since a call would take a fortieth of a step of a top
        work.samples.count[1] = left - 1
    elif left == 1:
        sample_step(work.samples, work.stage)
    copy(work.stage, state)
    return True


@kernel
def copy(numbers: np.ndarray, to: np.ndarray) -> None:
    """Copy `numbers` (n,) to `to` (n,)."""
    for i in range(len(to)):
        to[i] = numbers[i]


@kernel
def sample_step(samples: StoredStates, state: np.ndarray) -> None:
    """Store a `state` (k,) in the sample buffer if there is room, and count the steps to the next one from here."""
    number = samples.count[2]
    if number == len(samples.states):
        return
    samples.count[1], samples.count[2] = samples.count[0], number + 1
    for i in range(len(state)):
        samples.states[number, i] = state[i]
