"""Search line over a list: arrow keys move in the list, and what matches best stands first."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QListView, QWidget

Index = QModelIndex
SHOWN, NAME = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.UserRole
MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
MOST_SORTED = 3000  # rows that are put in order: of more the search words are few


class SearchLine(QLineEdit):
    """A search line whose keys for rows go to a list."""

    def __init__(self, view: QListView, enters: bool = False):
        """`view` is the list; with `enters` it gets the focus with the first of these keys."""
        super().__init__()
        self._view, self._enters = view, enters
        self.setClearButtonEnabled(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Pass on the keys that move in the list."""
        if event.key() not in MOVES:
            super().keyPressEvent(event)
            return
        if self._enters:
            self._view.setFocus(Qt.FocusReason.TabFocusReason)
        QApplication.sendEvent(self._view, event)


class WordFilter(QSortFilterProxyModel):
    """The rows that contain all search words, in any order and case.

    Rows that have them as whole words come before those that have words which begin with them, and these before others:
    "tilt y" finds "body: tilt y" before "body: tilt x", which has a y, too.
    """

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self._words: Sequence[str] = ()
        self._ranks: dict[int, int] = {}  # by row of the source

    def set_filter(self, text: str) -> None:
        """Set the search words."""
        self.sort(-1)
        self.beginFilterChange()
        self._words, self._ranks = text.lower().split(), {}
        self.endFilterChange()
        if self._words and self.rowCount() <= MOST_SORTED:
            self.sort(0)

    def _texts(self, row: int) -> tuple[str, str]:
        """Display text and name of a row of the source, in small letters."""
        index = self.sourceModel().index(row, 0)
        shown, name = (str(self.sourceModel().data(index, role)).lower() for role in (SHOWN, NAME))
        return shown, name

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        """Whether display text and name together contain all words."""
        if not self._words:
            return True
        text = " ".join(self._texts(row))
        return all(word in text for word in self._words)

    def lessThan(self, left: Index, right: Index) -> bool:
        """Whether a row of the source matches better than another one, or as well and comes before it."""
        return (self._rank(left.row()), left.row()) < (self._rank(right.row()), right.row())

    def _rank(self, row: int) -> int:
        """0 for a row that has all search words as whole words; more the less it has of them."""
        if row not in self._ranks:
            has = set(re.findall(r"\w+", self._texts(row)[0]))
            starts = (any(each.startswith(word) for each in has) for word in self._words)
            whole = sum(word not in has for word in self._words)
            self._ranks[row] = whole + sum(not start for start in starts)
        return self._ranks[row]
