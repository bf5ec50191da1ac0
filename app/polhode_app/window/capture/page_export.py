"""A web page that replays a run, or an animated glTF file of it, written by a command beside the window."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from polhode_app.i18n.language import tr
from polhode_app.session.new_file import new_file
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.background_command import ExportTexts
from polhode_app.window.widgets.export_dialog import LONGEST, ExportDialog
from polhode_app.window.widgets.plain_label import PlainLabel
from polhode_app.window.widgets.spin_box import SpinBox

DURATION = 10.0  # [s] that is proposed for a scene
SIZE, SMALLEST, LARGEST = 20.0, 0.9, 2000.0  # [MB] of a page: proposed, and limits
MODEL = ".glb"


@dataclass(frozen=True)
class PageOptions:
    """Options entered in the dialog."""

    path: Path
    until: float  # [s]
    size: float  # [MB] of a page at most


class PageDialog(ExportDialog):
    """Asks for the end of the run, the file, and its largest size; the options are PageOptions."""

    def __init__(self, parent: QWidget, path: Path, until: float, replay: bool):
        """Create the dialog for a run to a proposed end [s]; a `replay` has its own end."""
        super().__init__(parent, tr("Web page"), path, tr("Web page") + " (*.html);;glTF (*.glb)")
        self.until, self.size_box = SpinBox(0.0, LONGEST, "s"), SpinBox(SMALLEST, LARGEST, "MB")
        self.until.show_value(float(f"{until:.4g}"))
        self.size_box.show_value(SIZE)
        if not replay:
            self.form.addRow(self.tr("End time"), self.until)
        self.form.addRow(self.tr("Largest size"), self.size_box)
        self.add_path()
        text = self.tr(
            "One file that replays the run in any browser, without a network. A name that ends with .glb makes a model "
            "for Blender and other programs."
        )
        label = PlainLabel(text)
        label.setWordWrap(True)
        self.lay_out(above=label)

    @property
    def options(self) -> PageOptions:
        path = Path(self.path.text()).absolute()
        if path.suffix.lower() != MODEL:
            path = path.with_suffix(".html")
        return PageOptions(path, self.until.value(), self.size_box.value())


class PageExport(QObject):
    """Writes pages in child processes, by the command `render`."""

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._context = context
        self.dialog: PageDialog | None = None

    def ask(self) -> None:
        """Open the dialog."""
        session = self._context.session
        until = session.frame.past[1] if session.frame is not None else 0.0
        path, replay = new_file("html", session.document.path), session.replay is not None
        self.dialog = PageDialog(self._context.window, path, until or DURATION, replay)
        self.dialog.requested.connect(self.write)
        self.dialog.finished.connect(self.dialog.deleteLater)
        self.dialog.open()

    def write(self, options: PageOptions) -> None:
        """Start to write a page."""
        session = self._context.session
        self._context.exports.start_run(
            session,
            options.path,
            lambda source: self._arguments(options, source, session.replay is not None),
            self._texts(),
        )

    def _arguments(self, options: PageOptions, source: Path, replay: bool) -> list[str]:
        """Command line of the process, with the views of the window."""
        view = self._context.scene_view
        words = ["render", str(source), "--out", str(options.path)]
        if not replay:
            words += ["--until", repr(options.until)]
        if options.path.suffix.lower() != MODEL:
            words += ["--max-size", f"{options.size:g}MB"]
        words += [w for name, size in view.sizes.items() for w in ("--arrows", f"{name}={size:g}")]
        return words + [w for name, on in view.remembered.items() for w in ("--show" if on else "--hide", name)]

    def _texts(self) -> ExportTexts:
        """Messages about the page."""
        return ExportTexts(
            self.tr("Writing the page: {percent} %"),
            self.tr("Page saved: {path}"),
            self.tr("The page could not be written: {reason}"),
        )
