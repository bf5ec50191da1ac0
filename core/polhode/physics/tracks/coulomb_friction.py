"""Coulomb friction of beads on their paths, and the forces that tell when a bead slips or leaves a one-sided track.

The force of the path across it is N = m (a0 + u^2 chi + 2 u W x t) - F less its component along t, with the letters of
core/polhode/physics/paths/placement.py; it does not depend on the friction. A bead that slides towards larger q feels
the force

    R = -mu |N|

along t, one that slides towards smaller q the opposite. Which way a bead slides, or whether it rests, is part of the
state (HOLD) and constant within a step, so that the rates are smooth; core/polhode/physics/tracks/margins.py says when
it stops and slips. On a one-sided track |N| continues with the sign of N.n, n the normal of the track: a step that
leads beyond the point where the bead leaves stays smooth, too.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from polhode.engine.ledger import FRICTION
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, add, cross, dot, row, scale, subtract
from polhode.physics.bodies.arrays import Bodies, BodyWork
from polhode.physics.paths.arrays import (
    HOLD,
    ON_ITS_PATH,
    SLIDES_BACKWARD,
    SLIDES_FORWARD,
    SPEED,
    Beads,
    BeadWork,
    is_held,
    moves_along,
)
from polhode.physics.paths.placement import spin_of_path
from polhode.physics.tracks.arrays import Tracks, TrackWork

PLANE = 1e-6  # sine of the angle between N and n below which the motion counts as plane


@kernel
def direction_of(hold: float) -> float:
    """1 or -1 of a bead that slides towards larger or smaller q with Coulomb friction; 0 of any other."""
    if hold < 0.5 * (SLIDES_BACKWARD + SLIDES_FORWARD):
        return -1.0
    return 1.0 if hold < 0.5 * (SLIDES_FORWARD + ON_ITS_PATH) else 0.0


@kernel
def track_normal(bead_work: BeadWork, i: int) -> Triple:
    """n = t x e, unit vector from a one-sided track to bead i, laboratory frame; the bead must be placed."""
    return cross(row(bead_work.tangent, i), row(bead_work.across, i))


@kernel
def needed_force(
    bodies: Bodies, beads: Beads, i: int, speed: float, body_work: BodyWork, bead_work: BeadWork
) -> Triple:
    """m (a0 + u^2 chi + 2 u W x t) - F [N] of bead i: what keeps it on its path with du/dt = 0, laboratory frame.

    speed: u [m/s]; body_work: F; bead_work: the path geometry, as placed.
    """
    b = beads.body[i]
    needed = add(row(bead_work.acceleration, i), scale(speed * speed, row(bead_work.curvature, i)))
    if beads.paths.turns[i]:
        needed = add(needed, scale(2.0 * speed, cross(spin_of_path(beads.paths, i), row(bead_work.tangent, i))))
    return subtract(scale(bodies.mass[b], needed), row(body_work.force, b))


@kernel
def measure_track(
    bodies: Bodies,
    beads: Beads,
    i: int,
    rows: np.ndarray,
    body_work: BodyWork,
    bead_work: BeadWork,
    track_work: TrackWork,
) -> None:
    """Write drive, |N| and N.n [N] of bead i, which its path holds, into `track_work`.

    rows: (3, c) bead states.
    """
    tangent, normal = row(bead_work.tangent, i), track_normal(bead_work, i)
    force = needed_force(bodies, beads, i, rows[SPEED, i], body_work, bead_work)
    along = dot(force, tangent)
    across = subtract(force, scale(along, tangent))
    track_work.drive[i] = -along
    track_work.across[i] = sqrt(dot(across, across))
    track_work.pressure[i] = dot(across, normal)


@kernel
def add_coulomb_friction(
    bodies: Bodies,
    beads: Beads,
    tracks: Tracks,
    rows: np.ndarray,
    body_work: BodyWork,
    bead_work: BeadWork,
    track_work: TrackWork,
    power: np.ndarray,
) -> None:
    """SOLVE: write the friction of all beads into `bead_work.coulomb`, and add its power [W] to power[FRICTION].

    All other forces are summed already. Relative to its path a bead that rests loses nothing.

    rows: (3, c) bead states.
    """
    for i in range(rows.shape[1]):
        bead_work.coulomb[i] = 0.0
        if not (beads.tracked[i] and is_held(rows[HOLD, i])):
            continue
        measure_track(bodies, beads, i, rows, body_work, bead_work, track_work)
        if moves_along(rows[HOLD, i]):
            size = signed_size(tracks.one_sided[i], track_work.across[i], track_work.pressure[i])
            friction = -direction_of(rows[HOLD, i]) * tracks.kinetic[i] * size
            bead_work.coulomb[i] = friction
            power[FRICTION] += friction * rows[SPEED, i]


@kernel
def signed_size(one_sided: bool, across: float, pressure: float) -> float:
    """|N| [N], or N.n of a one-sided track where N is along n. across: |N|; pressure: N.n."""
    plane = across - abs(pressure) <= 0.5 * PLANE * PLANE * across
    return pressure if one_sided and plane else across
