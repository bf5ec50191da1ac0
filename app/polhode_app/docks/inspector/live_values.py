"""Current values of the selected item: they follow the run and can be dragged into a plot."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QSizePolicy, QTreeWidget, QTreeWidgetItem

from polhode.analysis.columns import columns_of
from polhode.scene.fields import FieldPath, at
from polhode_app.i18n.field_names import joint_status, quantity, unit_text
from polhode_app.session.session import Session
from polhode_app.window.widgets.plain_label import wrapped

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene  # imports numba, which must not delay the window

UPDATE_INTERVAL = 100  # [ms] faster changes are not readable
MAX_ROWS = 100  # limit for large soft bodies; the first points are listed
WIDEST = "-0.0123 -0.0123 -0.0123 "  # of the usual vectors; the width of a column must not change with its numbers
LEAST = 20  # [pixel] of a column
VISIBLE_ROWS = 6  # without scrolling
SYSTEM_QUANTITIES = {
    (): ("energy",),
    ("world",): ("energy",),
    ("solver",): ("energy", "work"),
}  # of the whole system
EXPONENT = re.compile(r"e(-?)\+?0*")  # exponents are written without + and leading zeros
ROUNDING = 1e-9  # fraction of the largest component of a vector
NAMES_ROLE = Qt.ItemDataRole.UserRole
Row = tuple[str, str, tuple[str, ...], tuple[int, ...]]  # name, unit, columns, and their indices in Snapshot.numbers


class LiveValues(QTreeWidget):
    """A row for each number or vector with its name as in plots and tables, its value and its unit.

    A QTimer reads the newest snapshot while the widget is visible. Dragging a row carries the names of its quantities
    as text; a double click emits `plot_requested`.
    """

    plot_requested = Signal(tuple)  # names of the quantities

    def __init__(self, session: Session):
        super().__init__()
        self._session = session
        self._columns_of_rows: list[tuple[QTreeWidgetItem, tuple[int, ...]]] = []  # indices in Snapshot.numbers
        self._shown_rows: list[Row] | None = None
        self._timer = QTimer(self, interval=UPDATE_INTERVAL)
        self._timer.timeout.connect(self.update_values)
        self.setColumnCount(3)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setDragEnabled(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.header().setMinimumSectionSize(LEAST)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        self.header().resizeSection(1, self.fontMetrics().horizontalAdvance(WIDEST))
        self.header().setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        self.header().setStretchLastSection(False)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.itemDoubleClicked.connect(lambda row, _column: self.plot_requested.emit(row.data(0, NAMES_ROLE)))
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language; the names of rows follow with the next `show_part`."""
        self.setHeaderLabels([self.tr("Current values"), "", ""])
        self.setAccessibleName(self.tr("Current values"))
        self.setToolTip(self.tr("Drag a quantity into the plots, or double-click it"))
        self._shown_rows = None

    def sizeHint(self) -> QSize:
        """VISIBLE_ROWS rows high; further rows are scrolled."""
        return QSize(super().sizeHint().width(), (VISIBLE_ROWS + 2) * self.fontMetrics().height())

    def show_part(self, path: FieldPath | None) -> None:
        """List the quantities of the item at a path; the widget is hidden if it has none."""
        compiled = self._session.compiled
        rows = (
            list(islice(self._rows_of(path, compiled), MAX_ROWS)) if compiled is not None and path is not None else []
        )
        if rows == self._shown_rows:
            return
        self._shown_rows, self._columns_of_rows = rows, []
        self.clear()
        for name, unit, names, indices in rows:
            row = QTreeWidgetItem([quantity(name), "", unit_text(unit)])
            row.setData(0, NAMES_ROLE, names)
            row.setToolTip(0, wrapped(", ".join(names)))
            self.addTopLevelItem(row)
            self._columns_of_rows.append((row, indices))
        self.setVisible(bool(rows))
        self.update_values()

    def _rows_of(self, path: FieldPath, compiled: CompiledScene) -> Iterator[Row]:
        """Name, unit and columns of each quantity of an item. Three columns of a vector form one row."""
        if path in SYSTEM_QUANTITIES:
            for kind in SYSTEM_QUANTITIES[path]:
                yield from ((name, unit, (name,), (at_,)) for at_, name, unit in columns_of(compiled, kind))
            return
        owner = getattr(at(self._session.scene, path[:2]), "name", "") if len(path) >= 2 else ""
        all_columns = columns_of(compiled, owner) if owner else ()
        for vector, columns in groupby(all_columns, lambda column: _vector_name(column[1]).removeprefix(f"{owner}.")):
            indices, names, units = zip(*columns, strict=True)
            yield vector, units[0], names, indices

    def update_values(self) -> None:
        """Show the values of the current snapshot; tooltips show all digits."""
        frame = self._session.frame
        if frame is None or not self.isVisible():
            return
        numbers = frame.snapshot.numbers
        for row, indices in self._columns_of_rows:
            if indices[-1] < len(numbers):
                values = [float(numbers[index]) + 0.0 for index in indices]
                words = self._status_words(row)
                row.setText(1, words or format_values(values))
                row.setToolTip(1, words or "  ".join(f"{value:.15g}" for value in values))

    def _status_words(self, row: QTreeWidgetItem) -> str:
        """The status of a joint in a word, if the row shows one."""
        name, _, quantity_ = row.data(0, NAMES_ROLE)[0].rpartition(".")
        frame, scene = self._session.frame, self._session.scene
        if frame is None or quantity_ != "status":
            return ""
        number = next((j for j, joint in enumerate(scene.joint) if joint.name == name), None)
        if number is None or number >= len(frame.snapshot.joints.status):
            return ""
        return joint_status(int(frame.snapshot.joints.status[number]), scene.joint[number])

    def showEvent(self, event: QShowEvent) -> None:
        """Start the timer."""
        super().showEvent(event)
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop the timer."""
        super().hideEvent(event)
        self._timer.stop()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Plot the current row on Return or Space, as a double click does."""
        row = self.currentItem()
        if row is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.plot_requested.emit(row.data(0, NAMES_ROLE))
        else:
            super().keyPressEvent(event)

    def mimeData(self, items: list[QTreeWidgetItem]) -> QMimeData:  # type: ignore[override]
        """Names of the dragged quantities as text, one per line."""
        dragged = QMimeData()
        dragged.setText("\n".join(name for row in items for name in row.data(0, NAMES_ROLE)))
        return dragged


def format_values(values: Sequence[float]) -> str:
    """A number or the components of a vector with three digits.

    Components below ROUNDING of the largest are written as 0.
    """
    largest = max((abs(value) for value in values), default=0.0)
    kept = [0.0 if abs(value) < ROUNDING * largest else value for value in values]
    return " ".join(EXPONENT.sub(r"e\1", f"{value:.3g}") for value in kept)


def _vector_name(column: str) -> str:
    """Name of a vector from one of its columns: "top.position.z" becomes "top.position"."""
    return column[:-2] if column[-2:] in (".x", ".y", ".z") else column
