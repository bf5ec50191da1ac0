"""The repairs of an imported mesh, and their effects."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGroupBox, QLabel

from polhode.mesh.mesh import Mesh
from polhode.physics.bodies.shapes import REPAIRS, Repair
from polhode_app.i18n.field_names import choice
from polhode_app.window.widgets.layouts import grid_of


class RepairBox(QGroupBox):
    """A check box for each step of a repair; the steps are taken in the order of REPAIRS."""

    changed = Signal()

    def __init__(self, steps: tuple[Repair, ...]):
        super().__init__()
        self.setTitle(self.tr("Repair"))
        self.boxes = {step: QCheckBox(choice(step).capitalize()) for step in REPAIRS}
        self.split = QCheckBox(self.tr("One shape for each part"))
        self.split.toggled.connect(lambda _on: self.changed.emit())
        self.change = QLabel()
        self.change.setWordWrap(True)
        for step, box in self.boxes.items():
            box.setChecked(step in steps)
            box.toggled.connect(lambda _on: self.changed.emit())
        boxes = [*self.boxes.values()]
        grid_of(boxes[:2], boxes[2:], ((self.split, 2),), ((self.change, 2),), on=self)

    @property
    def steps(self) -> tuple[Repair, ...]:
        """The steps that are checked."""
        return tuple(step for step, box in self.boxes.items() if box.isChecked())

    def show_nothing(self) -> None:
        """Show no change: nothing is repaired, or the result is no solid."""
        self.change.clear()

    def show_change(self, before: Mesh, after: Mesh, scale: float) -> None:
        """Show triangles, holes, parts and volume before and after; `scale` [m] is the unit of both meshes."""
        if not self.steps:
            self.show_nothing()
            return
        old, new = before.condition(), after.condition()
        volumes = (f"{state.volume * scale**3 * 1e6:.4g} cm³" for state in (old, new))
        rows = [
            (self.tr("Triangles"), old.triangles, new.triangles),
            (self.tr("Holes"), old.holes, new.holes),
            (self.tr("Parts"), old.parts, new.parts),
            (self.tr("Volume"), *volumes),
        ]
        self.change.setText("\n".join(f"{name}: {was} → {becomes}" for name, was, becomes in rows))
