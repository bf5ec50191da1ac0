"""Place phase of beads on paths that move with bodies.

A path is given in the frame of its body. With x and V of the reference point, the angular velocity W and s = r - x, a
bead has the velocity V + W x s + u t; the path moves with v0 = V + W x s there.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, combine, cross, dot, put, row, scale
from polhode.physics.bodies.arrays import (
    ANGULAR_MOMENTUM,
    MOMENTUM,
    POSITION,
    Bodies,
    BodyWork,
    read_basis,
    write,
)
from polhode.physics.bodies.placement import Basis, enter
from polhode.physics.carried.arrays import Carried, CarriedWork
from polhode.physics.paths.arrays import HOLD, PARAMETER, SPEED, Beads, BeadWork, bead_rows, is_held
from polhode.physics.paths.placement import curvature, path_at, rolling_axis, rolling_axis_change


@kernel
def place_path(bodies: Bodies, beads: Beads, i: int, q: float, basis: Basis, bead_work: BeadWork) -> Triple:
    """Write the path geometry at q of bead i into `bead_work`; returns the arm s [m] to the bead.

    basis: u1, u2, u3 of the body that the path moves with.
    """
    u1, u2, u3 = basis
    point, first, second = path_at(beads, i, q, bead_work.piece)
    stretch, side = sqrt(dot(first, first)), row(beads.side, i)
    tangent, chi = scale(1.0 / stretch, first), curvature(first, second)
    bend = rolling_axis_change(tangent, chi, side, beads.level[i])
    bead_work.stretch[i] = stretch
    put(bead_work.tangent, i, combine(tangent, u1, u2, u3))
    put(bead_work.curvature, i, combine(chi, u1, u2, u3))
    put(bead_work.across, i, combine(rolling_axis(tangent, side, beads.level[i]), u1, u2, u3))
    put(bead_work.across_change, i, combine(bend, u1, u2, u3))
    return combine(add(row(bodies.origin, beads.carrier[i]), point), u1, u2, u3)


@kernel
def spin_on_body(bodies: Bodies, beads: Beads, i: int, speed: float, spin: Triple, across: Triple) -> Triple:
    """Angular momentum (f - 1) m r (u e + r W) [kg m^2/s] of bead i; zero if it slides.

    speed: u [m/s]; spin: W [rad/s] of the body that carries the path; across: e.
    """
    rolled = add(scale(speed, across), scale(beads.radius[i], spin))
    return scale((beads.inertia[i] - 1.0) * bodies.mass[beads.body[i]] * beads.radius[i], rolled)


@kernel
def place_carried(
    bodies: Bodies,
    beads: Beads,
    carried: Carried,
    state: np.ndarray,
    body_work: BodyWork,
    bead_work: BeadWork,
    carried_work: CarriedWork,
) -> None:
    """PLACE: place all beads that are held by paths on bodies, and their bodies in `state` and `body_work`.

    The bodies that carry the paths are placed already.
    """
    rows = bead_rows(beads, state)
    for i in carried.bead:
        if not is_held(rows[HOLD, i]):
            continue
        b, carrier, speed = beads.body[i], beads.carrier[i], rows[SPEED, i]
        arm = place_path(bodies, beads, i, rows[PARAMETER, i], read_basis(state, carrier), bead_work)
        spin = row(body_work.angular_velocity, carrier)
        turning = cross(spin, arm)
        position, velocity = add(row(body_work.position, carrier), arm), add(row(body_work.velocity, carrier), turning)
        put(carried_work.arm, i, arm)
        put(bead_work.velocity, i, velocity)
        velocity = add(velocity, scale(speed, row(bead_work.tangent, i)))
        own = spin_on_body(bodies, beads, i, speed, spin, row(bead_work.across, i))
        write(state, b, POSITION, position)
        write(state, b, MOMENTUM, scale(bodies.mass[b], velocity))
        write(state, b, ANGULAR_MOMENTUM, own)
        enter(body_work, b, position, velocity, scale(bodies.inverse_moments[b, 0], own))
