"""Dialog that chooses a parameter of the scene for the sensor to drive."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QDialog, QDialogButtonBox, QLineEdit, QListView, QVBoxLayout, QWidget

from app.panels.widgets.column_list import ColumnFilter
from core.scene.drivable_parameters import parameters
from core.scene.fields import Form, Place, at, written
from core.scene.scene import Scene

PLACE = Qt.ItemDataRole.UserRole


class ParameterChooser(QDialog):
    """Lists all parameters of a scene that may change while it runs, with values and units, and a search line."""

    chosen = Signal(str)
    """Path of the parameter, as in a scene file: "world.gravity[2]"."""

    def __init__(self, scene: Scene, excluded: Collection[str], parent: QWidget):
        """Create the dialog; `excluded` are the paths of parameters that are left out."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Drive a parameter"))
        model = QStandardItemModel(self)
        for place, form in parameters(scene):
            if written(place) not in excluded:
                model.appendRow(_item(scene, place, form))
        self.proxy = ColumnFilter(self)
        self.proxy.setSourceModel(model)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search parameters"))
        self.search.setClearButtonEnabled(True)
        self.view = QListView()
        self.view.setModel(self.proxy)
        self.view.setUniformItemSizes(True)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.buttons = QDialogButtonBox()
        self.drive_button = self.buttons.addButton(self.tr("Drive"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        column = QVBoxLayout(self)
        for widget in (self.search, self.view, self.buttons):
            column.addWidget(widget)
        self.resize(460, 420)
        self.search.textChanged.connect(self._filter)
        self.view.doubleClicked.connect(lambda _index: self._accept())
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        self._filter("")

    def _filter(self, text: str) -> None:
        """Show the parameters that contain all words of `text`, and select the first."""
        self.proxy.set_filter(text)
        first = self.proxy.index(0, 0)
        self.view.setCurrentIndex(first)
        self.drive_button.setEnabled(first.isValid())

    def _accept(self) -> None:
        """Emit the selected parameter and close."""
        index: QModelIndex = self.view.currentIndex()
        if index.isValid():
            self.chosen.emit(str(index.data(PLACE)))
            self.accept()


def unit_symbol(unit: str) -> str:
    """A unit with superscripts in place of "^2" and "^3"."""
    return unit.replace("^2", "²").replace("^3", "³")


def _item(scene: Scene, place: Place, form: Form) -> QStandardItem:
    """Row of the parameter at `place`: its path, value, unit and the name of its item."""
    name = getattr(at(scene, place[:2]) if isinstance(place[1], int) else None, "name", "")
    value = f"{at(scene, place):.6g} {unit_symbol(form.unit)}".rstrip()
    item = QStandardItem(f"{written(place)} = {value}" + (f"   ({name})" if name else ""))
    item.setData(written(place), PLACE)
    item.setToolTip(form.help)
    return item
