"""Labels of fields that are dragged onto what takes the place of a field, such as the axes of maps."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel

from polhode.scene.fields import Place, place_in, written

FIELD = "application/x-polhode-field"  # path of the field, as in a scene file


class FieldLabel(QLabel):
    """A label whose drag carries the path of its field."""

    def __init__(self, text: str, place: Place):
        super().__init__(text)
        self.place = place
        self._pressed: QPointF | None = None

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
            drag.setMimeData(field_data(self.place))
            drag.setPixmap(self.grab())
            drag.exec(Qt.DropAction.CopyAction)


def field_data(place: Place) -> QMimeData:
    """What a drag of the field at `place` carries."""
    data = QMimeData()
    data.setData(FIELD, written(place).encode())
    data.setText(written(place))
    return data


def dragged_field(data: QMimeData) -> Place | None:
    """The field that a drag carries, if any."""
    if not data.hasFormat(FIELD):
        return None
    try:
        return place_in(bytes(data.data(FIELD).data()).decode())
    except ValueError:
        return None
