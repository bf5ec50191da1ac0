"""Every dialog of the window, and what opens it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt

from app.main_window import MainWindow
from app.panels.files.mesh_import import ask_to_add, ask_to_hang
from app.panels.inspector.editors import ColorEditor
from app.panels.inspector.parameter_chooser import ParameterChooser
from app.panels.sensor.calibration_dialog import CalibrationDialog
from app.panels.widgets.problems_dialog import ProblemsDialog
from app.sensor.calibration import Calibration
from core.mesh.mesh import Meshes
from core.scene import gallery
from core.scene.fields import at, written
from core.scene.message import Message
from core.scene.problem import InputError, Problem
from core.scene.variants.drivable_parameters import parameters

MESH = gallery.FOLDER.parent / "meshes/hammer.stl"
ACTIONS = ("settings", "sizes", "scenes", "log", "palette", "keys", "explanations")
EXPORTS = ("web_page", "run_table", "film_as", "picture_as")


def choose_parameter(window: MainWindow) -> None:
    """Ask for a number of the scene, as the docks of sensors, maps and fits do."""
    scene = window.session.scene
    numbers = [(written(place), form, at(scene, place)) for place, form in parameters(scene)]
    ParameterChooser(scene, numbers, "Choose an unknown", "Choose", window).open()


def calibrate(window: MainWindow) -> None:
    """Calibrate a sensor, as its dock does."""
    CalibrationDialog(window.session.hub, Calibration(((40.0, 50.0), (80.0, 100.0))), window).open()


def choose_color(window: MainWindow) -> None:
    """Choose a colour, as the inspector does."""
    editor = ColorEditor()
    editor.setParent(window, Qt.WindowType.Widget)
    editor.button.click()


def refuse(window: MainWindow) -> None:
    """Report two problems of a file."""
    problems = [Problem(place, Message("is negative"), Message("give a positive one")) for place in ("a", "b")]
    ProblemsDialog(InputError("scene.toml", problems), window).open()


OPENERS: dict[str, Callable[[MainWindow], object]] = {
    **{name: lambda window, name=name: window.action_table[name].trigger() for name in (*ACTIONS, *EXPORTS)},
    "calibration": calibrate,
    "new mesh": lambda window: ask_to_hang(MESH, Meshes(), "dark", window, lambda scene: None),
    "added mesh": lambda window: ask_to_add(MESH, Meshes(), "dark", window, lambda maker: None),
    "parameter": choose_parameter,
    "problems": refuse,
}
BLOCKING: dict[str, Callable[[MainWindow], object]] = {
    **{name: lambda window, name=name: window.action_table[name].trigger() for name in ("about", "open", "save_as")},
    "colour": choose_color,
}
"""Dialogs of Qt; all but the last one return when they are closed."""
