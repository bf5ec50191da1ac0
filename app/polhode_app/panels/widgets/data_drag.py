"""Labels that can be dragged, and names of columns of measured data, dragged onto the quantities that they measure."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel

DATA = "application/x-polhode-data-column"


class DragSource(QLabel):
    """A label whose drag carries the data of a function."""

    def __init__(self, text: str, carried: Callable[[], QMimeData]):
        super().__init__(text)
        self._carried = carried
        self._pressed: QPointF | None = None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position()
            event.accept()  # otherwise the moves are sent elsewhere

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pressed = None
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            return
        if (event.position() - self._pressed).manhattanLength() >= QApplication.startDragDistance():
            self._pressed = None
            drag = QDrag(self)
            drag.setMimeData(self._carried())
            drag.setPixmap(self.grab())
            drag.exec(Qt.DropAction.CopyAction)


class DataLabel(DragSource):
    """The name of a column, which can be dragged."""

    def __init__(self, name: str):
        super().__init__(name, lambda: column_data(name))
        self.name = name
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setCursor(Qt.CursorShape.OpenHandCursor)


def column_data(name: str) -> QMimeData:
    """What a drag of a column carries."""
    data = QMimeData()
    data.setData(DATA, name.encode())
    return data


def dragged_column(data: QMimeData) -> str:
    """The column that a drag carries; "" for another drag."""
    return bytes(data.data(DATA).data()).decode(errors="replace") if data.hasFormat(DATA) else ""
