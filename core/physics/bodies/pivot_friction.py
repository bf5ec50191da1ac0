"""Friction of the support (PEM): a torque against the rotation, T = -c omega."""

from __future__ import annotations

import numpy as np

from core.engine.ledger import FRICTION
from core.jit.kernel import kernel
from core.jit.vec import Triple, accumulate, dot, row, scale
from core.physics.bodies.arrays import Bodies, BodyWork


@kernel
def friction_torque(friction: float, angular_velocity: Triple) -> Triple:
    """T = -c omega [N m] for c in N m s."""
    return scale(-friction, angular_velocity)


@kernel
def add_support_friction(bodies: Bodies, body_work: BodyWork, power: np.ndarray) -> None:
    """Law: add the friction torque of all supports; its power [W] to `power`. Beads have no support."""
    for b in range(bodies.first_bead):
        spin = row(body_work.angular_velocity, b)
        torque = friction_torque(bodies.friction[b], spin)
        accumulate(body_work.torque, b, torque)
        power[FRICTION] += dot(torque, spin)
