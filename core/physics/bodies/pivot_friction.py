"""Friction of the support (PEM): a torque against the rotation, T = -c omega."""

from __future__ import annotations

from core.engine.ledger import FRICTION
from core.engine.model import Model, Work
from core.jit.kernel import kernel
from core.jit.vec import Triple, accumulate, dot, row, scale


@kernel
def friction_torque(friction: float, angular_velocity: Triple) -> Triple:
    """T = -c omega [N m] for c in N m s."""
    return scale(-friction, angular_velocity)


@kernel
def add_support_friction(model: Model, work: Work) -> None:
    """That of all bodies but beads, which have no support."""
    for b in range(len(model.bodies.mass) - len(model.beads.body)):
        spin = row(work.bodies.angular_velocity, b)
        torque = friction_torque(model.bodies.friction[b], spin)
        accumulate(work.bodies.torque, b, torque)
        work.power[FRICTION] += dot(torque, spin)
