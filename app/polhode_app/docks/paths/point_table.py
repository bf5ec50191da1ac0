"""Table of the points of a spline."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from polhode.scene.quantity import Vector

HEIGHT = 150  # [pixel] minimum


class PointTable(QTableWidget):
    """One row for each point with x, y, z [m].

    `entered` carries row, column and text of a cell that the user has edited.
    """

    entered = Signal(int, int, str)  # row, column and text

    def __init__(self) -> None:
        super().__init__(0, 3)
        self.setHorizontalHeaderLabels(["x [m]", "y [m]", "z [m]"])
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().setDefaultSectionSize(22)
        self.setMinimumHeight(HEIGHT)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.cellChanged.connect(self._on_cell_changed)

    def fill(self, points: tuple[Vector, ...]) -> None:
        """Show points, each (3,) [m]; no signal is emitted."""
        self.blockSignals(True)
        self.setRowCount(len(points))
        rows, frame = len(points) * self.verticalHeader().defaultSectionSize(), 2 * self.frameWidth()
        self.setMaximumHeight(max(HEIGHT, self.horizontalHeader().sizeHint().height() + rows + frame))
        self.setVerticalHeaderLabels([str(row) for row in range(len(points))])
        for row, point in enumerate(points):
            for column, number in enumerate(point):
                item = self.item(row, column)
                if item is None:
                    item = QTableWidgetItem()
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                    self.setItem(row, column, item)
                item.setText(f"{number:.6g}")
        self.blockSignals(False)

    @property
    def selected_row(self) -> int | None:
        """Row of the current cell; None if there is none."""
        return self.currentRow() if 0 <= self.currentRow() < self.rowCount() else None

    def select_row(self, row: int) -> None:
        """Make a row the current one."""
        self.setCurrentCell(row, max(self.currentColumn(), 0))

    def _on_cell_changed(self, row: int, column: int) -> None:
        """Emit `entered`."""
        item = self.item(row, column)
        if item is not None:
            self.entered.emit(row, column, item.text())
