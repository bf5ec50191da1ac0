"""How long the arrows of the view are drawn, and whether: a slider and a box for each kind."""

from __future__ import annotations

from collections.abc import Callable
from math import log2

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QGridLayout, QLabel, QSlider, QWidget

from app.panels.shell.menus import view_label
from app.viewport.registry import SIZED
from app.viewport.view import SceneView

TICKS = 10  # of a slider for each doubling
MOST = 2 * TICKS  # four times as long
WIDTH = 180  # [pixel] of a slider


class ArrowSizesDialog(QDialog):
    """Every choice counts at once."""

    def __init__(
        self,
        view: SceneView,
        switch: Callable[[str, bool], None],
        size: Callable[[str, float], None],
        parent: QWidget,
    ):
        super().__init__(parent)
        self.setWindowTitle(self.tr("Arrow sizes"))
        self.sliders: dict[str, QSlider] = {}
        self.boxes: dict[str, QCheckBox] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(20, 16, 20, 16)
        grid.setHorizontalSpacing(12)
        for row, name in enumerate(SIZED):
            box, slider, value_label = QCheckBox(view_label(name)), QSlider(Qt.Orientation.Horizontal), QLabel()
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
            for column, widget in enumerate((box, slider, value_label)):
                grid.addWidget(widget, row, column)
            self.boxes[name], self.sliders[name] = box, slider
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.defaults_button = buttons.addButton(self.tr("Defaults"), QDialogButtonBox.ButtonRole.ResetRole)
        self.defaults_button.clicked.connect(self._reset)
        buttons.rejected.connect(self.reject)
        grid.addWidget(buttons, len(SIZED), 0, 1, 3)

    def _reset(self) -> None:
        for slider in self.sliders.values():
            slider.setValue(0)


def _factor(value: int) -> float:
    return float(2 ** (value / TICKS))
