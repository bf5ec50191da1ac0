"""Coulomb friction of pivots and axles: a torque of constant size M [N m] against the rotation, and one that holds.

The friction f is the torque that brings the body to rest within t_stop = `work.stop_time`, a few steps, as far as a
torque of size M can:

    omega' = omega + t_stop I^-1 (T - f)      f = M omega'/|omega'|, or |f| <= M and omega' = 0

with T the torque of all else about the reference point. So a body that rests stays at rest, without creep, while |T| is
at most M, and a body that turns is slowed by M. With b = T + I omega/t_stop, f = b where |b| <= M; otherwise
f = m b/(m + s), along the principal axes, with m = t_stop/I of each and s > 0 such that |f| = M. That equation has one
root, to which Newton's method for 1/|f| converges from s = 0 (Conn, Gould and Toint, Trust-Region Methods, section
7.3); where m is the same along all of b, as for spheres, f = M b/|b|. On an axle b is a number, and f is b within -M
and M. The power -f.omega goes to the ledger's line FRICTION.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from polhode.engine.ledger import FRICTION
from polhode.jit.kernel import kernel, part_of_caller
from polhode.jit.vec import Triple, accumulate, combine, components, dot, row, scale, transform
from polhode.physics.bodies.arrays import AXLE, Bodies, BodyWork, DryPivots, read_basis

MOST_ROUNDS = 30  # of Newton's method; about 5 are needed


@kernel
def holding_torque(needed: Triple, mobility: Triple, limit: float) -> Triple:
    """f [N m] along the principal axes.

    needed: b [N m]; mobility: m = t_stop/I [s/(kg m^2)], 0 along directions that can't turn; limit: M [N m].
    """
    size = sqrt(dot(needed, needed))
    if size <= limit:
        return needed
    most = max(mobility[0], mobility[1], mobility[2])
    if all_alike(needed, mobility, most):
        return scale(limit / size, needed)
    shift, held = 0.0, needed
    for _ in range(MOST_ROUNDS):
        slope = 0.0
        for k in range(3):
            if mobility[k] > 0.0:
                slope += held[k] * held[k] / (mobility[k] + shift)
        change = size * size / slope * (size - limit) / limit
        shift += change
        held = (
            scaled(needed[0], mobility[0], shift),
            scaled(needed[1], mobility[1], shift),
            scaled(needed[2], mobility[2], shift),
        )
        size = sqrt(dot(held, held))
        if not abs(change) > 1e-15 * shift:
            break
    return held


@kernel
def all_alike(needed: Triple, mobility: Triple, most: float) -> bool:
    """Whether the mobilities of all directions with a part of b are the largest one, as of spheres."""
    return (
        (needed[0] == 0.0 or mobility[0] == most)
        and (needed[1] == 0.0 or mobility[1] == most)
        and (needed[2] == 0.0 or mobility[2] == most)
    )


@kernel
def scaled(needed: float, mobility: float, shift: float) -> float:
    """m b/(m + s) of one component."""
    return needed * mobility / (mobility + shift) if mobility > 0.0 else 0.0


@kernel
def add_dry_friction(
    bodies: Bodies, pivots: DryPivots, state: np.ndarray, stop_time: float, body_work: BodyWork, power: np.ndarray
) -> None:
    """SOLVE: add -f [N m] to the torques of bodies with dry friction, and its power to power[FRICTION]."""
    for k in range(len(pivots.body)):
        b = pivots.body[k]
        if bodies.support[b] == AXLE:
            friction = axle_friction(bodies, b, pivots.torque[k], state, stop_time, body_work)
        else:
            friction = pivot_friction(bodies, b, pivots.torque[k], state, stop_time, body_work)
        accumulate(body_work.torque, b, friction)
        power[FRICTION] += dot(friction, row(body_work.angular_velocity, b))


@kernel
def axle_friction(
    bodies: Bodies, b: int, limit: float, state: np.ndarray, stop_time: float, body_work: BodyWork
) -> Triple:
    """-f [N m] on the axle of body b, at most `limit` [N m]."""
    axis, mobility = combine(row(bodies.axes[b], 0), *read_basis(state, b)), stop_time * bodies.inverse_moments[b, 0]
    if mobility == 0.0:
        return (0.0, 0.0, 0.0)
    needed = to_stop(row(body_work.torque, b), row(body_work.angular_velocity, b), axis, mobility)
    return scale(max(-limit, min(limit, -needed)), axis)


@part_of_caller
def to_stop(torque: Triple, omega: Triple, axis: Triple, mobility: float) -> float:
    """b = T + omega/m [N m] along `axis`, (3,) of length 1."""
    return dot(torque, axis) + dot(omega, axis) / mobility


@kernel
def pivot_friction(
    bodies: Bodies, b: int, limit: float, state: np.ndarray, stop_time: float, body_work: BodyWork
) -> Triple:
    """-f [N m] at the pivot of body b, at most `limit` [N m]."""
    basis, axes, mobility = read_basis(state, b), bodies.axes[b], scale(stop_time, row(bodies.inverse_moments, b))
    spin = transform(bodies.axes, b, components(row(body_work.angular_velocity, b), *basis))
    torque = transform(bodies.axes, b, components(row(body_work.torque, b), *basis))
    needed = (
        torque[0] + spin[0] / mobility[0] if mobility[0] > 0.0 else 0.0,
        torque[1] + spin[1] / mobility[1] if mobility[1] > 0.0 else 0.0,
        torque[2] + spin[2] / mobility[2] if mobility[2] > 0.0 else 0.0,
    )
    held = combine(holding_torque(needed, mobility, limit), row(axes, 0), row(axes, 1), row(axes, 2))
    return scale(-1.0, combine(held, *basis))
