"""Export of the data and of the picture of a plot, from its context menu."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pyqtgraph as pg
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMenu, QWidget

from polhode_app.data.plots.plot_table import PlotTable
from polhode_app.docks.plots.plot_files import save_plot
from polhode_app.i18n.field_names import quantity
from polhode_app.session.new_file import new_file
from polhode_app.session.session import Session
from polhode_app.window.widgets.background_command import escaped
from polhode_app.window.widgets.toast import Toast


class PlotExport(QObject):
    """Writes the current plot as a table, as an image or as vector graphics."""

    def __init__(
        self,
        session: Session,
        toast: Toast,
        table: Callable[[], PlotTable],
        current_plot: Callable[[], pg.GraphicsView],
        parent: QObject,
    ):
        """`table` and `current_plot` return the data of the plot that is visible, and the plot."""
        super().__init__(parent)
        self._session, self._toast = session, toast
        self._table, self._current_plot = table, current_plot

    def menu(self, others: Mapping[str, Callable[[], None]], parent: QWidget) -> QMenu:
        """A menu of other actions, by their texts, and of one for each kind of file."""
        menu = QMenu(parent)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, action in others.items():
            menu.addAction(text).triggered.connect(action)
        menu.addSeparator()
        menu.addAction(self.tr("Export the data (CSV)")).triggered.connect(lambda: self.export("csv"))
        menu.addAction(self.tr("Export an image (PNG)")).triggered.connect(lambda: self.export("png"))
        menu.addAction(self.tr("Export a drawing (SVG)")).triggered.connect(lambda: self.export("svg"))
        menu.addAction(self.tr("Export a drawing (PDF)")).triggered.connect(lambda: self.export("pdf"))
        return menu

    def export(self, ending: str) -> None:
        """Write the data of the current plot (csv), or the plot (png, svg, pdf).

        The file is named by the current time and lies where screenshots are stored. A toast reports success or failure,
        and which rows a table has not.
        """
        path = new_file(ending, self._session.document.path)
        text = self.tr("Plot saved: {path}")
        if ending == "csv":
            table = self._table()
            self._toast.save(path, lambda: table.save(path), "\n".join([text, *self._late_texts(table)]))
        else:
            self._toast.save(path, lambda: save_plot(self._current_plot(), path), text)

    def _late_texts(self, table: PlotTable) -> list[str]:
        """Which rows are left out, because a quantity was chosen after them."""
        text = self.tr("Rows without {name}, which was chosen later, are left out: {count}")
        names = {name: escaped(quantity(name)) for name in table.late}
        return [text.format(name=names[name], count=count) for name, count in table.late.items()]
