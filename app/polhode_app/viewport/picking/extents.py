"""Boxes along the axes of the laboratory: of the items that are drawn, and of one that is to be added."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyvista as pv

from polhode.scene.fields import FieldPath, at
from polhode.scene.scene import Scene, View
from polhode.simulation.snapshot import Snapshot
from polhode_app.edit.parts import LISTS
from polhode_app.viewport.base.stage import Stage, set_stage
from polhode_app.viewport.picking.bounding_boxes import box_of, numbers_of
from polhode_app.viewport.things.appearance_cache import AppearanceCache

SOLID = ("body", "sphere", "soft", "particle")  # lists of the items that fill a box
CLEAR = 0.05  # distance of a pendulum from the floor below it, in its lengths


@dataclass(frozen=True, eq=False)
class Extent:
    """The box of an item at its start, and its surface."""

    box: np.ndarray  # (2, 3) [m] lower and upper corner, laboratory frame
    swept: np.ndarray  # (2, 3) [m] the same, down to where a body swings that hangs from a pivot
    surface: pv.PolyData  # laboratory frame; the box for items without a surface

    @property
    def middle(self) -> np.ndarray:
        """(3,) [m] centre of the box."""
        return np.asarray(self.box.mean(axis=0))

    @property
    def size(self) -> float:
        """Longest edge [m] of the box."""
        return float(np.ptp(self.box, axis=0).max())


def boxes_of(stage: Stage, now: Snapshot, whole: bool = True) -> np.ndarray:
    """(n, 2, 3) [m] boxes of all items, at the start and in a snapshot; of a bead without its path.

    whole: one box of each body; False: small ones along each of its shapes, as a tilted rod fills little of its own box
    """
    found: list[np.ndarray] = []
    for snapshot in (now,) if now is stage.start else (now, stage.start):
        for key in SOLID:
            for index in range(len(getattr(stage.scene, key))):
                found += _item_boxes(stage, snapshot, (key, index), whole)
        for index, bead in enumerate(stage.scene.bead):
            middle = snapshot.bodies.position[numbers_of(stage.scene, ("bead", index))[0]]
            found.append(np.array([middle - bead.radius, middle + bead.radius]))
    return np.array(found).reshape(-1, 2, 3)


def _item_boxes(stage: Stage, now: Snapshot, path: FieldPath, whole: bool) -> list[np.ndarray]:
    """(2, 3) [m] boxes of an item."""
    parts = len(stage.solids[int(path[1])].parts) if path[0] == "body" and not whole else 0
    boxes = [box_of(stage, now, (*path, "shape", number)) for number in range(parts)] or [box_of(stage, now, path)]
    slices = [each for box in boxes if box is not None for each in (box.slices() if parts else [box])]
    return [np.array([each.corners.min(axis=0), each.corners.max(axis=0)]) for each in slices]


def extent_of(scene: Scene, path: FieldPath, like: Stage) -> Extent | None:
    """Extent of an item of a scene that is not drawn yet; None of one whose extent is not known before it is compiled.

    like: stage of the scene to which the item is to be added. Raises InputError for an unreadable mesh.
    """
    key = str(path[0])
    alone = scene.model_copy(update={**dict.fromkeys(LISTS, ()), key: (at(scene, path),), "view": View()})
    solids = AppearanceCache().of(alone, like.meshes)
    stage = set_stage(alone, solids, like.theme, like.meshes, like.job)
    box = box_of(stage, stage.start, (key, 0))
    if box is None:
        return None
    surfaces = [
        part.surface.rotate(stage.bodies.basis[number].T, inplace=False).translate(stage.bodies.position[number])
        for number, solid in enumerate(solids)
        for part in solid.parts
    ]
    corners = np.array([box.corners.min(axis=0), box.corners.max(axis=0)])
    if surfaces:  # a turned box is larger than what is in it
        corners = np.array([[pick(each.points, axis=0) for each in surfaces] for pick in (np.min, np.max)])
        corners = np.array([corners[0].min(axis=0), corners[1].max(axis=0)])
        if key == "bead":
            corners = np.array([np.minimum(corners[0], box.corners.min(axis=0)), box.corners.max(axis=0)])
    surface = pv.merge([pv.PolyData(each.points, each.faces) for each in surfaces]) if surfaces else _block(corners)
    return Extent(corners, _swept(corners, stage, surface), surface)


def _swept(corners: np.ndarray, stage: Stage, surface: pv.PolyData) -> np.ndarray:
    """(2, 3) [m] box of an item, down to the lowest place that it reaches if it is a body that hangs from its pivot."""
    body = next(iter(stage.scene.body), None)
    if body is None or body.support != "pivot":
        return corners
    arms = surface.points - stage.bodies.position[0]
    if arms[:, 2].mean() > 0.0:  # a top stands on its pivot
        return corners
    low = stage.bodies.position[0, 2] - (1.0 + CLEAR) * float(np.linalg.norm(arms, axis=1).max())
    return np.array([[*corners[0, :2], min(low, corners[0, 2])], corners[1]])


def _block(corners: np.ndarray) -> pv.PolyData:
    """Surface of a box between two corners (2, 3) [m]."""
    return pv.Box(bounds=corners.T.ravel())
