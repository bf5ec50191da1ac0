"""Impacts at limits and of strings that become taut, dry friction that stops or slips, and joints that break.

At a limit with the restitution e the rate dq/dt of the coordinate becomes -e dq/dt by an impulse P of the equation that
holds it, which all joints pass on:

    J W J^T P = -(1 + e) (0, ..., dq/dt, ..., 0)

What is at another limit stays there during the impact. The energy that is lost goes to the ledger's line CONTACT, and
the work of driven bodies to DRIVE. A joint that would come back within a few steps is held at its limit until the
forces pull it away.
"""

from __future__ import annotations

import numpy as np

from core.engine.events import FREE as UNDIVIDED
from core.engine.ledger import CONTACT, DRIVE
from core.engine.model import NOTHING, Inputs, Model, Work
from core.engine.rates import rates
from core.jit.kernel import inlined, kernel
from core.physics.bodies.arrays import DRIVEN
from core.physics.joints.arrays import (
    AT_LOWER,
    AT_UPPER,
    BROKEN,
    FREE,
    PER_JOINT,
    SLIDES_BACKWARD,
    SLIDES_FORWARD,
    SLOTS,
    STUCK,
    Joints,
    status_of,
    write_status,
)
from core.physics.joints.projection import add_impulses
from core.physics.joints.reactions import rate_of_row, write_velocities
from core.physics.joints.solver.block_ldl import solve
from core.physics.joints.switching import KEPT, hold_row, position_and_rate, write_values
from core.physics.paths.path_ends import add_to_ledger
from core.physics.tracks.switching import total_energy

ROUNDING = 1e-9  # of the dry friction, within which it no longer holds: the step has been divided where it lets go
AT_REST = 1e-12  # [rad/s] or [m/s] rate that rounding may leave at the start of a joint that dry friction holds


@kernel
def meet(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, values: np.ndarray) -> None:
    """IMPACT: change status and velocities of joints with negative `values` (PER_JOINT q,), and make these positive."""
    joints = model.joints
    for n in range(len(joints.switching)):
        j, at = joints.switching[n], PER_JOINT * n
        moves, keeps_direction, holds = values[at] > 0.0, values[at + 1] > 0.0, values[at + 2] > 0.0
        values[at], values[at + 1], values[at + 2] = KEPT, KEPT, KEPT
        if moves and keeps_direction and holds:
            continue
        work.beads.history_invalid[0] = 1.0
        if not holds:
            break_joint(model, inputs, time, j, state, work)
            continue
        if not moves and status_of(joints, j, state) not in (AT_LOWER, AT_UPPER):
            reach_limit(model, inputs, time, j, state, work)
        else:
            settle(model, inputs, time, j, state, work)


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
    rates(model, inputs, time, state, work, work.joints.rate)
    held = work.joints.multiplier[hold_row(joints, j)]
    if abs(held) >= (1.0 - ROUNDING) * joints.dry_friction[j]:
        write_status(joints, j, state, SLIDES_BACKWARD if held > 0.0 else SLIDES_FORWARD)


@kernel
def reach_limit(model: Model, inputs: Inputs, time: float, j: int, state: np.ndarray, work: Work) -> None:
    """Joint j is at a limit, or a string at its length: it bounces, or is held there."""
    joints, row = model.joints, hold_row(model.joints, j)
    position, rate = position_and_rate(joints, j, state, work.bodies)
    at_upper = joints.limits[j, 1] - position < position - joints.limits[j, 0]
    outward = 1.0 if at_upper else -1.0
    if outward * rate < 0.0:
        return  # on its way back
    before = total_energy(model, inputs, time, state, work)
    write_status(joints, j, state, AT_UPPER if at_upper else AT_LOWER)
    rates(model, inputs, time, state, work, work.joints.rate)
    pressed = -outward * work.joints.multiplier[row]
    impulse = response(model, row, -rate, work)  # by which the rate becomes 0
    bounce = joints.restitution[j]
    # back after 2 e |rate| / a, with the acceleration a = pressed / mass and the mass impulse / |rate|
    returns_soon = 2.0 * bounce * abs(impulse) <= pressed * work.stop_time[0]
    response(model, row, -rate if returns_soon else -(1.0 + bounce) * rate, work)
    driven = work_of_drives(joints, model.bodies.support, work)
    add_impulses(model.bodies, joints, state, work.joints)
    if not returns_soon:
        sliding = SLIDES_BACKWARD if at_upper else SLIDES_FORWARD
        write_status(joints, j, state, sliding if joints.dry_friction[j] > 0.0 else FREE)
    rates(model, inputs, time, state, work, work.joints.rate)
    gained = total_energy(model, inputs, time, state, work) - before
    add_to_ledger(model.ledger, state, DRIVE, driven)
    add_to_ledger(model.ledger, state, CONTACT, gained - driven)


@kernel
def response(model: Model, row: int, change: float, work: Work) -> float:
    """Write the impulses that change the rate of equation `row` by `change`, and of no other; returns its own."""
    work.joints.multiplier[:] = 0.0
    work.joints.multiplier[row] = change
    solve(model.joints.factor, model.joints.row, work.joints.matrix, work.joints.inverse, work.joints.multiplier)
    return float(work.joints.multiplier[row])


@kernel
def work_of_drives(joints: Joints, support: np.ndarray, work: Work) -> float:
    """Work [J] of what drives bodies while the impulses of `work.joints.multiplier` act on them.

    support: (n,) int64 of all bodies
    """
    total = 0.0
    write_velocities(joints, work.bodies, work.joints)
    for j in range(len(joints.kind)):
        for s in range(SLOTS):
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
    rates(model, inputs, time, state, work, work.joints.rate)
    add_to_ledger(model.ledger, state, CONTACT, total_energy(model, inputs, time, state, work) - before)


@inlined
def settle_after_step(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """FINISH of steps that are not divided: what is due by the end of the step happens there."""
    if work.events.mode[0] == UNDIVIDED and len(model.joints.switching) > 0:
        write_values(model, inputs, time, state, work, work.joints.values)
        meet(model, inputs, time, state, work, work.joints.values)
