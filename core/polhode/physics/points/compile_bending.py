"""Hinges of chains and flat lattices as arrays."""

from __future__ import annotations

import numpy as np

from polhode.engine.part import Draft
from polhode.physics.points.arrays import Hinges
from polhode.physics.points.description import Chain, Lattice


def compile_bending(draft: Draft) -> None:
    """Add the member `hinges` of the Model."""
    rows = [np.zeros((0, 4))]
    for soft in draft.scene.soft:
        if isinstance(soft, Chain | Lattice) and soft.bending > 0:
            found = chain_hinges(soft) if isinstance(soft, Chain) else lattice_hinges(soft)
            rows.append(found + [*[draft.results["points"][soft.name].start] * 3, 0.0])
    every = np.concatenate(rows)
    first, middle, last = np.ascontiguousarray(every[:, :3].T.astype(np.int64))
    draft.model["hinges"] = Hinges(first, middle, last, every[:, 3].copy())


def chain_hinges(chain: Chain) -> np.ndarray:
    """(n, 4) first, middle and last point, and stiffness [N m/rad], of the hinges of a chain."""
    first = np.arange(chain.count - 2)
    return np.column_stack([first, first + 1, first + 2, np.full(len(first), chain.bending)])


def lattice_hinges(lattice: Lattice) -> np.ndarray:
    """(n, 4) as `chain_hinges`, of a lattice one layer thick with the flexural rigidity D = `bending` [N m].

    A row of edges of length h represents a strip of width w, the spacing across, or half of it at the border, which
    bends with D w per curvature: B = D w/h.
    """
    numbers = np.arange(np.prod(lattice.counts)).reshape(lattice.counts[::-1]).T
    flat = lattice.counts.index(1)
    sides = [axis for axis in range(3) if axis != flat]
    found = []
    for along, across in (sides, sides[::-1]):
        sheet = np.squeeze(numbers, flat)
        sheet = sheet if along < across else sheet.T
        width = np.full(lattice.counts[across], lattice.spacing[across])
        width[[0, -1]] /= 2
        stiffness = np.broadcast_to(lattice.bending * width / lattice.spacing[along], sheet[2:].shape)
        found.append(np.column_stack([part.ravel() for part in (sheet[:-2], sheet[1:-1], sheet[2:], stiffness)]))
    return np.concatenate(found)
