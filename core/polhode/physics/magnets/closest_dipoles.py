"""Magnets nearer than the size of their bodies, where the attraction of point dipoles has no bound."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from polhode.engine.compiled_scene import CompiledScene
from polhode.physics.bodies.geometry.equivalent_ellipsoid import equivalent_ellipsoid


@dataclass(frozen=True)
class CloseDipoles:
    """Two bodies whose magnets are too close."""

    first: str
    second: str
    distance: float  # [m] between the magnets


def closest_dipoles(compiled: CompiledScene, positions: np.ndarray) -> CloseDipoles | None:
    """The closest pair of dipoles of different bodies, or None if it is not closer than both sizes together.

    A body's size is the longest semi-axis of its equivalent ellipsoid.

    positions: (m, 3) [m] of all dipoles, laboratory frame, in the order of the bodies.
    """
    first, nearest = compiled.model.dipoles.first, None
    sizes = [equivalent_ellipsoid(p.mass, p.principal()[0]).max() for p in compiled.properties]
    for a in range(len(sizes)):
        own, later = positions[first[a] : first[a + 1]], positions[first[a + 1] :]
        if not len(own) or not len(later):
            continue
        distances, indices = scipy.spatial.cKDTree(later).query(own)
        k = int(distances.argmin())
        b = int(np.searchsorted(first, first[a + 1] + indices[k], side="right")) - 1
        if distances[k] < sizes[a] + sizes[b] and (nearest is None or distances[k] < nearest.distance):
            nearest = CloseDipoles(compiled.scene.bodies[a].name, compiled.scene.bodies[b].name, float(distances[k]))
    return nearest
