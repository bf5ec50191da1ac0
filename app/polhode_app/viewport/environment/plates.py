"""Conducting plates: translucent slabs of metal, as large as the scene and of their true thickness."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from polhode.physics.bodies.shapes import unit
from polhode.physics.plates.description import Plate
from polhode_app.viewport.base.palette import COPPER, rgba
from polhode_app.viewport.base.polydata import box
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.record import StillView

MARGIN = 0.3  # margin around the extent, in radii of the stage
FILL, EDGE = 0.45, 0.9  # opacity of the slab and of its edges
FACES = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))


class PlateView(StillView):
    """Two actors for each plate: the slab and its edges."""

    def _made(self, stage: Stage) -> Iterator[vtkActor]:
        for plate in stage.scene.plate:
            if plate.name not in stage.scene.view.hide:
                *color, opacity = rgba(plate.color or COPPER)
                solid = slab_of(corners_of(plate, stage))
                yield _actor(solid, color, FILL * opacity)
                yield _actor(solid.extract_all_edges(), color, EDGE * opacity)


def corners_of(plate: Plate, stage: Stage) -> np.ndarray:
    """(8, 3) [m] corners of a plate in the scene: four of the face against its normal, then four of the other face."""
    point, normal = np.array(plate.point), unit(plate.normal)
    across = np.cross([0.0, 1.0, 0.0] if abs(normal[2]) > abs(normal[1]) else [0.0, 0.0, 1.0], normal)
    across /= np.linalg.norm(across)
    up = np.cross(normal, across)
    low, high = box(np.column_stack([(stage.extent - point) @ across, (stage.extent - point) @ up]))
    low, high = low - MARGIN * stage.radius, high + MARGIN * stage.radius
    flat = np.array([low, (high[0], low[1]), high, (low[0], high[1])]) @ np.array([across, up])
    return np.vstack([point + flat + side * plate.thickness / 2 * normal for side in (-1, 1)])


def slab_of(corners: np.ndarray) -> pv.PolyData:
    """Surface of a slab with corners (8, 3) [m], in the order of `corners_of`."""
    return pv.PolyData(corners, faces=np.insert(np.array(FACES), 0, 4, axis=1).ravel())


def _actor(data: pv.PolyData, color: list[float], opacity: float) -> vtkActor:
    """A translucent actor of one colour, flat like polished metal."""
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(data)
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.PickableOff()
    look = actor.GetProperty()
    look.SetColor(*color)
    look.SetOpacity(opacity)
    look.SetInterpolationToFlat()
    look.SetAmbient(0.35)
    look.SetDiffuse(0.65)
    look.SetSpecular(0.3)
    look.SetLineWidth(1.5)
    return actor
