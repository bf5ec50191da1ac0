"""Point dipoles in the world's field and in each other's.

Every pair gives each dipole the field of the other, B, and the force of its gradient, F. What both do to a body then
follows as for any field: torque p x B + r' x F about the reference point, with r' from there to the dipole.
"""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from core.engine.ledger import FIELD
from core.engine.model import Inputs, Model, Work
from core.engine.program import SHARED, call_phase
from core.jit.kernel import kernel
from core.jit.kernel_struct import rows_within
from core.jit.simd import WIDTH, broadcast, first_lanes, store
from core.jit.vec import Triple, accumulate, add, cross, dot, row, scale
from core.physics.magnets.arrays import Dipoles, DipoleWork
from core.physics.magnets.pair_blocks import add_all_pairs
from core.physics.magnets.tree import Settings
from core.physics.magnets.tree_sum import add_tree_sum


@kernel
def add_pairs(dipoles: Dipoles, permeability: float, dipole_work: DipoleWork) -> None:
    """Fields and forces of all pairs of dipoles of different bodies."""
    add_all_pairs(
        0,
        len(dipoles.moment),
        permeability,
        dipole_work.first,
        dipole_work.position,
        dipole_work.moment,
        dipole_work.field,
        dipole_work.force,
    )


@kernel
def add_by_tree(dipoles: Dipoles, permeability: float, tree: Settings, dipole_work: DipoleWork) -> None:
    """The same by their tree, where the scene has one."""
    add_tree_sum(
        tree,
        permeability,
        dipoles.first,
        dipole_work.position,
        dipole_work.moment,
        dipole_work.field,
        dipole_work.force,
        dipole_work.tree,
    )


@kernel
def add_mutual(model: Model, inputs: Inputs, time: float, work: Work) -> None:
    """Fields and forces of all dipoles on those of other bodies: by all pairs, or by their tree."""
    call_phase(SHARED, model, inputs, time, work.rate, work, work.energy)  # which reads no state and writes to no `out`


@kernel
def clear(vectors: np.ndarray) -> None:
    """Zeros, eight at a time: whoever reads eight of them waits where they were written one by one."""
    numbers = rows_within(vectors, 0, 1, 3 * len(vectors))
    for i in range(0, 3 * len(vectors), WIDTH):
        store(numbers, 0, i, first_lanes(3 * len(vectors) - i), broadcast(0.0))


@kernel
def world_field(inputs: Inputs, time: float) -> Triple:
    """B = B1 cos(wt) + B2 sin(wt) [T] at `time` [s]; a uniform field has w = 0."""
    b1 = (inputs.field_cosine[0], inputs.field_cosine[1], inputs.field_cosine[2])
    b2 = (inputs.field_sine[0], inputs.field_sine[1], inputs.field_sine[2])
    if inputs.field_frequency == 0.0:  # two functions less, in a step that may have a few pairs only
        return b1
    angle = inputs.field_frequency * time
    return add(scale(cos(angle), b1), scale(sin(angle), b2))


@kernel
def world_field_rate(inputs: Inputs, time: float) -> Triple:
    """dB/dt [T/s] of the world's field: the field of a quarter turn later, times w."""
    if inputs.field_frequency == 0.0:
        return 0.0, 0.0, 0.0
    quarter = 0.5 * pi / inputs.field_frequency
    return scale(inputs.field_frequency, world_field(inputs, time + quarter))


@kernel
def add_magnetism(model: Model, inputs: Inputs, time: float, work: Work) -> None:
    field, field_rate = world_field(inputs, time), world_field_rate(inputs, time)
    clear(work.dipoles.field)
    clear(work.dipoles.force)
    add_mutual(model, inputs, time, work)
    first, lost = model.dipoles.first, 0.0
    for b in range(len(model.bodies.mass)):
        pull, torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for i in range(first[b], first[b + 1]):
            moment, force = row(work.dipoles.moment, i), row(work.dipoles.force, i)
            lost += dot(moment, field_rate)
            pull = add(pull, force)
            turning = cross(moment, add(field, row(work.dipoles.field, i)))
            torque = add(torque, add(turning, cross(row(work.dipoles.arm, i), force)))
        accumulate(work.bodies.force, b, pull)
        accumulate(work.bodies.torque, b, torque)
    work.power[FIELD] -= lost


@kernel
def magnetic_energy(model: Model, inputs: Inputs, time: float, work: Work) -> float:
    """Energy [J] of all dipoles in the world's field, -p.B, and in that of the others, where each pair counts twice.

    Leaves the latter in `work`.
    """
    field, energy = world_field(inputs, time), 0.0
    clear(work.dipoles.field)
    add_mutual(model, inputs, time, work)
    for i in range(len(model.dipoles.moment)):
        in_others = scale(0.5, row(work.dipoles.field, i))
        energy -= dot(row(work.dipoles.moment, i), add(field, in_others))
    return energy
