"""Dialog for the import of a mesh: unit, material, pivot, support and magnet, with the resulting mass properties."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from app.edit.hang_mesh import HangingOptions, box_top, lowest, properties, usual
from app.i18n.translation import translate
from app.panels.files.mesh_preview import AXES, MeshPreview
from core.mesh.mesh import Meshes
from core.physics.bodies.mass_properties import MassProperties

UNITS = {"mm": 0.001, "cm": 0.01, "m": 1.0, "inch": 0.0254}  # [m]
SUPPORTS: tuple[Literal["pivot", "free", "fixed"], ...] = ("pivot", "free", "fixed")  # rows of the support's list
BOX_TOP, CLICKED, CENTER = range(3)  # rows of the pivot's list


class MeshDialog(QDialog):
    """Asks how to import a mesh; after it was accepted, `options` holds the answer.

    Every change of a field updates preview and results. Raises InputError for a mesh that cannot be a body, such as an
    open surface.
    """

    def __init__(self, path: Path, meshes: Meshes, theme: str, parent: QWidget | None = None, *, adds: bool = False):
        """Create the dialog.

        With `adds` the mesh becomes a body of the current scene, else a scene of its own, optionally with magnets.
        """
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle((self.tr("Add {name}") if adds else self.tr("Hang {name}")).format(name=path.name))
        self._adds = adds
        self._path, self._meshes = path, meshes
        self._mesh = meshes.mesh(path)
        self._clicked: np.ndarray | None = None  # (3,) in units of the file
        start = usual(path, meshes)
        self._make_fields(start)
        self.preview = MeshPreview(self._mesh, theme)
        self.preview.picked.connect(self._on_mesh_picked)
        self._lay_out()
        self._refresh()

    @property
    def options(self) -> HangingOptions:
        """Options according to the fields."""
        by_density = self.material.currentIndex() == 0
        options = HangingOptions(
            scale=UNITS[self.unit.currentText()],
            density=self.density.value() if by_density else None,
            mass=None if by_density else self.mass.value() / 1000,
            support=SUPPORTS[self.support.currentIndex()],
            magnets=self.magnets.isChecked(),
            moment=self.moment.value() or None,
        )
        return replace(options, pivot=self._pivot(options))

    def _pivot(self, options: HangingOptions) -> tuple[float, float, float] | None:
        """Pivot (x, y, z) [m] in the frame of the mesh; None for the top of the bounding box."""
        if self.pivot.currentIndex() == CENTER:
            point = properties(self._path, options, self._meshes).center
        elif self.pivot.currentIndex() == CLICKED and self._clicked is not None:
            point = self._clicked * options.scale
        else:
            return None
        return (float(point[0]), float(point[1]), float(point[2]))

    def _make_fields(self, start: HangingOptions) -> None:
        """Create the fields with their default values."""
        self.unit = QComboBox()
        self.unit.addItems(list(UNITS))
        self.unit.setCurrentText(next(name for name, size in UNITS.items() if size == start.scale))
        self.material = QComboBox()
        self.material.addItems([self.tr("Density"), self.tr("Mass")])
        self.density = _spin_box(start.density or 1000.0, 1e-3, 1e5, " kg/m³", 1)
        self.mass = _spin_box(100.0, 1e-6, 1e9, " g", 3)
        self.pivot = QComboBox()
        self.pivot.addItems(
            [self.tr("Top of its bounding box"), self.tr("Point clicked on"), self.tr("Centre of mass")]
        )
        self.support = QComboBox()
        self.support.addItems([self.tr("Swings about a pivot"), self.tr("Falls freely"), self.tr("Fixed")])
        self.magnets = QCheckBox(self.tr("A magnet at its lower end, above three magnets"))
        self.magnets.setChecked(start.magnets and not self._adds)
        self.moment = _spin_box(0.0, 0.0, 1e6, " A m²", 3)
        self.moment.setSpecialValueText(self.tr("from its weight"))
        for field in (self.unit, self.material, self.pivot, self.support):
            field.currentIndexChanged.connect(self._refresh)
        for number in (self.density, self.mass, self.moment):
            number.valueChanged.connect(self._refresh)
        self.magnets.toggled.connect(self._refresh)

    def _lay_out(self) -> None:
        """Arrange the preview beside fields and results."""
        self.facts = QLabel()
        self.facts.setTextFormat(Qt.TextFormat.RichText)
        self.facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        material = QHBoxLayout()
        for widget in (self.material, self.density, self.mass):
            material.addWidget(widget)
        form = QFormLayout()
        form.setVerticalSpacing(8)
        form.addRow(self.tr("Unit of the file"), self.unit)
        form.addRow(self.tr("Material"), material)
        form.addRow(self.tr("Pivot at"), self.pivot)
        form.addRow(self.tr("Support"), self.support)
        if not self._adds:
            form.addRow("", self.magnets)
            form.addRow(self.tr("Dipole moment"), self.moment)
        results = QGroupBox(self.tr("Result"))
        QVBoxLayout(results).addWidget(self.facts)
        hint = QLabel(self.tr("Click on the mesh to set the pivot there."))
        hint.setEnabled(False)
        view = QVBoxLayout()
        view.addWidget(self.preview, 1)
        view.addWidget(hint)
        side = QVBoxLayout()
        side.setSpacing(12)
        side.addLayout(form)
        side.addWidget(results)
        side.addStretch(1)
        side.addWidget(self._buttons())
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 16, 16, 16)
        row.setSpacing(16)
        row.addLayout(view, 1)
        row.addLayout(side)
        self.resize(940, 560)

    def _buttons(self) -> QDialogButtonBox:
        """Cancel, and Add or Hang."""
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        words = self.tr("Add") if self._adds else self.tr("Hang")
        self.ok = buttons.addButton(words, QDialogButtonBox.ButtonRole.AcceptRole)
        self.ok.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        return buttons

    def done(self, result: int) -> None:
        """Stop drawing the preview."""
        self.preview.stop()
        super().done(result)

    def _on_mesh_picked(self, point: np.ndarray) -> None:
        """Set the pivot to a point (3,) of the mesh, in units of the file."""
        self._clicked = point
        self.pivot.setCurrentIndex(CLICKED)
        self._refresh()

    def _refresh(self) -> None:
        """Update preview and results."""
        by_density = self.material.currentIndex() == 0
        self.density.setVisible(by_density)
        self.mass.setVisible(not by_density)
        self.moment.setEnabled(self.magnets.isChecked())
        options = self.options
        scale = options.scale
        properties_ = properties(self._path, options, self._meshes)
        moments, axes = properties_.principal()
        pivot = np.array(options.pivot or box_top(self._mesh, scale))
        bottom = lowest(self._mesh, scale, properties_.center, options.pivot or box_top(self._mesh, scale)) / scale
        self.preview.set_markers(pivot / scale, properties_.center / scale, axes, bottom if options.magnets else None)
        self.facts.setText(self._facts(properties_, moments, pivot))

    def _facts(self, properties_: MassProperties, moments: np.ndarray, pivot: np.ndarray) -> str:
        """Results as an HTML table; `moments` (3,) [kg m^2], `pivot` (3,) [m]."""
        scale = UNITS[self.unit.currentText()]
        size = np.ptp(self._mesh.vertices, axis=0) * scale
        marks = "".join(f"<span style='color:{color}'>■</span>" for color in AXES)
        rows = [
            (self.tr("Triangles"), f"{len(self._mesh.faces)}"),
            (self.tr("Size"), " × ".join(f"{length * 1000:.4g}" for length in size) + " mm"),
            (self.tr("Mass"), _mass_text(properties_.mass)),
            (self.tr("Volume"), f"{self._volume(scale) * 1e6:.4g} cm³"),
            (self.tr("Centre of mass"), _point_text(properties_.center, size.max())),
            (self.tr("Pivot"), _point_text(pivot, size.max())),
            (self.tr("Principal moments") + " " + marks, " ".join(f"{moment:.3g}" for moment in moments) + " kg m²"),
            *((self.tr("Repaired"), translate(note)) for note in self._mesh.notes),
        ]
        return (
            "<table>"
            + "".join(f"<tr><td>{name}&nbsp;&nbsp;</td><td>{text}</td></tr>" for name, text in rows)
            + "</table>"
        )

    def _volume(self, scale: float) -> float:
        """Volume [m^3] at a scale [m per unit of the file]."""
        unit = HangingOptions(scale=scale, density=1.0, mass=None)
        return properties(self._path, unit, self._meshes).mass


def _spin_box(value: float, low: float, high: float, unit: str, digits: int) -> QDoubleSpinBox:
    """A spin box with a unit and adaptive steps."""
    box = QDoubleSpinBox()
    box.setRange(low, high)
    box.setDecimals(digits)
    box.setSuffix(unit)
    box.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)
    box.setValue(value)
    return box


def _mass_text(mass: float) -> str:
    """A mass [kg] in kg or g."""
    return f"{mass:.4g} kg" if mass >= 1 else f"{mass * 1000:.4g} g"


def _point_text(point: np.ndarray, size: float) -> str:
    """A point (3,) [m] in mm, with digits for about a thousandth of `size` [m]."""
    digits = max(0, -int(np.floor(np.log10(size))))
    return ", ".join(f"{round(1000 * x, digits) + 0.0:.{digits}f}" for x in point) + " mm"
