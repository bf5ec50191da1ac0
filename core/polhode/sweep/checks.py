"""Repeated runs that check labels: with half of the time step, or from displaced starts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.run.neighbours import SIZE, Scales, chart_of, dimension, displace, extent
from polhode.scene.variants.sweep import SweepSettings

Kind = Literal["half_step", "perturbation", "none"]
CHECKED = ("attractor",)  # outcomes that are checked with half of the step unless the sweep says otherwise
SEED = 20_003


def kind_of(sweep: SweepSettings) -> Kind:
    """How the labels of a sweep are checked."""
    if sweep.check == "auto":
        return "half_step" if sweep.outcome.kind in CHECKED else "none"
    return sweep.check


class Checks:
    """The repetitions of the cells of one compiled scene."""

    def __init__(self, compiled: CompiledScene, sweep: SweepSettings):
        self._kind: Kind = kind_of(sweep)
        if self._kind == "perturbation":
            self._chart = chart_of(compiled, Scales(extent(compiled), 1.0))
            signs = np.random.default_rng(SEED).choice((-1.0, 1.0), dimension(self._chart))
            self._along = signs * (sweep.perturbation / SIZE)

    def repetitions(self, states: np.ndarray) -> Iterator[tuple[np.ndarray, int]]:
        """Starts (n, k) of further runs, and the number of parts into which their time steps are divided.

        A perturbation of size e displaces every independent coordinate of the starts `states` (n, k): positions by e
        times the size of the scene, angles by e [rad], velocities by as much per second; once with random signs, and
        once with the opposite ones.
        """
        if self._kind == "half_step":
            yield states.copy(), 2
        elif self._kind == "perturbation":
            for along in (self._along, -self._along):
                moved = np.empty_like(states)
                for start, copy in zip(states, moved, strict=True):
                    displace(self._chart, start, along, copy)
                yield moved, 1
