"""Uncertainties of quantities of the scene, computed in the background for all parts of the window that show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.uncertain import UncertainItems
from polhode_app.jobs import CheckCancelled, Job, JobCancelled
from polhode_app.messages import FrameData
from polhode_app.session.session import Session
from polhode_app.window.parts.window_part import WindowPart

if TYPE_CHECKING:
    from polhode.uncertainty.result import Uncertainties  # imports the compiler, for which the window does not wait

SHORTEST, LONGEST = 10.0, 80.0  # [s] runs, which are twice as long each time that the run passes their end
ROWS = 3000  # of each run
PAUSE = 0.01  # [s] before each run: the frames of the window have priority
FAILURE = Message("the uncertainties could not be computed")


@dataclass(frozen=True)
class Order:
    """Columns of a scene, from its start up to a time [s]."""

    scene: Scene
    names: tuple[str, ...]
    until: float


class UncertainRuns(WindowPart):
    """The newest uncertainties that were asked for, to first order at once, with draws when they are done."""

    def __init__(self, session: Session):
        self._session, self._job = session, Job("uncertainties", FAILURE)
        self._order: Order | None = None
        self._scene: Scene | None = None  # the last one, and whether it has uncertain numbers
        self._items, self._is_uncertain = UncertainItems(), False
        self.found: Uncertainties | None = None
        self.problem: InputError | None = None
        self.version = 0
        """Changes with `found` and `problem`."""

    def want(self, names: Sequence[str], reached: float) -> None:
        """Compute columns from the start of the scene to beyond a time [s], if it has uncertain numbers."""
        scene, before = self._session.scene, self._order
        if scene is not self._scene:
            self._scene, self._is_uncertain = scene, self._items.are_in(scene)
        if not self._is_uncertain or not names or self._session.is_pending:
            self._clear()
            return
        is_same = before is not None and before.scene is scene and before.names == tuple(names)
        until = before.until if before is not None and is_same else SHORTEST
        while until < min(reached, LONGEST) and not (is_same and self._job.is_running):
            until *= 2.0
        if before is not None and before.scene is not scene:
            self._forget()
        if before is None or not is_same or before.until != until:
            order = self._order = Order(scene, tuple(names), until)
            self._job.start(lambda check: _computed(order, check))

    @property
    def is_running(self) -> bool:
        """Whether something is computed."""
        return self._job.is_running

    def tick(self, wall: float, passed: Sequence[FrameData]) -> bool:
        """Take what is finished, once per frame."""
        newest = self._job.poll() or self._job.progress
        if newest is not None and newest is not self.found and newest is not self.problem:
            is_problem = isinstance(newest, InputError)
            self.found, self.problem = (None, newest) if is_problem else (newest, None)
            self.version += 1
        return False

    def stop(self) -> None:
        """End the thread."""
        self._job.close()

    def _clear(self) -> None:
        """Cancel, and drop the results."""
        if self._order is not None:
            self._order = None
            self._job.cancel()
            self._forget()

    def _forget(self) -> None:
        """Drop results of another scene."""
        self.found, self.problem = None, None
        self.version += 1


def _computed(order: Order, check_cancelled: CheckCancelled) -> Uncertainties:
    """The uncertainties with draws; those to first order are reported before."""
    # these import the compiler, for which the window does not wait
    from polhode.analysis.columns import columns  # noqa: PLC0415
    from polhode.analysis.table.row_times import RowTimes  # noqa: PLC0415
    from polhode.fitting.units import units_of_fits  # noqa: PLC0415
    from polhode.uncertainty.propagation import Propagation  # noqa: PLC0415
    from polhode.uncertainty.uncertainties import chosen_columns, found_with_draws  # noqa: PLC0415
    from polhode_app.compilation.missing_units import compile_missing  # noqa: PLC0415

    compile_missing(units_of_fits(), check_cancelled)
    work = Propagation(order.scene, progress=lambda part: check_cancelled.wait(PAUSE))
    table = columns(work.models.first)
    until = min(order.until, work.models.first.data_end.time)
    times = RowTimes(until, max(until / ROWS, order.scene.solver.time_step))
    known = [name for name in order.names if name in table]
    if not known:
        raise JobCancelled
    chosen = chosen_columns(table, known)
    return found_with_draws(work, table, times.part(0, len(times)), chosen, check_cancelled.report)
