"""Impacts at limits and of strings that become taut, dry friction that stops or slips, and joints that break.

At limits with restitutions e that are reached together the rates dq/dt of the coordinates become -e dq/dt by impulses P
of the equations that hold them, which all joints pass on:

    J W J^T P = -(1 + e) dq/dt

with 0 for all other equations. Impulses that would pull are left out. What is at another limit stays there during the
impact. The energy that is lost goes to the ledger's line CONTACT, and the work of driven bodies to DRIVE. A joint that
would come back within a few steps is held at its limit until the forces pull it away.
"""

from __future__ import annotations

from math import isnan

import numpy as np

from polhode.engine.events import FREE as UNDIVIDED
from polhode.engine.ledger import CONTACT, DRIVE
from polhode.engine.model import NOTHING, Inputs, Model, Step, Work
from polhode.engine.rates import rates
from polhode.jit.kernel import kernel
from polhode.physics.bodies.arrays import DRIVEN
from polhode.physics.joints.arrays import (
    AT_LOWER,
    AT_UPPER,
    BROKEN,
    FREE,
    PER_JOINT,
    SLIDES_BACKWARD,
    SLIDES_FORWARD,
    STUCK,
    Joints,
    JointWork,
    scale_of_coordinate,
    slots,
    status_of,
    write_status,
)
from polhode.physics.joints.block_ldl import solve
from polhode.physics.joints.constraints.projection import add_impulses
from polhode.physics.joints.constraints.reactions import rate_of_row, write_velocities
from polhode.physics.joints.constraints.switching import KEPT, hold_row, position_and_rate, write_values
from polhode.physics.paths.path_ends import add_to_ledger
from polhode.physics.tracks.switching import total_energy

ROUNDING = 1e-9  # of the dry friction, within which it no longer holds: the step has been divided where it lets go
TOGETHER = 1e-12  # distance to a limit, in parts of `scale_of_coordinate`, within which it is reached with others
AT_REST = 1e-12  # [rad/s] or [m/s] rate that rounding may leave at the start of a joint that dry friction holds


@kernel
def change_status(s: Step) -> None:
    """IMPACT: change status and velocity of joints with negative values in `out` (PER_JOINT q,), made positive."""
    model, inputs, time, state, work, values = s.model, s.inputs, s.time, s.state, s.work, s.out
    joints, together = model.joints, False
    for n in range(len(joints.switching)):
        j, at = joints.switching[n], PER_JOINT * n
        inside, keeps_direction, holds = values[at], values[at + 1] > 0.0, values[at + 2] > 0.0
        values[at], values[at + 1], values[at + 2] = KEPT, KEPT, KEPT
        moves = status_of(joints, j, state) in (FREE, SLIDES_FORWARD, SLIDES_BACKWARD)
        work.joints.reached[n] = moves and holds and inside <= TOGETHER * scale_of_coordinate(joints, j)
        together = together or (moves and holds and not inside > 0.0)
        if (inside > 0.0 and keeps_direction and holds) or work.joints.reached[n]:
            continue
        work.beads.history_invalid[0] = 1.0
        if not holds:
            break_joint(model, inputs, time, j, state, work)
        else:
            settle(model, inputs, time, j, state, work)
    if together:
        work.beads.history_invalid[0] = 1.0
        reach_limits(model, inputs, time, state, work)


@kernel
def settle(model: Model, inputs: Inputs, time: float, j: int, state: np.ndarray, work: Work) -> None:
    """Joint j leaves a limit or stops: dry friction holds it, or it moves to where the forces drive it."""
    joints = model.joints
    if joints.dry_friction[j] == 0.0:
        write_status(joints, j, state, FREE)
        return
    if status_of(joints, j, state) == FREE:
        _, rate = position_and_rate(joints, j, state, work.bodies)
        if abs(rate) > AT_REST:
            write_status(joints, j, state, SLIDES_FORWARD if rate > 0.0 else SLIDES_BACKWARD)
            return
    write_status(joints, j, state, STUCK)
    rates(model, inputs, time, state, work, work.rate)
    held = work.joints.multiplier[hold_row(joints, j)]
    if abs(held) >= (1.0 - ROUNDING) * joints.dry_friction[j]:
        write_status(joints, j, state, SLIDES_BACKWARD if held > 0.0 else SLIDES_FORWARD)


