"""Runs of neighbouring scenes: tangents, and draws, side by side as those of fits (core/polhode/fitting/runs.py).

To first order the deviation of a column y is s_y^2 = sum over the sources g of (dy/dz_g)^2 var(z_g).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from polhode.analysis.steps.contacts import touches
from polhode.fitting.forward import ObservedRun, whole_run
from polhode.fitting.models import FitModels
from polhode.fitting.runs import RunResult, runs_of
from polhode.mesh.mesh import Meshes
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode.uncertainty.result import Drawn
from polhode.uncertainty.sources import Sources, sources_of

AT_ONCE, MOST_NUMBERS = 64, 30_000_000  # draws that are run together, and numbers of their columns
Progress = Callable[[float], None]


class Propagation:
    """The uncertain numbers of a scene, and runs with other values of them. Raises InputError as `sources_of`."""

    def __init__(self, scene: Scene, meshes: Meshes | None = None, progress: Progress = lambda part: None):
        """progress: called before each run with the part of the runs that is done, may raise to end them"""
        self.sources: Sources = sources_of(scene)
        self.models = FitModels(self.sources.unknowns, meshes or Meshes())
        self._progress = progress

    def tangents(self, times: np.ndarray, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Columns (n, m) with the indices `chosen` (m,) of the table at times (n,) [s], and their tangents (g, n, m).

        A tangent is the change by one standard deviation of a source: a one-sided difference of runs whose scenes
        differ by a ten-thousandth of it. Where something may touch, it is that of runs one deviation to both sides: an
        impact changes with its place in a step, so that small differences are those within a step. Raises InputError
        where no neighbouring value of a number is valid.
        """
        count, to_both = len(self.sources.each), bool(touches(self.models.first))
        sizes = np.ones(count) if to_both else self.sources.displacements
        above, below = [(g, sizes[g]) for g in range(count)], [(g, -sizes[g]) for g in range(count)]
        base, *made = self._runs([(0, 0.0), *above, *(below if to_both else [])], times, chosen)
        found = dict(zip([*above, *below], made, strict=False))
        at_end = [(g, -size) for g, size in above if found[g, size] is None and not to_both]  # of its range
        found |= zip(at_end, self._runs(at_end, times, chosen), strict=True)
        assert base is not None
        tangents, problems = np.empty((count, *base.columns.shape)), []
        for g, source in enumerate(self.sources.each):
            sides = [(shift, each) for (k, shift), each in found.items() if k == g and each is not None]
            if not sides:
                rule = Message("has no valid value beside its mean")
                problems.append(Problem(source.name, rule, Message("change the mean")))
                continue
            (first, one), (second, other) = sides if len(sides) == 2 else [*sides, (0.0, base)]
            tangents[g] = (one.columns - other.columns) * (source.deviation / (first - second))
        if problems:
            raise InputError(self.sources.scene.title or "scene", problems)
        return base.columns, tangents

    def _runs(self, shifts: list[tuple[int, float]], times: np.ndarray, chosen: np.ndarray) -> list[RunResult | None]:
        """Runs with the random number of a source shifted, for each (source, shift); None where that is no scene."""
        count = len(self.sources.each)

        def displaced(number: int) -> ObservedRun | None:
            source, shift = shifts[number]
            if shift == 0.0:
                return whole_run(self.models.first, times)
            self._progress(number / len(shifts))
            compiled = self.models.compiled(self.sources.values(shift * np.eye(count)[source]))
            return None if compiled is None else whole_run(compiled, times)

        return runs_of([partial(displaced, number) for number in range(len(shifts))], chosen, self.models.in_lanes)

    def draws(self, times: np.ndarray, chosen: np.ndarray, count: int, seed: int = 0) -> Drawn:
        """Mean and deviation of the columns `chosen` (m,) at times (n,) [s], over `count` runs with drawn values."""
        random = self.sources.drawn(count, seed)
        together = max(8, min(AT_ONCE, MOST_NUMBERS // max(1, len(times) * len(chosen))))
        kept = np.zeros((len(times), len(chosen)))
        mean, squares, invalid, diverged = kept.copy(), kept.copy(), 0, 0

        def drawn(number: int) -> ObservedRun | None:
            self._progress(number / count)
            compiled = self.models.compiled(self.sources.values(random[number]))
            return None if compiled is None else whole_run(compiled, times)

        for start in range(0, count, together):
            part = range(start, min(start + together, count))
            for each in runs_of([partial(drawn, number) for number in part], chosen, self.models.in_lanes):
                if each is None:
                    invalid += 1
                    continue
                is_there = np.isfinite(each.columns)
                diverged += not is_there.all()
                kept += is_there
                change = np.where(is_there, each.columns - mean, 0.0)
                mean += change / np.maximum(kept, 1.0)
                squares += np.where(is_there, change * (each.columns - mean), 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            deviation = np.sqrt(np.where(kept > 1, squares / (kept - 1), np.nan))
        return Drawn(np.where(kept > 0, mean, np.nan), deviation, count, invalid, diverged)
