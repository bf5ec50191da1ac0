"""Rates and energies of eight runs at once: the same formulas as of one, on SIMD lanes.

The laws are those of core/polhode/physics, written on 3-tuples; here they are summed for one moving body. `bank` (rows,
8) is that of core/polhode/run/lanes/bank.py.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from polhode.jit.kernel import kernel, part_of_caller
from polhode.jit.libm.trigonometric import sincos
from polhode.jit.simd import WIDTH, broadcast, constant, load, store, where
from polhode.jit.vec import add, combine, components, cross, dot, row, scale, subtract
from polhode.physics.air.drag import drag_force
from polhode.physics.bodies.arrays import ANGULAR_MOMENTUM, BASIS, FREE, MOMENTUM, POSITION
from polhode.physics.bodies.pivot_dry_friction import to_stop
from polhode.physics.bodies.pivot_friction import friction_torque
from polhode.physics.frame.gravity import weight
from polhode.physics.magnets.pair import pair
from polhode.run.lanes.bank import (
    FIELD_NOW,
    KINETIC,
    NEAREST,
    NOW,
    STOP_TIME,
    TIME,
    TOTAL,
    LaneTriple,
    constants,
    put_three,
    spread,
    three,
)
from polhode.run.lanes.constants import (
    AXIS,
    CENTER,
    DRAG,
    DRY_FRICTION,
    FIELD,
    FREQUENCY,
    FRICTION,
    GRAVITY,
    INVERSE_INERTIA,
    INVERSE_MASS,
    INVERSE_MOMENT,
    MASS,
    QUADRATIC_DRAG,
    SINE,
    TURNABLE,
    WIND,
    LaneConstants,
)
from polhode.run.lanes.formula_forces import with_formula_forces


@part_of_caller
def turned_by(
    matrix: np.ndarray, first: int, a: LaneTriple, u1: LaneTriple, u2: LaneTriple, u3: LaneTriple
) -> LaneTriple:
    """A matrix of the body frame (u1, u2, u3), in the nine constants of `matrix` from `first` on, times a."""
    inner = components(a, u1, u2, u3)
    x, y, z = constants(matrix, first), constants(matrix, first + 3), constants(matrix, first + 6)
    return combine((dot(x, inner), dot(y, inner), dot(z, inner)), u1, u2, u3)


@part_of_caller
def spinning(body: LaneConstants, spin: LaneTriple, u1: LaneTriple, u2: LaneTriple, u3: LaneTriple) -> LaneTriple:
    """omega [rad/s] from the angular momentum, as `angular_velocity` of bodies/angular_velocity.py."""
    if body.round:
        return scale(constant(body.numbers, INVERSE_INERTIA), spin)
    return turned_by(body.numbers, INVERSE_INERTIA, spin, u1, u2, u3)


@kernel
def set_time(body: LaneConstants, bank: np.ndarray, ahead: float) -> None:
    """Write the time `ahead` [s] (one, or one a lane) of TIME to NOW of bank (rows, 8), and what depends on it."""
    store(bank, NOW, 0, None, load(bank, TIME, 0) + ahead)
    if body.field_varies:
        place_field(body, bank)


@kernel
def place_field(body: LaneConstants, bank: np.ndarray) -> None:
    """Write the uniform field [T] at NOW to FIELD_NOW of bank (rows, 8)."""
    numbers, last, cosine, sine = body.numbers, 0.0, 1.0, 0.0
    store(bank, FIELD_NOW, 0, None, constant(numbers, FREQUENCY) * load(bank, NOW, 0))
    for lane in range(WIDTH):
        angle = bank[FIELD_NOW, lane]
        if angle != last:  # mostly all lanes have one
            last = angle
            sine, cosine = sincos(angle)
        bank[FIELD_NOW, lane], bank[FIELD_NOW + 1, lane] = cosine, sine
    by_cosine = scale(load(bank, FIELD_NOW, 0), constants(numbers, FIELD))
    by_sine = scale(load(bank, FIELD_NOW + 1, 0), constants(numbers, SINE))
    put_three(bank, FIELD_NOW, add(by_cosine, by_sine))


@part_of_caller
def field_now(body: LaneConstants, bank: np.ndarray) -> LaneTriple:
    """Uniform field [T], after `place_field` on `bank` (rows, 8) where it varies."""
    x, y, z = constants(body.numbers, FIELD)
    if body.field_varies:
        x, y, z = three(bank, FIELD_NOW)
    return x, y, z


@kernel
def write_rates(body: LaneConstants, bank: np.ndarray, at: int, to: int) -> None:
    """Write the time derivative of the states in the rows of `bank` (rows, 8) from `at` on to those from `to` on.

    As `rates` of core/polhode/engine/rates.py: weight, friction of the support, drag, forces by formulas, dipoles, dry
    friction, then the constraint of the support. The time is that of `set_time`.
    """
    numbers = body.numbers
    u1, u2, u3 = three(bank, at + BASIS), three(bank, at + BASIS + 3), three(bank, at + BASIS + 6)
    position = three(bank, at + POSITION)
    omega = spinning(body, three(bank, at + ANGULAR_MOMENTUM), u1, u2, u3)
    middle = combine(constants(numbers, CENTER), u1, u2, u3)
    force = weight(constant(numbers, MASS), constants(numbers, GRAVITY))
    torque = add(cross(middle, force), friction_torque(constant(numbers, FRICTION), omega))
    if body.has_drag:
        drag = drag_at(body, three(bank, at + MOMENTUM), omega, middle)
        force, torque = add(force, drag), add(torque, cross(middle, drag))
    if len(body.force_address) > 0:
        force, torque = with_formula_forces(body, bank, at, omega, force, torque)
    for i in range(0, len(body.moment), 3):
        arm, moment = combine(constants(body.arm, i), u1, u2, u3), combine(constants(body.moment, i), u1, u2, u3)
        here, pull, field = add(position, arm), spread((0.0, 0.0, 0.0)), field_now(body, bank)
        for j in range(0, len(body.source), 3):
            displacement = subtract(constants(body.position, j), here)
            found, _, drawn = pair(displacement, moment, constants(body.source, j), body.permeability)
            field, pull = add(field, found), add(pull, drawn)
        force = add(force, pull)
        torque = add(torque, add(cross(moment, field), cross(arm, pull)))
    if body.rubs:
        torque = add(torque, axle_friction(body, bank, combine(constants(numbers, AXIS), u1, u2, u3), omega, torque))
    if body.restricted:
        torque = turned_by(numbers, TURNABLE, torque, u1, u2, u3)
    if body.support == FREE:
        put_three(bank, to + POSITION, scale(constant(numbers, INVERSE_MASS), three(bank, at + MOMENTUM)))
        put_three(bank, to + MOMENTUM, force)
    put_three(bank, to + BASIS, cross(omega, u1))
    put_three(bank, to + BASIS + 3, cross(omega, u2))
    put_three(bank, to + BASIS + 6, cross(omega, u3))
    put_three(bank, to + ANGULAR_MOMENTUM, torque)


@kernel
def drag_at(body: LaneConstants, momentum: LaneTriple, omega: LaneTriple, middle: LaneTriple) -> LaneTriple:
    """Drag [N] at the centre of mass, as `drag_body` of core/polhode/physics/air/drag.py.

    momentum: [kg m/s], zero of a body that is held; omega: [rad/s]; middle: [m] from the reference point
    """
    numbers = body.numbers
    wind, velocity = constants(numbers, WIND), cross(omega, middle)
    velocity = add(scale(constant(numbers, INVERSE_MASS), momentum), velocity)
    against = subtract(wind, velocity)
    factor = constant(numbers, DRAG) + constant(numbers, QUADRATIC_DRAG) * sqrt(dot(against, against))
    return drag_force(factor, wind, velocity)


@part_of_caller
def axle_friction(
    body: LaneConstants, bank: np.ndarray, axis: LaneTriple, omega: LaneTriple, torque: LaneTriple
) -> LaneTriple:
    """Dry friction [N m] of an axle under `torque` [N m], as of core/polhode/physics/bodies/pivot_dry_friction.py.

    axis: of length 1, laboratory frame; omega: [rad/s]; bank: (rows, 8)
    """
    numbers = body.numbers
    limit, mobility = constant(numbers, DRY_FRICTION), load(bank, STOP_TIME, 0) * constant(numbers, INVERSE_MOMENT)
    held = -to_stop(torque, omega, axis, mobility)
    held = where(held > limit, limit, held)
    return scale(where(-limit > held, -limit, held), axis)


@kernel
def write_energies(body: LaneConstants, near: np.ndarray, bank: np.ndarray) -> None:
    """Write the energies [J] of the states to the rows KINETIC and TOTAL, and to NEAREST that of the nearest position.

    near: (m, 3) [m] positions that are compared with the centre of mass. The energies of items at rest are omitted.
    """
    numbers = body.numbers
    set_time(body, bank, 0.0)
    u1, u2, u3 = three(bank, BASIS), three(bank, BASIS + 3), three(bank, BASIS + 6)
    spin, position = three(bank, ANGULAR_MOMENTUM), three(bank, POSITION)
    kinetic = 0.5 * dot(spinning(body, spin, u1, u2, u3), spin)
    if body.support == FREE:
        momentum = three(bank, MOMENTUM)
        kinetic = kinetic + (0.5 * constant(numbers, INVERSE_MASS)) * dot(momentum, momentum)
    middle = add(position, combine(constants(numbers, CENTER), u1, u2, u3))
    total = kinetic - constant(numbers, MASS) * dot(constants(numbers, GRAVITY), middle)
    for i in range(0, len(body.moment), 3):
        arm, moment = combine(constants(body.arm, i), u1, u2, u3), combine(constants(body.moment, i), u1, u2, u3)
        here = add(position, arm)
        total = total - dot(moment, field_now(body, bank))
        for j in range(0, len(body.source), 3):
            displacement = subtract(constants(body.position, j), here)
            field, _, _ = pair(displacement, moment, constants(body.source, j), body.permeability)
            total = total - dot(moment, field)
    nearest, least = broadcast(0.0), broadcast(np.inf)
    for k in range(len(near)):
        displacement = subtract(row(near, k), middle)
        square = dot(displacement, displacement)
        closer = least > square
        nearest, least = where(closer, float(k), nearest), where(closer, square, least)
    store(bank, KINETIC, 0, None, kinetic)
    store(bank, TOTAL, 0, None, total)
    store(bank, NEAREST, 0, None, nearest)
