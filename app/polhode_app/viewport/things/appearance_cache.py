"""Cache of body surfaces: equal bodies share them, and edits keep those of unchanged bodies."""

from __future__ import annotations

import numpy as np

from polhode.physics.bodies.shapes import MeshShape
from polhode.physics.contact.spheres import Triangle
from polhode.scene.scene import Scene
from polhode_app.viewport.base.mesh_preview_loader import MeshSource
from polhode_app.viewport.base.palette import PALETTE
from polhode_app.viewport.base.solid import Solid, SolidPart
from polhode_app.viewport.things.bodies import north_of, parts_of
from polhode_app.viewport.things.shape_surfaces import AROUND

FULL = 6  # bodies up to which surfaces have full resolution
FULL_BALLS = 8  # of a rack, that have no stripe
FEWEST = 12  # facets of a full turn at least


class AppearanceCache:
    """Surfaces of the bodies of the current scene."""

    def __init__(self) -> None:
        self._known: dict[object, tuple[SolidPart, ...]] = {}

    def of(self, scene: Scene, meshes: MeshSource) -> tuple[Solid, ...]:
        """A Solid for each body, in the order of the scene. Raises InputError for an unreadable mesh."""
        old, self._known = self._known, {}
        around, patterns = facets(len(scene.bodies)), racked(scene)
        solids = []
        for number, body in enumerate(scene.bodies):
            files = tuple(id(meshes.of(shape, scene.folder)) for shape in body.shape if isinstance(shape, MeshShape))
            by_number = any(shape.color is None and north_of(body, shape) is None for shape in body.shape)
            color = number % len(PALETTE) if by_number else None
            pattern = patterns.get(body.name, "octants")
            look = (body.shape, body.dipole, files, color, around, pattern)
            if look not in self._known:
                self._known[look] = old.get(look) or parts_of(body, number, scene.folder, meshes, around, pattern)
            solids.append(Solid(body, self._known[look]))
        return tuple(solids)


def racked(scene: Scene) -> dict[str, str]:
    """Patterns of balls that start in a triangle, by name: eight full ones, and further ones with a stripe."""
    racks = [sphere.names for sphere in scene.sphere if isinstance(sphere.arrangement, Triangle)]
    return {name: "full" if k < FULL_BALLS else "stripe" for names in racks for k, name in enumerate(names)}


def facets(bodies: int) -> int:
    """Facets of a full turn in a scene with this number of bodies, a multiple of 4."""
    wanted = AROUND * np.sqrt(FULL / max(bodies, FULL))
    return int(np.clip(4 * round(wanted / 4), FEWEST, AROUND))
