"""Point dipoles in the world's field and in each other's.

Every pair gives each dipole the field of the other, B, and the force of its gradient, F. What both do to a body then
follows as for any field: torque p x B + r' x F about the reference point, with r' from there to the dipole.
"""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from core.engine.ledger import FIELD
from core.jit.kernel import kernel
from core.jit.kernel_struct import rows_within
from core.jit.simd import WIDTH, broadcast, first_lanes, store
from core.jit.vec import Triple, accumulate, add, cross, dot, row, scale
from core.physics.bodies.arrays import BodyWork
from core.physics.magnets.arrays import Dipoles, DipoleWork, WorldField
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
def clear(vectors: np.ndarray) -> None:
    """Zeros, eight at a time: loads of eight numbers stall where these were stored one by one."""
    numbers = rows_within(vectors, 0, 1, 3 * len(vectors))
    for i in range(0, 3 * len(vectors), WIDTH):
        store(numbers, 0, i, first_lanes(3 * len(vectors) - i), broadcast(0.0))


@kernel
def clear_sums(dipole_work: DipoleWork) -> None:
    """No field at the dipoles, and no force on them, before those of the others are summed."""
    clear(dipole_work.field)
    clear(dipole_work.force)


@kernel
def world_field(field: WorldField, time: float) -> Triple:
    """B = B1 cos(wt) + B2 sin(wt) [T] at `time` [s]; a uniform field has w = 0."""
    b1 = (field.cosine[0], field.cosine[1], field.cosine[2])
    b2 = (field.sine[0], field.sine[1], field.sine[2])
    if field.frequency == 0.0:  # two functions less, in a step that may have a few pairs only
        return b1
    angle = field.frequency * time
    return add(scale(cos(angle), b1), scale(sin(angle), b2))


@kernel
def world_field_rate(field: WorldField, time: float) -> Triple:
    """dB/dt [T/s] of the world's field: the field of a quarter turn later, times w."""
    if field.frequency == 0.0:
        return 0.0, 0.0, 0.0
    quarter = 0.5 * pi / field.frequency
    return scale(field.frequency, world_field(field, time + quarter))


@kernel
def load_bodies(
    dipoles: Dipoles, field: WorldField, time: float, body_work: BodyWork, dipole_work: DipoleWork, power: np.ndarray
) -> None:
    """Add to the bodies the forces on their dipoles and the torques p x B + r x F; the fields of dipoles are summed."""
    at_all, rate_at_all = world_field(field, time), world_field_rate(field, time)
    first, lost = dipoles.first, 0.0
    for b in range(len(first) - 1):
        pull, torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        for i in range(first[b], first[b + 1]):
            moment, force = row(dipole_work.moment, i), row(dipole_work.force, i)
            lost += dot(moment, rate_at_all)
            pull = add(pull, force)
            turning = cross(moment, add(at_all, row(dipole_work.field, i)))
            torque = add(torque, add(turning, cross(row(dipole_work.arm, i), force)))
        accumulate(body_work.force, b, pull)
        accumulate(body_work.torque, b, torque)
    power[FIELD] -= lost


@kernel
def magnetic_energy(field: WorldField, time: float, dipole_work: DipoleWork) -> float:
    """Energy [J] of all dipoles in the world's field, -p.B, and in that of the others, where each pair counts twice.

    The fields of dipoles are summed.
    """
    at_all, energy = world_field(field, time), 0.0
    for i in range(len(dipole_work.moment)):
        in_others = scale(0.5, row(dipole_work.field, i))
        energy -= dot(row(dipole_work.moment, i), add(at_all, in_others))
    return energy
