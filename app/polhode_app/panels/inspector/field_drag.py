"""Labels of fields that can be dragged, and widgets onto which they can be dropped, such as the axes of maps."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QMenu, QWidget

from polhode.scene.fields import Place, place_in, written
from polhode.scene.scene import Scene
from polhode_app.edit.sweeps import varied_by
from polhode_app.i18n.parameter_names import parameter_name
from polhode_app.panels.widgets.data_drag import DragSource

FIELD = "application/x-polhode-field"  # path of the field, as in a scene file


class FieldLabel(DragSource):
    """A label whose drag carries the path of its field."""

    def __init__(self, text: str, place: Place):
        super().__init__(text, lambda: field_data(place))
        self.place = place


class FieldTarget(QWidget):
    """A widget that takes the numbers of dropped fields; of a vector, a menu asks for the component."""

    def __init__(self) -> None:
        super().__init__()
        self._scene = Scene()

    def _receiver(self, where: QPoint) -> tuple[Callable[[str], None], QWidget]:
        """The function that takes the path of a number dropped at a position, and the widget above the menu."""
        raise NotImplementedError

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._consider(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._consider(event)

    def _consider(self, event: QDragMoveEvent) -> None:
        """Accept fields that have numbers."""
        place = dragged_field(event.mimeData())
        if place is not None and varied_by(self._scene, place):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        place = dragged_field(event.mimeData())
        if place is None:
            return
        event.acceptProposedAction()
        (take, above), parameters = self._receiver(event.position().toPoint()), varied_by(self._scene, place)
        if len(parameters) == 1:
            take(parameters[0])
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for parameter in parameters:
            action = menu.addAction(parameter_name(self._scene, parameter))
            action.triggered.connect(lambda _checked, parameter=parameter: take(parameter))
        menu.popup(above.mapToGlobal(QPoint(0, above.height())))


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
