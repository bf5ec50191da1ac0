"""Tables of several series, each with a column of times of its own, such as "Time, x, Time, y"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from polhode.data.headings import factor_of, plain
from polhode.data.measured import LATER
from polhode.data.text_table import RawTable
from polhode.data.times import dropped_note, rising
from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue

RUN = re.compile(r".*:\s*|[ _.#]*(run[ _]*#?)?\d+$|\s*#\d+$", re.IGNORECASE)


def times_of_series(headings: Sequence[tuple[str, str]], at: int) -> list[int]:
    """Indices of the columns of times, the first of which is `at`; each is followed by the columns of its series.

    headings: names and units of all columns. Further times have the name of the first one, but for the name or number
    of a run ("Run 2: Time"), and no other unit than one of time. A column of times without a series is none.
    """
    name = _base(headings[at][0])
    found = [at]
    for number, (other, unit) in enumerate(headings):
        if number > at and name and _base(other) == name and factor_of_time(unit) is not None:
            found.append(number)
    bounds = [*found, len(headings)]
    if any(after - before < 2 for before, after in pairwise(bounds)):
        return [at]
    return found


def factor_of_time(unit: str) -> float | None:
    """Seconds of one `unit`, 1 without one; None for a unit of another quantity."""
    if not plain(unit):
        return 1.0
    try:
        factor, si = factor_of(unit)
    except InvalidValue:
        return None
    return factor if si == "s" else None


def in_common_rows(
    source: str, raw: RawTable, headings: Sequence[tuple[str, str]], starts: Sequence[int], drop_later: bool = False
) -> tuple[RawTable, list[Message]]:
    """The table with a row for each time of any series: times in the column starts[0], nan where a series has none.

    starts: indices of the columns of times; those of further series become columns of words, which are left out

    drop_later: leave out rows of a series whose time is not after all before

    Raises InputError with the line for times of a series that are missing or do not increase.
    """
    dropped = 0
    width = raw.values.shape[1]
    bounds = [0, *starts[1:], width]
    unit = factor_of_time(headings[starts[0]][1]) or 1.0
    series = []
    for k, at in enumerate(starts):
        times = raw.values[:, at] * ((factor_of_time(headings[at][1]) or 1.0) / unit)
        columns = [c for c in range(bounds[k], bounds[k + 1]) if c != at]
        if drop_later:
            late = ~rising(times)
            dropped += int(late.sum())
            raw = _without(raw, late, [at, *columns])
            times = np.where(late, np.nan, times)
        is_there = np.isfinite(times)
        _check_series(source, raw, headings[at][0], times, columns)
        series.append((times[is_there], np.flatnonzero(is_there), columns))
    every = np.unique(np.concatenate([times for times, _, _ in series]))
    values, lines = np.full((len(every), width), np.nan), np.zeros(len(every), dtype=int)
    values[:, starts[0]] = every
    for times, rows, columns in reversed(series):
        into = np.searchsorted(every, times)
        values[into[:, None], columns] = raw.values[rows[:, None], columns]
        lines[into] = raw.lines[rows]
    note = Message(
        "{count} series have times of their own: each is read at its own times, with gaps at those of others",
        count=len(starts),
    )
    made = RawTable(raw.headings, values, lines, raw.texts | set(starts[1:]), raw.every, raw.tables, {}, raw.clocks)
    return made, [note, *dropped_note(dropped)]


def _without(raw: RawTable, rows: np.ndarray, columns: Sequence[int]) -> RawTable:
    """The table with nan in the columns of the rows (n,) that are left out."""
    values = raw.values.copy()
    values[np.ix_(rows, np.asarray(columns))] = np.nan
    return replace(raw, values=values)


def _check_series(source: str, raw: RawTable, name: str, times: np.ndarray, columns: Sequence[int]) -> None:
    """Raise InputError where a row (n,) of a series has values but no time, or its times do not increase."""
    is_there = np.isfinite(times)
    lost = np.flatnonzero(~is_there & np.isfinite(raw.values[:, columns]).any(axis=1))
    if len(lost):
        place = Message("line {line}", line=int(raw.lines[lost[0]]))
        remedy = Message("add the time, or remove the line")
        raise InputError.of(source, Message("has no time in '{name}'", name=name), remedy, place)
    back = np.flatnonzero(np.diff(times[is_there]) <= 0.0)
    if len(back):
        before, after = times[is_there][back[0] : back[0] + 2]
        rule = Message("'{name}' goes from {before:.9g} to {after:.9g}", name=name, before=before, after=after)
        raise InputError.of(source, rule, LATER, Message("line {line}", line=int(raw.lines[is_there][back[0] + 1])))


def _base(name: str) -> str:
    """The name of a column without that of its run: "time" of "Run 2: Time" and "Time_2"."""
    return RUN.sub("", name).strip().casefold()
