"""Table of a whole run: all columns at equal intervals, written by a command beside the window."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import (
    QCheckBox,
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

INTERVAL = 0.01  # [s] between the rows, unless the time step is longer
SHORTEST_RUN = 1.0  # [s] length that is proposed at least
LONGEST = 1e6  # [s] limit of times
FILE_WIDTH = 360  # [pixel] least width of the field of the file


@dataclass(frozen=True)
class TableOptions:
    """Options entered in the dialog."""

    path: Path
    until: float  # [s]
    every: float  # [s]
    units: bool  # write the units beside it


class RunTableDialog(QDialog):
    """Asks for end, interval and file of the table of a run, or for the file of that of a recording."""

    requested = Signal(object)
    """The options (TableOptions), when the dialog is accepted."""

    def __init__(self, parent: QWidget, path: Path, until: float, step: float, replay: bool):
        """Create the dialog for a run to a proposed end [s] with a time step [s]; a `replay` has its own times."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Table of the run"))
        self.until, self.every = SpinBox(0.0, LONGEST, "s"), SpinBox(0.0, LONGEST, "s")
        self.until.show_value(float(f"{until:.4g}"))
        self.every.show_value(max(INTERVAL, step))
        self.units = QCheckBox(self.tr("Write the units of the columns to a file beside it"))
        self.path = QLineEdit(str(path))
        self.path.setMinimumWidth(FILE_WIDTH)
        choose = QPushButton(self.tr("Choose..."))
        choose.clicked.connect(self._choose_file)
        row = QHBoxLayout()
        row.addWidget(self.path, 1)
        row.addWidget(choose)
        text = self.tr("The scene is run again from its start, without what was done with the mouse.")
        form = QFormLayout()
        if not replay:
            form.addRow(self.tr("End time"), self.until)
            form.addRow(self.tr("Time between rows"), self.every)
        form.addRow(self.tr("File"), row)
        form.addRow("", self.units)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(PlainLabel(self.tr("All frames of the recording, with all quantities.") if replay else text))
        column.addLayout(form)
        column.addWidget(self.buttons)

    def _choose_file(self) -> None:
        """Ask for the file."""
        name, _ = QFileDialog.getSaveFileName(self, self.windowTitle(), self.path.text())
        if name:
            self.path.setText(name)

    def _accept(self) -> None:
        """Emit the options and close."""
        path = Path(self.path.text()).with_suffix(".csv").absolute()
        self.requested.emit(TableOptions(path, self.until.value(), self.every.value(), self.units.isChecked()))
        self.accept()


class TableExport(QObject):
    """Writes tables of a run, one at a time in a child process by the commands `run` or `convert`, and of the plots."""

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._context = context
        self.dialog: RunTableDialog | None = None

    def ask(self) -> None:
        """Open the dialog."""
        session = self._context.session
        until = session.moment.past[1] if session.moment is not None else 0.0
        path, step = new_file("csv", session.document.path), session.scene.solver.time_step
        replay = session.replay is not None
        self.dialog = RunTableDialog(self._context.window, path, max(until, SHORTEST_RUN), step, replay)
        self.dialog.requested.connect(self.write)
        self.dialog.finished.connect(self.dialog.deleteLater)
        self.dialog.open()

    def export_plots(self) -> None:
        """Export the samples of the plots as CSV; without any, open the plots and explain how to get them."""
        plots = self._context.docks.dock("plots")
        self._context.docks.open("plots")
        if plots is None or plots.store.span is None:
            text = self.tr("No plot data yet. Run the simulation with the plots open, then export again")
            self._context.toast.show_message(text)
        else:
            plots.exports.export("csv")

    def write(self, options: TableOptions) -> None:
        """Start to write a table."""
        session, folder = self._context.session, TemporaryDirectory(prefix="polhode-")
        replay = session.replay
        try:
            source = scene_copy(session.document.scene, Path(folder.name)) if replay is None else replay.path
        except (InputError, OSError) as error:
            folder.cleanup()
            self._context.toast.show_message(translate_error(error), 20.0)
            return
        if replay is None:
            times = ["--until", repr(options.until), "--every", repr(options.every)]
            arguments = ["run", str(source), *times, "--out", str(options.path)]
        else:
            arguments = ["convert", str(source), str(options.path)]
        arguments += ["--units"] if options.units else []
        self._context.exports.start(arguments, options.path, folder, self._texts())

    def _texts(self) -> ExportTexts:
        """What is said about the table."""
        return ExportTexts(
            lambda percent: self.tr("Writing the table: {percent} %").format(percent=percent),
            self.tr("Cancel"),
            self.tr("Table saved: {path}"),
            self.tr("The table could not be written: {reason}"),
        )
