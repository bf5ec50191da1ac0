"""Checks of data before a fit: units that are wrong by a factor of 1000, and times too late for a run."""

from __future__ import annotations

import numpy as np

from polhode.data.headings import unit_instead
from polhode.data.measured import MeasuredData
from polhode.engine.compiled_scene import CompiledScene
from polhode.fitting.task import FitTask
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem

FACTORS = (1e3, 1e-3)  # between data and computed values, due to a wrong unit
LIKE = 2.0  # largest deviation of a ratio from one of FACTORS
CROSSING = 0.3  # of the standard deviation: readings nearer to the mean are on neither side of it
FEWEST_CROSSINGS = 6  # of the mean by readings, for a check of the unit of the times
MOST_STEPS = 20_000_000  # of a run: tens of seconds
MOST_TRIED = 5_000_000  # steps of a run with times in another unit


def check_data(task: FitTask, data: MeasuredData, x: np.ndarray) -> None:
    """Raise InputError for data that no run at `x` (p,) can be compared with, or with a wrong unit."""
    _check_clock(task, data, x, 1e-3)
    check_length(data.source, task.times_of_run(x), task.models.first)
    task.evaluated(x)  # the determination takes the derivatives, where they come with the run
    run = task.model(x)
    if not np.isfinite(run).all():
        rule = Message("the run with the values of the scene ends before the data do")
        raise InputError.of(data.source, rule, Message("take a shorter time step, or less data"))
    if max(map(crossings, run.T)) <= 1:  # it does not oscillate in this time
        _check_clock(task, data, x, 1e3)
    _check_sizes(task, data, x, run)


def check_length(source: str, times: np.ndarray, compiled: CompiledScene) -> None:
    """Raise InputError for times (n,) [s] beyond MOST_STEPS steps."""
    step = compiled.scene.solver.time_step
    if times[-1] <= MOST_STEPS * step:
        return
    rule = Message(
        "the data reach to {time:g} s, which are {count:.2g} time steps of the scene, more than {most:.0g}",
        time=times[-1],
        count=times[-1] / step,
        most=MOST_STEPS,
    )
    remedy = Message("give the unit of the times, or fewer data")
    if times[-1] - times[0] <= MOST_STEPS * step:
        remedy = Message('state "data.time_offset={offset:.9g}", if the scene starts there', offset=-times[0])
    raise InputError.of(source, rule, remedy)


def crossings(values: np.ndarray) -> int:
    """Number of crossings of the mean by values (n,); nan are left out."""
    there = values[np.isfinite(values)]
    differences = there - there.mean() if len(there) else there
    sides = np.sign(differences[np.abs(differences) > CROSSING * differences.std()]) if len(there) else differences
    return int(np.count_nonzero(np.diff(sides)))


def _check_clock(task: FitTask, data: MeasuredData, x: np.ndarray, factor: float) -> None:
    """Raise InputError if a column oscillates as the run with times multiplied by `factor`."""
    times = factor * task.times_of_run(x)
    if not times[-1] <= MOST_TRIED * task.models.first.scene.solver.time_step:
        return
    run = task.at(x, times)
    for k, name in enumerate(task.columns):
        seen, computed = crossings(task.values[:, k]), crossings(run[:, k])
        if seen < FEWEST_CROSSINGS or not seen / LIKE < computed < seen * LIKE:
            continue
        rule = Message(
            "'{name}' oscillates as {quantity} of the scene does in times that are {factor:g} times as long, as by a "
            "wrong unit of the times",
            name=name,
            quantity=task.observed.names[k],
            factor=factor,
        )
        raise InputError.of(data.source, rule, _remedy_of_clock(task, data, x, factor))


def _remedy_of_clock(task: FitTask, data: MeasuredData, x: np.ndarray, factor: float) -> Message:
    """The option that multiplies the times by `factor`."""
    unit = unit_instead(data.time_unit, factor, "s") if data.time_name else ""
    if unit:
        return Message('state the unit "{name}={unit}", if that is what was measured', name=data.time_name, unit=unit)
    scale, _ = task.unknowns.clock(x * task.unknowns.scales)
    return Message('state "data.time_scale={scale:g}", if that is what was measured', scale=scale * factor)


def _check_sizes(task: FitTask, data: MeasuredData, x: np.ndarray, run: np.ndarray) -> None:
    """Raise InputError if a column is a thousand times larger or smaller than that of the run (n, m) at `x` (p,).

    A column whose scale is free, such as one in pixels, may have any size.
    """
    problems, free = [], {unknown.name for unknown in task.unknowns.each}
    for k, name in enumerate(task.columns):
        if f"data.{name}.scale" in free:
            continue
        measured, of_scene = np.nanstd(task.values[:, k]), np.std(run[:, k])
        ratio = measured / of_scene if of_scene > 0.0 else 1.0
        wrong = wrong_factor(ratio)
        if wrong is not None:
            rule = Message(
                "'{name}' varies {ratio:.3g} times as much as {quantity} of the scene, as by a wrong unit",
                name=name,
                ratio=ratio,
                quantity=task.observed.names[k],
            )
            problems.append(Problem("mapping", rule, _remedy(task, data, k, x, 1.0 / wrong)))
    if problems:
        raise InputError(data.source, problems)


def wrong_factor(ratio: float) -> float | None:
    """The one of FACTORS near a ratio of measured to computed values, due to a wrong unit, or None."""
    return next((factor for factor in FACTORS if factor / LIKE < ratio < factor * LIKE), None)


def _remedy(task: FitTask, data: MeasuredData, k: int, x: np.ndarray, factor: float) -> Message:
    """The option that multiplies the values of a column by `factor`."""
    name = task.columns[k]
    unit = unit_instead(data.column(name).stated, factor, task.observed.units[k])
    if unit:
        return Message('state the unit "{name}={unit}", if that is what was measured', name=name, unit=unit)
    scales, _ = task.unknowns.sensors(task.columns, x * task.unknowns.scales)
    scale = float(scales[k] * factor)
    return Message('state "data.{name}.scale={scale:g}", if that is what was measured', name=name, scale=scale)
