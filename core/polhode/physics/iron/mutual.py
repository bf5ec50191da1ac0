"""Charges of different bodies of iron: their potentials at each other's panels, and the forces between them.

    psi = q/(4 pi r)      F = mu0 q_a q_b r/(4 pi r^3)

between the centroids of panels, each pair once; force and torque on both bodies from the same numbers.
"""

from __future__ import annotations

from math import pi

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.simd import WIDTH, broadcast, first_lanes, inverse_root, load, load_three, reduce_sum, store
from polhode.jit.simd_rows import total_three
from polhode.jit.vec import Triple, accumulate, add, combine, cross, dot, row, scale, subtract
from polhode.physics.bodies.arrays import BodyWork, read_basis
from polhode.physics.iron.arrays import Iron, IronWork


@kernel
def place_panels(iron: Iron, state: np.ndarray, body_work: BodyWork, work: IronWork) -> None:
    """Write the centroids of all panels, laboratory frame."""
    for a in range(len(iron.body)):
        b = iron.body[a]
        u1, u2, u3 = read_basis(state, b)
        reference = row(body_work.position, b)
        for i in range(iron.first[a], iron.first[a + 1]):
            at = add(reference, combine((iron.middle[0, i], iron.middle[1, i], iron.middle[2, i]), u1, u2, u3))
            work.position[0, i], work.position[1, i], work.position[2, i] = at


@kernel
def potential_of_others(iron: Iron, charge: np.ndarray, work: IronWork) -> None:
    """Write the potential of charges (1, n) of other bodies at all panels into `image`."""
    everything, factor = first_lanes(WIDTH), 1.0 / (4.0 * pi)
    for i in range(0, len(iron.edge), WIDTH):
        store(work.image, 0, i, None, broadcast(0.0))
    for b in range(1, len(iron.body)):
        for j in range(iron.first[b], iron.first[b + 1]):
            own, total = factor * charge[0, j], broadcast(0.0)
            at = work.position[0, j], work.position[1, j], work.position[2, j]
            for i in range(0, iron.first[b], WIDTH):
                r = subtract(at, load_three(work.position, 0, i, everything))
                inverse = inverse_root(dot(r, r))
                total = total + load(charge, 0, i) * inverse
                store(work.image, 0, i, None, load(work.image, 0, i) + own * inverse)
            work.image[0, j] += factor * reduce_sum(total)


@kernel
def force_between(
    iron: Iron, a: int, b: int, reference: Triple, permeability: float, work: IronWork
) -> tuple[Triple, Triple]:
    """Force [N] on iron b by the charges of iron a, and its torque [N m] about `reference` [m], laboratory frame."""
    everything, zero = first_lanes(WIDTH), broadcast(0.0)
    force, torque, factor = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), permeability / (4.0 * pi)
    for j in range(iron.first[b], iron.first[b + 1]):
        at = work.position[0, j], work.position[1, j], work.position[2, j]
        field = (zero, zero, zero)
        for i in range(iron.first[a], iron.first[a + 1], WIDTH):
            r = subtract(at, load_three(work.position, 0, i, everything))
            inverse = inverse_root(dot(r, r))
            field = add(field, scale(load(work.charge, 0, i) * (inverse * inverse * inverse), r))
        pull = scale(factor * work.charge[0, j], total_three(field))
        force, torque = add(force, pull), add(torque, cross(subtract(at, reference), pull))
    return force, torque


@kernel
def load_pairs(iron: Iron, permeability: float, body_work: BodyWork, work: IronWork) -> None:
    """LAW: add the forces of iron on iron to their bodies."""
    for b in range(1, len(iron.body)):
        other = iron.body[b]
        for a in range(b):
            one, reference = iron.body[a], row(body_work.position, other)
            force, torque = force_between(iron, a, b, reference, permeability, work)
            accumulate(body_work.force, other, force)
            accumulate(body_work.torque, other, torque)
            about = add(torque, cross(subtract(reference, row(body_work.position, one)), force))
            accumulate(body_work.force, one, scale(-1.0, force))
            accumulate(body_work.torque, one, scale(-1.0, about))
