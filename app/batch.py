"""Runs without a window: a scene goes on to a time, and its moments go into a table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from app.export.table import Table, times
from core.problem import InputError, Problem
from core.scene import Scene
from core.simulation import Simulation

BREATH = 0.1  # [s] of one compiled call at most: so often Ctrl-C and the progress bar are heard
Progress = Callable[[float], None]  # hears the time [s] that the run has reached
Warn = Callable[[Problem], None]  # hears what leaves the range of the model, once


def run_to_table(scene: Scene, until: float, every: float, out: Path, progress: Progress, warn: Warn) -> None:
    """Runs a scene and writes `out`, a CSV file.

    Raises InputError before anything is written, and Diverged or OSError where the run has to stop; the rows up to
    then stay.
    """
    _check_target(out)
    simulation = Simulation(scene)
    stride = Stride()
    warned = 0
    with Table(out, simulation.built) as table:
        for time in times(until, every):
            try:
                stride.advance(simulation, time, progress)
            finally:  # a warning often says why the run diverged
                for warning in simulation.warnings[warned:]:
                    warn(warning)
                warned = len(simulation.warnings)
            table.add(time, simulation.snapshot())


class Stride:
    """Goes on in calls of about `BREATH`, however long a step of the scene takes."""

    def __init__(self) -> None:
        self._steps = 1

    def advance(self, simulation: Simulation, time: float, progress: Progress) -> None:
        """Advance to a time [s]."""
        while time - simulation.time > self._steps * simulation.time_step:
            start = perf_counter()
            simulation.advance_steps(self._steps)
            self._adapt(perf_counter() - start)
            progress(simulation.time)
        simulation.advance(max(0.0, time - simulation.time))
        progress(time)

    def _adapt(self, taken: float) -> None:
        if taken < BREATH / 2:
            self._steps *= 2
        elif taken > BREATH and self._steps > 1:
            self._steps //= 2


def _check_target(out: Path) -> None:
    """Refuses what can't be written, before the work."""
    try:
        problem = _wrong_target(out)
        if problem is None:
            existed = out.exists()
            out.open("a").close()
            if not existed:
                out.unlink()  # a run that can't start leaves nothing
    except OSError as error:
        problem = Problem("", f"can't be written: {error.strerror}", "choose another name or folder")
    if problem is not None:
        raise InputError(str(out), [problem])


def _wrong_target(out: Path) -> Problem | None:
    if out.suffix.lower() == ".vtkhdf":
        return Problem("", "recordings (.vtkhdf) can't be written yet", "use .csv")
    if out.suffix.lower() != ".csv":
        return Problem("", f"the ending '{out.suffix}' is not a known one", "use .csv")
    if out.is_dir():
        return Problem("", "is a folder", "give the name of a file")
    if not out.parent.is_dir():
        return Problem("", f"there is no folder '{out.parent}'", "make it, or choose another")
    return None
