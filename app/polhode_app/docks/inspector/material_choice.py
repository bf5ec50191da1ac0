"""The choice of the material of a shape, a wall or a surface."""

from __future__ import annotations

from pydantic import BaseModel
from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from polhode.physics.bodies.materials import MATERIALS, has_material, material_of
from polhode.physics.bodies.shapes import ShapeBase
from polhode.physics.contact.description import ContactMaterial, Wall
from polhode.physics.contact.surfaces import SurfaceLaw
from polhode.physics.contact.walls.wall_materials import WALL_MATERIALS, wall_material_of
from polhode_app.docks.inspector.editors import combo
from polhode_app.i18n.translation import translate


def can_choose(part: BaseModel) -> bool:
    """Whether a part has a list of materials."""
    return isinstance(part, Wall | SurfaceLaw) or has_material(part)


def material_help(part: BaseModel) -> str:
    """Tooltip of the choice of a material for a part."""
    if isinstance(part, ContactMaterial):
        return QCoreApplication.translate(
            "MaterialChoice", "Sets the friction of all that slides on it, in place of viscous friction."
        )
    return QCoreApplication.translate(
        "MaterialChoice",
        "Sets density and colour of the shape. Where all shapes of the body are of one material, it also sets the "
        "friction of its contact with other bodies, unless you gave that another value. On a wall or a surface the "
        "friction of that counts.",
    )


class MaterialChoice(QWidget):
    """A list of materials: of shapes with their densities, of walls and surfaces with their friction.

    "other" stands in it while the part has another number.
    """

    chosen = Signal(str)
    """Key of the material that the user has chosen."""

    def __init__(self, part: BaseModel) -> None:
        """Create the list of the materials for a part, one of those that `can_choose` knows."""
        super().__init__()
        self.list: QComboBox = combo()
        if isinstance(part, ContactMaterial):
            for key, wall in WALL_MATERIALS.items():
                self.list.addItem(f"{translate(wall.name)}  (μ = {wall.friction:g})", key)
        else:
            for key, material in MATERIALS.items():
                self.list.addItem(f"{translate(material.name)}  ({material.density:g} kg/m³)", key)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.list)
        self.list.activated.connect(self._choose)

    def show_part(self, part: ShapeBase | ContactMaterial) -> None:
        """Show the material of a part."""
        key = wall_material_of(part) if isinstance(part, ContactMaterial) else material_of(part)
        other = self.list.findData("")
        if key is None and other < 0:
            self.list.addItem(QCoreApplication.translate("MaterialChoice", "other"), "")
        elif key is not None and other >= 0:
            self.list.removeItem(other)
        self.list.setCurrentIndex(self.list.findData(key or ""))

    def _choose(self, row: int) -> None:
        """Emit the chosen material."""
        if self.list.itemData(row):
            self.chosen.emit(self.list.itemData(row))
