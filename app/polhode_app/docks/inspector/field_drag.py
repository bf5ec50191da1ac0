"""Labels of fields that are dragged, and the forms on which they are dropped: axes of maps, unknowns of fits."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QMenu, QWidget

from polhode.scene.fields import FieldPath, parse_path, written
from polhode.scene.scene import Scene
from polhode_app.edit.sweeps import varied_by
from polhode_app.i18n.parameter_names import parameter_name
from polhode_app.window.widgets.data_drag import DragSource

FIELD = "application/x-polhode-field"  # path of the field, as in a scene file


class FieldLabel(DragSource):
    """A label whose drag carries the path of its field."""

    def __init__(self, text: str, path: FieldPath):
        super().__init__(text)
        self.path = path

    def data(self) -> QMimeData:
        return field_data(self.path)


def field_data(path: FieldPath) -> QMimeData:
    """Data of the drag of the field at a path."""
    data = QMimeData()
    data.setData(FIELD, written(path).encode())
    data.setText(written(path))
    return data


def dragged_field(data: QMimeData) -> FieldPath | None:
    """Path of the dragged field; None for another drag."""
    if not data.hasFormat(FIELD):
        return None
    try:
        return parse_path(bytes(data.data(FIELD).data()).decode())
    except ValueError:
        return None


class FieldTarget(QWidget):
    """A form on which fields that have numbers can be dropped; a subclass implements `take` and `target_at`."""

    def __init__(self) -> None:
        super().__init__()
        self._scene = Scene()  # of the fields
        self.setAcceptDrops(True)

    def take(self, parameter: str, target: QWidget) -> None:
        """Take the number at a path, which was dropped on `target`."""
        raise NotImplementedError

    def target_at(self, where: QPoint) -> QWidget:
        """The part of the form at a position, below which a menu can open."""
        raise NotImplementedError

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.dragMoveEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Accept fields that have numbers."""
        path = dragged_field(event.mimeData())
        if path is not None and varied_by(self._scene, path):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        """Take the number of the field; for a vector, a menu asks for the component."""
        path = dragged_field(event.mimeData())
        if path is None:
            return
        event.acceptProposedAction()
        parameters, target = varied_by(self._scene, path), self.target_at(event.position().toPoint())
        if len(parameters) == 1:
            self.take(parameters[0], target)
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for parameter in parameters:
            action = menu.addAction(parameter_name(self._scene, parameter))
            action.triggered.connect(lambda _checked, parameter=parameter: self.take(parameter, target))
        menu.popup(target.mapToGlobal(QPoint(0, target.height())))
