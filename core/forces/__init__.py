"""The sum of the laws. A law that the scene does not use loops over zero rows."""

from __future__ import annotations

from core.forces import friction, gravity, magnetic
from core.kernel import kernel
from core.model import LEDGER_SIZE, Inputs, Model, Work
from core.vec import put


@kernel
def clear(work: Work) -> None:
    for b in range(len(work.force)):
        put(work.force, b, (0.0, 0.0, 0.0))
        put(work.torque, b, (0.0, 0.0, 0.0))
    for k in range(LEDGER_SIZE):
        work.power[k] = 0.0


@kernel
def add_forces(model: Model, inputs: Inputs, time: float, work: Work) -> None:
    """Forces [N] and torques about the reference points [N m] of all laws, on bodies placed at `time` [s]."""
    clear(work)
    gravity.add_weight(model, inputs, work)
    magnetic.add_magnetism(model, inputs, time, work)
    friction.add_support_friction(model, work)
