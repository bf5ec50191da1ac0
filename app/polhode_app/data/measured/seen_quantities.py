"""Quantities that are offered for a column: positions as the camera sees them, for data from videos; by unit. No Qt."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from vtkmodules.vtkRenderingCore import vtkCamera

from polhode.engine.compiled_scene import CompiledScene
from polhode.fitting.quantities.angles import angles
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


def by_unit(units: Mapping[str, str], unit: str) -> list[str]:
    """Names of quantities in their order, but those with the unit of a column first."""
    return sorted(units, key=lambda name: units[name] != unit)


def proposed(units: Mapping[str, str], unit: str, compiled: CompiledScene) -> str:
    """The only quantity that a column of a unit can reasonably measure, "" if there is none or a choice of several.

    The angle of the only body with angles, the angular velocity of the only body on an axle that is along a coordinate
    axis, or the only quantity with the unit.
    """
    if unit == "rad":
        candidates = list({name.rpartition(".")[0]: name for name in reversed(angles(compiled))}.values())
    elif unit == "rad/s":
        candidates = []
        for body in compiled.scene.bodies:
            along = [axis for axis, part in zip("xyz", body.axis or (), strict=False) if part]
            if body.support != "fixed":
                is_plain = body.support == "axle" and len(along) == 1
                candidates.append(f"{body.name}.angular_velocity.{along[0]}" if is_plain else "")
    else:
        candidates = [name for name, own in units.items() if own == unit]
    return candidates[0] if unit and len(candidates) == 1 else ""
