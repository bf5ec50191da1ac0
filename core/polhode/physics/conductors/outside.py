"""Currents in conductors as sources of a field in space: dipoles at the centroids of triangles, and rings."""

from __future__ import annotations

import numpy as np

from polhode.engine.model import NOTHING, Model
from polhode.physics.conductors.coupled.arrays import elements_of

EQUILATERAL = 4.0 / 3.0**0.5  # square of an edge, relative to the area


def field_of_metal(
    model: Model, origin: np.ndarray, basis: np.ndarray, current: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Positions (n, 3) [m], moments (n, 3) [A m^2] and edges (n,) [m] of triangles, and rings as current sheets (r, 9)
    of magnets/field_in_space.py, laboratory frame.

    origin: (b, 3) [m] of the bodies' origins; basis: (b, 3, 3) rows u1, u2, u3; current: (k,) [A] of nodes; without
    them no sources
    """
    conductors = model.conductors
    if len(current) != conductors.first_node[-1] or not current.any():
        return np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0), np.zeros((0, 9))
    elements = elements_of(conductors, is_used=True)
    real = elements.sources > 0
    first, count, share = elements.source[real], elements.sources[real], elements.share[real]
    owner = np.repeat(conductors.body, elements.end - elements.first[:-1])
    node = conductors.node[first]
    amount = (share * np.where(node == NOTHING, 0.0, current[node])).sum(axis=1)
    middle = sum(conductors.position[first + (count > 1) * k] for k in range(3)) / 3.0
    place = origin[owner] + np.einsum("ni,nij->nj", middle - model.bodies.origin[owner], basis[owner])
    area = np.einsum("ni,nij->nj", count[:, None] * conductors.area[first], basis[owner])
    is_ring, size = count == 1, np.linalg.norm(area, axis=1)
    rings = np.zeros((int(is_ring.sum()), 9))
    rings[:, :3], rings[:, 3:6] = place[is_ring], area[is_ring] / size[is_ring, None]
    rings[:, 6], rings[:, 8] = conductors.radius[first[is_ring]], amount[is_ring]
    flat = ~is_ring
    return place[flat], amount[flat, None] * area[flat], np.sqrt(EQUILATERAL * size[flat]), rings
