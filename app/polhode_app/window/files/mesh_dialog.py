"""Dialog for the import of a mesh: unit, material, pivot, support and magnet, with the resulting mass properties."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Literal

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QGroupBox,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from polhode.mesh.circles import Circle, circle_of_click, circles_of
from polhode.mesh.frame import LENGTHS, LengthUnit, UpAxis
from polhode.mesh.mesh import Mesh, Meshes, read_mesh
from polhode.physics.bodies.mass.mass_properties import MassProperties
from polhode.physics.contact.description import Contact
from polhode.physics.contact.solids.hulls import hull_note
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import SEEN_FROM, Scene
from polhode_app.edit.hang_mesh import (
    HangingOptions,
    box_top,
    inside_top,
    lowest,
    mesh_of,
    properties,
    repairing,
    shapes_of,
)
from polhode_app.i18n.translation import translate
from polhode_app.viewport.picking.picking import Ray
from polhode_app.window.files.mesh_preview import AXES, MeshPreview
from polhode_app.window.files.mesh_repair import RepairBox
from polhode_app.window.widgets.layouts import column_of, row_of
from polhode_app.window.widgets.spin_box import LimitSpinBox, SpinBox
from polhode_app.window.widgets.wheel import ComboBox

UNITS: tuple[LengthUnit, ...] = ("mm", "cm", "m", "inch", "foot", "um")
AXES_UP: tuple[UpAxis, ...] = ("x", "y", "z")
Support = Literal["pivot", "axle", "free", "fixed"]
SUPPORTS: tuple[Support, ...] = ("pivot", "axle", "free", "fixed")  # rows of the support's list
FARTHEST = 1e9  # [mm] of a pivot
NARROWEST = 440  # [pixel] of the results: long notes are wrapped
METRES = 10.0  # [m] size from which lengths are shown in m
INSIDE, BOX_TOP, CLICKED, CENTER = range(4)  # rows of the pivot's list


class MeshDialog(QDialog):
    """Asks how to import a mesh; after it was accepted, `options` holds the answer.

    Every change of a field updates preview and results. Raises InputError for a mesh that cannot be a body, such as an
    open surface.
    """

    def __init__(self, path: Path, meshes: Meshes, theme: str, parent: QWidget | None = None, to: Scene | None = None):
        """The mesh becomes a body of the scene `to`, or a scene of its own, optionally with magnets."""
        self._adds, self._seen = to is not None, (to or Scene(format=SEEN_FROM)).contact_shape(Contact()) != "hull"
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle((self.tr("Add {name}") if self._adds else self.tr("Import {name}")).format(name=path.name))
        self.path, self._meshes = path, meshes
        self._clicked: np.ndarray | None = None  # (3,) in units of the file
        self._circles: list[Circle] | None = None  # of the mesh, found by the first click
        self._hole: Circle | None = None  # that was clicked
        start = repairing(path, meshes)
        self._raw, self._mesh = read_mesh(path), mesh_of(path, start, meshes)
        self._hull: tuple[Mesh, Message | None] | None = None  # a mesh and the note on its hull
        self._parts = 1  # shapes that it becomes
        self._make_fields(start)
        self.preview = MeshPreview(self._mesh, theme)
        self.preview.picked.connect(self._on_mesh_picked)
        self._lay_out()
        self._refresh()

    @property
    def options(self) -> HangingOptions:
        """The options in the fields. Raises InputError where the mesh is no solid."""
        options = self._plain_options
        return replace(options, pivot=self._pivot(options))

    @property
    def _unit_given(self) -> LengthUnit | None:
        """The unit in its field where the file states another one."""
        stated = self._raw.frame.unit
        return UNITS[self.unit.currentIndex() - 1] if stated and self.unit.currentIndex() > 0 else None

    @property
    def _scale(self) -> float:
        """[m] length of one unit of the mesh as it is read; a factor where the file states its unit."""
        stated = self._raw.frame.unit
        if not stated:
            return LENGTHS[UNITS[self.unit.currentIndex()]]
        return LENGTHS[self._unit_given] / stated if self._unit_given else 1.0

    @property
    def _plain_options(self) -> HangingOptions:
        """The options in the fields, with the pivot that is the default."""
        by_density = self.material.currentIndex() == 0
        return HangingOptions(
            scale=self._scale,
            unit=self._unit_given,
            up=None if self.up.currentText() == (self._raw.frame.up or "z") else AXES_UP[self.up.currentIndex()],
            repair=self.repair.steps,
            split=self.repair.split.isChecked(),
            density=self.density.value() if by_density else None,
            mass=None if by_density else self.mass.value() / 1000,
            support=SUPPORTS[self.support.currentIndex()],
            axis=None if self._hole is None or self.pivot.currentIndex() != CLICKED else _triple(self._hole.axis),
            magnets=self.magnets.isChecked(),
            moment=self.moment.value() or None,
        )

    def _pivot(self, options: HangingOptions) -> tuple[float, float, float]:
        """Pivot (x, y, z) [m] in the frame of the mesh."""
        if self.pivot.currentIndex() == CENTER:
            point = properties(self.path, options, self._meshes).center
        elif self.pivot.currentIndex() == CLICKED and self._clicked is not None:
            point = self._clicked * options.scale
        elif self.pivot.currentIndex() == BOX_TOP:
            point = np.array(box_top(self._mesh, options.scale))
        else:
            point = np.array(inside_top(self._mesh, options.scale))
        return _triple(point)

    def _make_fields(self, start: HangingOptions) -> None:
        """Create the fields with their default values."""
        stated = self._raw.frame.unit
        self.unit = ComboBox()
        if stated:
            self.unit.addItem(self.tr("from the file: {length:g} mm").format(length=stated * 1000))
        self.unit.addItems(list(UNITS))
        if not stated:
            self.unit.setCurrentText(next(name for name, size in LENGTHS.items() if size == start.scale))
        self.up = ComboBox()
        self.up.addItems(AXES_UP)
        self.up.setCurrentText(self._raw.frame.up or "z")
        self.repair = RepairBox(start.repair)
        self.repair.changed.connect(self._update_mesh)
        self.up.currentIndexChanged.connect(self._update_mesh)
        self.material = ComboBox()
        self.material.addItems([self.tr("Density"), self.tr("Mass")])
        self.density = _spin_box(SpinBox(1e-3, 1e5, "kg/m³", 3), start.density or 1000.0)
        self.mass = _spin_box(SpinBox(1e-6, 1e9, "g", 6), 100.0)
        self.pivot = ComboBox()
        self.pivot.addItems(
            [
                self.tr("Highest point"),
                self.tr("Top of bounding box"),
                self.tr("Point or hole clicked on, or typed"),
                self.tr("Centre of mass"),
            ]
        )
        self.support = ComboBox()
        turns = self.tr("Swings about a pivot"), self.tr("Turns about an axle")
        self.support.addItems([*turns, self.tr("Falls freely"), self.tr("Fixed")])
        self.places = [SpinBox(-FARTHEST, FARTHEST, "mm", 3) for _ in range(3)]
        for box in self.places:
            box.setButtonSymbols(SpinBox.ButtonSymbols.NoButtons)
            box.valueChanged.connect(self._on_place_typed)
        self.magnets = QCheckBox(self.tr("A magnet at its lower end, above three magnets"))
        self.magnets.setChecked(start.magnets and not self._adds)
        self.moment = _spin_box(LimitSpinBox(0.0, 1e6, "A m²", 6, self.tr("automatic, by weight")), 0.0)
        for field in (self.unit, self.material, self.pivot, self.support):
            field.currentIndexChanged.connect(self._refresh)
        for number in (self.density, self.mass, self.moment):
            number.valueChanged.connect(self._refresh)
        self.magnets.toggled.connect(self._refresh)

    def _lay_out(self) -> None:
        """Arrange the preview beside fields and results."""
        self.facts = QLabel()
        self.facts.setTextFormat(Qt.TextFormat.RichText)
        self.facts.setWordWrap(True)
        self.facts.setMinimumWidth(NARROWEST)
        self.facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        form = QFormLayout()
        form.setVerticalSpacing(8)
        form.addRow(self.tr("Unit of the file"), self.unit)
        form.addRow(self.tr("Up axis"), self.up)
        form.addRow(self.tr("Material"), row_of(self.material, self.density, self.mass))
        form.addRow(self.tr("Pivot"), self.pivot)
        form.addRow(self.tr("Pivot at x, y, z"), row_of(*((box, 1) for box in self.places)))
        form.addRow(self.tr("Support"), self.support)
        if not self._adds:
            form.addRow("", self.magnets)
            form.addRow(self.tr("Dipole moment"), self.moment)
        results = QGroupBox(self.tr("Result"))
        QVBoxLayout(results).addWidget(self.facts)
        hint = QLabel(
            self.tr("Drag turns the view. A click on the mesh sets the pivot there, or in the centre of a hole.")
        )
        hint.setWordWrap(True)
        hint.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        legend = QLabel(self._legend())
        legend.setTextFormat(Qt.TextFormat.RichText)
        view = column_of((self.preview, 1), legend, hint)
        side = column_of(form, self.repair, results, 1, self._buttons(), spacing=12)
        row_of((view, 1), side, on=self, margins=16, spacing=16)
        self.resize(940, 560)

    def _legend(self) -> str:
        """Colours of the marks in the preview, as rich text."""
        pivot, center, magnet = self.preview.mark_colors
        axes = "".join(f"<span style='color:{color}'>▬</span>" for color in AXES)
        marks = [(f"<span style='color:{pivot}'>●</span>", self.tr("pivot"))]
        marks += [
            (f"<span style='color:{center}'>●</span>", self.tr("centre of mass")),
            (axes, self.tr("principal axes")),
        ]
        if not self._adds:
            marks.append((f"<span style='color:{magnet}'>➔</span>", self.tr("magnet")))
        return "&nbsp;&nbsp; ".join(f"{mark} {text}" for mark, text in marks)

    def _buttons(self) -> QDialogButtonBox:
        """Cancel, and one to accept."""
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        words = self.tr("Add to scene") if self._adds else self.tr("Create scene")
        self.ok = buttons.addButton(words, QDialogButtonBox.ButtonRole.AcceptRole)
        self.ok.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        return buttons

    def done(self, result: int) -> None:
        """Stop drawing the preview."""
        self.preview.stop()
        super().done(result)

    def _on_mesh_picked(self, point: np.ndarray | None, ray: Ray) -> None:
        """Set the pivot to a point (3,) of the mesh, in units of the file, or to the centre of a hole there."""
        if self._circles is None:
            self._circles = circles_of(self._mesh)
        hole = circle_of_click(self._circles, point, ray.origin, ray.direction)
        if point is None and hole is None:
            return
        self._hole, self._clicked = hole, point if hole is None else hole.center
        self.pivot.setCurrentIndex(CLICKED)
        self._refresh()

    def _on_place_typed(self) -> None:
        """Set the pivot to the typed numbers."""
        self._clicked, self._hole = np.array([box.value() for box in self.places]) / (1000 * self._scale), None
        self.pivot.setCurrentIndex(CLICKED)
        self._refresh()

    def _update_mesh(self) -> None:
        """Update the mesh to the repair and the up axis, or show why it is no solid."""
        try:
            self._mesh = mesh_of(self.path, self._plain_options, self._meshes)
            self._parts = len(shapes_of(self.path, self._plain_options, self._meshes))
        except InputError as error:
            self._show_facts("<br>".join(escape(translate(problem.message)) for problem in error.problems))
            self.repair.show_nothing()
            self.ok.setEnabled(False)
            return
        self.ok.setEnabled(True)
        self._clicked = self._circles = self._hole = None  # it may lie beside the mesh now
        if self.pivot.currentIndex() == CLICKED:
            self.pivot.setCurrentIndex(INSIDE)
        self.preview.show_mesh(self._mesh)
        self._refresh()

    def _refresh(self) -> None:
        """Update preview and results; nothing while the mesh is not a solid."""
        if not self.ok.isEnabled():
            return
        by_density = self.material.currentIndex() == 0
        self.density.setVisible(by_density)
        self.mass.setVisible(not by_density)
        self.moment.setEnabled(self.magnets.isChecked())
        options = self.options
        scale = options.scale
        solid = properties(self.path, options, self._meshes)
        moments, axes = solid.principal()
        pivot = np.array(self._pivot(options))
        bottom = lowest(self._mesh, scale, solid.center, self._pivot(options)) / scale
        self.preview.set_markers(pivot / scale, solid.center / scale, axes, bottom if options.magnets else None)
        for box, value in zip(self.places, 1000 * pivot, strict=True):
            box.show_value(round(float(value), 6) + 0.0)  # without -0
        self._show_facts(self._facts(solid, moments, pivot))
        self.repair.show_change(self._raw, self._mesh, scale)

    def _show_facts(self, text: str) -> None:
        """Show a rich text in as much height as it needs: a box does not ask for that of a wrapped label."""
        self.facts.setText(text)
        self.facts.setMinimumHeight(self.facts.heightForWidth(NARROWEST))

    def _facts(self, solid: MassProperties, moments: np.ndarray, pivot: np.ndarray) -> str:
        """Table of the results, as rich text; principal moments (3,) [kg m^2] and pivot (3,) [m]."""
        scale = self._scale
        size = np.ptp(self._mesh.vertices, axis=0) * scale
        marks = "".join(f"<span style='color:{color}'>■</span>" for color in AXES)
        marked = {self.tr("Principal moments"): f" {marks}"}
        doubts = [translate(question) for question in self._question(scale)]  # in bold below the size
        rows = [
            (self.tr("Triangles"), f"{len(self._mesh.faces)}"),
            *([(self.tr("Shapes"), f"{self._parts}")] if self._parts > 1 else []),
            (self.tr("Size"), _size_text(size)),
            *(("", text) for text in doubts),
            (self.tr("Mass"), _mass_text(solid.mass)),
            (self.tr("Volume"), _volume_text(self._volume(scale))),
            (self.tr("Centre of mass"), _point_text(solid.center, size.max())),
            (self.tr("Pivot"), _point_text(pivot, size.max())),
            *self._hole_fact(),
            (self.tr("Principal moments"), " ".join(f"{moment:.3g}" for moment in moments) + " kg m²"),
            (self.tr("Touches"), self.tr("as it looks") if self._seen else self.tr("with its convex hull")),
            *((self.tr("Repaired"), translate(note)) for note in self._mesh.notes),
            *((self.tr("Note"), translate(note)) for note in self._hull_notes()),
        ]
        return (
            "<table>"
            + "".join(
                f"<tr><td>{name}{marked.get(name, '')}&nbsp;&nbsp;</td><td>"
                f"{f'<b>{escape(text)}</b>' if text in doubts else escape(text)}</td></tr>"
                for name, text in rows
            )
            + "</table>"
        )

    def _hole_fact(self) -> list[tuple[str, str]]:
        """Row about the hole or circle whose centre is the pivot."""
        if self._hole is None or self.pivot.currentIndex() != CLICKED:
            return []
        diameter = f"{2000 * self._hole.radius * self._scale:.4g}"
        return [(self.tr("Circle"), self.tr("diameter {length} mm").format(length=diameter))]

    def _question(self, scale: float) -> list[Message]:
        """The question about an unlikely size, with `scale` [m] for one unit of the mesh."""
        found = self._mesh.size_question(scale)
        return [] if found is None else [found]

    def _hull_notes(self) -> list[Message]:
        """The note on the hull with which the mesh presses on other bodies, if it is not convex and does so."""
        if self._seen:
            return []
        if self._hull is None or self._hull[0] is not self._mesh:
            self._hull = self._mesh, hull_note(self._mesh, self.path.name)
        return [] if self._hull[1] is None else [self._hull[1]]

    def _volume(self, scale: float) -> float:
        """Volume [m^3] of the mesh with `scale` [m] for one unit of the file."""
        unit = replace(self._plain_options, scale=scale, density=1.0, mass=None)
        return properties(self.path, unit, self._meshes).mass


def _triple(values: np.ndarray) -> tuple[float, float, float]:
    """The components of a vector (3,)."""
    return (float(values[0]), float(values[1]), float(values[2]))


def _spin_box(box: SpinBox, value: float) -> SpinBox:
    """The box with a value."""
    box.setValue(value)
    return box


def _row(name: str, text: str) -> str:
    """A row of a table as rich text: a name, which may be rich text, and a plain text."""
    return f"<tr><td style='white-space: nowrap'>{name}&nbsp;&nbsp;</td><td>{escape(text)}</td></tr>"


def _mass_text(mass: float) -> str:
    """A mass [kg] in kg or g."""
    return f"{mass:.4g} kg" if mass >= 1 else f"{mass * 1000:.4g} g"


def _unit_for(size: float) -> tuple[float, str]:
    """[m] length of the unit in which a thing of this size [m] has few digits, and its name."""
    return (1.0, "m") if size >= METRES else (1e-3, "mm")


def _size_text(size: np.ndarray) -> str:
    """Lengths (3,) [m] of the sides of a bounding box."""
    length, unit = _unit_for(size.max())
    return " × ".join(f"{side / length:.4g}" for side in size) + f" {unit}"


def _volume_text(volume: float) -> str:
    """A volume [m^3] in m³ or cm³."""
    return f"{volume:.4g} m³" if volume >= 0.1 else f"{volume * 1e6:.4g} cm³"


def _point_text(point: np.ndarray, size: float) -> str:
    """A point (3,) [m], with digits for about a thousandth of `size` [m]."""
    length, unit = _unit_for(size)
    digits = max(0, 3 - int(np.floor(np.log10(size / length))))
    return ", ".join(f"{round(x / length, digits) + 0.0:.{digits}f}" for x in point) + f" {unit}"
