"""Export of the plotted samples and of the plot, from the context menu of a plot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyqtgraph as pg
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from app.export.table import write_units
from app.i18n.translation import translate_reason
from app.panels.plots.plot_files import save_plot
from app.panels.widgets.toast import Toast
from app.plot_data.plot_store import PlotStore
from app.session.new_file import new_file
from app.session.session import Session
from core.scene.column_names import units_file


class PlotExport(QObject):
    """Writes the samples of a store as a table, or the current plot as an image or vector graphics."""

    def __init__(
        self,
        session: Session,
        toast: Toast,
        store: PlotStore,
        current_plot: Callable[[], pg.GraphicsView],
        units: Callable[[], dict[str, str]],
        parent: QObject,
    ):
        """`current_plot` returns the plot that is visible, `units` the units of all quantities by column."""
        super().__init__(parent)
        self._units = units
        self._session, self._toast = session, toast
        self._store, self._current_plot = store, current_plot

    def add_actions(self, menu: QMenu) -> None:
        """Add an action for each kind of file."""
        menu.addAction(self.tr("Export the data (CSV)")).triggered.connect(lambda: self.export("csv"))
        menu.addAction(self.tr("Export an image (PNG)")).triggered.connect(lambda: self.export("png"))
        menu.addAction(self.tr("Export a drawing (SVG)")).triggered.connect(lambda: self.export("svg"))
        menu.addAction(self.tr("Export a drawing (PDF)")).triggered.connect(lambda: self.export("pdf"))

    def export(self, ending: str) -> None:
        """Write all samples (csv) or the current plot (png, svg, pdf).

        The file is named by the current time and lies where screenshots are stored. A toast reports success or failure.
        """
        path = new_file(ending, self._session.document.path)
        try:
            self._write(path)
        except OSError as error:
            self._show_failure(path, error)
            return
        remedies = {self.tr("Write the units, too"): lambda: self._add_units(path)} if ending == "csv" else None
        self._toast.show_file_saved(self.tr("Plot saved: {path}"), path, remedies)

    def _add_units(self, path: Path) -> None:
        """Write the units of the columns beside a table."""
        known = {"time": "s"} | self._units()
        try:
            write_units(path, {name: known.get(name, "") for name in self._store.columns})
        except OSError as error:
            self._show_failure(units_file(path), error)
            return
        self._toast.show_file_saved(self.tr("Units saved: {path}"), units_file(path))

    def _show_failure(self, path: Path, error: OSError) -> None:
        """Say why a file was not written."""
        text = self.tr("{path} can't be written: {reason}")
        self._toast.show_message(text.format(path=path, reason=translate_reason(error)), 20.0)

    def _write(self, path: Path) -> None:
        """Write a file by its ending. Raises OSError."""
        if path.suffix == ".csv":
            self._store.save(path)
        else:
            save_plot(self._current_plot(), path)
