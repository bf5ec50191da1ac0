"""Labels of fields that are dragged onto what takes the place of a field, such as the axes of maps."""

from __future__ import annotations

from PySide6.QtCore import QMimeData

from polhode.scene.fields import Place, place_in, written
from polhode_app.panels.widgets.data_drag import DragSource

FIELD = "application/x-polhode-field"  # path of the field, as in a scene file


class FieldLabel(DragSource):
    """A label whose drag carries the path of its field."""

    def __init__(self, text: str, place: Place):
        super().__init__(text, lambda: field_data(place))
        self.place = place


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
