"""Experiments: built-in scenes with several published values, all measured in one run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import nan
from typing import Any, Literal

import numpy as np

from polhode.analysis.columns import columns
from polhode.scene import gallery
from polhode.scene.display.published import SOURCES, Source
from polhode.scene.message import Message
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Diverged, Simulation
from polhode.simulation.snapshot import Snapshot
from polhode.verification.case import Case, Result

Origin = Literal["source", "closed form", "calculation"]


@dataclass(frozen=True, eq=False)
class Run:
    """Snapshots of a run of a scene, the start among them."""

    scene: Scene
    snapshots: list[Snapshot]
    names: tuple[str, ...]
    """Columns of the table."""

    @cached_property
    def table(self) -> np.ndarray:
        """(n, c) values of the columns."""
        return np.array([moment.numbers for moment in self.snapshots])

    @property
    def times(self) -> np.ndarray:
        """(n,) [s]."""
        return np.array([moment.time for moment in self.snapshots])

    def column(self, name: str) -> np.ndarray:
        """(n,) values of a column of the table."""
        return np.asarray(self.table[:, self.names.index(name)])


@dataclass(frozen=True, eq=False)
class Row:
    """One value. `measure` returns the same quantity of a run, in `unit`; nan where it cannot be measured."""

    name: Message
    measure: Callable[[Run], float]
    reference: float | Callable[[], float]
    """The value, or a function that calculates it when it is needed."""
    tolerance: float
    unit: str
    reason: str  # of the tolerance
    changed: Mapping[str, Any] = field(default_factory=dict)
    """Numbers of the scene that this value belongs to, by their paths, where they are not those of the file."""
    origin: Origin = "closed form"
    """Whether the reference is printed in the source, a closed form, or an independent calculation."""

    @property
    def expected(self) -> float:
        """The reference."""
        return self.reference() if callable(self.reference) else self.reference


@dataclass(frozen=True, eq=False)
class Experiment:
    """A built-in scene that is run for some time, with the values of its source."""

    name: str
    """Of the scene."""
    seconds: float
    rows: tuple[Row, ...]
    every: int = 1
    """Steps from one snapshot to the next."""

    @property
    def source(self) -> Source:
        """Where the values are from."""
        return SOURCES[self.name]

    @cached_property
    def scene(self) -> Scene:
        """The scene as its file describes it."""
        return read_scene(gallery.path(self.name))

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """One case for each row; each runs the scene for itself."""
        return tuple(self._case(row) for row in self.rows)

    def _case(self, row: Row) -> Case:
        def measure(scene: Scene) -> float:
            return row.measure(self.run(scene))

        scene = self.scene.with_values(row.changed)
        return Case(row.name, scene, measure, row.expected, row.tolerance, row.unit, row.reason)

    def run(self, scene: Scene, progress: Callable[[float], object] | None = None) -> Run:
        """Snapshots of this scene, or of one with other numbers in its place. Raises Diverged.

        progress: called with the part that is done, 0 to 1; it may raise to end the run
        """
        simulation = Simulation(scene)
        found = [simulation.snapshot()]
        count = round(self.seconds / simulation.time_step / self.every)
        for k in range(count):
            simulation.advance_steps(self.every)
            found.append(simulation.snapshot())
            if progress is not None:
                progress((k + 1) / count)
        return Run(simulation.scene, found, tuple(columns(simulation.compiled)))

    def results(self, progress: Callable[[float], object] | None = None) -> list[Result]:
        """The results of all rows, with one run for all that have the same numbers; progress as in `run`."""
        runs: dict[str, Run | None] = {}
        found = []
        count = len({repr(sorted(row.changed.items())) for row in self.rows})

        def report(part: float) -> None:
            if progress is not None:
                progress((len(runs) + part) / count)

        for case, row in zip(self.cases, self.rows, strict=True):
            key = repr(sorted(row.changed.items()))
            if key not in runs:
                try:
                    runs[key] = self.run(case.scene, report)
                except Diverged:
                    runs[key] = None
            run = runs[key]
            found.append(Result(case, nan if run is None else float(row.measure(run))))
        return found
