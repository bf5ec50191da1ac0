"""A web page in which the scene runs, written by a command beside the window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from polhode.compilation.web_module.module import kept_module
from polhode_app.i18n.language import tr
from polhode_app.session.new_file import new_file
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.background_command import ExportTexts
from polhode_app.window.widgets.export_dialog import ExportDialog
from polhode_app.window.widgets.plain_label import PlainLabel


class LivePageDialog(ExportDialog):
    """Asks for the file; the options are its path."""

    def __init__(self, parent: QWidget, path: Path):
        super().__init__(parent, tr("Live page"), path, tr("Web page") + " (*.html)")
        self.add_path()
        text = self.tr(
            "One file in which the scene runs without a network, in a browser with WebAssembly SIMD (Chromium is "
            "tested): it can be dragged, paused and changed there."
        )
        if kept_module() is None:
            text += "\n" + self.tr("The first page of a version of the program takes some minutes.")
        label = PlainLabel(text)
        label.setWordWrap(True)
        self.lay_out(above=label)

    @property
    def options(self) -> Path:
        return Path(self.path.text()).absolute().with_suffix(".html")


class LivePageExport(QObject):
    """Writes live pages in child processes, by the command `web`."""

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._context = context
        self.dialog: LivePageDialog | None = None

    def ask(self) -> None:
        """Open the dialog."""
        path = new_file("html", self._context.session.document.path)
        self.dialog = LivePageDialog(self._context.window, path)
        self.dialog.requested.connect(self.write)
        self.dialog.finished.connect(self.dialog.deleteLater)
        self.dialog.open()

    def write(self, path: Path) -> None:
        """Start to write a page of the scene, also while a recording of it is replayed."""
        texts = ExportTexts(
            self.tr("Writing the live page: {percent} %"),
            self.tr("Live page saved: {path}"),
            self.tr("The live page could not be written: {reason}"),
        )
        exports = self._context.exports
        exports.start_scene(
            self._context.session.document.scene, path, lambda source: self._arguments(path, source), texts
        )

    def _arguments(self, path: Path, source: Path) -> list[str]:
        """Command line of the process, with the views of the window."""
        view = self._context.scene_view
        words = ["web", str(source), "--out", str(path)]
        words += [w for name, size in view.sizes.items() for w in ("--arrows", f"{name}={size:g}")]
        return words + [w for name, on in view.remembered.items() for w in ("--show" if on else "--hide", name)]
