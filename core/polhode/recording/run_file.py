"""Runs from files: tables and recordings as named arrays."""

from __future__ import annotations

from pathlib import Path

from polhode.analysis.table.csv_table import read_csv
from polhode.analysis.table.parquet_table import PARQUET, read_parquet
from polhode.analysis.table.run import Run
from polhode.recording.recording import read_recording
from polhode.scene.checks.arguments import checked
from polhode.scene.message import Message
from polhode.scene.problem import InputError, reason_of

ENDINGS = (".csv", PARQUET, ".vtkhdf")


@checked
def read_run(path: Path | str) -> Run:
    """Read the table of a run: .csv, .parquet, or a recording (.vtkhdf), of which all columns are computed.

        from polhode import read_run

        run = read_run("run.csv")
        print(run.names, run["bob.position"].shape)

    Raises InputError for files that are missing, damaged, or no tables of a run.
    """
    file = Path(path)
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        rule = Message("the ending '{ending}' is not a known one", ending=file.suffix)
        raise InputError.of(str(path), rule, Message("use {endings}", endings=", ".join(ENDINGS)))
    if ending == ".vtkhdf":
        with read_recording(file) as recording:
            return recording.run()
    try:
        units, rows, about = read_parquet(file) if ending == PARQUET else (*read_csv(file), {})
    except OSError as error:
        rule = Message("cannot be read ({reason})", reason=reason_of(error))
        raise InputError.of(str(path), rule, Message("check the name and the file")) from error
    return Run(rows, units, file.name, about=about)
