"""Tables as objects of pandas and xarray, which are optional."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from polhode.analysis.table.named_columns import AXES, NamedColumns
from polhode.data.optional_library import optional_library


def pandas_of(numbers: np.ndarray, columns: Mapping[str, str], source: str) -> Any:
    """A DataFrame of the columns `numbers` (T, c), indexed by time; units by name in `attrs`. Raises InputError."""
    pandas = optional_library(source, "pandas")
    frame = pandas.DataFrame(numbers, columns=[*columns]).set_index("time")
    frame.attrs["units"] = dict(columns)
    return frame


def xarray_of(numbers: np.ndarray, named: NamedColumns, about: Mapping[str, str], source: str) -> Any:
    """A Dataset of the columns `numbers` (T, c) over `time`, with vectors as arrays. Raises InputError."""
    xarray = optional_library(source, "xarray")
    variables: dict[str, Any] = {}
    coordinates: dict[str, Any] = {"axis": [*AXES]}
    for name, places in named.grouped().items():
        dimensions = ["time"]
        if places.ndim == 2:
            dimensions.append(f"{name.rpartition('.')[0]}.point")
        if places.ndim > 0:
            dimensions.append("axis")
        variables[name] = (dimensions, numbers[:, places], {"units": named.all_units[name]})
    coordinates["time"] = variables.pop("time")
    return xarray.Dataset(variables, coordinates, dict(about))
