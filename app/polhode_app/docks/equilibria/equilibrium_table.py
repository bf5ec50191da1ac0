"""Table of equilibria: stability, energy and the lowest frequencies."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from polhode.equilibria.equilibria import Equilibria, Equilibrium
from polhode.equilibria.placements import placements
from polhode_app.i18n.field_names import quantity
from polhode_app.i18n.item_names import named_all
from polhode_app.viewport.base.palette import PALETTE

NUMBER, STABILITY, ENERGY, FREQUENCIES = range(4)
SHOWN_FREQUENCIES = 4
SHOWN_PLACEMENTS = 12
SIGNS = {"stable": "●", "neutral": "*", "unstable": "×"}
COLORS = {"stable": PALETTE[2], "neutral": PALETTE[0], "unstable": PALETTE[5]}
GO_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class EquilibriumTable(QTableWidget):
    """One row for each equilibrium, by rising energy. A click, or Return, emits `chosen` with the number of the row."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__(0, 4)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 10)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(FREQUENCIES, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.cellClicked.connect(lambda row, _column: self.chosen.emit(row))
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts of the header in the current language."""
        self.setAccessibleName(self.tr("Equilibria"))
        self.setHorizontalHeaderLabels(["", self.tr("Stability"), self.tr("Energy [J]"), self.tr("f [Hz]")])
        tips = {
            STABILITY: self.tr("Whether small motions stay small; neutral: a direction in which nothing changes"),
            ENERGY: self.tr("Potential energy"),
            FREQUENCIES: self.tr("Frequencies of small oscillations"),
        }
        for column, tip in tips.items():
            self.horizontalHeaderItem(column).setToolTip(tip)

    @property
    def row(self) -> int | None:
        """Number of the selected row; None without a selection."""
        rows = self.selectionModel().selectedRows()
        return rows[0].row() if rows else None

    def fill(self, found: Equilibria | None) -> None:
        """List the equilibria and select the first; None empties the table."""
        listed = found.equilibria if found is not None else ()
        self.setRowCount(0)
        self.setRowCount(len(listed))
        for row, each in enumerate(listed):
            assert found is not None
            self._fill_row(row, each, found)
        if listed:
            self.selectRow(0)

    def stability_text(self, each: Equilibrium) -> str:
        """The stability of an equilibrium in words."""
        if each.stability == "unstable":
            return self.tr("unstable ({count})").format(count=each.motion.unstable_directions)
        return {"stable": self.tr("stable"), "neutral": self.tr("stable, neutral")}[each.stability]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return goes to the selected equilibrium; arrow keys only select."""
        if event.key() in GO_KEYS and self.row is not None:
            self.chosen.emit(self.row)
            return
        super().keyPressEvent(event)

    def _fill_row(self, row: int, each: Equilibrium, found: Equilibria) -> None:
        frequencies = [f"{mode.frequency:.4g}" for mode in each.modes if mode.frequency > 0]
        more = " ..." if len(frequencies) > SHOWN_FREQUENCIES else ""
        texts = (
            f"{SIGNS[each.stability]} {row + 1}",
            self.stability_text(each),
            f"{each.energy:.6g}",
            ", ".join(frequencies[:SHOWN_FREQUENCIES]) + more,
        )
        for column, text in enumerate(texts):
            item = QTableWidgetItem(text)
            item.setToolTip(self._tip(each, found))
            self.setItem(row, column, item)
        self.item(row, NUMBER).setForeground(QBrush(QColor(COLORS[each.stability])))

    def _tip(self, each: Equilibrium, found: Equilibria) -> str:
        """Where everything is, and the eigenvalues."""
        lines = []
        for part in placements(found.compiled, each.state)[:SHOWN_PLACEMENTS]:
            numbers = ", ".join(f"{value:.4g}" for value in part.values)
            lines.append(f"{quantity(f'{part.name}.{part.quantity}')} = {numbers} {part.unit}")
        values = [value for value in each.eigenvalues.tolist() if value.imag >= 0][:SHOWN_PLACEMENTS]
        texts = [f"{value.real:.4g} ± {value.imag:.4g}i" if value.imag else f"{value.real:.4g}" for value in values]
        lines.append("λ [1/s] = " + ", ".join(texts))
        if each.neutral:
            lines.append(self.tr("Neutral direction: {names}").format(names=named_all(each.neutral_items)))
        return "\n".join(lines)
