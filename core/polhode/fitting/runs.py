"""Simultaneous runs of copies of a scene with slightly different numbers.

If one body moves among others at rest (core/polhode/run/lanes/body.py), eight copies run in the lanes of one vector,
each with its own constants, start and times. The bits of a lane do not depend on the other ones, so differences of
copies contain no more rounding than those of separate runs. Other scenes run one by one, on all cores.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.diagnostics import observed
from polhode.engine.work import make_work
from polhode.fitting.forward import ObservedRun, computed_parts
from polhode.jit.pages import aligned_zeros
from polhode.jit.simd import WIDTH
from polhode.physics.bodies.arrays import BODY_SIZE
from polhode.physics.bodies.columns import WIDTH as OF_BODY
from polhode.process.cores import cores
from polhode.run.lanes.agreement import have_all_laws
from polhode.run.lanes.body import LaneBody, lane_body
from polhode.run.lanes.constants import LaneConstants, go_together, lane_constants
from polhode.run.lanes.observing import COUNT, COUNTS, OBSERVING_ROWS, observe_lanes
from polhode.run.lanes.tableau import TABLEAUS
from polhode.run.observers.at_times import NEAR

WORTH_THREADS = 2000  # least number of rows and steps of all runs, or of rows of all vectors of lanes, for threads


@dataclass(frozen=True, eq=False)
class RunResult:
    """Columns and ends of a run."""

    compiled: CompiledScene
    columns: np.ndarray  # (n, m) of the table; nan after a part diverges
    ends: np.ndarray  # (s, k) states at the ends of the parts; in lanes the ledger stays


def lanes_have_all_laws(compiled: CompiledScene) -> bool:
    """Whether lanes have all laws of a scene, also with other numbers."""
    body, nothing = lane_body(compiled), np.zeros(0, dtype=np.int64)
    if body is None or compiled.scene.solver.method not in TABLEAUS:
        return False

    def ends(states: np.ndarray, steps: int) -> np.ndarray:
        count = len(states)
        run = ObservedRun(
            compiled, states, np.tile([0, steps], (count, 1)), np.zeros(count + 1, dtype=np.int64), np.zeros(0)
        )
        found = _in_lanes([run], nothing, {_model_of(run): body})
        assert found is not None  # a scene is compatible with itself
        return found[0].ends

    return have_all_laws(compiled, body, ends)


def runs_of(
    makers: Sequence[Callable[[], ObservedRun | None]], chosen: np.ndarray, in_lanes: bool = True
) -> list[RunResult | None]:
    """Columns with the indices `chosen` (m,) of the table of several runs with the same number of parts.

    makers: each compiles the scene of a run in this thread, while previous runs continue in others; None for no run
    in_lanes: whether lanes are allowed, by `lanes_have_all_laws`
    """
    if not makers:
        return []
    first = makers[0]()
    body = body_in_lanes(first, chosen) if first is not None and in_lanes else None
    if first is None or body is None:
        return _one_by_one([lambda: first, *makers[1:]], chosen)
    runs = [first, *(maker() for maker in makers[1:])]
    found = _in_lanes([run for run in runs if run is not None], chosen, {_model_of(first): body})
    if found is None:
        return _one_by_one([lambda run=run: run for run in runs], chosen)  # type: ignore[misc]
    return [None if run is None else found.pop(0) for run in runs]


def _one_by_one(makers: Sequence[Callable[[], ObservedRun | None]], chosen: np.ndarray) -> list[RunResult | None]:
    """As `runs_of`, without lanes."""

    def result(run: ObservedRun | None) -> RunResult | None:
        return None if run is None else RunResult(run.compiled, *computed_parts(run, chosen))

    first = makers[0]()
    if first is None or len(makers) * (len(first.times) + _steps(first)) < WORTH_THREADS:
        return [result(first), *(result(maker()) for maker in makers[1:])]
    with ThreadPoolExecutor(cores()) as pool:
        started = [pool.submit(result, first), *(pool.submit(result, maker()) for maker in makers[1:])]
        return [each.result() for each in started]


def _steps(run: ObservedRun) -> int:
    """About the number of time steps of a run."""
    return int(run.times.max(initial=0.0) / run.compiled.scene.solver.time_step)


def body_in_lanes(run: ObservedRun, chosen: np.ndarray) -> LaneBody | None:
    """The moving body, if scene and method allow lanes, and `chosen` (m,) are columns of bodies and the time only."""
    of_bodies = 1 + OF_BODY * len(run.compiled.model.bodies.mass)
    is_known = run.compiled.scene.solver.method in TABLEAUS and bool((chosen < of_bodies).all())
    return lane_body(run.compiled) if is_known else None


def _model_of(run: ObservedRun) -> tuple[int, int]:
    """Key that runs share if only their starts differ."""
    return id(run.compiled.model), id(run.compiled.inputs)


def _in_lanes(
    runs: Sequence[ObservedRun], chosen: np.ndarray, known: dict[tuple[int, int], LaneBody | None]
) -> list[RunResult] | None:
    """As `runs_of`, in lanes, or None; `known` collects moving bodies by `_model_of`."""
    for run in runs:
        if _model_of(run) not in known:
            known[_model_of(run)] = body_in_lanes(run, chosen)
    bodies = [body for run in runs if (body := known[_model_of(run)]) is not None]
    if len(bodies) < len(runs):
        return None
    lanes, count = _Lanes(runs, bodies, chosen), len(runs[0].starts)
    if not lanes.are_alike:
        return None
    parts = [(r, s) for s in range(count) for r in range(len(runs))]
    vectors = [parts[k : k + WIDTH] for k in range(0, len(parts), WIDTH)]
    if len(vectors) > 1 and len(vectors) * len(runs[0].times) >= WORTH_THREADS * count:
        with ThreadPoolExecutor(cores()) as pool:
            list(pool.map(lanes.run, vectors))
    else:
        for each in vectors:
            lanes.run(each)
    lanes.fill_constant_columns()
    return lanes.found


class _Lanes:
    """Runs in lanes, and their results."""

    def __init__(self, runs: Sequence[ObservedRun], bodies: Sequence[LaneBody], chosen: np.ndarray):
        """One of `bodies` for each run; chosen: (m,) columns of the table."""
        self._runs, self._bodies, self._chosen, first = runs, bodies, chosen, bodies[0].body
        of_body = chosen - (1 + OF_BODY * first)
        self._moves = (of_body >= 0) & (of_body < OF_BODY)  # columns that are not constant
        self._columns = np.ascontiguousarray(of_body[self._moves])
        self._section = slice(BODY_SIZE * first, BODY_SIZE * (first + 1))
        self._constants = dict[tuple[int, ...], LaneConstants]()
        self._reached = [np.zeros(len(run.times), dtype=bool) for run in runs]
        self.found = [
            RunResult(run.compiled, np.full((len(run.times), len(chosen)), np.nan), run.starts.copy()) for run in runs
        ]

    @property
    def are_alike(self) -> bool:
        """Whether all runs may share vectors of lanes."""
        solvers = {(run.compiled.scene.solver.method, run.compiled.scene.solver.time_step) for run in self._runs}
        return len(solvers) == 1 and go_together(self._bodies)

    def run(self, parts: Sequence[tuple[int, int]]) -> None:
        """Run at most eight parts (run, part)."""
        solver = self._runs[0].compiled.scene.solver
        most = max(len(self._times(r, s)) for r, s in parts)
        target, rest = np.zeros((most, WIDTH), dtype=np.int64), np.zeros((most, WIDTH))
        counts = np.zeros((COUNTS, WIDTH), dtype=np.int64)
        bank = aligned_zeros(OBSERVING_ROWS * WIDTH).reshape(-1, WIDTH)
        for lane, (r, s) in enumerate(parts):
            times, steps = self._times(r, s), self._runs[r].steps[s]
            due = _due(times, solver.time_step, int(steps[0]))
            target[: len(times), lane], rest[: len(times), lane] = due
            counts[:, lane] = *steps, len(times)
            bank[:BODY_SIZE, lane:] = self._runs[r].starts[s, self._section, None]  # unused lanes copy the last start
        constants, table = self._constants_of(tuple(r for r, _ in parts)), TABLEAUS[solver.method]
        out = np.empty((most * len(self._columns), WIDTH))
        observe_lanes(constants, table, solver.time_step, target, rest, self._columns, counts, bank, out)
        for lane, (r, s) in enumerate(parts):
            values = out.reshape(most, len(self._columns), WIDTH)[: counts[COUNT, lane], :, lane]
            self._keep(r, s, values, bank[:BODY_SIZE, lane])

    def _times(self, r: int, s: int) -> np.ndarray:
        """(n,) [s] of the part `s` of the run `r`."""
        return self._runs[r].times[slice(*self._runs[r].rows[s : s + 2])]

    def _keep(self, r: int, s: int, values: np.ndarray, end: np.ndarray) -> None:
        """Store the columns (n, m) of a part until it diverges, and its end (18,)."""
        first, found = self._runs[r].rows[s], self.found[r]
        found.columns[first : first + len(values), self._moves] = values
        self._reached[r][first : first + len(values)] = True
        found.ends[s, self._section] = end
        if not np.isfinite(end).all():
            found.ends[s] = np.nan

    def _constants_of(self, runs: tuple[int, ...]) -> LaneConstants:
        """Constants of lanes with these runs, kept for further parts."""
        if runs not in self._constants:
            self._constants[runs] = lane_constants([self._bodies[r] for r in runs])
        return self._constants[runs]

    def fill_constant_columns(self) -> None:
        """Write the columns of the bodies at rest, and the time."""
        if self._moves.all():
            return
        for run, found, reached in zip(self._runs, self.found, self._reached, strict=True):
            model, inputs = run.compiled.model, run.compiled.inputs
            row = observed(model, inputs, np.zeros(1), run.compiled.start[None].copy(), make_work(model, inputs))[0]
            for j in np.flatnonzero(~self._moves):
                found.columns[reached, j] = row[self._chosen[j]] if self._chosen[j] > 0 else run.times[reached]


def _due(times: np.ndarray, step: float, first: int) -> tuple[np.ndarray, np.ndarray]:
    """(n,) last steps before times (n,) [s], and (n,) [s] from there, as in core/polhode/run/observers/at_times.py."""
    target = np.maximum(np.floor(times / step + NEAR).astype(np.int64), first)
    rest = times - target * step
    return target, np.where(np.abs(rest) > NEAR * step, rest, 0.0)
