"""Point dipoles in the world's field and in each other's.

Every pair gives each dipole the field of the other, B, and the force of its gradient, F. What both do to a body then
follows as for any field: torque p x B + r' x F about the reference point, with r' from there to the dipole.
"""

from __future__ import annotations

from math import cos, pi, sin, sqrt

from core.kernel import kernel
from core.model import FIELD, Inputs, Model, Work
from core.vec import Triple, accumulate, add, cross, dot, put, row, scale, subtract


@kernel
def pair(r: Triple, p_a: Triple, p_b: Triple, permeability: float) -> tuple[Triple, Triple, Triple]:
    """Fields at a and at b [T], and force on a [N]; the force on b is the opposite. r = r_b - r_a [m].

    B_a = -dU/dp_a = mu0/(4 pi d^3) {3 (p_b.r) r/d^2 - p_b}, B_b likewise,
    F_a = dU/dr = -3 mu0/(4 pi d^5) {(p_b.r) p_a + (p_a.r) p_b + (p_a.p_b) r - 5 (p_a.r)(p_b.r) r/d^2}
    """
    inverse_square = 1.0 / dot(r, r)
    strength = permeability / (4 * pi) * inverse_square * sqrt(inverse_square)
    a_r, b_r = dot(p_a, r), dot(p_b, r)
    field_a = scale(strength, subtract(scale(3 * b_r * inverse_square, r), p_b))
    field_b = scale(strength, subtract(scale(3 * a_r * inverse_square, r), p_a))
    along_r = dot(p_a, p_b) - 5 * a_r * b_r * inverse_square
    direction = add(add(scale(b_r, p_a), scale(a_r, p_b)), scale(along_r, r))
    return field_a, field_b, scale(-3 * strength * inverse_square, direction)


@kernel
def pair_energy(r: Triple, p_a: Triple, p_b: Triple, permeability: float) -> float:
    """U = -mu0/(4 pi d^3) {3 (p_a.r)(p_b.r)/d^2 - p_a.p_b} [J]."""
    square = dot(r, r)
    return -permeability / (4 * pi * square * sqrt(square)) * (3 * dot(p_a, r) * dot(p_b, r) / square - dot(p_a, p_b))


@kernel
def add_pairs(model: Model, work: Work) -> None:
    """Fields and forces of all pairs of dipoles of different bodies."""
    first, n = model.dipoles.first, len(model.dipoles.moment)
    for body in range(len(first) - 1):
        for a in range(first[body], first[body + 1]):
            position, p_a = row(work.dipole_position, a), row(work.dipole_moment, a)
            field, force = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
            for b in range(first[body + 1], n):
                r = subtract(row(work.dipole_position, b), position)
                field_a, field_b, force_a = pair(r, p_a, row(work.dipole_moment, b), model.permeability)
                field, force = add(field, field_a), add(force, force_a)
                accumulate(work.field, b, field_b)
                accumulate(work.dipole_force, b, scale(-1.0, force_a))
            accumulate(work.field, a, field)
            accumulate(work.dipole_force, a, force)


@kernel
def world_field(inputs: Inputs, time: float) -> Triple:
    """B = B1 cos(wt) + B2 sin(wt) [T] at `time` [s]; a uniform field has w = 0."""
    b1 = (inputs.field_cosine[0], inputs.field_cosine[1], inputs.field_cosine[2])
    b2 = (inputs.field_sine[0], inputs.field_sine[1], inputs.field_sine[2])
    angle = inputs.field_frequency * time
    return add(scale(cos(angle), b1), scale(sin(angle), b2))


@kernel
def world_field_rate(inputs: Inputs, time: float) -> Triple:
    """dB/dt [T/s] of the world's field: the field of a quarter turn later, times w."""
    quarter = 0.5 * pi / inputs.field_frequency if inputs.field_frequency != 0.0 else 0.0
    return scale(inputs.field_frequency, world_field(inputs, time + quarter))


@kernel
def add_magnetism(model: Model, inputs: Inputs, time: float, work: Work) -> None:
    field, field_rate = world_field(inputs, time), world_field_rate(inputs, time)
    for i in range(len(model.dipoles.moment)):
        put(work.field, i, field)
        put(work.dipole_force, i, (0.0, 0.0, 0.0))
    add_pairs(model, work)
    for b in range(len(model.bodies.mass)):
        for i in range(model.dipoles.first[b], model.dipoles.first[b + 1]):
            force = row(work.dipole_force, i)
            turning = cross(row(work.dipole_moment, i), row(work.field, i))
            work.power[FIELD] -= dot(row(work.dipole_moment, i), field_rate)
            accumulate(work.force, b, force)
            accumulate(work.torque, b, add(turning, cross(row(work.dipole_arm, i), force)))


@kernel
def magnetic_energy(model: Model, inputs: Inputs, time: float, work: Work) -> float:
    """Energy [J] of all dipoles in the world's field, -p.B, and of all pairs."""
    first, n = model.dipoles.first, len(model.dipoles.moment)
    field = world_field(inputs, time)
    energy = 0.0
    for body in range(len(first) - 1):
        for a in range(first[body], first[body + 1]):
            position, p_a = row(work.dipole_position, a), row(work.dipole_moment, a)
            energy -= dot(p_a, field)
            for b in range(first[body + 1], n):
                r = subtract(row(work.dipole_position, b), position)
                energy += pair_energy(r, p_a, row(work.dipole_moment, b), model.permeability)
    return energy
