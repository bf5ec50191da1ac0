"""Runs of neighbouring scenes: tangents, and draws, side by side as those of fits (core/polhode/fitting/runs.py).

To first order the deviation of a column y is s_y^2 = sum over the sources g of (dy/dz_g)^2 var(z_g).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from polhode.fitting.forward import ObservedRun, whole_run
from polhode.fitting.models import FitModels
from polhode.fitting.runs import runs_of
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
        differ by a ten-thousandth of it. Raises InputError where no neighbouring value of a number is valid.
        """
        sizes, count = self.sources.displacements.copy(), len(self.sources.each)

        def displaced(g: int) -> ObservedRun | None:
            self._progress((1 + g) / (1 + count))
            for size in (sizes[g], -sizes[g]):  # a number may be at the end of its range
                random = np.zeros(count)
                random[g] = sizes[g] = size
                if (compiled := self.models.compiled(self.sources.values(random))) is not None:
                    return whole_run(compiled, times)
            return None

        first = partial(whole_run, self.models.first, times)
        base, *others = runs_of([first, *(partial(displaced, g) for g in range(count))], chosen, self.models.in_lanes)
        problems = [
            Problem(source.name, Message("has no valid value beside its mean"), Message("change the mean"))
            for source, each in zip(self.sources.each, others, strict=True)
            if each is None
        ]
        if problems:
            raise InputError(self.sources.scene.title or "scene", problems)
        assert base is not None
        tangents = np.empty((count, *base.columns.shape))
        for g, each in enumerate(others):
            assert each is not None
            tangents[g] = (each.columns - base.columns) * (self.sources.each[g].deviation / sizes[g])
        return base.columns, tangents

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
