"""Measured data: times and columns of numbers in SI, with units and notes from their file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from polhode.data.headings import in_si
from polhode.scene.checks.arguments import Array, check_array, checked
from polhode.scene.message import Message, plural
from polhode.scene.problem import InputError, InvalidValue, Problem, did_you_mean

LATER = Message(
    "times have to increase: sort the lines, keep one of several measurements, or leave out later rows ({drop_later})",
    drop_later="drop_later",
)
LARGEST = 1e30  # magnitude of any value: squares and sums of squares stay finite


@dataclass(frozen=True, eq=False)
class Column:
    """A measured quantity."""

    name: str  # heading without the unit
    unit: str  # SI; "" where the file states none
    values: np.ndarray  # (n,) in `unit`; nan where the file has an empty cell
    stated: str = ""  # the unit in the file, such as "mm"

    @property
    def gaps(self) -> int:
        """Number of empty cells."""
        return int(np.isnan(self.values).sum())


@dataclass(frozen=True, eq=False)
class MeasuredData:
    """Result of `read_data`: columns that were measured at the same times."""

    source: str  # name of the file, for messages
    times: np.ndarray  # (n,) [s], increasing
    columns: tuple[Column, ...]
    notes: tuple[Message, ...] = ()  # ignored columns and assumptions
    tables: tuple[str, ...] = ()  # names of all tables of the file, if it can have several
    time_name: str = ""  # heading of the times without the unit; "" where it has none
    time_unit: str = "s"  # in which the file has them; "" where it states none

    def __repr__(self) -> str:
        names = ", ".join(f"{each.name} [{each.unit}]" if each.unit else each.name for each in self.columns)
        times = f"t = {self.times[0]:g} ... {self.times[-1]:g} s, {len(self.times)} rows"
        return f"MeasuredData of {self.source!r}: {times}\n  {names}"

    @classmethod
    @checked
    def of_arrays(
        cls, times: Array, columns: Mapping[str, Array], units: Mapping[str, str] | None = None
    ) -> MeasuredData:
        """Measured data from arrays.

        times: (n,) [s], increasing; columns: (n,) by name, nan for gaps; units: of columns, by default SI

            swing = MeasuredData.of_arrays(times, {"angle": degrees}, {"angle": "deg"})

        Raises InputError for columns of another length, and for numbers and times that no measurement has.
        """
        check_array("of_arrays", "times", times, (-1,))
        for name, unit in (units or {}).items():
            try:
                in_si(np.zeros(1), unit)
            except InvalidValue as error:
                raise InputError("of_arrays", [error.problem.at(f"units.{name}")]) from None
        try:
            return measured("of_arrays", times, columns, units)
        except InputError as error:
            named = [problem if problem.place else problem.at("columns") for problem in error.problems]
            raise InputError(error.source, named) from None

    @checked
    def column(self, name: str) -> Column:
        """The column of a name. Raises InputError with the most similar name as a remedy."""
        for column in self.columns:
            if column.name == name:
                return column
        names = [column.name for column in self.columns]
        remedy = did_you_mean(name, names, Message("name one of {names}", names=", ".join(names[:20])))
        raise InputError.of(self.source, Message("has no column '{name}'", name=name), remedy)


def measured(
    source: str,
    times: np.ndarray,
    columns: Mapping[str, np.ndarray],
    units: Mapping[str, str] | None = None,
    time_unit: str = "s",
    notes: tuple[Message, ...] = (),
    lines: np.ndarray | None = None,
) -> MeasuredData:
    """Measured data from arrays, checked and converted to SI.

    times: (n,) in `time_unit`; columns: (n,) by name, nan for gaps; units: those of columns, SI without one;
    lines: (n,) lines of the file, for messages

    Raises InputError for columns of another length, numbers that are infinite or too large, times that are missing or
    do not increase, fewer than two times and columns without a single number.
    """
    given, problems = units or {}, []
    rows = np.arange(1, len(times) + 1) if lines is None else lines
    seconds, _ = in_si(np.asarray(times, dtype=float), time_unit)
    problems += _problems_of_times(seconds, rows)
    made, noted = [], list(notes)
    for name, values in columns.items():
        numbers = np.asarray(values, dtype=float)
        if numbers.shape != np.shape(times):
            rule = Message("has {count} values, but there are {times} times", count=numbers.size, times=len(times))
            problems.append(Problem(name, rule, Message("give one value for each time")))
            continue
        bad = np.flatnonzero(np.isinf(numbers) | (np.abs(numbers) > LARGEST))
        if len(bad):
            rule = Message("'{name}' is {value:g}, beyond {most:g}", name=name, value=numbers[bad[0]], most=LARGEST)
            problems.append(Problem(_line(rows[bad[0]]), rule, Message("leave the cell empty, or correct it")))
            continue
        if np.isnan(numbers).all():
            noted.append(Message("column '{name}' has no numbers and is left out", name=name))
            continue
        made.append(_column(name, numbers, given.get(name, ""), noted))
    if not problems and not made:
        problems.append(Problem("", Message("has no column of numbers beside the time"), Message("add one")))
    if problems:
        raise InputError(source, problems)
    return MeasuredData(source, seconds, tuple(made), tuple(noted), time_unit=time_unit)


def _column(name: str, numbers: np.ndarray, stated: str, noted: list[Message]) -> Column:
    """A column of numbers (n,) in the unit `stated`, in SI if that unit is known, else with a note in `noted`."""
    try:
        converted, unit = in_si(numbers, stated)
    except InvalidValue:
        converted, unit = numbers, stated
        note = Message(
            "the unit '{unit}' of '{name}' is not known; its values stay as they are", unit=stated, name=name
        )
        noted.append(note)
    return Column(name, unit, converted, stated)


def _line(number: int) -> Message:
    return Message("line {line}", line=int(number))


def _problems_of_times(seconds: np.ndarray, rows: np.ndarray) -> list[Problem]:
    """Problems of times (n,) [s] in the lines `rows` (n,); the first fault of each kind."""
    if len(seconds) < 2:
        rule = plural(
            "has {count} row of numbers, at least {least} are needed",
            "has {count} rows of numbers, at least {least} are needed",
            count=len(seconds),
            least=2,
        )
        return [Problem("", rule, Message("measure for longer, or check the separator of the columns"))]
    lost = np.flatnonzero(~np.isfinite(seconds) | (np.abs(seconds) > LARGEST))
    if len(lost):
        rule = Message("has no time")
        return [Problem(_line(rows[lost[0]]), rule, Message("add the time, or remove the line"))]
    back = np.flatnonzero(np.diff(seconds) <= 0.0)
    if len(back):
        before, after = seconds[back[0]], seconds[back[0] + 1]
        rule = Message("the time goes from {before:.9g} s to {after:.9g} s", before=before, after=after)
        remedy = LATER
        return [Problem(_line(rows[back[0] + 1]), rule, remedy)]
    return []
