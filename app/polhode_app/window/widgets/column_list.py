"""Searchable lists: arrow keys of the search line move in the list, and what matches best is first.

The list of the quantities of a scene has a check mark for those that are plotted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QIcon, QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QListView, QWidget

from polhode_app.i18n.field_names import quantity_with_unit
from polhode_app.i18n.quantity_words import quantity_words
from polhode_app.window.widgets.data_drag import dragged_column
from polhode_app.window.widgets.icons import svg_icon
from polhode_app.window.widgets.layouts import column_of
from polhode_app.window.widgets.plain_label import wrapped

Index = QModelIndex
ROLES = Qt.ItemDataRole
MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
MOST_SORTED = 3000  # rows that are put in order: of more the search words are few


class ColumnModel(QAbstractListModel):
    """Model of the quantities: names, units, and colours of those that are checked."""

    toggled = Signal(str, bool)

    def __init__(self, parent: QWidget):
        """Create an empty model."""
        super().__init__()
        self.names: list[str] = []
        self._units: Mapping[str, str] = {}
        self._colors: Mapping[str, str] = {}

    def fill(self, units: Mapping[str, str]) -> None:
        """Set the quantities, by their units; the order is kept."""
        self.beginResetModel()
        self.names, self._units = list(units), units
        self.endResetModel()

    def retranslate(self) -> None:
        """Show the names in the current language."""
        self.fill(self._units)

    def check(self, colors: Mapping[str, str]) -> None:
        """Set which quantities are checked, by the colours of their curves."""
        self._colors = colors
        if self.names:
            self.dataChanged.emit(self.index(0), self.index(len(self.names) - 1))

    def rowCount(self, parent: Index | None = None) -> int:
        """Number of quantities."""
        return 0 if parent is not None and parent.isValid() else len(self.names)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Display name with unit, column name (UserRole and tool tip), or icon in the colour of the curve."""
        name, roles = self.names[index.row()], ROLES
        match role:
            case roles.DisplayRole:
                return quantity_with_unit(name, self._units[name])
            case roles.UserRole:
                return name
            case roles.ToolTipRole:
                return wrapped(name)
            case roles.DecorationRole:
                return swatch(self._colors.get(name))
        return None

    def toggle(self, index: Index) -> None:
        """Emit `toggled` for a row; the owner of the model checks it."""
        name = self.names[index.row()]
        self.toggled.emit(name, name not in self._colors)


@cache
def swatch(color: str | None) -> QIcon:
    """Icon: a disk in the colour of a curve, or a ring without a curve."""
    look = f'fill="{color or "none"}" stroke="{color or "#8b95a3"}" stroke-width="2"'
    return svg_icon(f'<circle {look} cx="12" cy="12" r="7"/>')


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
    """The rows that contain all search words, in any order and case, in their texts or their `quantity_words`.

    Rows that have them as whole words come before those that have words which begin with them, and these before others:
    "tilt y" finds "body: tilt y" before "body: tilt x", which has a y, too.
    """

    def __init__(self, parent: QWidget):
        super().__init__()
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
        shown, name = (self.sourceModel().data(index, role) for role in (ROLES.DisplayRole, ROLES.UserRole))
        return str(shown).lower(), str(name).lower()

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        """Whether display text, name and other words together contain all search words."""
        if not self._words:
            return True
        shown, name = self._texts(row)
        text = f"{shown} {name} {quantity_words(name)}"
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


class QuantityView(QListView):
    """The list, whose rows accept columns of measured data."""

    dropped = Signal(str, str)
    """Name of the column of the data, and of the quantity."""

    chosen = Signal(Index)
    """Space or Return was pressed on a row."""

    def __init__(self) -> None:
        super().__init__()
        self.setAcceptDrops(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Emit `chosen` on Space and Return."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self.currentIndex().isValid():
            self.chosen.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept columns of data."""
        self._consider(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Accept them on rows."""
        self._consider(event)

    def _consider(self, event: QDragMoveEvent) -> None:
        if dragged_column(event.mimeData()):
            event.acceptProposedAction()
        else:
            event.ignore()  # for what holds the list

    def dropEvent(self, event: QDropEvent) -> None:
        """Emit `dropped` for the row under the pointer."""
        column, index = dragged_column(event.mimeData()), self.indexAt(event.position().toPoint())
        if column and index.isValid():
            self.dropped.emit(column, index.data(ROLES.UserRole))
            event.acceptProposedAction()


class ColumnList(QWidget):
    """Search line and list of quantities. A click on a row toggles it."""

    toggled = Signal(str, bool)
    """Column name, and whether it is to be plotted, when a row is clicked."""
    data_dropped = Signal(str, str)
    """Name of a column of measured data that was dropped on a row, and of the quantity there."""

    def __init__(self) -> None:
        """Create an empty list; `fill` sets its quantities, `model.check` the checked ones."""
        super().__init__()
        self.model = ColumnModel(self)
        self.model.toggled.connect(self.toggled)
        self.proxy = WordFilter(self)
        self.proxy.setSourceModel(self.model)
        self.view = QuantityView()
        self.search = SearchLine(self.view, enters=True)
        self.search.textChanged.connect(self.proxy.set_filter)
        self.view.dropped.connect(self.data_dropped)
        self.view.setModel(self.proxy)
        self.view.setUniformItemSizes(True)
        self.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # keeps the component and the unit at the end
        self.view.setSelectionMode(QListView.SelectionMode.NoSelection)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for signal in (self.view.clicked, self.view.chosen):
            signal.connect(lambda index: self.model.toggle(self.proxy.mapToSource(index)))
        self.view.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        column_of(self.search, self.view, on=self, margins=0, spacing=4)
        self.retranslate()

    def fill(self, units: Mapping[str, str]) -> None:
        """Set the quantities, by their units; search words that none of them has are cleared."""
        self.model.fill(units)
        if not self.proxy.rowCount():
            self.search.clear()

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.search.setPlaceholderText(self.tr("Search quantities"))
        self.model.retranslate()
