"""Conversion between the units of a file and SI.

Every field that carries a `Quantity` is multiplied with its factor, also inside of tuples and nested parts; formulas
and fields without a quantity stay. Defaults are SI in any file, but for those marked `in_file_units`.
"""

from __future__ import annotations

from typing import Annotated, TypeVar, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from polhode.physics.bodies.shapes import MeshFile
from polhode.physics.paths.bead import Bead
from polhode.scene.quantity import Quantity
from polhode.scene.scene import Scene, Units

PartOfScene = TypeVar("PartOfScene", bound=BaseModel)
Sizes = tuple[float, float, float, float]  # one unit of length, mass, time, current of the file [SI]


def sizes(units: Units) -> Sizes:
    """One unit of length, mass, time and current of a file in m, kg, s and A."""
    return (units.length, units.mass, units.time, units.current)


def field_quantity(field: FieldInfo) -> Quantity | None:
    """The Quantity that a field is annotated with, also where the field may be None; else None."""
    found = [mark for mark in field.metadata if isinstance(mark, Quantity)]
    return found[-1] if found else _inner_quantity(field.annotation)


def quantity_in(part: BaseModel, name: str) -> Quantity | None:
    """The Quantity of a field of a part, by its Python name.

    The parameter of a bead counts as its path does; the scale of a mesh is a pure number where its file has a unit.
    """
    if isinstance(part, Bead) and name == "parameter":
        return Quantity(part.path.parameter_unit)
    if isinstance(part, MeshFile) and name == "scale" and part.has_unit:
        return None
    return field_quantity(type(part).model_fields[name])


def _inner_quantity(annotation: object) -> Quantity | None:
    """Quantity of `Annotated[number, Quantity] | None`; those of the fields of a nested part are not its own."""
    if get_origin(annotation) is Annotated:
        for mark in get_args(annotation):
            if isinstance(mark, Quantity):
                return mark
    for inner in get_args(annotation):
        if (quantity := _inner_quantity(inner)) is not None:
            return quantity
    return None


def key_of(name: str, field: FieldInfo) -> str:
    """Name of a field in files: its alias, or its Python name."""
    return field.alias or name


def fields_by_key(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """The fields of a model by their names in files, in order."""
    return {key_of(name, field): field for name, field in model.model_fields.items()}


def times(value: object, factor: float) -> object:
    """`value`, a number or nested tuples of numbers, with every number multiplied; None stays None."""
    if isinstance(value, tuple):
        return tuple(times(item, factor) for item in value)
    return value * factor if isinstance(value, int | float) else value


def in_si(part: PartOfScene, units: Sizes) -> PartOfScene:
    """A part in SI, from one whose stated values are in the file's units.

    Defaults are SI already, unless they count in the file's units. Not validated; a part that does not change is the
    same object. Not for a part that is in SI already: its values would be multiplied again.
    """
    changed: dict[str, object] = {}
    for name in type(part).model_fields:
        value = getattr(part, name)
        quantity = quantity_in(part, name)
        if quantity is not None and not isinstance(value, BaseModel):
            factor = quantity.factor(units)
            if factor != 1.0 and (name in part.model_fields_set or quantity.in_file_units):
                changed[name] = times(value, factor)
        elif isinstance(value, BaseModel) and not isinstance(value, Units):
            changed[name] = in_si(value, units)
        elif isinstance(value, tuple) and value and isinstance(value[0], BaseModel):
            changed[name] = tuple(in_si(item, units) for item in value)
    return part.model_copy(update=changed) if changed else part


def scene_in_si(scene: Scene) -> Scene:
    """The scene in SI, from one in the units that it states; validated again if it states any.

    Raises ValidationError where that leaves the range of numbers, or breaks a bound.
    """
    if not scene.units.model_fields_set:
        return scene
    units = sizes(scene.units)
    return Scene.model_validate(in_si(scene, units).model_dump(exclude_unset=True, by_alias=True))
