"""Positions of bodies as the camera sees them, as names of quantities, for data from videos. No Qt."""

from __future__ import annotations

import numpy as np
from vtkmodules.vtkRenderingCore import vtkCamera

from polhode.engine.compiled_scene import CompiledScene
from polhode.fitting.quantities.names import along_name

Directions = tuple[tuple[float, ...], tuple[float, ...]]


def directions_of(camera: vtkCamera) -> Directions:
    """Directions of the laboratory to the right and up in the picture, to four digits."""
    ahead, above = np.array(camera.GetDirectionOfProjection()), np.array(camera.GetViewUp())
    right = np.cross(ahead, above)
    right /= np.linalg.norm(right)
    up = np.cross(right, ahead)
    return tuple(right.round(4).tolist()), tuple(up.round(4).tolist())


def seen_quantities(compiled: CompiledScene, directions: Directions) -> dict[str, str]:
    """Units [m] by name of the distances of all centres of mass from the origin, to the right and up in the picture."""
    pairs = zip(compiled.scene.bodies, compiled.properties, strict=False)
    return {
        along_name(body.name, mass.center.tolist(), direction): "m" for body, mass in pairs for direction in directions
    }
