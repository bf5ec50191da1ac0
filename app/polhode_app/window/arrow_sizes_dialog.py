"""Dialog for the lengths of arrows in the view: a slider and a check box for each kind of arrow."""

from __future__ import annotations

from collections.abc import Callable
from math import log2

from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QLabel, QSlider, QWidget

from polhode_app.viewport.registry import SIZED
from polhode_app.viewport.view import SceneView
from polhode_app.window.shell.menus import view_label
from polhode_app.window.widgets.layouts import Cell, grid_of
from polhode_app.window.widgets.wheel import Slider

TICKS = 10  # slider steps per doubling
MOST = 2 * TICKS  # largest slider position, a factor of 4
WIDTH = 180  # [pixel] least width of a slider


class ArrowSizesDialog(QDialog):
    """Sets the length factors of arrows, and which of them are drawn. Changes take effect at once.

    The sliders are logarithmic, from 1/4 to 4 times the default length.
    """

    def __init__(
        self,
        view: SceneView,
        switch: Callable[[str, bool], None],
        size: Callable[[str, float], None],
        parent: QWidget,
    ):
        """Create the dialog with the current lengths of `view`.

        `switch(name, on)` is called when a view is shown or hidden, `size(name, factor)` when a length changes.
        """
        super().__init__(parent)
        self.setWindowTitle(self.tr("Arrow scale"))
        self.sliders: dict[str, QSlider] = {}
        self.boxes: dict[str, QCheckBox] = {}
        rows: list[tuple[Cell, ...]] = []
        for name in SIZED:
            box, slider, value_label = QCheckBox(view_label(name)), Slider(), QLabel()
            box.setChecked(view.visible[name])
            box.toggled.connect(lambda on, name=name: switch(name, on))
            slider.setRange(-MOST, MOST)
            slider.setPageStep(TICKS)
            slider.setMinimumWidth(WIDTH)
            slider.valueChanged.connect(lambda value, label=value_label: label.setText(f"× {_factor(value):.2g}"))
            slider.setValue(round(TICKS * log2(view.sizes.get(name, 1.0))))
            value_label.setText(f"× {_factor(slider.value()):.2g}")
            value_label.setMinimumWidth(value_label.fontMetrics().horizontalAdvance("× 0.00"))
            slider.valueChanged.connect(lambda value, name=name: size(name, _factor(value)))
            slider.setAccessibleName(view_label(name))
            rows.append((box, slider, value_label))
            self.boxes[name], self.sliders[name] = box, slider
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.defaults_button = buttons.addButton(self.tr("Defaults"), QDialogButtonBox.ButtonRole.ResetRole)
        self.defaults_button.clicked.connect(self._reset)
        buttons.rejected.connect(self.reject)
        grid_of(*rows, ((buttons, 3),), on=self, margins=(20, 16, 20, 16), spacing=(12, -1))

    def _reset(self) -> None:
        """Set all factors to 1."""
        for slider in self.sliders.values():
            slider.setValue(0)


def _factor(value: int) -> float:
    """Length factor of a slider position."""
    return float(2 ** (value / TICKS))
