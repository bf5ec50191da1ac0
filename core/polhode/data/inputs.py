"""Columns of measured data as functions of time in the laws of a scene (core/polhode/scene/measured_input.py)."""

from __future__ import annotations

from functools import lru_cache
from math import inf
from pathlib import Path
from typing import NamedTuple

import numpy as np

from polhode.data.measured import Column, MeasuredData
from polhode.data.reading import read_data
from polhode.formulas.expression import Expression
from polhode.formulas.sampled import Interpolation, SampledFunction
from polhode.scene.column_names import units_file
from polhode.scene.measured_input import MeasuredInput
from polhode.scene.message import Message, plural
from polhode.scene.problem import InputError, InvalidValue
from polhode.udf.meshes import container

Source = float | str | MeasuredInput
"""Values of a field that takes formulas of time."""
Formula = str | Expression
Stamp = tuple[int, int] | None
T = Expression("t")


class Reading(NamedTuple):
    """How a file is read: arguments of `read_data`."""

    table: str | None
    time: str | None
    rate: float | None
    drop_later: bool


def formula_of(source: Source, folder: Path) -> Formula:
    """A formula as it is, a number as a formula, and measured data as an expression of t, SI.

    folder: that of the scene. Raises InputError where the data can't be used.
    """
    if not isinstance(source, MeasuredInput):
        return source if isinstance(source, str) else f"({source!r})"
    try:
        column = function_of(source, folder)
    except InvalidValue as error:
        raise InputError(str(folder / source.data), [error.problem]) from None
    return Expression(source.offset) + Expression(source.gain) * Expression(column, (T - Expression(source.delay),))


def function_of(source: MeasuredInput, folder: Path) -> SampledFunction:
    """The column as a function of the time of the data [s], SI. Raises InvalidValue with the field as its place."""
    data = _data_of(source, folder)
    column = _column(source, data)
    return _function(data, column, source.interpolation, source.time_scale)


def notes_of(source: MeasuredInput, folder: Path) -> list[Message]:
    """Notes of the file on the column, and on all of its columns. Raises InvalidValue."""
    data = _data_of(source, folder)
    _column(source, data)
    own = [note for note in data.notes if note.values.get("name", source.column) == source.column]
    return [Message("'{file}': {reason}", file=source.data, reason=note) for note in own]


def unit_of(source: MeasuredInput, folder: Path) -> str:
    """SI unit of the column, as the scene or the file states it; "" where neither does. Raises InvalidValue."""
    return _column(source, _data_of(source, folder)).unit


def span(source: MeasuredInput, folder: Path) -> tuple[float, float]:
    """Times of the run [s] between which a column has values. Raises InvalidValue."""
    if source.outside == "hold":
        return -inf, inf
    column = function_of(source, folder)
    return column.first + source.delay, column.last + source.delay


def _data_of(source: MeasuredInput, folder: Path) -> MeasuredData:
    """The data of the file, read once as long as it does not change. Raises InvalidValue with the place `data`."""
    path = folder / source.data
    if container(path) != path:
        rule = Message("'{file}' is within another file", file=source.data)
        raise InvalidValue(rule, Message("unpack it beside the scene"), "data")
    units = ((source.column, source.unit),) if source.unit else ()
    try:
        how = Reading(source.table or None, source.time or None, source.rate or None, source.drop_later)
        return _read(path, units, how, (_stamp(path), _stamp(units_file(path))))
    except InputError as error:
        problem = error.problems[0]
        rule = Message("'{file}': {reason}", file=source.data, reason=problem.rule)
        if problem.place:
            rule = Message("'{file}', {place}: {reason}", file=source.data, place=problem.place, reason=problem.rule)
        place = problem.place if problem.place in Reading._fields else "data"
        raise InvalidValue(rule, problem.remedy, "unit" if problem.place == source.column else place) from None


def _stamp(path: Path) -> Stamp:
    """Time of modification [ns] and size [bytes] of a file; None if it can't be read."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=8)
def _read(path: Path, units: tuple[tuple[str, str], ...], how: Reading, _stamps: tuple[Stamp, Stamp]) -> MeasuredData:
    """The data of a file; read again where it, or its file of units, has another time of modification or size."""
    return read_data(path, dict(units), **how._asdict())


def _column(source: MeasuredInput, data: MeasuredData) -> Column:
    """The column of the data. Raises InvalidValue with the place `column`."""
    try:
        return data.column(source.column)
    except InputError as error:
        raise InvalidValue(error.problems[0].rule, error.problems[0].remedy, "column") from None


@lru_cache(maxsize=16)
def _function(data: MeasuredData, column: Column, interpolation: Interpolation, time_scale: float) -> SampledFunction:
    """The function through the rows that have a number; data and columns are compared by identity."""
    there = ~np.isnan(column.values)
    if there.sum() < 2:
        rule = plural(
            "'{name}' has {count} number", "'{name}' has {count} numbers", name=column.name, count=int(there.sum())
        )
        raise InvalidValue(rule, Message("name a column with at least two"), "column")
    values = time_scale * data.times[there], column.values[there]
    return SampledFunction.of_samples(column.name, *values, interpolation)
