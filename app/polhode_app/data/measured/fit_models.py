"""Further runs and other models of a fit, and the band of its predictions, as work for a background thread. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from polhode.data.measured import MeasuredData
from polhode.fitting.result import FitResult
from polhode.fitting.several import MeasuredRun, scene_of_run
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode_app.data.measured.report_job import band_of
from polhode_app.jobs import CheckCancelled

Band = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Times [s] of the run, and lower and upper ends (n,) of the intervals [SI] of a quantity."""


@dataclass(frozen=True)
class OtherModels:
    """Further runs of the same experiment, and the models that a fit is compared with."""

    first: Path | None = None  # file of the data of the first run
    further: tuple[tuple[Path, MeasuredData], ...] = ()
    own: tuple[str, ...] = ()  # unknowns with a value of their own in each run, as starts have
    without: tuple[str, ...] = ()  # unknowns that another fit holds
    against: Path | None = None  # scene of another model

    @property
    def has_others(self) -> bool:
        """Whether the fit is compared with other models."""
        return bool(self.without) or self.against is not None

    def runs(self, scene: Scene) -> list[MeasuredRun]:
        """The further runs, each with the scene whose measured inputs are of its file."""
        first = self.first
        return [(scene if first is None else scene_of_run(scene, first, path), data) for path, data in self.further]

    def scene_against(self) -> Scene:
        """The scene of the other model. Raises InputError, and OSError."""
        assert self.against is not None
        return read_scene(self.against)


def predicted_band(found: FitResult, check_cancelled: CheckCancelled) -> dict[str, Band] | None:
    """Where readings of a repeated run are expected, by quantity, as in plots; None where no run predicts them."""
    made = band_of(found, lambda _rows: check_cancelled())
    if made is None:
        return None
    unknowns = found.task.unknowns
    run, x = next(found.task.pieces(np.array([each.value for each in found.estimates]) / unknowns.scales))
    scales, offsets = run.unknowns.sensors(run.columns, x * run.unknowns.scales)
    times = replace(run, times=made.times).times_of_run(x)
    ends = (scales * each + offsets for each in (made.lower, made.upper))
    lower, upper = np.sort(np.stack([*ends]), axis=0)
    return {name: (times, lower[:, k], upper[:, k]) for k, name in enumerate(made.names)}
