"""Several runs fitted together: numbers of the scene are shared, starts and times are those of each run.

The rows of all runs stand one after the other, and each unknown acts on the rows of its run, or on all. The unknowns of
a further run are named run[1].NAME, run[2].NAME ...; those of the first have the names of a single fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from polhode.data.input_checks import measured_inputs
from polhode.data.measured import MeasuredData
from polhode.fitting.task import FitTask
from polhode.fitting.unknowns import TIME_OFFSET, Unknown, Unknowns
from polhode.run.starts import is_start
from polhode.scene.display.story import Story
from polhode.scene.display.view import View
from polhode.scene.fields import with_values
from polhode.scene.files.scene_files import with_files
from polhode.scene.message import Message
from polhode.scene.problem import InputError, did_you_mean
from polhode.scene.scene import Scene
from polhode.scene.variants.alone import alone

MeasuredRun = tuple[Scene, MeasuredData]


@dataclass(frozen=True)
class SharedUnknowns(Unknowns):
    """The unknowns of several runs; scene, clock and sensors are those of the first."""

    parts: tuple[Unknowns, ...] = ()
    index: tuple[tuple[int, ...], ...] = ()  # of the unknowns of each run among all

    def scene_with(self, values: np.ndarray) -> Scene:
        """The scene of the first run with values (p,)."""
        return self.parts[0].scene_with(values[list(self.index[0])])

    def clock(self, values: np.ndarray) -> tuple[float, float]:
        """Scale and offset [s] of the times of the first run, for values (p,)."""
        return self.parts[0].clock(values[list(self.index[0])])

    def sensors(self, columns: Sequence[str], values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(m,) scales and (m,) offsets of columns, for values (p,)."""
        return self.parts[0].sensors(columns, values[list(self.index[0])])


@dataclass(frozen=True, eq=False)
class SeveralTask(FitTask):
    """The rows of several tasks, one after the other."""

    parts: tuple[FitTask, ...] = ()
    index: tuple[tuple[int, ...], ...] = ()  # of the unknowns of each part among all

    def first(self, rows: int) -> FitTask:
        """The task of the first rows of each run, in proportion."""
        if rows == len(self.times):
            return self
        lengths = np.array([len(part.times) for part in self.parts])
        ends = rows * np.cumsum(lengths) // len(self.times)  # differences sum to `rows`
        counts = np.diff(ends, prepend=0)
        return self._of([part.first(max(1, int(count))) for part, count in zip(self.parts, counts, strict=True)])

    def is_of(self, part: FitTask) -> np.ndarray:
        """(n,) bool: the rows of `part`, the first ones of each run."""
        assert isinstance(part, SeveralTask)
        pairs = zip(self.parts, part.parts, strict=True)
        return np.concatenate([whole.is_of(each) for whole, each in pairs])

    def pieces(self, x: np.ndarray) -> Iterator[tuple[FitTask, np.ndarray]]:
        """The task of each run with its unknowns (q,), of all unknowns `x` (p,)."""
        for part, index in zip(self.parts, self.index, strict=True):
            yield replace(part, sigma=self.sigma, progress=self.progress), x[list(index)]

    def times_of_run(self, x: np.ndarray) -> np.ndarray:
        """(n,) [s] times of the scene at `x` (p,), from each start."""
        return np.concatenate([part.times_of_run(own) for part, own in self.pieces(x)])

    def model_of(self, x: np.ndarray, finer: bool = False) -> np.ndarray:
        """(n, m) predicted readings at `x` (p,)."""
        return np.concatenate([part.model_of(own, finer) for part, own in self.pieces(x)])

    def evaluated(self, x: np.ndarray) -> tuple[np.ndarray, None]:
        """(r,) residuals at `x` (p,); their derivatives take further runs."""
        return self.residuals(x), None

    def sensitivities(self, x: np.ndarray, base: np.ndarray | None = None) -> np.ndarray:
        """(r, p) derivatives of the residuals, as of one run; base: (r,) the residuals at `x` (p,)."""
        found, at = [], 0
        for (part, own), index in zip(self.pieces(x), self.index, strict=True):
            count = int(part.is_there.sum())
            slopes = part.sensitivities(own, None if base is None else base[at : at + count])
            rows = np.zeros((count, len(x)))
            rows[:, list(index)] = slopes
            found.append(rows)
            at += count
        return np.concatenate(found)

    def _of(self, parts: Sequence[FitTask]) -> FitTask:
        """A copy with other parts of the same unknowns."""
        times, values = (np.concatenate([getattr(part, name) for part in parts]) for name in ("times", "values"))
        return replace(self, times=times, values=values, parts=tuple(parts))


