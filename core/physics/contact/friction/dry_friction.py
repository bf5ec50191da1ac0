"""Coulomb friction and rolling resistance, also called rolling friction, at contacts (Endo numbers 3 to 7, 9, 13).

Without memory: both follow from the current state alone.

At a contact with normal force N, sliding velocity s and coefficients mu_s and mu_k, friction is the force f that keeps
the contact point at rest, as long as |f| <= mu_s N; beyond that f = -mu_k N s/|s|. With a = da/dt of the sliding
velocity under all other forces and y the mobility of the contact along it, the force that keeps it at rest is

    f = -(a + s/t_stop)/y

whose second term ends sliding that friction can stop within t_stop = `work.stop_time`, a few steps, within that time.
Where the static limit is exceeded at a speed below |a| t_stop, the kinetic force is along f, since s is then about to
reverse. Rolling resistance is a torque of at most c N r in the same way, r the radius.

f depends on all other forces, so contacts are collected during LAW and solved by SOLVE one by one, each with the
current forces of the others, repeatedly where several share a body, until they converge (Gauss-Seidel iteration). A
uniform sphere on a slope then rolls with exactly 5/7 g sin; one that slides starts to roll after 2 v0/(7 mu_k g), with
5/7 v0; bodies at rest do not creep.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from core.engine.ledger import CONTACT
from core.engine.model import NOTHING, Inputs, Model, Work
from core.engine.rates import add_forces
from core.jit.kernel import kernel
from core.jit.simd import where
from core.jit.vec import Triple, accumulate, add, cross, dot, put, row, scale, subtract
from core.physics.bodies.arrays import Bodies, BodyWork
from core.physics.contact.arrays import FrictionContacts
from core.physics.contact.colliders import Colliders, acceleration_of, add_force_to, mobility, velocity_of

ZERO = (0.0, 0.0, 0.0)
SWEEPS = 10  # largest number of sweeps over all contacts
AGREED = 1e-6  # relative squared change of all forces in a sweep below which the iteration has converged
NOISE = 1e-20  # the same relative to the squared normal forces: rounding errors, where nothing needs friction


@kernel
def across(a: Triple, normal: Triple) -> Triple:
    """Component of a perpendicular to the unit vector `normal`, in the unit of a."""
    return subtract(a, scale(dot(a, normal), normal))


@kernel
def dry_force(holding: Triple, sliding: Triple, slow: float, static: float, kinetic: float) -> Triple:
    """Force [N] or torque [N m] of dry friction: `holding`, which prevents motion, up to the static limit.

    Beyond it `kinetic` against the sliding [m/s] or [rad/s]; below the speed `slow`, along `holding`.

    static, kinetic: limits [N] or [N m].
    """
    square, speed = dot(holding, holding), sqrt(dot(sliding, sliding))
    yields = square > static * static
    kept = where(yields, where(speed > slow, 0.0, kinetic / sqrt(square)), 1.0)
    opposed = where(yields, where(speed > slow, -kinetic / speed, 0.0), 0.0)
    return add(scale(kept, holding), scale(opposed, sliding))


@kernel
def add_friction_contact(
    friction: FrictionContacts,
    ends: tuple[int, int, int, int],
    at: Triple,
    normal: Triple,
    turning: Triple,
    numbers: tuple[float, float, float, float],
) -> None:
    """Append a contact during LAW; without effect if there is no room.

    ends: body and point of the first end, body and point of the second; NOTHING for none.
    at: contact point [m]; normal: unit vector towards the first end; turning: its rate [1/s]; laboratory frame.
    numbers: normal force [N], coefficients of static and kinetic friction and of rolling resistance.
    """
    k = friction.count[0]
    if k == len(friction.position):  # only if spheres are deep in each other: see arrays.CROWD
        return
    friction.count[0] = k + 1
    for i in range(4):
        friction.ends[k, i] = ends[i]
        friction.numbers[k, i] = numbers[i]
    put(friction.position, k, at)
    put(friction.normal, k, normal)
    put(friction.turning, k, turning)
    put(friction.pace, k, ZERO)
    put(friction.force, k, ZERO)
    put(friction.torque, k, ZERO)
    count_ends(friction, k, 1)


@kernel
def count_ends(friction: FrictionContacts, k: int, change: int) -> None:
    """Add `change` to the number of contacts of the bodies and points at contact k."""
    for end in range(0, 4, 2):
        if friction.ends[k, end] != NOTHING:
            friction.of_body[friction.ends[k, end]] += change
        if friction.ends[k, end + 1] != NOTHING:
            friction.of_point[friction.ends[k, end + 1]] += change


@kernel
def forget_friction_contacts(friction: FrictionContacts) -> None:
    """PLACE: remove all contacts."""
    for k in range(friction.count[0]):
        count_ends(friction, k, -1)
    friction.count[0] = 0


@kernel
def resist_rolling(
    bodies: Bodies,
    body_work: BodyWork,
    friction: FrictionContacts,
    power: np.ndarray,
    stop_time: np.ndarray,
    k: int,
) -> float:
    """Apply the rolling resistance at contact k: a torque of at most coefficient times normal force times radius.

    Against a wall, a surface or a solid it is the torque that keeps the ball at rest about the contact point, with the
    inertia I + m r^2; between two balls it acts on their relative rotation. Only for uniform spheres. Spin about the
    normal is free. Changes the torques of the bodies, and power[CONTACT]. Returns the square of the change over the
    ball's radius [N^2].

    friction: row k is read; `torque` [N m] is replaced.
    stop_time: (1,) [s] t_stop; rotation that the torque can stop within it comes to rest.
    """
    a, b = friction.ends[k, 0], friction.ends[k, 2]
    if a == NOTHING or not bodies.round[a] or friction.ends[k, 3] != NOTHING:
        return 0.0
    still = b == NOTHING or not bodies.round[b]
    at, normal, mass = row(friction.position, k), row(friction.normal, k), bodies.mass[a]
    arm, turning = subtract(at, row(body_work.position, a)), across(row(body_work.angular_velocity, a), normal)
    about, inertia = ZERO, 1.0 / bodies.inverse_moments[a, 0]
    radius = sqrt(dot(arm, arm))
    if b != NOTHING:
        turning = subtract(turning, across(row(body_work.angular_velocity, b), normal))
    if still:
        inertia += mass * radius * radius
        about = across(subtract(row(body_work.torque, a), cross(arm, row(body_work.force, a))), normal)
    else:
        inertia = 1.0 / (1.0 / inertia + bodies.inverse_moments[b, 0])
        other = subtract(at, row(body_work.position, b))
        radius = min(radius, sqrt(dot(other, other)))
    slow = sqrt(dot(about, about)) * stop_time[0] / inertia
    before = row(friction.torque, k)
    holding = subtract(before, add(about, scale(inertia / stop_time[0], turning)))
    if not still:  # of the two only the relative rotation matters
        holding = scale(-inertia / stop_time[0], turning)
    most = friction.numbers[k, 3] * friction.numbers[k, 0] * radius
    torque = dry_force(holding, turning, slow, most, most)
    put(friction.torque, k, torque)
    change = subtract(torque, before)
    accumulate(body_work.torque, a, change)
    if b != NOTHING:
        accumulate(body_work.torque, b, scale(-1.0, change))
    power[CONTACT] += dot(change, turning)
    return dot(change, change) / (radius * radius)


@kernel
def add_friction_at(
    colliders: Colliders, friction: FrictionContacts, power: np.ndarray, stop_time: np.ndarray, k: int
) -> float:
    """Apply the friction at contact k under the sum of all other forces. Returns the square of its change [N^2].

    Changes the forces on both ends by what friction has changed since the last sweep, and power[CONTACT] by f.s.

    friction: row k is read; `force` [N] is replaced.
    stop_time: (1,) [s] t_stop; sliding that friction can stop within it comes to rest.
    """
    b, p, c, q = (
        friction.ends[k, 0],
        friction.ends[k, 1],
        friction.ends[k, 2],
        friction.ends[k, 3],
    )
    at, normal, turn, pressure = (
        row(friction.position, k),
        row(friction.normal, k),
        row(friction.turning, k),
        friction.numbers[k, 0],
    )
    velocity = subtract(velocity_of(colliders, b, p, at), velocity_of(colliders, c, q, at))
    sliding = across(velocity, normal)
    gained = subtract(
        acceleration_of(colliders, b, p, at, normal, turn), acceleration_of(colliders, c, q, at, normal, turn)
    )
    gained = across(add(gained, row(friction.pace, k)), normal)
    gained = subtract(gained, scale(dot(velocity, normal), turn))
    wanted = add(gained, scale(1.0 / stop_time[0], sliding))
    size = sqrt(dot(wanted, wanted))
    if size == 0.0:
        return 0.0
    along = scale(1.0 / size, wanted)
    yielding = mobility(colliders, b, p, at, along) + mobility(colliders, c, q, at, along)
    if yielding == 0.0:
        return 0.0
    slow = sqrt(dot(gained, gained)) * stop_time[0]
    static, kinetic = friction.numbers[k, 1] * pressure, friction.numbers[k, 2] * pressure
    before = row(friction.force, k)
    force = dry_force(subtract(before, scale(1.0 / yielding, wanted)), sliding, slow, static, kinetic)
    put(friction.force, k, force)
    change = subtract(force, before)
    add_force_to(colliders, b, p, at, change)
    add_force_to(colliders, c, q, at, scale(-1.0, change))
    power[CONTACT] += dot(change, sliding)
    return dot(change, change)


@kernel
def is_solved_at_once(bodies: Bodies, friction: FrictionContacts, k: int) -> bool:
    """Whether no other contact changes the forces on contact k, and its mobility is that of a sphere or a point.

    Its friction is then known after one sweep: rolling resistance, applied first, does not depend on the friction.
    """
    for end in range(0, 4, 2):
        b, p = friction.ends[k, end], friction.ends[k, end + 1]
        if b != NOTHING and (friction.of_body[b] > 1 or not bodies.round[b]):
            return False
        if p != NOTHING and friction.of_point[p] > 1:
            return False
    return True


@kernel
def add_dry_friction(
    colliders: Colliders, friction: FrictionContacts, power: np.ndarray, stop_time: np.ndarray
) -> None:
    """SOLVE: friction of all active contacts, in their order, repeated until it converges or after SWEEPS sweeps.

    Converged means that the squared change of all forces in a sweep is at most AGREED times that of the largest sweep,
    or NOISE times the sum of the squared normal forces.
    A single contact needs one sweep, and so does each whose bodies and points have no other.

    colliders: with the sums of all other forces; friction is added.
    """
    most, pressed = 0.0, 0.0
    for k in range(friction.count[0]):
        pressed += friction.numbers[k, 0] * friction.numbers[k, 0]
    for sweep in range(SWEEPS):
        changed = 0.0
        for k in range(friction.count[0]):
            if sweep > 0 and is_solved_at_once(colliders.bodies, friction, k):
                continue
            if friction.numbers[k, 3] > 0.0:
                changed += resist_rolling(colliders.bodies, colliders.body_work, friction, power, stop_time, k)
            if friction.numbers[k, 1] > 0.0:
                changed += add_friction_at(colliders, friction, power, stop_time, k)
        most = max(most, changed)
        if changed <= max(AGREED * most, NOISE * pressed) or friction.count[0] == 1:
            return


def show_dry_friction(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, _: np.ndarray) -> float:
    """Hook for display: leaves in the work arrays the forces of dry friction alone. Python, not compiled.

    Evaluates all laws, solves for friction, and replaces the sums on bodies and points by the friction; `state` (k,).
    """
    add_forces(model, inputs, time, state, work)
    for array in (work.bodies.force, work.bodies.torque, work.points.force, work.anchors.force):
        array[:] = 0.0
    friction, count = work.friction_contacts, work.friction_contacts.count[0]
    for body, point, sign in ((0, 1, 1.0), (2, 3, -1.0)):
        ends, force, rolling = (
            friction.ends[:count],
            sign * friction.force[:count],
            sign * friction.torque[:count],
        )
        of_body, of_point = ends[:, body] >= 0, ends[:, point] >= 0
        bodies, points = ends[of_body, body], ends[of_point, point]
        arms = friction.position[:count][of_body] - work.bodies.position[bodies]
        np.add.at(work.bodies.force, bodies, force[of_body])
        np.add.at(work.bodies.torque, bodies, rolling[of_body] + np.cross(arms, force[of_body]))
        np.add.at(work.points.force.T, points, force[of_point])
    return 0.0
