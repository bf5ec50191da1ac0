"""Dock of lessons: leads through a lesson of the scene, and records the steps of a new one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFileDialog, QStackedWidget, QWidget

from polhode.scene.problem import InputError
from polhode_app.docks.lesson.end_page import EndPage
from polhode_app.docks.lesson.lesson_player import LessonPlayer
from polhode_app.docks.lesson.lock_notices import LockNotices
from polhode_app.docks.lesson.start_page import StartPage
from polhode_app.docks.lesson.step_page import StepPage
from polhode_app.docks.lesson.steps.curve_plot import CurvePlot
from polhode_app.docks.lesson.teacher.record_page import RecordPage
from polhode_app.i18n.translation import translate_error
from polhode_app.messages import FrameData
from polhode_app.session.document import Document
from polhode_app.window.files.save_dialog import file_name
from polhode_app.window.parts.dock import Dock
from polhode_app.window.shell.window_context import WindowContext

ENDING = ".handin"


class LessonDock(Dock):
    """Pages: the list of lessons, the current step, the end, and the recording of a new lesson."""

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._context, self._session = context, context.session
        self.record: RecordPage | None = None  # made when it is first wanted

    def build(self) -> Iterator[None]:
        """Make the pages in turn."""
        self.player = LessonPlayer(self._context)
        self.notices = LockNotices(self._context, self.leave)
        yield
        self.start, self.pages = StartPage(), QStackedWidget()
        self.pages.addWidget(self.start)
        yield
        plot = CurvePlot()
        yield
        self.step = StepPage(self.player, self._focus, plot)
        self.pages.addWidget(self.step)
        yield
        self.end = EndPage(self.player)
        self.pages.addWidget(self.end)
        self.setWidget(self.pages)
        yield
        self._connect()
        self.retranslate()
        yield

    def _connect(self) -> None:
        """Connect pages, player and session."""
        self.start.begun.connect(self._begin)
        self.start.looked.connect(self._show_kept)
        self.step.left.connect(self.leave)
        self.end.left.connect(self.leave)
        self.end.returned.connect(self.player.back)
        self.end.save_wanted.connect(self._ask_file)
        self.player.changed.connect(self._show_page)
        self.player.refused.connect(self._show_refused)
        self._session.scene_changed.connect(self._on_scene_changed)

    def _focus(self, widget: QWidget) -> None:
        """Give a control the keyboard focus, with its ring."""
        if self.isVisible():
            self._context.window.accessible.focus.focus(widget)  # type: ignore[attr-defined]

    def retranslate(self) -> None:
        """Set all texts in the current language; what is typed is taken before."""
        self.setWindowTitle(self.tr("Lesson"))
        self.start.retranslate()
        self.notices.retranslate()
        if self.record is not None:
            self.record.retranslate()
        self.step.commit()
        self._on_scene_changed(self._session.document)
        self._show_page(takes_focus=False)

    def set_theme(self) -> None:
        """Make the controls of the step again in the colours of the window."""
        self.step.commit()
        self._show_page(takes_focus=False)

    def showEvent(self, event: QShowEvent) -> None:
        """Focus the first control of the page when the dock is opened."""
        super().showEvent(event)
        if self.is_built and self.player.progress is None and self.start.lessons.count():
            self._focus(self.start.lessons if self.start.lessons.count() > 1 else self.start.name)

    def _show_page(self, takes_focus: bool = True) -> None:
        """Show the page of the recording, or of the state of the player."""
        if self.record is not None and self.record.lesson is not None:
            self.pages.setCurrentWidget(self.record)
            return
        if self.player.progress is None:
            self.pages.setCurrentWidget(self.start)
            self.start.show_name(self._context.settings.student)
            self._show_kept()
            return
        if self.player.is_at_end:
            self.pages.setCurrentWidget(self.end)
            self.end.show_end()
            if takes_focus:
                self._focus(self.end.save)
            return
        self.pages.setCurrentWidget(self.step)
        self.step.show_step(takes_focus)

    def _on_scene_changed(self, document: Document) -> None:
        """List the lessons of the scene."""
        if self.player.progress is None:
            self.start.show_scene(document.scene)
            self.start.show_name(self._context.settings.student)
            self._show_kept()

    def _show_kept(self) -> None:
        """Show whether the chosen lesson can be continued."""
        number, name = self.start.lessons.currentRow(), self.start.name.text()
        self.start.show_kept(number >= 0 and bool(name.strip()) and self.player.is_kept(number, name))

    def _begin(self, number: int, name: str, continues: bool) -> None:
        """Begin a lesson, and remember the name."""
        if self.player.begin(number, name, continues):
            assert self.player.progress is not None
            self._context.settings.student = self.player.progress.name

    def _show_refused(self, text: str) -> None:
        """Show why a lesson can't begin."""
        if self.player.progress is None:
            self.start.error.show_text(text)

    def leave(self) -> None:
        """Leave the lesson; it can be continued later."""
        self.player.leave()
        self._on_scene_changed(self._session.document)

    def set_recording(self, on: bool) -> None:
        """Begin to record the steps of a new lesson, or end that without one."""
        if self.record is None:
            self.record = RecordPage(self._context)
            self.record.ended.connect(lambda _is_added: self._context.actions["record_lesson"].setChecked(False))
            self.pages.addWidget(self.record)
            self.record.retranslate()
        if on and self.record.lesson is None:
            self.leave()
            self.record.begin()
            self._show_page()
            self._focus(self.record.title)
        elif not on:
            self.record.lesson = None
            self._show_page(takes_focus=False)

    # Hand-in

    def _ask_file(self, anonymous: bool) -> None:
        """Ask for the file of the hand-in, and write it."""
        progress = self.player.progress
        assert progress is not None
        name = "hand-in" if anonymous else progress.name
        proposed = Path.cwd() / (Path(file_name(name)).stem + ENDING)
        kinds = self.tr("Hand-ins ({endings})").format(endings=f"*{ENDING}")
        found, _ = QFileDialog.getSaveFileName(self._context.window, self.tr("Save hand-in"), str(proposed), kinds)
        if found:
            self.save(Path(found if found.lower().endswith(ENDING) else f"{found}{ENDING}"), anonymous)

    def save(self, path: Path, anonymous: bool = False) -> None:
        """Write the hand-in to a file."""
        assert self.player.progress is not None
        try:
            self.player.write(path, anonymous)
        except InputError as error:
            self.end.note.show_text(translate_error(error))
            return
        self.end.note.show_text(self.tr("Saved: {path}").format(path=path))
        self._context.toast.show_file_saved(self.tr("Hand-in saved: {path}"), path)

    # Hooks

    def tick(self, wall: float, passed: Sequence[FrameData]) -> bool:
        """Follow runs."""
        self.player.tick()
        return False

    def show_frame(self, frame: FrameData, wall: float) -> None:
        """Show the lock in docks that were opened meanwhile."""
        self.notices.follow_docks()

    def stop(self) -> None:
        """Keep the progress, and end the process of runs."""
        self.step.commit()
        self.player.close()
