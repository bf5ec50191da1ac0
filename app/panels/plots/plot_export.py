"""Export of plots from the plot dock: data and pictures, with a message on success or failure."""

from __future__ import annotations

from collections.abc import Callable

import pyqtgraph as pg
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from app.i18n.translation import translate_reason
from app.panels.plots.plot_files import save_plot
from app.panels.widgets.toast import Toast
from app.plot_data.plot_store import PlotStore
from app.session.new_file import new_file
from app.session.session import Session


class PlotExport(QObject):
    """Writes the samples of a store or the current plot, beside the scene of the session.

    `current_plot` returns the plot that is shown. Messages appear in the toast of the window.
    """

    def __init__(
        self,
        session: Session,
        store: PlotStore,
        toast: Toast,
        current_plot: Callable[[], pg.GraphicsView],
        parent: QObject,
    ):
        super().__init__(parent)
        self._session, self._store, self._toast, self._current_plot = session, store, toast, current_plot

    def add_actions(self, menu: QMenu) -> None:
        """Add an entry for each type of file."""
        for ending, text in {
            "csv": self.tr("Export the data (CSV)"),
            "png": self.tr("Export an image (PNG)"),
            "svg": self.tr("Export a drawing (SVG)"),
            "pdf": self.tr("Export a drawing (PDF)"),
        }.items():
            menu.addAction(text).triggered.connect(lambda _checked=False, ending=ending: self.export(ending))

    def export(self, ending: str) -> None:
        """Write all samples ("csv") or the current plot ("png", "svg", "pdf").

        The file is named by the current time and lies where screenshots are stored.
        """
        path = new_file(ending, self._session.document.path)
        try:
            if ending == "csv":
                self._store.save(path)
            else:
                save_plot(self._current_plot(), path)
        except OSError as error:
            text = self.tr("{path} can't be written: {reason}")
            self._toast.show_message(text.format(path=path, reason=translate_reason(error)), 20.0)
            return
        self._toast.show_file_saved(self.tr("Plot saved: {path}"), path)
