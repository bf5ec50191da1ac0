"""Coulomb friction, rolling resistance and spinning friction at contacts (Endo numbers 3 to 7, 9, 13).

Without memory: all follow from the current state alone.

At a contact with normal force N, sliding velocity s and coefficients mu_s and mu_k, friction is the force f that keeps
the contact point at rest, as long as |f| <= mu_s N; beyond that f = -mu_k N s/|s|. To keep it at rest means

    ds/dt = -s/t_stop

which ends sliding that friction can stop within t_stop = `work.stop_time`, a few steps, within that time; ds/dt under
all forces and with the wandering of the contact point is in dry_rows.py. Where the static limit is exceeded at a speed
that may reverse within t_stop, the kinetic force is along the f of that limit. Rolling resistance is the same law for
the velocity of the contact point over the surface that rolls, with the limit c N: it takes the energy c N per distance
that is rolled. On a sphere it is a torque of at most c N r. Spinning friction is the same law for the relative angular
velocity about the normal, w.n, with a torque of at most b N, its arm b being that of the area that touches, 2/3 mu a of
a uniform pressure over a disc of radius a: it takes b N per angle. Sliding does not reduce it, nor it sliding.

f depends on all other forces, so contacts are collected during LAW and solved by SOLVE together (islands.py). A
uniform sphere on a slope then rolls with exactly 5/7 g sin; one that slides starts to roll after 2 v0/(7 mu_k g), with
5/7 v0; a coin that rolls keeps its energy; bodies at rest do not creep.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import CONTACT
from polhode.engine.model import NOTHING, Step
from polhode.engine.rates import add_forces
from polhode.jit.kernel import kernel
from polhode.jit.vec import accumulate, add, put, row, scale
from polhode.physics.contact.colliders import Colliders, add_force_to
from polhode.physics.contact.friction.arrays import FORCE, SLIP, FrictionContacts, FrictionRows
from polhode.physics.contact.friction.dry_rows import (
    ZERO,
    ContactGeometry,
    Roundness,
    accelerate_ends,
    write_rolling,
    write_sliding,
    write_spinning,
)
from polhode.physics.contact.friction.islands import solve_islands
from polhode.physics.contact.friction.last_forces import last_force, note_last_contacts


@kernel
def add_friction_contact(
    friction: FrictionContacts,
    ends: tuple[int, int, int, int],
    geometry: ContactGeometry,
    round_by: Roundness,
    numbers: tuple[float, float, float, float, float],
) -> None:
    """Append a contact during LAW; without effect if there is no room.

    ends: body and point of the first end, body and point of the second; NOTHING for none.
    round_by: B of the surface that rolls; read if the coefficient of rolling resistance is not 0.
    numbers: normal force [N], coefficients of static and kinetic friction and of rolling resistance, spinning arm [m].
    """
    k = friction.count[0]
    if k == len(friction.position):  # only if spheres are deep in each other: see arrays.CROWD
        return
    friction.count[0] = k + 1
    for i in range(4):
        friction.ends[k, i] = ends[i]
    for i in range(5):
        friction.numbers[k, i] = numbers[i]
    put(friction.position, k, geometry.at)
    put(friction.normal, k, geometry.normal)
    put(friction.turning, k, geometry.turning)
    put(friction.moving, k, geometry.moving)
    friction.radius[k] = round_by.radius
    put(friction.bends, 2 * k, round_by.first)
    put(friction.bends, 2 * k + 1, round_by.second)


@kernel
def forget_friction_contacts(friction: FrictionContacts) -> None:
    """PLACE: remove all contacts."""
    friction.count[0] = 0


@kernel
def apply_friction(
    colliders: Colliders, friction: FrictionContacts, rows: FrictionRows, power: np.ndarray, pairs: int
) -> None:
    """Add the forces of all pairs to bodies and points, and their powers to power[CONTACT]."""
    for k in range(friction.count[0]):
        put(friction.force, k, ZERO)
        put(friction.torque, k, ZERO)
    for q in range(pairs):
        k, numbers = rows.contact[q], rows.numbers[q]
        x, y = numbers[FORCE], numbers[FORCE + 1]
        power[CONTACT] += x * numbers[SLIP] + y * numbers[SLIP + 1]
        total = add(scale(x, row(rows.direction, 2 * q)), scale(y, row(rows.direction, 2 * q + 1)))
        if rows.turns[q]:
            accumulate(friction.torque, k, total)
        else:
            accumulate(friction.force, k, total)
    for k in range(friction.count[0]):
        a, p, b, other = friction.ends[k, 0], friction.ends[k, 1], friction.ends[k, 2], friction.ends[k, 3]
        at, force, torque = row(friction.position, k), row(friction.force, k), row(friction.torque, k)
        add_force_to(colliders, a, p, at, force)
        add_force_to(colliders, b, other, at, scale(-1.0, force))
        if a != NOTHING:
            accumulate(colliders.body_work.torque, a, torque)
        if b != NOTHING:
            accumulate(colliders.body_work.torque, b, scale(-1.0, torque))


@kernel
def add_dry_friction(
    colliders: Colliders, friction: FrictionContacts, rows: FrictionRows, power: np.ndarray, stop_time: float
) -> None:
    """SOLVE: friction, rolling resistance and spinning friction of all active contacts.

    colliders: with the sums of all other forces; friction is added. stop_time: t_stop [s].
    """
    pairs = 0
    accelerate_ends(colliders, friction, rows)
    for k in range(friction.count[0]):
        pairs += write_rolling(colliders, friction, rows, pairs, k, stop_time)
        pairs += write_spinning(colliders, friction, rows, pairs, k, stop_time)
        force = last_force(colliders, friction, rows, k) if rows.known[0] > 0 else ZERO
        pairs += write_sliding(colliders, friction, rows, pairs, k, force, stop_time)
    solve_islands(rows, pairs, stop_time)
    apply_friction(colliders, friction, rows, power, pairs)
    note_last_contacts(colliders, friction, rows)


def show_dry_friction(s: Step) -> None:
    """Hook for display: leaves in the work arrays the forces of dry friction alone. Python, not compiled.

    Evaluates all laws, solves for friction, and replaces the sums on bodies and points by the friction; `state` (k,).
    """
    add_forces(s.model, s.inputs, s.time, s.state, s.work)
    for array in (s.work.bodies.force, s.work.bodies.torque, s.work.points.force, s.work.anchors.force):
        array[:] = 0.0
    friction, count = s.work.friction_contacts, s.work.friction_contacts.count[0]
    for body, point, sign in ((0, 1, 1.0), (2, 3, -1.0)):
        ends, force, torque = (friction.ends[:count], sign * friction.force[:count], sign * friction.torque[:count])
        of_body, of_point = ends[:, body] >= 0, ends[:, point] >= 0
        bodies, points = ends[of_body, body], ends[of_point, point]
        arms = friction.position[:count][of_body] - s.work.bodies.position[bodies]
        np.add.at(s.work.bodies.force, bodies, force[of_body])
        np.add.at(s.work.bodies.torque, bodies, torque[of_body] + np.cross(arms, force[of_body]))
        np.add.at(s.work.points.force.T, points, force[of_point])
