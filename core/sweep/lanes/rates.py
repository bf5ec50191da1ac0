"""Rates and energies of eight cells at once: the same formulas as of one, on SIMD lanes.

The laws are those of core/physics, written on 3-tuples; here they are summed for one moving body. `bank` (rows, 8)
holds numbers of eight cells: a row is one number of each. The first rows are the body's section of the state.
"""

from __future__ import annotations

import numpy as np

from core.jit.kernel import kernel, part_of_caller
from core.jit.simd import Float64x8, broadcast, load, store, where
from core.jit.vec import add, combine, cross, dot, row, scale, subtract
from core.physics.bodies.angular_velocity import angular_velocity
from core.physics.bodies.arrays import ANGULAR_MOMENTUM, BASIS, BODY_SIZE, FREE, MOMENTUM, POSITION
from core.physics.bodies.friction.pivot_friction import friction_torque
from core.physics.bodies.placement import turnable_part
from core.physics.frame.gravity import weight
from core.physics.magnets.pair import pair
from core.sweep.lanes.body import LaneBody

LaneTriple = tuple[Float64x8, Float64x8, Float64x8]
STATE, STAGE = 0, BODY_SIZE
KINETIC, TOTAL, NEAREST, LARGEST, RATES = range(2 * BODY_SIZE, 2 * BODY_SIZE + 5)


@part_of_caller
def three(bank: np.ndarray, first: int) -> LaneTriple:
    """Rows first, first + 1 and first + 2 of `bank` (rows, 8)."""
    return load(bank, first, 0), load(bank, first + 1, 0), load(bank, first + 2, 0)


@part_of_caller
def put_three(bank: np.ndarray, first: int, a: LaneTriple) -> None:
    """Write rows first, first + 1 and first + 2 of `bank` (rows, 8)."""
    store(bank, first, 0, None, a[0])
    store(bank, first + 1, 0, None, a[1])
    store(bank, first + 2, 0, None, a[2])


@part_of_caller
def spread(a: tuple[float, float, float]) -> LaneTriple:
    """A vector that all cells share."""
    return broadcast(a[0]), broadcast(a[1]), broadcast(a[2])


@kernel
def write_rates(body: LaneBody, bank: np.ndarray, at: int, to: int) -> None:
    """Write the time derivative of the states in the rows of `bank` (rows, 8) from `at` on to those from `to` on.

    As `rates` of core/engine/rates.py: weight, friction of the support, dipoles, then what the support allows.
    """
    bodies, b = body.bodies, body.body
    u1, u2, u3 = three(bank, at + BASIS), three(bank, at + BASIS + 3), three(bank, at + BASIS + 6)
    spin = three(bank, at + ANGULAR_MOMENTUM)
    place = three(bank, at + POSITION)
    omega = angular_velocity(bodies, b, spin, u1, u2, u3)
    heavy = weight(bodies.mass[b], (body.gravity[0], body.gravity[1], body.gravity[2]))
    force = spread(heavy)
    torque = cross(combine(row(bodies.center, b), u1, u2, u3), heavy)
    torque = add(torque, friction_torque(bodies.friction[b], omega))
    for i in range(len(body.moment)):
        arm, moment = combine(row(body.arm, i), u1, u2, u3), combine(row(body.moment, i), u1, u2, u3)
        here, pull = add(place, arm), spread((0.0, 0.0, 0.0))
        field = spread((body.field[0], body.field[1], body.field[2]))
        for j in range(len(body.source)):
            found, _, drawn = pair(subtract(row(body.place, j), here), moment, row(body.source, j), body.permeability)
            field, pull = add(field, found), add(pull, drawn)
        force = add(force, pull)
        torque = add(torque, add(cross(moment, field), cross(arm, pull)))
    if bodies.restricted[b]:
        torque = turnable_part(bodies, b, torque, u1, u2, u3)
    if bodies.support[b] == FREE:
        put_three(bank, to + POSITION, scale(1.0 / bodies.mass[b], three(bank, at + MOMENTUM)))
        put_three(bank, to + MOMENTUM, force)
    put_three(bank, to + BASIS, cross(omega, u1))
    put_three(bank, to + BASIS + 3, cross(omega, u2))
    put_three(bank, to + BASIS + 6, cross(omega, u3))
    put_three(bank, to + ANGULAR_MOMENTUM, torque)


@kernel
def write_energies(body: LaneBody, near: np.ndarray, bank: np.ndarray) -> None:
    """Write the energies [J] of the states to the rows KINETIC and TOTAL, and to NEAREST that of the nearest place.

    near: (m, 3) [m] places that are compared with the centre of mass.

    The energies of what stands still are left out.
    """
    bodies, b = body.bodies, body.body
    u1, u2, u3 = three(bank, BASIS), three(bank, BASIS + 3), three(bank, BASIS + 6)
    spin, place = three(bank, ANGULAR_MOMENTUM), three(bank, POSITION)
    kinetic = 0.5 * dot(angular_velocity(bodies, b, spin, u1, u2, u3), spin)
    if bodies.support[b] == FREE:
        momentum = three(bank, MOMENTUM)
        kinetic = kinetic + (0.5 / bodies.mass[b]) * dot(momentum, momentum)
    middle = add(place, combine(row(bodies.center, b), u1, u2, u3))
    total = kinetic - bodies.mass[b] * dot((body.gravity[0], body.gravity[1], body.gravity[2]), middle)
    for i in range(len(body.moment)):
        here, moment = add(place, combine(row(body.arm, i), u1, u2, u3)), combine(row(body.moment, i), u1, u2, u3)
        total = total - dot(moment, (body.field[0], body.field[1], body.field[2]))
        for j in range(len(body.source)):
            field, _, _ = pair(subtract(row(body.place, j), here), moment, row(body.source, j), body.permeability)
            total = total - dot(moment, field)
    nearest, least = broadcast(0.0), broadcast(np.inf)
    for k in range(len(near)):
        way = subtract(row(near, k), middle)
        square = dot(way, way)
        closer = least > square
        nearest, least = where(closer, float(k), nearest), where(closer, square, least)
    store(bank, KINETIC, 0, None, kinetic)
    store(bank, TOTAL, 0, None, total)
    store(bank, NEAREST, 0, None, nearest)
