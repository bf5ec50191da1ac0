"""Actions that save or copy a picture of the view, or record it as a film."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication, QImage

from polhode.scene.problem import InputError
from polhode_app.i18n.translation import translate, translate_error
from polhode_app.interactors.selection import SelectionTool
from polhode_app.messages import FrameData
from polhode_app.session.new_file import new_file
from polhode_app.window.accessibility.announcements import announce
from polhode_app.window.parts.window_part import WindowPart
from polhode_app.window.shell.actions import set_text
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.icons import icon
from polhode_app.window.widgets.view_recorder import ViewRecorder


class CaptureActions(QObject, WindowPart):
    """Saves pictures and films of the view, and reports the written files.

    `metadata` returns the texts that are stored in a picture.
    """

    def __init__(
        self,
        context: WindowContext,
        selection: SelectionTool,
        metadata: Callable[[], Mapping[str, str]],
        show_problems: Callable[[InputError], None],
    ):
        """`selection` draws what pictures leave out, `show_problems` shows why a file cannot be written."""
        super().__init__(context.view)
        self._view, self._session, self._toast = context.view, context.session, context.toast
        self._selection = selection
        self._record, self._metadata, self._show_problems = context.actions["record"], metadata, show_problems
        self.recorder = ViewRecorder(context.view)
        self.recorder.ended.connect(self._on_film_ended)
        self.recorder.changed.connect(self._update_action)
        self.recorder.changed.connect(selection.leave_out)

    def retranslate(self) -> None:
        """Set the texts of action and bar in the current language."""
        self._update_action(self.recorder.recording)
        self.recorder.bar.retranslate()

    def tick(self, wall: float, passed: Sequence[FrameData]) -> bool:
        """Show the progress of a film."""
        self.recorder.poll()
        return False

    def stop(self) -> None:
        """End a film, and wait for its file."""
        self.recorder.close()

    def take_picture(self) -> None:
        """Save the view to a new PNG file beside the scene."""
        path = new_file("png", self._session.document.path)
        if self._is_saved(path):
            self._toast.show_file_saved(self.tr("Picture saved: {path}"), path)

    def copy_picture(self) -> None:
        """Put the view on the clipboard, for pasting into other programs."""
        with TemporaryDirectory(prefix="polhode-") as folder:
            path = Path(folder) / "view.png"
            if self._is_saved(path):
                QGuiApplication.clipboard().setImage(QImage(str(path)))
                self._toast.show_message(self.tr("Picture copied"))

    def _is_saved(self, path: Path) -> bool:
        """Save the view; False, and a message, if that fails."""
        try:
            with self._selection.undrawn():
                self._view.save_picture(path, self._metadata())
        except InputError as error:
            self._show_problems(error)
        except OSError as error:
            self._toast.show_message(translate_error(error), 20.0)
        else:
            return True
        return False

    def toggle_film(self) -> None:
        """Start to record the view to a new MP4 file, or stop."""
        if self.recorder.recording:
            self.recorder.stop()
            return
        try:
            self.recorder.start(new_file("mp4", self._session.document.path))
        except InputError as error:
            self._show_problems(error)
        else:
            announce(self._view.window(), self.tr("The view is being recorded"))

    def _update_action(self, recording: bool) -> None:
        """Show by the action whether it starts or stops recording."""
        record = self._record
        record.setIcon(icon("stop" if recording else "record", QGuiApplication.palette()))
        set_text(record, self.tr("Stop &recording") if recording else self.tr("&Record a video"))

    def _on_film_ended(self, path: Path | None, failure: str) -> None:
        """Report a film that was written, cancelled or failed."""
        if failure:
            self._toast.show_message(
                self.tr("The video could not be written: {reason}").format(reason=translate(failure)), 20.0
            )
        elif path is None:
            self._toast.show_message(self.tr("Recording cancelled, no file was kept"))
        else:
            self._toast.show_file_saved(self.tr("Video saved: {path}"), path)
