"""Labels that can be dragged, and columns of measured data that are dragged: onto measured quantities, and onto fields
of the scene that take measured data in place of a formula.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel

DATA = "application/x-polhode-data-column"
INPUT = "application/x-polhode-measured-input"
POSE = "application/x-polhode-measured-pose"


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
    """The name of a column; `source` is its file, "" for data that are from no file, `unit` the one in which it is.

    `further` are other fields of a measured input, such as the table of the file and the clock of the data.
    """

    def __init__(self, name: str):
        super().__init__(name)
        self.name, self.source, self.unit = name, "", ""
        self.further: dict[str, object] = {}
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def data(self) -> QMimeData:
        return column_data(self.name, self.source, self.unit, self.further)


class PoseLabel(DragSource):
    """A label for the pose that the columns of the shown data are."""

    def __init__(self) -> None:
        super().__init__("")
        self.setCursor(Qt.CursorShape.OpenHandCursor)

    def data(self) -> QMimeData:
        return pose_data()


def pose_data() -> QMimeData:
    """Data of the drag of the pose that the shown data have."""
    data = QMimeData()
    data.setData(POSE, b"pose")
    return data


def column_data(
    name: str, source: str = "", unit: str = "", further: Mapping[str, object] = MappingProxyType({})
) -> QMimeData:
    """Data of the drag of a column of a file."""
    data = QMimeData()
    data.setData(DATA, name.encode())
    if source:
        data.setData(INPUT, json.dumps({"data": source, "column": name, "unit": unit, **further}).encode())
    return data


def dragged_input(data: QMimeData) -> dict[str, Any]:
    """Fields of the measured input that the dragged column of a file makes; {} for another drag."""
    try:
        found = json.loads(bytes(data.data(INPUT).data())) if data.hasFormat(INPUT) else None
    except ValueError:
        return {}
    return found if isinstance(found, dict) and {"data", "column"} <= found.keys() else {}


def dragged_column(data: QMimeData) -> str:
    """The dragged column; "" for another drag."""
    return bytes(data.data(DATA).data()).decode(errors="replace") if data.hasFormat(DATA) else ""
