"""A worksheet of the lessons of the scene, written by a command beside the window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from polhode_app.i18n.language import tr
from polhode_app.session.new_file import new_file
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.background_command import ExportTexts
from polhode_app.window.widgets.export_dialog import ExportDialog
from polhode_app.window.widgets.plain_label import PlainLabel

ENDING = ".pdf"
SECONDS = 8.0  # [s] that a message is shown


class WorksheetDialog(ExportDialog):
    """Asks for the file; the options are its path."""

    def __init__(self, parent: QWidget, path: Path):
        super().__init__(parent, tr("Worksheet"), path, tr("Worksheet") + f" (*{ENDING})")
        self.add_path()
        text = self.tr("One file to print: the steps of all lessons of this scene, with boxes for the answers.")
        label = PlainLabel(text)
        label.setWordWrap(True)
        self.lay_out(above=label)

    @property
    def options(self) -> Path:
        return Path(self.path.text()).absolute().with_suffix(ENDING)


class WorksheetExport(QObject):
    """Writes worksheets in child processes, by the command `convert`."""

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._context = context
        self.dialog: WorksheetDialog | None = None

    def ask(self) -> None:
        """Open the dialog, if the scene has a lesson."""
        session, self.dialog = self._context.session, None
        if not session.scene.lesson:
            text = self.tr("This scene has no lesson. Lesson > Record steps makes one.")
            self._context.toast.show_message(text, SECONDS)
            return
        self.dialog = WorksheetDialog(self._context.window, new_file(ENDING[1:], session.document.path))
        self.dialog.requested.connect(self.write)
        self.dialog.finished.connect(self.dialog.deleteLater)
        self.dialog.open()

    def write(self, path: Path) -> None:
        """Start to write the worksheet; during a lesson that of the scene as it was before."""
        session, texts = (
            self._context.session,
            ExportTexts(
                self.tr("Writing the worksheet: {percent} %"),
                self.tr("Worksheet saved: {path}"),
                self.tr("The worksheet could not be written: {reason}"),
            ),
        )
        document = session.lock.document or session.document
        self._context.exports.start_scene(
            document.scene, path, lambda source: ["convert", str(source), str(path), "--overwrite"], texts
        )
