"""Table of a whole run: all columns at equal intervals, written by a command beside the window."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QCheckBox, QWidget

from polhode_app.i18n.language import tr
from polhode_app.session.new_file import new_file
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.background_command import ExportTexts
from polhode_app.window.widgets.export_dialog import LONGEST, ExportDialog
from polhode_app.window.widgets.plain_label import PlainLabel
from polhode_app.window.widgets.spin_box import SpinBox

INTERVAL = 0.01  # [s] between the rows, unless the time step is longer
SHORTEST_RUN = 1.0  # [s] length that is proposed at least


@dataclass(frozen=True)
class TableOptions:
    """Options entered in the dialog."""

    path: Path
    until: float  # [s]
    every: float  # [s]
    units: bool  # write the units beside it


class RunTableDialog(ExportDialog):
    """Asks for end, interval and file of the table of a run, or for the file of the table of a recording."""

    def __init__(self, parent: QWidget, path: Path, until: float, step: float, replay: bool):
        """Create the dialog for a run to a proposed end [s] with a time step [s]; a `replay` has its own times."""
        super().__init__(parent, tr("Table of the run"), path)
        self.until, self.every = SpinBox(0.0, LONGEST, "s"), SpinBox(0.0, LONGEST, "s")
        self.until.show_value(float(f"{until:.4g}"))
        self.every.show_value(max(INTERVAL, step))
        self.units = QCheckBox(self.tr("Write the units of the columns to a file beside it"))
        text = self.tr("All frames of the recording, with all quantities.")
        if not replay:
            text = self.tr("The scene is run again from its start, without mouse interactions.")
            self.form.addRow(self.tr("End time"), self.until)
            self.form.addRow(self.tr("Time between rows"), self.every)
        self.add_path()
        self.form.addRow("", self.units)
        self.lay_out(above=PlainLabel(text))

    @property
    def options(self) -> TableOptions:
        path = Path(self.path.text()).with_suffix(".csv").absolute()
        return TableOptions(path, self.until.value(), self.every.value(), self.units.isChecked())


class TableExport(QObject):
    """Writes tables of a run, one at a time in a child process by the commands `run` or `convert`, and of the plots."""

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._context = context
        self.dialog: RunTableDialog | None = None

    def ask(self) -> None:
        """Open the dialog."""
        session = self._context.session
        until = session.frame.past[1] if session.frame is not None else 0.0
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
        session = self._context.session

        def arguments(source: Path) -> list[str]:
            units = ["--units"] if options.units else []
            if session.replay is not None:
                return ["convert", str(source), str(options.path), *units]
            times = ["--until", repr(options.until), "--every", repr(options.every)]
            return ["run", str(source), *times, "--out", str(options.path), *units]

        self._context.exports.start_run(session, options.path, arguments, self._texts())

    def _texts(self) -> ExportTexts:
        """Messages about the table."""
        return ExportTexts(
            self.tr("Writing the table: {percent} %"),
            self.tr("Table saved: {path}"),
            self.tr("The table could not be written: {reason}"),
        )
