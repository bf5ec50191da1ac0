"""Point dipoles in the world's field and in each other's.

Every pair gives each dipole the field of the other, B, and the force of its gradient, F. What both do to a body then
follows as for any field: torque p x B + r' x F about the reference point, with r' from there to the dipole.
"""

from __future__ import annotations

from math import cos, pi, sin

from core.engine.model import FIELD, Inputs, Model, Work
from core.jit.kernel import kernel
from core.jit.vec import Triple, accumulate, add, cross, dot, put, row, scale, subtract
from core.physics.magnets.pair import pair, pair_energy
from core.physics.magnets.tree_sum import add_tree_sum


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
def add_mutual(model: Model, work: Work) -> None:
    """Fields and forces of all dipoles on those of other bodies: by their tree where the scene has one."""
    if model.tree.opening > 0:
        add_tree_sum(
            model.tree,
            model.permeability,
            model.dipoles.first,
            work.dipole_position,
            work.dipole_moment,
            work.field,
            work.dipole_force,
            work.tree,
        )
    else:
        add_pairs(model, work)


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
    add_mutual(model, work)
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
    field, energy = world_field(inputs, time), 0.0
    for i in range(len(model.dipoles.moment)):
        energy -= dot(row(work.dipole_moment, i), field)
    return energy + (tree_energy(model, work) if model.tree.opening > 0 else pairs_energy(model, work))


@kernel
def pairs_energy(model: Model, work: Work) -> float:
    first, n = model.dipoles.first, len(model.dipoles.moment)
    energy = 0.0
    for body in range(len(first) - 1):
        for a in range(first[body], first[body + 1]):
            position, p_a = row(work.dipole_position, a), row(work.dipole_moment, a)
            for b in range(first[body + 1], n):
                r = subtract(row(work.dipole_position, b), position)
                energy += pair_energy(r, p_a, row(work.dipole_moment, b), model.permeability)
    return energy


@kernel
def tree_energy(model: Model, work: Work) -> float:
    """-1/2 sum p.B in the field of the other bodies' dipoles, for each pair counts twice there; leaves it in `work`."""
    energy = 0.0
    work.field[:] = 0.0
    add_mutual(model, work)
    for i in range(len(model.dipoles.moment)):
        energy -= 0.5 * dot(row(work.dipole_moment, i), row(work.field, i))
    return energy
