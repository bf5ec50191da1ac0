"""Plots of columns over time, with matplotlib."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any

import numpy as np

from polhode.analysis.table.named_columns import AXES
from polhode.data.optional_library import optional_library
from polhode.scene.checks.validation_messages import shown
from polhode.scene.message import Message
from polhode.scene.problem import InputError

APART = 0.14  # of the width, between the vertical axes of further units


def plot(time: np.ndarray, arrays: Mapping[str, np.ndarray], units: Mapping[str, str], axes: Any, source: str) -> Any:
    """Plot arrays (T, ...) over `time` (T,) [s] by name into `axes`, or new ones; returns the Axes of the first unit.

    Raises InputError where matplotlib is not installed, or `axes` are no Axes.
    """
    pyplot = optional_library(source, "matplotlib.pyplot")
    if axes is None:
        _, axes = pyplot.subplots(layout="constrained")
    elif not isinstance(axes, pyplot.Axes):
        rule = Message("must be Axes of matplotlib, but is {value}", value=shown(axes))
        raise InputError.of(source, rule, Message("see help(polhode.Run.plot)"), "axes")
    by_unit: dict[str, Any] = {}
    lines, colours = [], count()
    for name, values in arrays.items():
        unit = units[name]
        if unit not in by_unit:
            by_unit[unit] = axes if not by_unit else _further(axes, len(by_unit))
        for label, column in _lines(name, values):
            lines += by_unit[unit].plot(time, column, color=f"C{next(colours)}", label=label)
    for unit, part in by_unit.items():
        named = ", ".join(name for name in arrays if units[name] == unit)
        part.set_ylabel(f"{named} [{unit}]" if unit else named)
    axes.set_xlabel("time [s]")
    axes.legend(handles=lines)
    return axes


def _lines(name: str, values: np.ndarray) -> list[tuple[str, np.ndarray]]:
    """Labels and values (T,) of the lines of an array: one, or one for each component."""
    if values.ndim == 1:
        return [(name, values)]
    if values.ndim == 2:
        return [(f"{name}.{axis}", values[:, k]) for k, axis in enumerate(AXES)]
    owner, _, quantity = name.rpartition(".")
    return [line for k in range(values.shape[1]) for line in _lines(f"{owner}.{k}.{quantity}", values[:, k])]


def _further(axes: Any, number: int) -> Any:
    """A vertical axis at the right, the one with index `number`."""
    made = axes.twinx()
    made.spines["right"].set_position(("axes", 1.0 + APART * (number - 1)))
    return made