@kernel
def reach_limits(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """Let the joints in `work.joints.reached`, at a limit or at the length of a string, bounce or be held there."""
    joints, reached = model.joints, work.joints.reached
    before = total_energy(model, inputs, time, state, work)
    for n in range(len(joints.switching)):
        j = joints.switching[n]
        if reached[n]:
            position, rate = position_and_rate(joints, j, state, work.bodies)
            at_upper = joints.limits[j, 1] - position < position - joints.limits[j, 0]
            reached[n] = (rate if at_upper else -rate) >= 0.0  # else on its way back
            if reached[n]:
                write_status(joints, j, state, AT_UPPER if at_upper else AT_LOWER)
                work.joints.rebound[n] = -rate
    while True:
        rates(model, inputs, time, state, work, work.rate)
        write_rebounds(joints, state, work.joints, work.stop_time[0])
        if not release_pulled(joints, state, work.joints):
            break
    driven = work_of_drives(joints, model.bodies.support, work)
    add_impulses(model.bodies, joints, state, work.joints)
    for n in range(len(joints.switching)):
        j = joints.switching[n]
        if reached[n] and work.joints.bounces[n]:
            let_go(joints, j, state)
    rates(model, inputs, time, state, work, work.rate)
    gained = total_energy(model, inputs, time, state, work) - before
    add_to_ledger(model.ledger, state, DRIVE, driven)
    add_to_ledger(model.ledger, state, CONTACT, gained - driven)


@kernel
def write_rebounds(joints: Joints, state: np.ndarray, work: JointWork, stop_time: float) -> None:
    """Write the impulses at all limits that are reached, after `rates` with these held, and which joints bounce.

    A joint is back after 2 e |rate|/a, with the acceleration a = pressed/mass and the mass impulse/|rate|.
    """
    for n in range(len(joints.switching)):
        work.pressed[n] = work.multiplier[hold_row(joints, joints.switching[n])]
    work.multiplier[:] = 0.0
    for n in range(len(joints.switching)):
        if work.reached[n]:
            work.multiplier[hold_row(joints, joints.switching[n])] = work.rebound[n]
    solve(joints.factor, joints.row, work.matrix, work.inverse, work.multiplier)
    for n in range(len(joints.switching)):
        j = joints.switching[n]
        inward = -1.0 if status_of(joints, j, state) == AT_UPPER else 1.0
        impulse, pressed = abs(work.multiplier[hold_row(joints, j)]), inward * work.pressed[n]
        work.bounces[n] = 2.0 * joints.restitution[j] * impulse > pressed * stop_time
    work.multiplier[:] = 0.0
    for n in range(len(joints.switching)):
        if work.reached[n]:
            j = joints.switching[n]
            part = 1.0 + joints.restitution[j] if work.bounces[n] else 1.0
            work.multiplier[hold_row(joints, j)] = part * work.rebound[n]
    solve(joints.factor, joints.row, work.matrix, work.inverse, work.multiplier)


@kernel
def release_pulled(joints: Joints, state: np.ndarray, work: JointWork) -> bool:
    """Release the joints whose impulses would pull them to their limits; returns whether there are any."""
    found = False
    for n in range(len(joints.switching)):
        j = joints.switching[n]
        inward = -1.0 if status_of(joints, j, state) == AT_UPPER else 1.0
        if work.reached[n] and inward * work.multiplier[hold_row(joints, j)] < 0.0:
            work.reached[n], found = False, True
            let_go(joints, j, state)
    return found


@kernel
def let_go(joints: Joints, j: int, state: np.ndarray) -> None:
    """Joint j leaves its limit."""
    sliding = SLIDES_BACKWARD if status_of(joints, j, state) == AT_UPPER else SLIDES_FORWARD
    write_status(joints, j, state, sliding if joints.dry_friction[j] > 0.0 else FREE)


@kernel
def work_of_drives(joints: Joints, support: np.ndarray, work: Work) -> float:
    """Work [J] of what drives bodies while the impulses of `work.joints.multiplier` act on them.

    support: (n,) int64 of all bodies
    """
    total = 0.0
    write_velocities(joints, work.bodies, work.joints)
    for j in range(len(joints.kind)):
        for s in range(slots(joints)):
            b = joints.body[j, s]
            if b == NOTHING or support[b] != DRIVEN:
                continue
            for k in range(joints.row[j + 1] - joints.row[j]):
                total -= work.joints.multiplier[joints.row[j] + k] * rate_of_row(joints, j, s, k, work.joints)
    return total


@kernel
def break_joint(model: Model, inputs: Inputs, time: float, j: int, state: np.ndarray, work: Work) -> None:
    """Joint j breaks; the energy of its spring is lost."""
    before = total_energy(model, inputs, time, state, work)
    write_status(model.joints, j, state, BROKEN)
    rates(model, inputs, time, state, work, work.rate)
    add_to_ledger(model.ledger, state, CONTACT, total_energy(model, inputs, time, state, work) - before)


@kernel
def settle_after_step(s: Step) -> None:
    """FINISH of steps that are not divided: what is due by the end of the step happens there, if it is projected."""
    if s.work.events.mode[0] == UNDIVIDED and not isnan(s.state[s.model.joints.at]):
        values = Step(s.model, s.inputs, s.time, s.state, s.work, s.work.joints.values)
        write_values(values)
        change_status(values)
