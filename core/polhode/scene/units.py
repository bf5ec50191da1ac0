"""Conversion between the units of a file and SI.

Every field that carries a `Quantity` is multiplied with its factor, also inside of tuples and nested parts; formulas
and fields without a quantity stay. Defaults are SI in any file, but for those marked `in_file_units`.
"""

from __future__ import annotations

from typing import Annotated, TypeVar

from pydantic import BaseModel, Field

from polhode.physics.bodies.shapes import MeshFile
from polhode.physics.paths.bead import Bead
from polhode.scene.model_fields import field_quantity
from polhode.scene.part import ScenePart
from polhode.scene.quantity import Number, Quantity
from polhode.scene.uncertain import Uncertain

PartOfScene = TypeVar("PartOfScene", bound=BaseModel)
Size = Annotated[Number, Field(ge=1e-30, le=1e30)]  # its powers stay within the range of float64
Sizes = tuple[float, float, float, float]  # one unit of length, mass, time, current of the file [SI]


class Units(ScenePart):
    """Size of one unit of the file in SI. Inside the program everything is SI already."""

    has_uncertain = False
    length: Size = 1.0
    """Metres in one unit of length."""
    mass: Size = 1.0
    """Kilograms in one unit of mass."""
    time: Size = 1.0
    """Seconds in one unit of time."""
    current: Size = 1.0
    """Amperes in one unit of electric current."""


def sizes(units: Units) -> Sizes:
    """One unit of length, mass, time and current of a file in m, kg, s and A."""
    return (units.length, units.mass, units.time, units.current)


def quantity_in(part: BaseModel, name: str) -> Quantity | None:
    """The Quantity of a field of a part, by its Python name.

    The parameter of a bead counts as its path does; the scale of a mesh is a pure number where its file has a unit.
    """
    if isinstance(part, Bead) and name == "parameter":
        return Quantity(part.path.parameter_unit)
    if isinstance(part, MeshFile) and name == "scale" and part.has_unit:
        return None
    return field_quantity(type(part).model_fields[name])


def times(value: object, factor: float) -> object:
    """`value`, a number or nested tuples of numbers, with every number multiplied; None stays None."""
    if isinstance(value, tuple):
        return tuple(times(item, factor) for item in value)
    if isinstance(value, Uncertain):
        return value.scaled(factor)
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
