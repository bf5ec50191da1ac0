"""Films and pictures that a process beside the window draws: their scene, their dialogs, and where they are written."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialogButtonBox

from polhode_app.main_window import MainWindow
from polhode_app.window.capture.render_dialog import SIZES, RenderDialog

SWING = """
title = "Swing"
[[body]]
name = "bob"
support = "pivot"
position = [0, 0, 0.6]
angular_velocity = [0, 2, 0]
shape = [{ kind = "sphere", radius = 0.05, mass = 1, position = [0, 0, -0.5], color = "tomato" }]
"""


def write_to(folder: Path, monkeypatch: pytest.MonkeyPatch, module: str = "film_renderer", name: str = "mine") -> None:
    """Let a module of captures write its files, which have this name, into a folder."""
    monkeypatch.setattr(
        f"polhode_app.window.capture.{module}.new_file", lambda ending, _scene: folder / f"{name}.{ending}"
    )


def asked(window: MainWindow, action: str, size: tuple[int, int]) -> RenderDialog:
    """The dialog of `action`, in which a size (width, height) [pixel] is chosen, or typed if it is not in the list."""
    window.action_table[action].trigger()
    dialog = window.film_renderer.dialog
    if size in SIZES:
        dialog.sizes.setCurrentIndex(1 + SIZES.index(size))
    else:
        dialog.sizes.setCurrentIndex(dialog.sizes.count() - 1)
        dialog.width_box.setValue(size[0])
        dialog.height_box.setValue(size[1])
    return dialog


def save(dialog: RenderDialog) -> None:
    """Close the dialog by its button that saves."""
    dialog.buttons.button(QDialogButtonBox.StandardButton.Save).click()
