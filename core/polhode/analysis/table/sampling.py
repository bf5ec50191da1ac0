"""The rows of a table while a simulation runs."""

from __future__ import annotations

import signal
import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from math import floor
from types import FrameType
from typing import Protocol

import numpy as np

from polhode.analysis.columns import columns
from polhode.analysis.table.row_times import RowTimes
from polhode.analysis.table.run import Run
from polhode.data.input_checks import check_until
from polhode.run.runner import WHOLE
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.simulation.batches.chunked_run import ChunkedRun
from polhode.simulation.batches.stepping import Cancelled, Diverged, SteppedScene

ROUNDING = 1e-9  # of an interval: smaller differences from whole steps are rounding errors
ROW_INTERVAL = 0.01  # [s] between rows, unless stated
MOST = 2**62
Progress = Callable[[float], None]


class Strides(Protocol):
    """The chunks of a run; ChunkedRun has them."""

    def advance(self, simulation: SteppedScene, time: float, progress: Progress) -> None:
        """Advance the simulation to a time [s]."""


def sampled_rows(
    simulation: SteppedScene,
    times: RowTimes,
    progress: Progress,
    most: int = MOST,
    into: np.ndarray | None = None,
) -> Generator[np.ndarray]:
    """Advance to the last of the times, and yield the rows (r, c) of the table after each chunk, which may be none.

    The first row is the present state. Where whole steps end at all rows, the states are kept within the compiled
    calls, and no step is shortened. A `sample` of the simulation ends. most: steps of a chunk; into: (len(times), c)
    array in which the rows are made. Raises Diverged, also where measured data end, and Cancelled after the rows
    before.
    """
    into = None if into is None else into[1:]
    step, until, run = simulation.time_step, times.until, ChunkedRun(most)
    count = round(times.every / step)
    if count < 1 or abs(times.every / step - count) > ROUNDING * count:
        yield from strided_rows(simulation, times, progress, run)
        return
    first = _row(simulation, times.begin)
    yield first
    made, left = 1, floor((until - simulation.time) / step + WHOLE)
    simulation.sample(range(first.shape[1]), count, into)

    def sampled() -> np.ndarray:
        nonlocal made
        rows = simulation.sampled()
        made += len(rows)
        rows[:, 0] = times.part(made - len(rows), made)
        return rows

    try:
        while left > 0:
            try:
                left -= run.chunk(simulation, left)
            except (Diverged, Cancelled):
                yield sampled()
                raise
            yield sampled()
            progress(simulation.time)
    finally:
        simulation.sample(())
    yield from strided_rows(simulation, times.part(made, len(times)).tolist(), progress, run)
    progress(until)


def strided_rows(
    simulation: SteppedScene, times: Iterable[float], progress: Progress, run: Strides
) -> Iterator[np.ndarray]:
    """Advance to each of the times [s], and yield the row (1, c) there. Raises Diverged and Cancelled."""
    for time in times:
        run.advance(simulation, time, progress)
        yield _row(simulation, time)


def _row(simulation: SteppedScene, time: float) -> np.ndarray:
    """(1, c) the present row, with the time [s] of the table in place of the clock's, which has rounding errors."""
    numbers = simulation.snapshot().numbers[None].copy()
    numbers[0, 0] = time
    return numbers


def run_to_arrays(
    simulation: SteppedScene, until: float, every: float | None, progress: Progress, is_at_start: bool = False
) -> Run:
    """The rows of a run as named arrays; Simulation.run describes it. Raises InputError and Diverged.

    is_at_start: the scene alone determines the run
    """
    times = RowTimes(until, _interval(simulation, until, every), simulation.time)
    scene, compiled = simulation.scene, simulation.compiled
    check_until(scene, compiled.data_end, until)
    table = columns(compiled)
    numbers, made = _empty(len(times), len(table)), 0
    rows = sampled_rows(simulation, times, progress, into=numbers)

    def result(stopped: str) -> Run:
        repeated = times.every if is_at_start and simulation.compiled is compiled else 0.0
        return Run(numbers[:made], table, scene.title or "run", scene, stopped=stopped, every=repeated)

    with _noted_interrupts() as is_interrupted:
        try:
            for block in rows:
                if block.base is not numbers:
                    numbers[made : made + len(block)] = block
                made += len(block)
                if is_interrupted() and simulation.time < until:
                    raise Cancelled
        except Cancelled:
            rows.close()
            stopped = Message("stopped at {time:g} s of {until:g} s", time=simulation.time, until=until)
            warnings.warn(str(stopped), RuntimeWarning, stacklevel=3)
            return result(str(stopped))
        except Diverged as error:
            error.run = result(str(error))
            raise
    return result("")


def _empty(rows: int, columns: int) -> np.ndarray:
    """(rows, columns) for numbers to come. Raises InputError where there is no memory for them."""
    try:
        return np.empty((rows, columns))
    except (MemoryError, ValueError):
        rule = Message("{rows:.3g} rows need {size:.3g} GB of memory", rows=rows, size=rows * columns * 8 / 2**30)
        raise InputError.of("run", rule, Message("give a longer one"), "every") from None


def _interval(simulation: SteppedScene, until: float, every: float | None) -> float:
    """Time [s] between rows. Raises InputError for times that can't be rows."""
    step, problems = simulation.time_step, []
    interval = max(ROW_INTERVAL, step) if every is None else every
    if not simulation.time <= until < np.inf:
        rule = Message("is {until:g} s, and the simulation is at {time:g} s", until=until, time=simulation.time)
        problems.append(Problem("until", rule, Message("give a later time, or reset the simulation")))
    if not step * (1 - ROUNDING) <= interval < np.inf:
        rule = Message("{every:g} s is shorter than the time step, {step:g} s", every=interval, step=step)
        problems.append(Problem("every", rule, Message("give a longer one, or a shorter time step")))
    if problems:
        raise InputError("run", problems)
    return interval


@contextmanager
def _noted_interrupts() -> Iterator[Callable[[], bool]]:
    """Context in which Ctrl-C is noted, not raised; yields whether it was pressed.

    Without effect in other threads than the main one, and where the program handles Ctrl-C.
    """
    pressed: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or before is not signal.default_int_handler:
        yield lambda: bool(pressed)
        return

    def press(number: int, _frame: FrameType | None) -> None:
        pressed.append(number)

    signal.signal(signal.SIGINT, press)
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, before)
