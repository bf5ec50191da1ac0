"""Export of recordings to tables, and of single states to scene files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

import numpy as np

from polhode.analysis.table.row_times import decimal_times
from polhode.analysis.table.table_file import TABLES, open_table
from polhode.recording.playback import Playback
from polhode.recording.reader import RecordedRun
from polhode.recording.scene_bundle import files_of
from polhode.recording.unpacking import unpack
from polhode.scene.files.file_writing import check_place
from polhode.scene.message import Message, joined
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene_writing import write_scene
from polhode.simulation.scene_from_snapshot import scene_from_snapshot
from polhode_app.cli.options.outputs import refuse_inputs
from polhode_app.cli.results.uncertain_output import DeviationColumns, deviations_of_recording, has_deviations

ROWS = 256  # rows computed at once
ENDINGS = (*TABLES, ".toml")


def unwind(
    run: RecordedRun,
    out: Path,
    at: float | None,
    progress: Callable[[float], None],
    overwrite: bool = False,
    units: bool = False,
) -> list[str]:
    """Export a recording to `out`, in the format of its extension; returns notes for the user.

    `at` [s] selects the state that is exported to a scene file, None the last one. `progress` is called with the number
    of states that are done. Mesh files that belong to the scene replace existing files only if `overwrite` is set. With
    `units` the units of a CSV table are written beside it.

    Raises InputError for invalid options, and OSError if writing fails.
    """
    _check_options(run, out, at, units)
    ending = out.suffix.lower()
    if ending == ".toml":
        return _scene(run, out, at, overwrite)
    return _table(run, out, progress, units)


def _check_options(run: RecordedRun, out: Path, at: float | None, units: bool) -> None:
    """Refuse other endings, options of another format and a missing folder. Raises InputError."""
    ending = out.suffix.lower()
    if ending not in ENDINGS:
        endings = ", ".join(ENDINGS)
        rule = Message(
            "can't be made from '{name}': a recording becomes {endings}", name=run.path.name, endings=endings
        )
        remedy = Message("choose one of these; 'polhode render' makes films of it")
        raise InputError(str(out), [Problem("", rule, remedy)])
    if units and ending != ".csv":
        rule = Message("is for tables in CSV files")
        raise InputError(str(out), [Problem("--units", rule, Message("leave it out, or write a .csv"))])
    if at is not None and ending != ".toml":
        rule = Message("is for scenes; a table has all frames")
        raise InputError(str(out), [Problem("--at", rule, Message("leave it out"))])
    check_place(out)


def _rows(run: RecordedRun, playback: Playback) -> Iterator[np.ndarray]:
    """Yield the rows of the table in blocks (n, columns) of at most ROWS, with decimal times."""
    for start in range(0, run.rows, ROWS):
        table = playback.table(start=start, stop=min(run.rows, start + ROWS))
        table[:, 0] = decimal_times(table[:, 0])
        yield table


def _table(run: RecordedRun, out: Path, progress: Callable[[float], None], units: bool) -> list[str]:
    """Write all columns to a table, with deviations where the scene has uncertain numbers; returns notes for the user.

    Rows written before an error are kept, but no file without a row.
    """
    playback = Playback(run)
    blocks = _rows(run, playback)
    first = next(blocks)
    about = {"title": run.about.title, "program": run.about.program, "scene": run.text}
    begun = 0.5 * run.rows if has_deviations(run) else 0.0
    deviations, notes = _deviations(run, playback, lambda part: progress(part * begun)) if begun else (None, [])
    done = 0
    columns = playback.columns | (deviations.units if deviations is not None else {})
    with open_table(out, columns, about, units) as table:
        for rows in chain([first], blocks):
            further = [deviations.next_rows(len(rows))] if deviations is not None else []
            table.add_rows(np.hstack([rows, *further]))
            done += len(rows)
            progress(begun + done * (1.0 - begun / run.rows))
    return notes


def _deviations(
    run: RecordedRun, playback: Playback, progress: Callable[[float], None]
) -> tuple[DeviationColumns | None, list[str]]:
    """Deviations of all columns, and notes for the user on why there are none."""
    try:
        if (found := deviations_of_recording(run, playback.columns, progress)) is not None:
            return found, []
        reason = Message("{rows:.3g} rows are too many", rows=run.rows)
    except InputError as error:
        reason = joined([problem.message for problem in error.problems], "; ")
    return None, [Message("no columns with standard deviations: {reason}", reason=reason)]


def _scene(run: RecordedRun, out: Path, at: float | None, overwrite: bool) -> list[str]:
    """Write the state at a time [s] as a scene file, with the mesh files it needs; returns notes for the user."""
    time = run.until if at is None else at
    if not run.times[0] <= time <= run.until:
        rule = Message(
            "{time:g} s is not in the recording, which has {first:g} s to {last:g} s",
            time=time,
            first=run.times[0],
            last=run.until,
        )
        raise InputError(str(out), [Problem("--at", rule, Message("choose a time in it"))])
    row, playback = run.row_at(time), Playback(run)
    scene, notes = scene_from_snapshot(playback.go_to(row).compiled, playback.snapshot(row))
    files = {name: content for name, content in run.files.items() if name in files_of(scene)}
    if out.name.lower() in map(str.lower, files):
        rule = Message("is also the name of a file of the scene")
        raise InputError(str(out), [Problem("", rule, Message("choose another name"))])
    refuse_inputs([out.parent / name for name in files], [run.path])
    unpack(files, out.parent, str(out), overwrite)
    write_scene(scene.in_folder(out.parent), out)
    return notes
