"""Point dipoles in the world's field and in each other's (PEM section 3.3).

Every pair gives each dipole the field B of the other and the force F = grad (p.B) of its gradient (pair.py), summed
over all pairs or by a tree (tree_sum.py). With r' the arm from the reference point of the body to the dipole, the body
feels

    F = sum F_i      T = sum {p_i x B_i + r'_i x F_i}                   PEM eqs. 3.22, 3.33
    U = -sum p_i.B in the world's field B                               PEM eq. 3.21

where B_i includes the world's field, which is uniform and so exerts no force. The mutual energy of dipoles is half of
-sum p_i.B_i. While the world's field changes with time it does work, dU/dt = -sum p_i.dB/dt at constant positions,
which the ledger's line FIELD records. Checks: a needle of moment p and inertia I in a field B has the small period 2 pi
sqrt(I/(p B)); magpylib's field; conservation of angular momentum.
"""

from __future__ import annotations

from math import pi

import numpy as np

from polhode.engine.ledger import FIELD
from polhode.jit.kernel import kernel
from polhode.jit.kernel_struct import rows_within
from polhode.jit.libm.trigonometric import sincos
from polhode.jit.simd import WIDTH, broadcast, first_lanes, store
from polhode.jit.vec import Triple, accumulate, add, cross, dot, row, scale
from polhode.physics.bodies.arrays import BodyWork
from polhode.physics.magnets.arrays import Dipoles, DipoleWork, WorldField
from polhode.physics.magnets.pair_blocks import add_all_pairs
from polhode.physics.magnets.tree import TreeSettings
from polhode.physics.magnets.tree_sum import add_tree_sum


@kernel
def add_pairs(dipoles: Dipoles, permeability: float, dipole_work: DipoleWork) -> None:
    """Add fields [T] and forces [N] of all pairs of dipoles of different bodies.

    Sums into dipole_work.field and dipole_work.force; the cost is in proportion to the square of the number of dipoles.
    """
    add_all_pairs(0, len(dipoles.moment), permeability, dipole_work.first, dipole_work)


@kernel
def add_by_tree(dipoles: Dipoles, permeability: float, tree: TreeSettings, dipole_work: DipoleWork) -> None:
    """As `add_pairs` by a tree, within solver.dipole_tolerance, at a cost proportional to the dipoles."""
    add_tree_sum(tree, permeability, dipoles.first, dipole_work, dipole_work.tree)


@kernel
def clear(vectors: np.ndarray) -> None:
    """Set `vectors` (m, 3) to zero by SIMD stores: vector loads would wait for scalar stores to the same addresses."""
    numbers = rows_within(vectors, 0, 1, 3 * len(vectors))
    for i in range(0, 3 * len(vectors), WIDTH):
        store(numbers, 0, i, first_lanes(3 * len(vectors) - i), broadcast(0.0))


@kernel
def clear_sums(dipole_work: DipoleWork) -> None:
    """Zero the fields at all dipoles and the forces on them."""
    clear(dipole_work.field)
    clear(dipole_work.force)


@kernel
def world_field(field: WorldField, time: float) -> Triple:
    """B = B1 cos(wt) + B2 sin(wt) [T] at `time` [s], laboratory frame; B1 if w = 0."""
    b1 = (field.cosine[0], field.cosine[1], field.cosine[2])
    b2 = (field.sine[0], field.sine[1], field.sine[2])
    if field.frequency == 0.0:  # saves a sine and a cosine, which count in a scene of few pairs
        return b1
    angle = field.frequency * time
    sine, cosine = sincos(angle)
    return add(scale(cosine, b1), scale(sine, b2))


@kernel
def world_field_rate(field: WorldField, time: float) -> Triple:
    """dB/dt [T/s] of the world's field, laboratory frame: w B(t + pi/(2 w))."""
    if field.frequency == 0.0:
        return 0.0, 0.0, 0.0
    quarter = 0.5 * pi / field.frequency
    return scale(field.frequency, world_field(field, time + quarter))


@kernel
def load_bodies(
    dipoles: Dipoles, field: WorldField, time: float, body_work: BodyWork, dipole_work: DipoleWork, power: np.ndarray
) -> None:
    """Add the forces on dipoles and the torques p x B + r' x F to their bodies, and the power of the world's field.

    Ends the law, after the fields and forces of dipoles on each other are summed. power[FIELD] gets -sum p.dB/dt [W].

    time: [s], of the world's field.
    """
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
    """ENERGY: U = -sum p_i.(B + B_i/2) [J], B the world's field at `time` [s] and B_i the field of the other dipoles.

    dipole_work.field must be summed.
    """
    at_all, energy = world_field(field, time), 0.0
    for i in range(len(dipole_work.moment)):
        in_others = scale(0.5, row(dipole_work.field, i))
        energy -= dot(row(dipole_work.moment, i), add(at_all, in_others))
    return energy
