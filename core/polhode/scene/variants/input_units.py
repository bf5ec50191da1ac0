"""SI units of measured inputs: those of the fields that they are in."""

from __future__ import annotations

from pydantic import BaseModel

from polhode.scene.fields import FieldPath, at
from polhode.scene.measured_input import Measures
from polhode.scene.model_fields import fields_by_key
from polhode.scene.scene_fields import SceneFields
from polhode.scene.units import quantity_in


def units_of_input(scene: SceneFields, path: FieldPath) -> tuple[str, ...]:
    """SI units that the field at the path of a measured input may have."""
    key = next(len(path) - 1 - k for k, step in enumerate(reversed(path)) if isinstance(step, str))
    part: BaseModel = at(scene, path[:key])
    name = str(path[key])
    if (quantity := quantity_in(part, name)) is not None:
        return (quantity.unit,)
    marks = [mark for mark in fields_by_key(type(part))[name].metadata if isinstance(mark, Measures)]
    return marks[0].units if marks else ()


def unit_in_input(scene: SceneFields, path: FieldPath) -> str:
    """Unit of the number at a path: of a measured input where it counts in that; "" of others, and of several."""
    *owner, name = path
    part = at(scene, tuple(owner))
    units = units_of_input(scene, tuple(owner)) if name in getattr(part, "in_unit_of_field", ()) else ()
    return units[0] if len(units) == 1 else ""
