"""Table of the results of a fit: values, 95 % intervals, and correlations in tooltips."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableWidget, QTableWidgetItem

from polhode.fitting.result import FitResult
from polhode_app.i18n.field_names import unit_text
from polhode_app.i18n.uncertain_numbers import rounded
from polhode_app.window.widgets.plain_label import wrapped

MOST_SEEN = 8  # rows without a scroll bar


class ResultTable(QTableWidget):
    """One row for each unknown; `profile_wanted` carries the name of one, from its menu."""

    profile_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__(0, 3)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.verticalHeader().hide()
        self.setShowGrid(False)
        self._names: list[str] = []
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._show_menu)
        self.setWordWrap(False)
        header = self.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.setHorizontalHeaderLabels([self.tr("Unknown"), self.tr("Value"), self.tr("95 % interval")])

    def fill(self, found: FitResult | None, titles: Sequence[str]) -> None:
        """Show a result, with display names of its unknowns; None hides the table."""
        self._names = [each.unknown.name for each in found.estimates] if found is not None else []
        self.setVisible(found is not None)
        self.setRowCount(len(found.estimates) if found is not None else 0)
        if found is None:
            return
        for row, (each, title) in enumerate(zip(found.estimates, titles, strict=True)):
            value, half = rounded(each.value, (each.high - each.low) / 2)
            texts = title, f"{value} {unit_text(each.unknown.unit)}".rstrip(), f"± {half}"
            tip = self._tip(found, row, titles)
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                item.setToolTip(wrapped(tip))
                if column:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.setItem(row, column, item)
        self.resizeRowsToContents()
        rows = min(self.rowCount(), MOST_SEEN)
        self.setFixedHeight(self.horizontalHeader().sizeHint().height() + sum(map(self.rowHeight, range(rows))) + 4)

    def _show_menu(self, position: QPoint) -> None:
        """Offer the profile of the unknown at a position."""
        row = self.rowAt(position.y())
        if not 0 <= row < len(self._names):
            return
        menu, name = QMenu(self), self._names[row]
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Profile")).triggered.connect(lambda _checked: self.profile_wanted.emit(name))
        menu.popup(self.viewport().mapToGlobal(position))

    def _tip(self, found: FitResult, row: int, titles: Sequence[str]) -> str:
        """Interval of an unknown, and its correlations with the others."""
        each = found.estimates[row]
        lines = [each.unknown.name, f"95 %: {each.low:.8g} … {each.high:.8g}"]
        for other, title in enumerate(titles):
            if other != row:
                text = self.tr("correlation with {name}: {value}")
                lines.append(text.format(name=title, value=f"{found.correlations[row, other]:+.3f}"))
        return "\n".join(lines)
