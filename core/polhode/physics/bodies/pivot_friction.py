"""Friction of supports: a torque T = -c omega [N m] against the rotation, c in N m s; its power is -c omega^2."""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import FRICTION
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, accumulate, dot, row, scale
from polhode.physics.bodies.arrays import Bodies, BodyWork


@kernel
def friction_torque(friction: float, angular_velocity: Triple) -> Triple:
    """T = -c omega [N m], laboratory frame. friction: c [N m s]; angular_velocity: omega [rad/s]."""
    return scale(-friction, angular_velocity)


@kernel
def add_support_friction(bodies: Bodies, body_work: BodyWork, power: np.ndarray) -> None:
    """LAW: add the friction torque of all supports to the torques of bodies, and its power [W] to power[FRICTION].

    Beads have no support. Called directly by the engine, for every scene.
    """
    for b in range(bodies.first_bead):
        spin = row(body_work.angular_velocity, b)
        torque = friction_torque(bodies.friction[b], spin)
        accumulate(body_work.torque, b, torque)
        power[FRICTION] += dot(torque, spin)
