"""The choice of the material of a shape."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from app.i18n.translation import translate
from app.panels.inspector.editors import combo
from core.physics.bodies.materials import MATERIALS, material_of
from core.physics.bodies.shapes import ShapeBase


class MaterialChoice(QWidget):
    """A list of materials with their densities; "other" stands in it while the shape has another density."""

    chosen = Signal(str)
    """Key of MATERIALS that the user has chosen."""

    def __init__(self) -> None:
        super().__init__()
        self.list: QComboBox = combo()
        for key, material in MATERIALS.items():
            self.list.addItem(f"{translate(material.name)}  ({material.density:g} kg/m³)", key)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.list)
        self.list.activated.connect(self._choose)

    def show_shape(self, shape: ShapeBase) -> None:
        """Show the material of a shape."""
        key, other = material_of(shape), self.list.findData("")
        if key is None and other < 0:
            self.list.addItem(QCoreApplication.translate("MaterialChoice", "other"), "")
        elif key is not None and other >= 0:
            self.list.removeItem(other)
        self.list.setCurrentIndex(self.list.findData(key or ""))

    def _choose(self, row: int) -> None:
        """Emit the chosen material."""
        if self.list.itemData(row):
            self.chosen.emit(self.list.itemData(row))
