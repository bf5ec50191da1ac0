"""Pictures of a list that move while the pointer is over them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QIcon, QMouseEvent, QPixmap
from PySide6.QtWidgets import QListWidget, QListWidgetItem

INTERVAL = 220  # [ms] between two pictures of a strip


class MovingThumbnails(QObject):
    """Shows the pictures of a strip one after the other as the icon of the entry under the pointer."""

    def __init__(self, entries: QListWidget, size: QSize, strip_of: Callable[[QListWidgetItem], Path]):
        """`strip_of` returns the file with the pictures of an entry side by side, in the proportions of `size`."""
        super().__init__(entries)
        self._entries, self._size, self._strip_of = entries, size, strip_of
        self._item: QListWidgetItem | None = None  # the entry that moves
        self._still = QIcon()  # its icon otherwise
        self._tiles: list[QIcon] = []
        self._number = 0
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL)
        self._timer.timeout.connect(self._advance)
        entries.setMouseTracking(True)
        entries.itemEntered.connect(self._enter)
        entries.viewport().installEventFilter(self)

    @property
    def is_moving(self) -> bool:
        """Whether an entry moves."""
        return self._timer.isActive()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stop when the pointer leaves the list or the entry."""
        left = event.type() == QEvent.Type.Leave
        if left or (isinstance(event, QMouseEvent) and self._entries.itemAt(event.position().toPoint()) != self._item):
            self._stop()
        return super().eventFilter(watched, event)

    def _enter(self, item: QListWidgetItem) -> None:
        """Begin with an entry; one without a strip stays as it is."""
        self._stop()
        self._tiles = self._cut(QPixmap(str(self._strip_of(item))))
        if self._tiles:
            self._item, self._still, self._number = item, item.icon(), 0
            self._advance()
            self._timer.start()

    def _cut(self, strip: QPixmap) -> list[QIcon]:
        """The pictures of a strip in the size of the icons."""
        if strip.isNull():
            return []
        width = strip.height() * self._size.width() // self._size.height()
        ratio = self._entries.devicePixelRatioF()
        tiles = []
        for number in range(strip.width() // width):
            tile = strip.copy(number * width, 0, width, strip.height())
            smooth = Qt.TransformationMode.SmoothTransformation
            tile = tile.scaled(self._size * ratio, Qt.AspectRatioMode.KeepAspectRatio, smooth)
            tile.setDevicePixelRatio(ratio)
            tiles.append(QIcon(tile))
        return tiles

    def _advance(self) -> None:
        """Show the next picture; after the last one the first."""
        if self._item is not None:
            self._item.setIcon(self._tiles[self._number])
            self._number = (self._number + 1) % len(self._tiles)

    def _stop(self) -> None:
        """Show the still picture again."""
        self._timer.stop()
        if self._item is not None:
            self._item.setIcon(self._still)
            self._item = None
