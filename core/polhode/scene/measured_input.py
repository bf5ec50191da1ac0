"""A column of measured data in place of a formula of time: description only.

    value(t) = offset + gain column((t - delay)/time_scale)

`core/polhode/data/inputs.py` reads the column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag

from polhode.scene.message import Message
from polhode.scene.part import ScenePart
from polhode.scene.quantity import NotNegative, Number, Positive, Quantity
from polhode.scene.uncertain import Certain


class MeasuredInput(ScenePart):
    """A column of measured data, interpolated: offset + gain column((t - delay)/time_scale)."""

    file_field = "data"
    in_unit_of_field = ("offset", "deviation")
    data: Annotated[str, Field(min_length=1)]
    """File of the data, relative to the scene's folder: any that `polhode.read_data` reads."""
    column: Annotated[str, Field(min_length=1)]
    """Name of the column."""
    unit: str = ""
    """Unit of the column, in place of the one that the file states."""
    table: str = ""
    """Name of the table of a workbook, zip or project that has several; by default the first one."""
    time: str = ""
    """Name of the column of times; by default found by its name or unit."""
    rate: Annotated[NotNegative, Quantity("1/s")] = 0.0
    """Rows or frames per second of a table without times; 0: the table has times."""
    drop_later: bool = False
    """Leave out rows whose time is not after all before, instead of refusing the file."""
    time_scale: Positive = 1.0
    """Seconds of the run in one second of the data's clock."""
    offset: Number = 0.0
    """Added to the column, in SI."""
    gain: Number = 1.0
    """Factor of the column."""
    delay: Annotated[Number, Quantity("s")] = 0.0
    """Time of the run at t = 0 of the data."""
    deviation: Annotated[NotNegative, Certain(Message("is a deviation, which is certain, but is {text}"))] = 0.0
    """Standard deviation of each row of the column, in SI: independent errors, which widen the intervals of fits."""
    interpolation: Literal["linear", "cubic"] = "linear"
    """Between the rows: straight lines, or a natural cubic spline."""
    outside: Literal["refuse", "hold"] = "refuse"
    """Before the first and after the last row: the run ends, or the nearest value is held."""


def _is_measured(value: object) -> str:
    return "(data)" if isinstance(value, dict | MeasuredInput) else "(formula)"


@dataclass(frozen=True)
class Measures:
    """SI units that a field may have where it is measured, as an annotation of fields without a Quantity."""

    units: tuple[str, ...]


FORMULA = Tag("(formula)")
Measured = Annotated[MeasuredInput, Tag("(data)")]
OR_MEASURED = Discriminator(_is_measured)
"""Of a field with a formula or measured data: Annotated[Annotated[..., FORMULA] | Measured, OR_MEASURED]."""
