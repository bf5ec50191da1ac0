"""Dock of the energy ledger: energies, work on the scene since the start, and their difference, which is conserved."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from polhode.analysis.columns import columns
from polhode_app.i18n.field_names import quantity
from polhode_app.messages import FrameData
from polhode_app.window.parts.dock import Dock
from polhode_app.window.shell.window_context import WindowContext

NAME, VALUE = range(2)
LEAST_ROWS = 7  # that the dock shows without scrolling, the header included
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class EnergyDock(Dock):
    """A table of the columns `energy.*` and `work.*` that are not zero since the scene was opened."""

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._session = context.session
        self._listed: object = None  # the compiled scene whose columns are the rows
        self._columns: dict[str, int] = {}  # indices in the table of the run, by the names of the rows
        self.table = QTableWidget(0, 2)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.table.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.table.setShowGrid(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(height := self.fontMetrics().height() + 6)
        self.table.setMinimumHeight(LEAST_ROWS * height)
        self.table.horizontalHeader().setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        self.table.horizontalHeader().setSectionResizeMode(VALUE, QHeaderView.ResizeMode.ResizeToContents)
        self.setWidget(self.table)
        self.retranslate()

    def show_frame(self, frame: FrameData, wall: float) -> None:
        """Show the values of a frame."""
        compiled = self._session.compiled
        if not self.isVisible() or compiled is None:
            return
        if compiled is not self._listed:
            self._list_columns(compiled)
        values = frame.snapshot.numbers[list(self._columns.values())]
        work = np.array([name.startswith("work.") for name in self._columns])
        total = values[list(self._columns).index("energy.total")]
        for row, value in enumerate([*values, total - values[work].sum()]):
            self.table.item(row, VALUE).setText(f"{value:.6g}")
            if value != 0.0:
                self.table.setRowHidden(row, False)

    def _list_columns(self, compiled: object) -> None:
        """Make a row for each column of a compiled scene; rows of zeros are hidden."""
        self._listed = compiled
        names = [*columns(compiled)]
        self._columns = {name: index for index, name in enumerate(names) if name.startswith(("energy.", "work."))}
        self.table.setRowCount(len(self._columns) + 1)
        for row in range(self.table.rowCount()):
            self.table.setItem(row, NAME, QTableWidgetItem())
            self.table.setItem(row, VALUE, value := QTableWidgetItem())
            value.setTextAlignment(RIGHT)
            self.table.setRowHidden(row, row < len(self._columns))
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.setWindowTitle(self.tr("Energies and work"))
        self.table.setAccessibleName(self.windowTitle())
        self.table.setHorizontalHeaderLabels([self.tr("Quantity"), self.tr("Value [J]")])
        for row, name in enumerate([*map(quantity, self._columns), self.tr("total energy minus work")]):
            if (item := self.table.item(row, NAME)) is not None:
                item.setText(name)
