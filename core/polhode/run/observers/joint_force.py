"""Observer: the largest force in each joint from a step on, which the state itself keeps (physics/joints)."""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.jit.kernel import kernel
from polhode.jit.kernel_struct import KernelStruct
from polhode.run.method import CompiledMethod


class JointForce(KernelStruct):
    """Record of `observe_joint_force`."""

    first: int
    """Steps after which forces count."""
    last: int
    """Steps of the whole run."""
    row: np.ndarray
    """(1,) int64 number of the run."""


@kernel
def observe_joint_force(
    method: CompiledMethod, model: Model, inputs: Inputs, now: Clock, state: np.ndarray, work: Work, record: JointForce
) -> int:
    """Set the largest forces so far to 0 at step `first`; the motion does not depend on them."""
    if now.done < record.first:
        return record.first - now.done
    if now.done == record.first:
        for j in range(len(model.joints.kind)):
            state[model.joints.at + model.joints.largest + 2 * j] = 0.0
    return record.last
