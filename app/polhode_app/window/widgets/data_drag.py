"""Labels that can be dragged, and names of columns of measured data that are dragged onto the measured quantities."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel

DATA = "application/x-polhode-data-column"


class DragSource(QLabel):
    """A label that can be dragged; a subclass sets the `data` of its drag."""

    def __init__(self, text: str):
        super().__init__(text)
        self._pressed: QPointF | None = None

    def data(self) -> QMimeData:
        """Data of a drag."""
        raise NotImplementedError

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position()
            event.accept()  # otherwise the moves go elsewhere

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pressed = None
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            return
        if (event.position() - self._pressed).manhattanLength() >= QApplication.startDragDistance():
            self._pressed = None
            drag = QDrag(self)
            drag.setMimeData(self.data())
            drag.setPixmap(self.grab())
            drag.exec(Qt.DropAction.CopyAction)


class DataLabel(DragSource):
    """The name of a column."""

    def __init__(self, name: str):
        super().__init__(name)
        self.name = name
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def data(self) -> QMimeData:
        return column_data(self.name)


def column_data(name: str) -> QMimeData:
    """Data of the drag of a column."""
    data = QMimeData()
    data.setData(DATA, name.encode())
    return data


def dragged_column(data: QMimeData) -> str:
    """The dragged column; "" for another drag."""
    return bytes(data.data(DATA).data()).decode(errors="replace") if data.hasFormat(DATA) else ""
