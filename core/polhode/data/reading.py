"""Measured data from files: tables in text, exports of phyphox, Tracker's tracks, workbooks, tables of runs.

The format is found by the content, not by the name. Files come from other people: only regular files are opened, packed
data are counted while they are unpacked, and nothing in a file is executed.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import numpy as np

from polhode.data.archive import read_archive
from polhode.data.clock import COUNTS, across_midnight, unit_since_1970
from polhode.data.csv_line import without_apostrophe
from polhode.data.headings import distinct, factor_of, split_heading, time_column
from polhode.data.measured import MeasuredData, measured
from polhode.data.series import in_common_rows, times_of_series
from polhode.data.text_table import RawTable, read_text_table
from polhode.data.times import TimeOptions, dropped_note, rising, with_frames
from polhode.data.tracker import read_trk
from polhode.data.workbook import read_workbook
from polhode.scene.checks.arguments import checked
from polhode.scene.column_names import units_file
from polhode.scene.files.file_io import NotRegular, all_bytes, regular
from polhode.scene.message import Message, plural
from polhode.scene.problem import InputError, InvalidValue, reason_of

ZIP, OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
LARGEST_UNITS = 2**20  # [bytes] of the file of units of a table
SENSOR_LOG = {"raw": "mm", "distance": "mm", "filtered": "mm", "velocity": "mm/s"}


@checked
def read_data(
    path: Path | str,
    units: Mapping[str, str] | None = None,
    table: str | None = None,
    progress: Callable[[float], None] = lambda _part: None,
    time: str | None = None,
    rate: float | None = None,
    drop_later: bool = False,
) -> MeasuredData:
    """Measured data from a file.

        data = read_data("swing.csv", units={"x": "mm"})
        print(data.times, data.column("x").values)

    path: CSV or other text with any separator, decimal point or decimal comma; zip of such files, as phyphox exports
    it; workbook (.xls, .xlsx, .xlsm, .ods); project of Tracker (.trk); table of `polhode run`, with units if it has a
    file NAME.units.csv; sensor log
    units: units of columns by name, in place of those in the file; the name of the column of times has its own
    table: name of the table of a zip, workbook or project that has several, by default the first one
    time: name of the column of times, by default found by its name or unit
    rate: [1/s] frames per second of a film, for a table without times: a column "frame" numbers them, else the rows do
    drop_later: leave out rows whose time is not after all before, with a note, instead of refusing the file
    progress: called with the part of a text that is read, 0 to 1, from time to time; may raise to end the reading

    Values are in SI where their unit is known. Empty cells are nan. Raises InputError with place, rule and remedy for
    what can't be read, and for times that do not increase.
    """
    source, given = str(path), dict(units or {})
    for name, unit in given.items():
        try:
            factor_of(unit)
        except InvalidValue as error:
            raise InputError(source, [error.problem.at(name)]) from None
    if rate is not None and not 1e-6 <= rate <= 1e9:
        rule = Message("the rate is {rate:g}", rate=rate)
        raise InputError.of(source, rule, Message("give the number of frames per second, such as 240"), "rate")
    file, times = Path(path), TimeOptions(time, rate, drop_later)
    return _guarded(source, lambda: _read(source, file, given, table, progress, times))


def _read(
    source: str,
    path: Path,
    units: dict[str, str],
    table: str | None,
    progress: Callable[[float], None],
    times: TimeOptions,
) -> MeasuredData:
    """The data of a file by its first bytes. Raises InputError and OSError."""
    with regular(path) as file:
        start = file.read(512)
        file.seek(0)
        if start.startswith(OLE) or (start.startswith(ZIP) and _is_workbook(path)):
            return _of_named(source, *read_workbook(source, file, table), units, times)
        if start.startswith(ZIP):
            return _of_named(source, *read_archive(source, file, table), units, times)
        if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
            if times.rate is not None:
                remedy = Message("leave out the rate of the frames")
                raise InputError.of(source, Message("has times of its own"), remedy)
            return read_trk(path, table, units)
        if table is not None:
            rule = Message("is a single table without a name, so that it has no table '{name}'", name=table)
            raise InputError.of(source, rule, Message("leave it out"), "table")
        return _of_table(source, file, path, units, progress, times)


def _of_table(
    source: str,
    file: BinaryIO,
    path: Path,
    units: dict[str, str],
    progress: Callable[[float], None],
    times: TimeOptions,
) -> MeasuredData:
    """The data of a text; its file of units is used where neither the caller nor the heading gives one."""
    size = max(os.fstat(file.fileno()).st_size, 1)
    raw = read_text_table(source, file, progress=lambda read: progress(min(read / size, 1.0)))
    names = {split_heading(heading)[0] for heading in raw.headings}
    stated = _units_beside(path)
    if {"time", "raw"} <= names:
        stated = SENSOR_LOG | stated
    return data_of_raw(source, raw, stated, units, times)


def _of_named(
    source: str, raw: RawTable, notes: tuple[Message, ...], units: dict[str, str], times: TimeOptions
) -> MeasuredData:
    """The data of one table among others."""
    data = data_of_raw(source, raw, {}, units, times)
    return replace(data, notes=(*notes, *data.notes), tables=raw.tables)


def data_of_raw(
    source: str,
    raw: RawTable,
    stated: Mapping[str, str],
    units: dict[str, str],
    options: TimeOptions = TimeOptions(),  # noqa: B008  # it is immutable
) -> MeasuredData:
    """Measured data of a table of numbers with headings. Raises InputError.

    stated: units by column that count where the heading has none; units: those that count in any case;
    options: how the times are found
    """
    names, headings = _columns_of(source, raw, stated, units)
    if options.rate is None:
        at = _times_at(source, raw, names, headings, options.column)
    else:
        raw, headings, at = with_frames(source, raw, headings, options.rate)
        names = distinct([name for name, _ in headings])
    width = raw.values.shape[1]
    starts = times_of_series(headings, at)
    if len(starts) > 1:
        raw, notes = in_common_rows(source, raw, headings, starts, options.drop_later)
    else:
        raw, notes = _without_padding(raw, names, at)
    times, headings[at] = _from_start(raw, names[at], at, headings[at][1], notes)
    if options.drop_later:
        times, raw = _rising_rows(times, raw, notes)
    if raw.every > 1:
        words = Message("the table is long: of its rows each {every}th is used", every=raw.every)
        notes.append(words)
    kept = [k for k in range(width) if k != at and k not in raw.texts]
    if left_out := sorted(raw.texts - set(starts)):
        left = ", ".join(names[k] for k in left_out)
        notes.append(Message("columns of words are left out: {names}", names=left))
    if len(starts) == 1:
        notes += _gap_notes(raw, names, kept)
    notes += _time_warnings(times, headings[at][1])
    notes += _repeated_notes(names, headings, kept)
    columns = {names[k]: raw.values[:, k] for k in kept}
    try:
        factor_of(headings[at][1])
    except InvalidValue as error:
        raise InputError(source, [error.problem.at(names[at])]) from None
    of_columns = {names[k]: headings[k][1] for k in kept}
    made = measured(source, times, columns, of_columns, headings[at][1], tuple(notes), raw.lines)
    return replace(made, time_name=names[at] if raw.headings else "")


def _rising_rows(times: np.ndarray, raw: RawTable, notes: list[Message]) -> tuple[np.ndarray, RawTable]:
    """The rows (n,) whose times are after all before; a note with the number of the others is added to `notes`."""
    kept = rising(times)
    notes += dropped_note(int((~kept).sum()))
    return times[kept], replace(raw, values=raw.values[kept], lines=raw.lines[kept])


def _times_at(
    source: str, raw: RawTable, names: Sequence[str], headings: Sequence[tuple[str, str]], time: str | None
) -> int:
    """Index of the column of times: the one called `time`, else by its heading, else of a clock. Raises InputError."""
    if time is not None:
        if time in names:
            return names.index(time)
        remedy = Message("name one of {names}", names=", ".join(names[:20]))
        raise InputError.of(source, Message("has no column '{name}'", name=time), remedy)
    at = time_column(headings) if raw.headings else 0
    if at is None:
        at = min(raw.clocks, default=None)
    if at is None:
        rule = Message("has no column of times")
        remedy = Message(
            "name it 't (s)', or choose one ({time}) of {names}; for the frames of a film give their rate ({rate})",
            time="time",
            rate="rate",
            names=", ".join(names[:20]),
        )
        raise InputError.of(source, rule, remedy)
    return at


def _columns_of(
    source: str, raw: RawTable, stated: Mapping[str, str], units: Mapping[str, str]
) -> tuple[list[str], list[tuple[str, str]]]:
    """Distinct names of all columns, and names with units, as for `data_of_raw`. Raises InputError."""
    headings = [split_heading(heading) for heading in raw.headings] or [("", "")] * raw.values.shape[1]
    names = distinct([name for name, _ in headings])
    unknown = [name for name in units if name not in names]
    if unknown:
        rule = Message("has no column '{name}'", name=unknown[0])
        remedy = Message("name one of {names}", names=", ".join(names[:20]))
        raise InputError.of(source, rule, remedy)
    given = [units.get(name) or unit or stated.get(name, "") for name, (_, unit) in zip(names, headings, strict=True)]
    return names, [(name, unit) for (name, _), unit in zip(headings, given, strict=True)]


def _gap_notes(raw: RawTable, names: Sequence[str], kept: Sequence[int]) -> list[Message]:
    """Notes on gaps between numbers of the columns `kept`; gaps up to the end have a note of their own."""
    found = []
    for k in kept:
        gaps = int(np.isnan(raw.values[:, k]).sum())
        if 0 < gaps < len(raw.values) and k not in raw.ends:
            found.append(
                plural("column '{name}' has {count} gap", "column '{name}' has {count} gaps", name=names[k], count=gaps)
            )
    return found


def _repeated_notes(names: Sequence[str], headings: Sequence[tuple[str, str]], kept: Sequence[int]) -> list[Message]:
    """Notes on columns `kept` with the same heading: the first has its name, the others have one with a number."""
    alike: dict[str, list[str]] = {}
    for k in kept:
        alike.setdefault(headings[k][0], []).append(names[k])
    return [
        Message(
            "columns of the same name '{name}' are, in order, {names}", name=name, names=", ".join(map(repr, found))
        )
        for name, found in alike.items()
        if name and len(found) > 1
    ]


def _from_start(
    raw: RawTable, name: str, at: int, unit: str, notes: list[Message]
) -> tuple[np.ndarray, tuple[str, str]]:
    """Times (n,) of the column `at`, and its name and unit; dates and counts since 1970 become times since the first.

    unit: as stated, "" without one. A change is added to `notes`.
    """
    times = raw.values[:, at]
    if at in raw.clocks:
        times, unit = across_midnight(times), "s"
    since = unit_since_1970(times)
    if not since or unit not in ("", since) or not len(times):
        return times, (name, unit)
    first = datetime.fromtimestamp(times[0] / COUNTS[since], UTC).isoformat(" ", "milliseconds")
    notes.append(Message("the times ({unit} since 1970) count from the first one, {first}", unit=since, first=first))
    return times - times[0], (name, since)


def _without_padding(raw: RawTable, names: list[str], at: int) -> tuple[RawTable, list[Message]]:
    """The table up to the end of its times, in the column `at`, and notes on columns that end before others."""
    last = raw.ends.get(at)
    notes = [
        Message("column '{name}' ends before line {line}: NaN from there on counts as gaps", name=names[k], line=line)
        for k, line in sorted(raw.ends.items())
        if last is None or line < last
    ]
    if last is None:
        return raw, notes
    notes.append(Message("the times end before line {line}: the rows from there on are left out", line=last))
    there = raw.lines < last
    return replace(raw, values=raw.values[there], lines=raw.lines[there]), notes


def _time_warnings(times: np.ndarray, unit: str) -> list[Message]:
    """A note on times without a unit that look like milliseconds: whole numbers, the median step 5 or more."""
    steps = np.diff(times[np.isfinite(times)])
    if unit or not len(steps) or not (np.median(steps) >= 5.0 and np.all(steps == np.round(steps))):
        return []
    return [Message("the times have no unit and count as seconds, but look like milliseconds; state their unit")]


def _units_beside(path: Path) -> dict[str, str]:
    """Units by column from NAME.units.csv of a table; {} without such a file, or if it is another table."""
    try:
        content = all_bytes(units_file(path), LARGEST_UNITS).decode("utf-8")
        rows = list(csv.reader(io.StringIO(content)))
    except (OSError, ValueError, csv.Error):
        return {}
    if not rows or rows[0] != ["column", "unit"]:
        return {}
    return {without_apostrophe(row[0]): row[1] for row in rows[1:] if len(row) == 2}


def _is_workbook(path: Path) -> bool:
    """Whether a zip is a workbook, by its ending."""
    return path.suffix.lower() in (".xlsx", ".xlsm", ".xlsb", ".ods")


def _guarded(source: str, work: Callable[[], MeasuredData]) -> MeasuredData:
    """The result of `work`, with errors of the system as InputError."""

    def fault(rule: Message, remedy: Message) -> InputError:
        return InputError.of(source, rule, remedy)

    try:
        return work()
    except IsADirectoryError:
        raise fault(Message("is a folder, not a file"), Message("name the file of data in it")) from None
    except NotRegular:
        raise fault(Message("is a device, a pipe or a socket, not a file"), Message("name a regular file")) from None
    except FileNotFoundError:
        raise fault(Message("there is no such file"), Message("check the name and the folder")) from None
    except PermissionError:
        raise fault(Message("you may not read this file"), Message("change its permissions")) from None
    except OSError as error:
        rule = Message("cannot be read ({reason})", reason=reason_of(error))
        raise fault(rule, Message("check the file and the disk")) from error
    except ValueError as error:
        if "null" not in str(error):
            raise
        raise fault(Message("has a name that no file can have"), Message("check the name")) from None
