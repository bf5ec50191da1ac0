"""A web page that replays a run, or an animated glTF file of it, written by a command beside the window."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from polhode.scene.problem import InputError
from polhode_app.i18n.translation import translate_error
from polhode_app.panels.shell.window_context import WindowContext
from polhode_app.panels.widgets.background_command import ExportTexts, scene_copy
from polhode_app.panels.widgets.plain_label import PlainLabel
from polhode_app.panels.widgets.spin_box import SpinBox
from polhode_app.session.new_file import new_file

DURATION = 10.0  # [s] that is proposed for a scene
LONGEST = 1e6  # [s] limit of times
SIZE, SMALLEST, LARGEST = 20.0, 0.9, 2000.0  # [MB] of a page: proposed, and limits
FILE_WIDTH = 360  # [pixel] least width of the field of the file
MODEL = ".glb"


@dataclass(frozen=True)
class PageOptions:
    """Options entered in the dialog."""

    path: Path
    until: float  # [s]
    size: float  # [MB] of a page at most


class PageDialog(QDialog):
    """Asks for the end of the run, the file, and its largest size."""

    requested = Signal(object)
    """The options (PageOptions), when the dialog is accepted."""

    def __init__(self, parent: QWidget, path: Path, until: float, replay: bool):
        """Create the dialog for a run to a proposed end [s]; a `replay` has its own end."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Web page"))
        self.until, self.size_box = SpinBox(0.0, LONGEST, "s"), SpinBox(SMALLEST, LARGEST, "MB")
        self.until.show_value(float(f"{until:.4g}"))
        self.size_box.show_value(SIZE)
        self.path = QLineEdit(str(path))
        self.path.setMinimumWidth(FILE_WIDTH)
        choose = QPushButton(self.tr("Choose..."))
        choose.clicked.connect(self._choose_file)
        row = QHBoxLayout()
        row.addWidget(self.path, 1)
        row.addWidget(choose)
        form = QFormLayout()
        if not replay:
            form.addRow(self.tr("End time"), self.until)
        form.addRow(self.tr("Largest size"), self.size_box)
        form.addRow(self.tr("File"), row)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        text = self.tr(
            "One file that replays the run in any browser, without a network. A name that ends with .glb makes a model "
            "for Blender and other programs."
        )
        column = QVBoxLayout(self)
        label = PlainLabel(text)
        label.setWordWrap(True)
        column.addWidget(label)
        column.addLayout(form)
        column.addWidget(self.buttons)

    def _choose_file(self) -> None:
        """Ask for the file."""
        kinds = self.tr("Web page") + " (*.html);;glTF (*.glb)"
        name, _ = QFileDialog.getSaveFileName(self, self.windowTitle(), self.path.text(), kinds)
        if name:
            self.path.setText(name)

    def _accept(self) -> None:
        """Emit the options and close."""
        path = Path(self.path.text()).absolute()
        if path.suffix.lower() != MODEL:
            path = path.with_suffix(".html")
        self.requested.emit(PageOptions(path, self.until.value(), self.size_box.value()))
        self.accept()


class PageExport(QObject):
    """Writes pages in child processes, by the command `render`."""

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._context = context
        self.dialog: PageDialog | None = None

    def ask(self) -> None:
        """Open the dialog."""
        session = self._context.session
        until = session.moment.past[1] if session.moment is not None else 0.0
        path, replay = new_file("html", session.document.path), session.replay is not None
        self.dialog = PageDialog(self._context.window, path, until or DURATION, replay)
        self.dialog.requested.connect(self.write)
        self.dialog.finished.connect(self.dialog.deleteLater)
        self.dialog.open()

    def write(self, options: PageOptions) -> None:
        """Start to write a page."""
        session, folder = self._context.session, TemporaryDirectory(prefix="polhode-")
        replay = session.replay
        try:
            source = scene_copy(session.document.scene, Path(folder.name)) if replay is None else replay.path
        except (InputError, OSError) as error:
            folder.cleanup()
            self._context.toast.show_message(translate_error(error), 20.0)
            return
        arguments = self._arguments(options, source, replay is not None)
        self._context.exports.start(arguments, options.path, folder, self._texts())

    def _arguments(self, options: PageOptions, source: Path, replay: bool) -> list[str]:
        """Command line of the process: what is drawn is what the window draws."""
        view = self._context.scene_view
        words = ["render", str(source), "--out", str(options.path)]
        if not replay:
            words += ["--until", repr(options.until)]
        if options.path.suffix.lower() != MODEL:
            words += ["--max-size", f"{options.size:g}MB"]
        words += [w for name, size in view.sizes.items() for w in ("--arrows", f"{name}={size:g}")]
        return words + [w for name, on in view.remembered.items() for w in ("--show" if on else "--hide", name)]

    def _texts(self) -> ExportTexts:
        """What is said about the page."""
        return ExportTexts(
            lambda percent: self.tr("Writing the page: {percent} %").format(percent=percent),
            self.tr("Cancel"),
            self.tr("Page saved: {path}"),
            self.tr("The page could not be written: {reason}"),
        )
