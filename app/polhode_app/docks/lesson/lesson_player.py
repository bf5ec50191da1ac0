"""Leads through a lesson in the window: its progress, its runs, the lock of the scene, and the file that keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from polhode.analysis.columns import columns
from polhode.lessons.hand_in import hand_in_text
from polhode.lessons.lesson_columns import check_lessons
from polhode.lessons.lesson_run import LessonRun
from polhode.lessons.process import Compiling, LessonProcess, Running
from polhode.lessons.progress import Progress
from polhode.scene.files.file_writing import replace_file
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode_app.data.lessons.kept_progress import KeptProgress
from polhode_app.docks.lesson.live_run import LiveRun
from polhode_app.i18n.translation import translate, translate_error, translate_problem
from polhode_app.session.document import Document
from polhode_app.window.shell.window_context import WindowContext


class LessonPlayer(QObject):
    """The one lesson that is under way, if any.

    While it is, the scene is locked, and the view shows the scene with the numbers of the student's name. A run is
    computed by `LessonProcess`, so that it has the same bits on every computer; the window plays it meanwhile.
    """

    changed = Signal()
    """Another step is shown, or a lesson has begun or was left."""
    answered = Signal()
    """The current step has another answer."""
    run_changed = Signal()
    """A run has begun, moved on or ended."""
    leaving = Signal()
    """The lesson is about to be left: what is typed can still be answered."""
    refused = Signal(str)
    """Text of why something was refused."""

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._context, self._session = context, context.session
        self._process, self._kept, self._live = LessonProcess(), KeptProgress(), LiveRun(context.session)
        self.progress: Progress | None = None
        self._document: Document | None = None  # as it was when the lesson began
        self._values: Mapping[str, float] | None = None  # of the run that is computed
        self.fraction = 0.0  # of that run
        self.is_compiling = False  # machine code for it, once on each computer
        self.is_at_end = False  # all steps are done, and the hand-in can be saved
        self._session.scene_changed.connect(self._on_scene_changed)

    @property
    def is_running(self) -> bool:
        """Whether a run is computed."""
        return self._values is not None

    def kept(self, number: int, name: str) -> dict[str, Any] | None:
        """The progress that is kept of lesson `number` of the scene, for a name; None without."""
        return self._kept.read(self._kept.path_of(self._session.newest.scene, number, name))

    def is_kept(self, number: int, name: str) -> bool:
        """Whether there is a file of progress of lesson `number` of the scene, for a name."""
        return self._kept.path_of(self._session.newest.scene, number, name).exists()

    def begin(self, number: int, name: str, continues: bool = True) -> bool:
        """Begin lesson `number` of the scene, or continue it where it was left; False, and `refused`, if it can't."""
        document = self._session.newest
        try:
            if document.recording is not None:
                rule, remedy = Message("is a recording"), Message("continue it as a run, or open its scene first")
                raise InputError.of(document.scene.lesson[number].title, rule, remedy)
            if self._session.compiled is not None and not self._session.is_pending:
                check_lessons(document.scene, self._session.compiled)
            made = Progress(document.scene, number, name)
            kept = self.kept(number, name) if continues else None
            self.progress = made if kept is None else self._restored(document, kept) or made
        except InputError as error:
            self.refused.emit(translate_error(error))
            return False
        self._document, self.is_at_end = document, False
        self._session.lock.lock(document)
        self._live.show(document, self.progress.scene)
        self._prepare()
        self._plot()
        self.changed.emit()
        return True

    def _restored(self, document: Document, kept: dict[str, Any]) -> Progress | None:
        """The progress that was kept; None for a damaged one."""
        try:
            return Progress.restored(document.scene, kept)
        except InputError:
            return None

    def _prepare(self) -> None:
        """Load and compile what the runs need, while the student reads."""
        assert self.progress is not None
        try:
            self._process.prepare(self.progress.scene)
        except OSError as error:
            self.refused.emit(translate_error(error))

    def _plot(self) -> None:
        """Plot the quantities that the lesson measures."""
        assert self.progress is not None
        if names := self.progress.columns:
            self._context.docks.open("plots", lambda plots: plots.plot(names, alone=True))

    def leave(self) -> None:
        """End the lesson: the scene is as it was before; what was done is kept."""
        if self.progress is None:
            return
        self.leaving.emit()
        document, self._document = self._document, None
        self.keep()
        self.progress = self._values = None
        self._process.stop()
        self._session.lock.unlock()
        if document is not None and self._session.newest.is_version_of(document):
            self._session.replace_document(document)
            self._session.play(False)
        self.changed.emit()

    def _on_scene_changed(self, document: Document) -> None:
        """Leave the lesson when another scene is opened."""
        if self._document is not None and not document.is_version_of(self._document):
            self.leave()

    def keep(self) -> None:
        """Write the progress to its file, once there is any: a lesson that is begun again keeps the file until then."""
        if self.progress is not None and self.progress.has_begun:
            path = self._kept.path_of(self.progress.given, self.progress.number, self.progress.name)
            self._kept.keep(path, self.progress.as_json())

    def write(self, path: Path, anonymous: bool) -> None:
        """Write the hand-in to a file. Raises InputError."""
        assert self.progress is not None
        replace_file(path, hand_in_text(self.progress, anonymous))

    def forget(self) -> None:
        """Delete the kept progress of the lesson, whose hand-in is saved."""
        if self.progress is not None:
            self._kept.forget(self._kept.path_of(self.progress.given, self.progress.number, self.progress.name))

    def close(self) -> None:
        """Keep the progress, and end the process; the window closes."""
        self.keep()
        self._process.stop()
        self._kept.close()

    # Steps

    def forward(self) -> None:
        """Show the next step, or the end behind the last one."""
        progress = self.progress
        if progress is None or self.is_running:
            return
        moved = progress.forward()
        if not moved and progress.current + 1 == len(progress.lesson.step) and progress.is_complete:
            self.is_at_end = moved = True
        if moved:
            self.keep()
            self.changed.emit()

    def back(self) -> None:
        """Show the step before."""
        if self.progress is None or self.is_running:
            return
        if self.is_at_end:
            self.is_at_end = False
        elif not self.progress.back():
            return
        self.keep()
        self.changed.emit()

    @property
    def can_go_on(self) -> bool:
        """Whether the current step is done."""
        progress = self.progress
        if progress is None or self.is_running:
            return False
        is_last = progress.current + 1 == len(progress.lesson.step)
        return progress.step.kind == "text" or (progress.is_complete if is_last else progress.can_go_on)

    def answer(self, value: Any = None) -> Any:
        """Answer the current step, as `Progress.answer`; None, and `refused`, for what is no answer."""
        assert self.progress is not None
        try:
            found = self.progress.answer(value)
        except InputError as error:
            self.refused.emit("\n".join(map(translate_problem, error.problems)))
            return None
        self.keep()
        self.answered.emit()
        return found

    # Runs

    def run(self, values: Mapping[str, float]) -> None:
        """Run the scene with values [SI] of fields of the current step, here and in the process."""
        assert self.progress is not None
        assert self._document is not None
        step = self.progress.step
        try:
            scene = self.progress.run_scene(values)
            self._process.run(scene, step.until, self.progress.columns)
        except (InputError, OSError) as error:
            self.refused.emit(translate_error(error))
            return
        self._values, self.fraction = dict(values), 0.0
        self._live.show(self._document, scene, step.until)
        self.run_changed.emit()

    def cancel(self) -> None:
        """End the run that is computed, without an answer."""
        self._values = None
        self._process.stop()
        self._session.play(False)
        self.run_changed.emit()

    def tick(self) -> None:
        """Take what the process has answered; called once per frame."""
        if self.progress is None:
            return
        self._live.tick()
        for answer in self._process.answers():
            self.is_compiling = isinstance(answer, Compiling) and answer.done < answer.total
            if isinstance(answer, Running) and self.is_running:
                self.fraction = min(answer.time / self.progress.step.until, 1.0)
            elif isinstance(answer, LessonRun) and self.is_running:
                self._finish(answer)
            elif isinstance(answer, InputError):
                self._values = None
                self.refused.emit(translate_error(answer))
            self.run_changed.emit()

    def _finish(self, run: LessonRun) -> None:
        """Take a run as the answer to the current step."""
        assert self.progress is not None
        assert self._values is not None
        values, self._values = self._values, None
        self.progress.add_run(values, run)
        self.keep()
        if run.stopped is not None:
            self.refused.emit(translate(run.stopped))
        self.answered.emit()

    # Quantities

    def unit_of(self, column: str) -> str:
        """Unit of a column of the table; "" before the scene is compiled."""
        compiled = self._session.compiled
        return columns(compiled).get(column, "") if compiled is not None else ""

    def value_now(self, column: str) -> float | None:
        """Value [SI] of a column in the frame that is shown; None before the first one."""
        compiled, frame = self._session.compiled, self._session.frame
        if compiled is None or frame is None:
            return None
        names = list(columns(compiled))
        known = column in names and len(names) == len(frame.snapshot.numbers)
        return float(frame.snapshot.numbers[names.index(column)]) if known else None
