"""Table of the normal modes of a soft body: frequency, period, share of the energy, and a check box to mute."""

from __future__ import annotations

from math import pi

import numpy as np
from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSignalBlocker,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter, QPalette, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
)

from polhode.physics.modal.normal_modes import Modes

NUMBER, FREQUENCY, PERIOD, ENERGY, MUTED = range(5)
SHARE_ROLE = Qt.ItemDataRole.UserRole
BOX_SIZE = 13.0  # [pixel]
CHECK_MARK = ((0.22, 0.52), (0.42, 0.72), (0.78, 0.28))  # corners, as fractions of the box
SMALLEST_SHARE = 0.005  # smaller shares get no text


class ShareBar(QStyledItemDelegate):
    """Delegate that draws a share between 0 and 1 as a bar with its percentage."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw the bar of the share in SHARE_ROLE; shares below SMALLEST_SHARE get no text."""
        super().paint(painter, option, index)
        share = index.data(SHARE_ROLE)
        if share is None:
            return
        bar = QRectF(option.rect).adjusted(4, 4, -4, -4)
        roles, palette = QPalette.ColorRole, option.palette
        painter.save()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.color(roles.Mid))
        painter.drawRoundedRect(bar, 3, 3)
        painter.setBrush(palette.color(roles.Accent))
        painter.setOpacity(0.55)
        painter.drawRoundedRect(bar.adjusted(0, 0, -(1 - share) * bar.width(), 0), 3, 3)
        painter.setOpacity(1.0)
        painter.setPen(palette.color(roles.Text))
        if share >= SMALLEST_SHARE:
            painter.drawText(bar, Qt.AlignmentFlag.AlignCenter, f"{100 * share:.0f} %")
        painter.restore()


class CheckDelegate(QStyledItemDelegate):
    """Delegate that draws a check box in the text colour, so that it is visible in every theme.

    A click anywhere in the cell toggles it.
    """

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw the box in the centre of the cell, faded if the item is disabled."""
        QApplication.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter)
        enabled = bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
        chosen = enabled and bool(option.state & QStyle.StateFlag.State_Selected)
        group = QPalette.ColorGroup.Active if enabled else QPalette.ColorGroup.Disabled
        role = QPalette.ColorRole.HighlightedText if chosen else QPalette.ColorRole.Text
        box = QRectF(0, 0, BOX_SIZE, BOX_SIZE)
        box.moveCenter(QRectF(option.rect).center())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(option.palette.color(group, role), 1.3))
        if not enabled:
            painter.setOpacity(0.4)
        painter.drawRoundedRect(box, 2.5, 2.5)
        if index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked.value:
            painter.setPen(QPen(option.palette.color(group, role), 2.0))
            painter.drawPolyline([box.topLeft() + BOX_SIZE * QPointF(*at) for at in CHECK_MARK])
        painter.restore()

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        """Toggle the check state when the mouse button is released; True if the event was used."""
        enabled = bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
        if not enabled or event.type() != QEvent.Type.MouseButtonRelease:
            return False
        checked = index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked.value
        other = Qt.CheckState.Unchecked if checked else Qt.CheckState.Checked
        return model.setData(index, other.value, Qt.ItemDataRole.CheckStateRole)


class ModeTable(QTableWidget):
    """One row for each mode, counted from 0 as `polhode modes` does.

    `mute_toggled` carries the number of a mode and whether the user has checked it.
    """

    mute_toggled = Signal(int, bool)  # number of the mode, checked

    def __init__(self) -> None:
        super().__init__(0, 5)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 10)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(ENERGY, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        self.setItemDelegateForColumn(ENERGY, ShareBar(self))
        self.setItemDelegateForColumn(MUTED, CheckDelegate(self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.itemChanged.connect(self._on_item_changed)
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts of the header in the current language."""
        self.setHorizontalHeaderLabels(
            [self.tr("Mode"), self.tr("f [Hz]"), self.tr("T [s]"), self.tr("Energy"), self.tr("Muted")]
        )
        tips = {
            FREQUENCY: self.tr("Natural frequency of the mode"),
            PERIOD: self.tr("Period of the mode"),
            ENERGY: self.tr("Share of the current energy of the listed modes, relative to the body at rest"),
            MUTED: self.tr(
                "Sets amplitude and rate of the mode to zero and keeps them there until it is unmuted or "
                "the run is reset"
            ),
        }
        for column, tip in tips.items():
            self.horizontalHeaderItem(column).setToolTip(tip)

    @property
    def selected_mode(self) -> int | None:
        """Number of the selected mode; None without a selection."""
        rows = self.selectionModel().selectedRows()
        return rows[0].row() if rows else None

    def fill(self, modes: Modes | None, can_mute: bool) -> None:
        """List the modes of a body and select the first.

        `can_mute` enables the check boxes: only the modes of a modal body can be muted. None empties the table.
        """
        with QSignalBlocker(self):
            self.setRowCount(0)
            count = len(modes.squares) if modes is not None else 0
            self.setRowCount(count)
            for row in range(count):
                assert modes is not None
                self._fill_row(row, float(modes.squares[row]), can_mute)
        if count:
            self.selectRow(0)

    def _fill_row(self, row: int, square: float, can_mute: bool) -> None:
        """Fill the row of a mode; `square` is the square of its angular frequency [1/s^2].

        A negative square means buckling: the mode grows instead of oscillating.
        """
        w = square**0.5 if square > 0 else 0.0
        texts = [str(row), f"{w / (2 * pi):.4g}", f"{2 * pi / w:.4g}" if w else "-", ""]
        if square < 0:
            texts[FREQUENCY] = self.tr("buckles")
        for column, text in enumerate(texts):
            item = QTableWidgetItem(text)
            item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.setItem(row, column, item)
        if square < 0:
            self.item(row, FREQUENCY).setForeground(self.palette().brightText())
            tip = self.tr(
                "ω² = {square} 1/s²: compressed springs push the body aside, so this mode does not "
                "oscillate about the rest shape"
            )
            self.item(row, FREQUENCY).setToolTip(tip.format(square=f"{square:.4g}"))
        muted = QTableWidgetItem()
        muted.setCheckState(Qt.CheckState.Unchecked)
        if not can_mute:
            muted.setFlags(Qt.ItemFlag.NoItemFlags)
            reason = self.tr(
                "All points of this body move freely. With modes = n in the scene, single modes can be muted"
            )
            muted.setToolTip(reason)
        self.setItem(row, MUTED, muted)

    def show_shares(self, shares: np.ndarray | None) -> None:
        """Show the shares (n,) of the energy of the modes; None shows all as 0."""
        with QSignalBlocker(self):
            for row in range(self.rowCount()):
                self.item(row, ENERGY).setData(SHARE_ROLE, float(shares[row]) if shares is not None else 0.0)
        self.viewport().update()

    def show_muted(self, muted: set[int], pending: set[int]) -> None:
        """Check the muted modes; those in `pending` keep their state until the simulation has answered."""
        with QSignalBlocker(self):
            for row in set(range(self.rowCount())) - pending:
                checked = Qt.CheckState.Checked if row in muted else Qt.CheckState.Unchecked
                if self.item(row, MUTED).checkState() != checked:
                    self.item(row, MUTED).setCheckState(checked)
        self.viewport().update()

    def _on_item_changed(self, item: QTableWidgetItem) -> None:
        """Emit `mute_toggled` for a change of a check box."""
        if item.column() == MUTED:
            self.mute_toggled.emit(item.row(), item.checkState() == Qt.CheckState.Checked)
