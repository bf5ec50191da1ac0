"""Run: the table of a run as named arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from polhode.analysis.table.conversion import pandas_of, xarray_of
from polhode.analysis.table.named_columns import NamedColumns
from polhode.analysis.table.plotting import plot
from polhode.analysis.table.table_file import TABLES, open_table
from polhode.scene.checks.arguments import checked
from polhode.scene.files.file_writing import problem_of_place
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem, reason_of
from polhode.simulation.program import function_of_program

if TYPE_CHECKING:
    from polhode.scene.scene import Scene


RECORDING = ".vtkhdf"


class Run:
    """A run as arrays by name, one row for each time. Arrays are read-only views; SI, laboratory frame.

        run = Simulation(read_scene("scenes/heavy_top.toml")).run(until=5.0, every=0.01)
        run.time                        # (T,) [s]
        run["top.position"]             # (T, 3) [m]
        run["top.position.z"]           # (T,)
        run["energy.total"]             # (T,) [J]
        run.units["top.position"]       # "m"
        run.save("run.parquet")

    Names are those of the columns of tables, vectors without .x, .y and .z, and of soft bodies the points together:
    run["rope.position"] is (T, points, 3). `len` is the number of rows, `in` looks for a name, and iteration gives the
    names of the columns, as of a pandas DataFrame.
    """

    numbers: np.ndarray
    """(T, c) all columns."""
    columns: dict[str, str]
    """Units of the columns by name, in order; "" for pure numbers."""
    scene: Scene | None
    """The scene at the start; None where the table was read from a file, whose `about` may have it as text."""
    stopped: str
    """Why the run has ended early; "" for a complete one."""

    def __init__(
        self,
        numbers: np.ndarray,
        columns: Mapping[str, str],
        source: str = "run",
        scene: Scene | None = None,
        about: Mapping[str, str] | None = None,
        stopped: str = "",
        every: float = 0.0,
    ):
        """Columns `numbers` (T, c) with their units by name; one of them is "time".

        source: its name, for messages
        every: [s] between rows, where `scene` alone determines the run, which can then be repeated; 0 for others
        """
        self.numbers = numbers.view()
        self.numbers.setflags(write=False)
        self.columns, self.scene, self.stopped = dict(columns), scene, stopped
        self._about, self._every = about, every
        self._source, self._named = source, NamedColumns(source, self.columns)

    @cached_property
    def about(self) -> dict[str, str]:
        """Metadata: `title`, `program`, `scene` (TOML), as far as they are known."""
        if self._about is None and self.scene is not None:
            # imports what writes files, which a run does not need
            from polhode.scene.scene_writing import scene_text  # noqa: PLC0415

            return {"title": self.scene.title, "scene": scene_text(self.scene)}
        return dict(self._about or {})

    @property
    def complete(self) -> bool:
        """Whether the run reached its end."""
        return not self.stopped

    @property
    def time(self) -> np.ndarray:
        """(T,) [s]"""
        return self["time"]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return tuple(self.columns)

    def keys(self) -> tuple[str, ...]:
        """Names of the columns, in order; so dict(run) has a (T,) array for each."""
        return self.names

    @property
    def units(self) -> dict[str, str]:
        """Units of columns and vectors by name; "" for pure numbers."""
        return self._named.all_units

    @checked
    def __getitem__(self, name: str) -> np.ndarray:
        """The array of a name: (T,), (T, 3), or (T, points, 3). Raises InputError with the most similar name."""
        return self.numbers[:, self._named.columns_of(name)]

    def __contains__(self, name: object) -> bool:
        return name in self._named.all_units

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def _ipython_key_completions_(self) -> list[str]:
        """Names that a notebook completes in run["..."]."""
        return [*self._named.all_units]

    def __repr__(self) -> str:
        times = f"t = {self.time[0]:g} ... {self.time[-1]:g} s, " if len(self) else ""
        shown = f"Run of {self._source!r}: {times}{len(self)} rows, {len(self.columns)} columns"
        vectors = [name for name in self._named.grouped() if name != "time"]
        further = f", ... ({len(vectors) - 6} more)" if len(vectors) > 6 else ""
        stopped = f"\n  incomplete: {self.stopped}" if self.stopped else ""
        return f"{shown}{stopped}\n  {', '.join(vectors[:6])}{further}"

    def to_pandas(self) -> Any:
        """A pandas DataFrame of all columns, with the time as its index; `attrs["units"]` has the units.

        Raises InputError where pandas is not installed.
        """
        return pandas_of(self.numbers, self.columns, self._source)

    def to_xarray(self) -> Any:
        """An xarray Dataset over the dimension `time`, each variable with its unit as `attrs["units"]`.

        Vectors have the dimension `axis` (x, y, z), those of a soft body also NAME.point. Raises InputError where
        xarray is not installed.
        """
        return xarray_of(self.numbers, self._named, self.about, self._source)

    @checked
    def plot(self, *names: str, axes: object = None) -> Any:
        """Plot these arrays over the time with matplotlib; returns the Axes, those of the first unit.

        axes: to plot into, by default new ones. Each further unit has a vertical axis of its own, at the right. Raises
        InputError for unknown names, or without any, and where matplotlib is not installed.
        """
        if not names:
            raise InputError.of(self._source, Message("there is nothing to plot"), Message("name a column"))
        return plot(self.time, {name: self[name] for name in names}, self.units, axes, self._source)

    @checked
    def save(self, path: Path | str, units: bool = True) -> None:
        """Write a table: .csv, as `polhode run` writes it, or .parquet, with units and the scene as metadata.

        units: write those of a CSV file beside it, as `a.units.csv`; `read_run` reads them

        As .vtkhdf it is a recording, for replay and for other programs. The rows have no states, so the run is repeated
        from the start of its scene, with the same bits, and frames at the whole steps that are nearest to the rows.
        Other runs, those that began later or that something acted on, can't be saved so.

        An existing file is replaced. Raises InputError for another ending, and where the file can't be written.
        """
        out = Path(path)
        ending = out.suffix.lower()
        if ending == RECORDING:
            self._record(out)
            return
        if ending not in TABLES:
            rule = Message("the ending '{ending}' is not a known one", ending=out.suffix)
            raise InputError.of(str(out), rule, Message("use {endings}", endings=" or ".join([*TABLES, RECORDING])))
        try:
            if (problem := problem_of_place(out)) is not None:
                raise InputError(str(out), [problem])
            with open_table(out, self.columns, self.about, units) as table:
                table.add_rows(self.numbers)
        except OSError as error:
            rule = Message("can't be written: {reason}", reason=reason_of(error))
            raise InputError(str(out), [Problem("", rule, Message("choose another name or folder"))]) from error

    def _record(self, out: Path) -> None:
        """Repeat the run, and record it. Raises InputError."""
        if self.scene is None or not self._every:
            rule = Message(
                "can't be made of this run: something acted on it, it began later, or it was read from a file"
            )
            remedy = Message("record it instead: 'polhode run SCENE --until 10 --out {name}'", name=out.name)
            raise InputError.of(str(out), rule, remedy)
        function_of_program("record")(self.scene, float(self.time[-1]), self._every, out)
