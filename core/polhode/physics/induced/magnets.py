"""Induced dipoles beside magnets that act on each other by closed forms: on iron they act as clouds of dipoles."""

from __future__ import annotations

from polhode.jit.kernel import kernel
from polhode.jit.vec import accumulate, row, scale, subtract
from polhode.physics.induced.arrays import Induced
from polhode.physics.magnets.arrays import Dipoles, DipoleWork
from polhode.physics.magnets.pair import pair


@kernel
def add_pairs_with_magnets(induced: Induced, dipoles: Dipoles, permeability: float, work: DipoleWork) -> None:
    """Add fields and forces of all pairs of an induced dipole and one of those magnets on another body."""
    for k in range(len(induced.row)):
        i = induced.row[k]
        for j in induced.closed_form:
            if dipoles.first[induced.body[k]] <= j < dipoles.first[induced.body[k] + 1]:
                continue
            r = subtract(row(work.position, j), row(work.position, i))
            here, there, force = pair(r, row(work.moment, i), row(work.moment, j), permeability)
            accumulate(work.field, i, here)
            accumulate(work.field, j, there)
            accumulate(work.force, i, force)
            accumulate(work.force, j, scale(-1.0, force))
