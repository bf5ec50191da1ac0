"""Coulomb friction of pivots and axles: a torque of constant size M [N m] against the rotation, and one that holds.

The friction f is the torque that brings the body to rest within t_stop = `work.stop_time`, a few steps, as far as a
torque of size M can:

    omega' = omega + t_stop I^-1 (T - f)      f = M omega'/|omega'|, or |f| <= M and omega' = 0

with T the torque of all else about the reference point. So a body that rests stays at rest, without creep, while |T| is
at most M, and a body that turns is slowed by M. With b = T + I omega/t_stop, f = b where |b| <= M; otherwise
f = m b/(m + s), along the principal axes, with m = t_stop/I of each and s > 0 such that |f| = M. That equation has one
root, to which Newton's method for 1/|f| converges from s = 0 (Conn, Gould and Toint, Trust-Region Methods, section
7.3); where m is the same along all of b, as for axles and spheres, f = M b/|b|. The power -f.omega goes to the ledger's
line FRICTION.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from polhode.engine.ledger import FRICTION
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, accumulate, combine, components, dot, row, scale, transform
from polhode.physics.bodies.arrays import Bodies, BodyWork, DryPivots, read_basis

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
    """Whether the mobilities of all directions with a part of b are the largest one: of axles, and of spheres."""
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
        basis, axes = read_basis(state, b), bodies.axes[b]
        omega, mobility = row(body_work.angular_velocity, b), scale(stop_time, row(bodies.inverse_moments, b))
        spin = transform(bodies.axes, b, components(omega, *basis))
        torque = transform(bodies.axes, b, components(row(body_work.torque, b), *basis))
        needed = (
            to_stop(torque[0], spin[0], mobility[0]),
            to_stop(torque[1], spin[1], mobility[1]),
            to_stop(torque[2], spin[2], mobility[2]),
        )
        held = combine(holding_torque(needed, mobility, pivots.torque[k]), row(axes, 0), row(axes, 1), row(axes, 2))
        friction = scale(-1.0, combine(held, *basis))
        accumulate(body_work.torque, b, friction)
        power[FRICTION] += dot(friction, omega)


@kernel
def to_stop(torque: float, spin: float, mobility: float) -> float:
    """T + omega/m [N m] of one component; 0 where it can't turn."""
    return torque + spin / mobility if mobility > 0.0 else 0.0
