"""Velocity of, and force on, a point of a body; laboratory frame."""

from __future__ import annotations

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, accumulate, add, cross, row, subtract
from polhode.physics.bodies.arrays import BodyWork


@kernel
def velocity_at(body_work: BodyWork, b: int, at: Triple) -> Triple:
    """v + omega x (r - x) [m/s] of body b at the point r = `at` [m]; x and v are those of its reference point."""
    arm = subtract(at, row(body_work.position, b))
    return add(row(body_work.velocity, b), cross(row(body_work.angular_velocity, b), arm))


@kernel
def add_force_at(body_work: BodyWork, b: int, at: Triple, force: Triple) -> None:
    """Add a force F [N] at the point r = `at` [m] of body b, and its torque (r - x) x F [N m] about the reference point
    x.

    body_work: placed; force and torque are added to.
    """
    accumulate(body_work.force, b, force)
    accumulate(body_work.torque, b, cross(subtract(at, row(body_work.position, b)), force))