def several(parts: Sequence[FitTask], own: Sequence[str], progress: Callable[[int], None]) -> FitTask:
    """Tasks with the same free numbers as one; own: further names, each with a value of its own in every run.

    Shared unknowns start at their values in the first run.
    """
    parts = [parts[0], *(_sharing(part, parts[0].unknowns, own) for part in parts[1:])]
    each: list[Unknown] = []
    index: list[tuple[int, ...]] = []
    for run, part in enumerate(parts):
        places = []
        for k, unknown in enumerate(part.unknowns.each):
            if run > 0 and not _is_own(part.unknowns.scene, unknown, own):
                places.append(k)
                continue
            places.append(len(each))
            each.append(unknown if run == 0 else replace(unknown, name=f"run[{run}].{unknown.name}"))
        index.append(tuple(places))
    first = parts[0].unknowns
    unknowns = SharedUnknowns(
        first.scene, tuple(each), first.stated, tuple(part.unknowns for part in parts), tuple(index)
    )
    times, values = (np.concatenate([getattr(part, name) for part in parts]) for name in ("times", "values"))
    spread = np.nanstd(values, axis=0)
    sigma = np.where(spread > 0.0, spread, parts[0].sigma)
    one = parts[0]
    columns, observed, models = one.columns, one.observed, one.models
    return SeveralTask(
        unknowns, times, values, columns, observed, sigma, models, progress, parts=tuple(parts), index=tuple(index)
    )


def _sharing(part: FitTask, first: Unknowns, own: Sequence[str]) -> FitTask:
    """A task whose shared unknowns have the scales and starts of the first run: as scaled numbers they are the same."""
    each = tuple(
        unknown if _is_own(part.unknowns.scene, unknown, own) else replace(unknown, start=one.start, scale=one.scale)
        for one, unknown in zip(first.each, part.unknowns.each, strict=True)
    )
    return replace(part, unknowns=replace(part.unknowns, each=each))


def _is_own(scene: Scene, unknown: Unknown, own: Sequence[str]) -> bool:
    """Whether each run has its own value of an unknown: starts, tilts, and the time at which the data begin."""
    path = unknown.path
    return unknown.name in own or unknown.name == TIME_OFFSET or (path is not None and is_start(scene, path))


def check_own(own: Sequence[str], free: Sequence[str]) -> None:
    """Raise InputError for names that are not free."""
    for name in own:
        if name not in free:
            rule = Message("'{name}' is not free", name=name)
            remedy = did_you_mean(name, list(free), Message("name one of {names}", names=", ".join(free)))
            raise InputError.of("polhode", rule, remedy, "own")


def mapped_in_all(runs: Sequence[MeasuredRun], mapping: Mapping[str, str]) -> None:
    """Raise InputError for data without one of the mapped columns."""
    for _, data in runs:
        for column in mapping:
            data.column(column)


def check_runs(runs: Sequence[MeasuredRun], mapping: Mapping[str, str]) -> None:
    """Raise InputError for a run with the times and readings of another one: it would count twice."""
    known: dict[bytes, str] = {}
    for number, (_, data) in enumerate(runs):
        readings = b"".join(np.ascontiguousarray(data.column(column).values).tobytes() for column in mapping)
        first = known.setdefault(np.ascontiguousarray(data.times).tobytes() + readings, data.source)
        if len(known) <= number:
            rule = Message(
                "'{file}' has the readings of '{first}', which would count twice", file=data.source, first=first
            )
            raise InputError.of("polhode", rule, Message("give each run once"), "runs")


def check_other_model(scene: Scene, other: Scene) -> None:
    """Raise InputError for the scene of another model that describes the same as `scene`: nothing is compared."""
    one, another = (_bare(each).in_folder(scene.folder) for each in (scene, other))
    if one == another:
        rule = Message("describes the same model as the scene that is fitted")
        raise InputError.of("polhode", rule, Message("name the scene of another model"), "against")


def _bare(scene: Scene) -> Scene:
    """The scene without what no run depends on, and with absolute names of its files."""
    made = alone(scene).model_copy(update={"title": "", "description": "", "story": Story(), "view": View()})
    return with_files(made, lambda name: str((scene.folder / name).resolve()))


def scene_of_run(scene: Scene, first: Path, other: Path) -> Scene:
    """The scene whose measured inputs read the file `other` in place of the file `first`: a further run."""
    changes = {
        (*path, "data"): str(other.absolute())
        for path, source in measured_inputs(scene)
        if (scene.folder / source.data).resolve() == first.resolve()
    }
    return with_values(scene, (), changes) if changes and other != first else scene
