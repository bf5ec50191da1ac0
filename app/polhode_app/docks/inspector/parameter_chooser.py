"""Dialog that chooses a number of the scene: for the sensor to drive, or for a sweep to vary."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QDialog, QDialogButtonBox, QListView, QVBoxLayout, QWidget

from polhode.scene.fields import Form
from polhode.scene.scene import Scene
from polhode_app.i18n.field_names import value_text
from polhode_app.i18n.language import tr
from polhode_app.i18n.parameter_names import parameter_name
from polhode_app.window.accessibility.letters import scaled
from polhode_app.window.widgets.column_list import SearchLine, WordFilter
from polhode_app.window.widgets.plain_label import PlainLabel, wrapped

PATH = Qt.ItemDataRole.UserRole


class ParameterChooser(QDialog):
    """Lists numbers of a scene with their values and units, and a search line; Return takes the highlighted row."""

    chosen = Signal(str)
    """Path of the parameter, as in a scene file: "world.gravity[2]"."""

    def __init__(
        self,
        scene: Scene,
        numbers: Iterable[tuple[str, Form, float]],
        title: str,
        accept: str,
        parent: QWidget,
        name_of: Callable[[Scene, str], str] = parameter_name,
    ):
        """Create the dialog.

        numbers: path, form and value [SI] of each; title: of the dialog; accept: text of the button; name_of: display
        name of a path
        """
        super().__init__(parent)
        self.setWindowTitle(title)
        model = QStandardItemModel(self)
        for path, form, value in numbers:
            model.appendRow(_item(name_of(scene, path), path, form, value))
        self.proxy = WordFilter(self)
        self.proxy.setSourceModel(model)
        self.view = QListView()
        self.search = SearchLine(self.view)
        self.search.setPlaceholderText(self.tr("Search parameters"))
        self.view.setModel(self.proxy)
        self.view.setUniformItemSizes(True)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.nothing_found = PlainLabel(self.tr("Nothing found"))
        self.buttons = QDialogButtonBox()
        self.accept_button = self.buttons.addButton(accept, QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        column = QVBoxLayout(self)
        for widget in (self.search, self.nothing_found, self.view, self.buttons):
            column.addWidget(widget)
        self.resize(scaled(460), scaled(420))
        self.search.textChanged.connect(self._filter)
        self.view.doubleClicked.connect(lambda _index: self._accept())
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        self._filter("")

    def _filter(self, text: str) -> None:
        """Show the parameters that contain all words of `text`, and select the one that matches best."""
        self.proxy.set_filter(text)
        first = self.proxy.index(0, 0)
        self.view.setCurrentIndex(first)
        self.accept_button.setEnabled(first.isValid())
        self.nothing_found.setVisible(not first.isValid())

    def _accept(self) -> None:
        """Emit the selected parameter and close."""
        index: QModelIndex = self.view.currentIndex()
        if index.isValid():
            self.chosen.emit(str(index.data(PATH)))
            self.accept()


def _item(name: str, path: str, form: Form, number: float) -> QStandardItem:
    """Row of a number: its name, value and unit. Its path is in the tool tip, and can be searched for."""
    item = QStandardItem(f"{name} = {value_text(number, form.unit)}")
    item.setData(path, PATH)
    item.setToolTip(wrapped("\n".join(filter(None, [path, tr(form.help) if form.help else ""]))))
    return item
