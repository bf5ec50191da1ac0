"""Actions of the menu of lessons that the window has without their docks."""

from __future__ import annotations

from PySide6.QtCore import QObject

from polhode_app.docks.lesson.teacher.worksheet_export import WorksheetExport
from polhode_app.window.shell.window_context import WindowContext


class LessonActions(QObject):
    """Begins to record the steps of a lesson, and writes worksheets."""

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._context = context
        self.worksheets = WorksheetExport(context)

    def set_recording(self, on: bool) -> None:
        """Begin to record steps in the dock of lessons, or end that."""
        if on:
            self._context.docks.open("lesson", lambda dock: dock.set_recording(True))
        elif (dock := self._context.docks.dock("lesson")) is not None:
            dock.set_recording(False)

    def ask_worksheet(self) -> None:
        """Ask for the file of the worksheet of the scene's lessons."""
        self.worksheets.ask()
