"""Switching functions of joints: limits, strings, dry friction and breaking (core/polhode/engine/events.py).

A function is positive while a joint keeps its status, and the step is divided where one of them becomes 0:

    status    first                         second                      third, of joints that break
    FREE      distance to the nearer limit  1, or -1 with dry friction  breaks_at - |F|
    SLIDES    distance to the nearer limit  rate along the sliding      breaks_at - |F|
    STUCK     1                             dry friction - |lambda|     breaks_at - |F|
    AT_LOWER  lambda                        1                           breaks_at - |F|
    AT_UPPER  -lambda                       1                           breaks_at - |F|
    BROKEN    1                             1                           1

where lambda is the multiplier of the equation that holds the coordinate, positive where it increases it. A joint with
dry friction is FREE at the start alone, when it is not known yet whether it slides. A string is a joint whose distance
has an upper limit.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from polhode.engine.events import sum_forces
from polhode.engine.model import Step, Work
from polhode.jit.kernel import kernel
from polhode.jit.vec import dot
from polhode.physics.bodies.arrays import BodyWork
from polhode.physics.joints.arrays import (
    AT_LOWER,
    AT_UPPER,
    BROKEN,
    CYLINDRICAL,
    FREE,
    PER_JOINT,
    SLIDES_BACKWARD,
    SLIDES_FORWARD,
    STUCK,
    Joints,
    JointWork,
    scale_of_coordinate,
    status_of,
)
from polhode.physics.joints.axis_forces import coordinate, displacement, reaction
from polhode.physics.joints.constraints.equations import relative_motion

KEPT = 1.0  # value of what can't happen
UNKNOWN = -1.0  # of what has to be found out
MARGIN = 1e-13
"""Distance beyond a limit, in parts of `scale_of_coordinate`, at which it is reached: above the projection's residual,
so that rounding does not reach and leave the limit of a joint at rest there again and again."""


@kernel
def position_and_rate(joints: Joints, j: int, state: np.ndarray, body_work: BodyWork) -> tuple[float, float]:
    """Coordinate of joint j [rad] or [m] that has limits or dry friction, of a string the distance of its ends, and its
    rate; bodies are placed.
    """
    if joints.kind[j] == CYLINDRICAL:
        return displacement(joints, j, state, body_work)
    if not joints.pull_only[j]:
        return coordinate(joints, j, state, body_work)
    motion = relative_motion(joints, j, state, body_work)
    distance = sqrt(dot(motion.offset, motion.offset))
    return distance, dot(motion.offset, motion.rate) / distance if distance > 0.0 else 0.0


@kernel
def hold_row(joints: Joints, j: int) -> int:
    """Index of the equation that holds the coordinate of joint j, or the ends of a string."""
    return joints.row[j + 1] - 1


@kernel
def write_values(s: Step) -> None:
    """SWITCH: write the switching functions of all joints with a status into `out` (PER_JOINT q,).

    The forces in joints are those of this state, evaluated where any of them decides. Bodies are placed.
    """
    joints, state, work, values, needs_forces = s.model.joints, s.state, s.work, s.out, False
    for j in joints.switching:
        status = status_of(joints, j, state)
        breaks = status != BROKEN and joints.breaks_at[j] < inf
        needs_forces = needs_forces or breaks or status in (STUCK, AT_LOWER, AT_UPPER)
    if needs_forces:
        sum_forces(s)
    for n in range(len(joints.switching)):
        j, at = joints.switching[n], PER_JOINT * n
        status = status_of(joints, j, state)
        values[at], values[at + 1], values[at + 2] = KEPT, KEPT, KEPT
        if status == BROKEN:
            continue
        values[at], values[at + 1] = values_of_motion(joints, j, status, state, work.bodies, work.joints)
        if joints.breaks_at[j] < inf:
            values[at + 2] = breaking(joints, j, state, work)


@kernel
def breaking(joints: Joints, j: int, state: np.ndarray, work: Work) -> float:
    """breaks_at - |F| [N] of joint j by the last evaluation of forces."""
    force, _ = reaction(joints, j, state, work.bodies, work.joints)
    return float(joints.breaks_at[j] - sqrt(dot(force, force)))


@kernel
def values_of_motion(
    joints: Joints, j: int, status: int, state: np.ndarray, body_work: BodyWork, work: JointWork
) -> tuple[float, float]:
    """The first and the second switching function of joint j."""
    if status in (FREE, SLIDES_FORWARD, SLIDES_BACKWARD):
        if not (joints.holds[j] or joints.pull_only[j]):
            return KEPT, KEPT
        position, rate = position_and_rate(joints, j, state, body_work)
        inside = min(position - joints.limits[j, 0], joints.limits[j, 1] - position)
        inside += MARGIN * scale_of_coordinate(joints, j)
        if status == FREE:
            return min(inside, KEPT), KEPT if joints.dry_friction[j] == 0.0 else UNKNOWN
        return min(inside, KEPT), rate if status == SLIDES_FORWARD else -rate
    held = work.multiplier[hold_row(joints, j)]
    if status == STUCK:
        return KEPT, joints.dry_friction[j] - abs(held)
    return held if status == AT_LOWER else -held, KEPT
