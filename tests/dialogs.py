"""Every dialog of the window, and what opens it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QPushButton
from ros_package import ARM

from polhode.mesh.mesh import Meshes
from polhode.scene import gallery
from polhode.scene.fields import at, written
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.variants.drivable_parameters import parameters
from polhode_app.docks.inspector.editors import ColorEditor
from polhode_app.docks.inspector.parameter_chooser import ParameterChooser
from polhode_app.docks.sensor.calibration_dialog import CalibrationDialog
from polhode_app.main_window import MainWindow
from polhode_app.sensor.calibration import Calibration
from polhode_app.window.files.mesh_import import ask_to_add, ask_to_hang
from polhode_app.window.files.robot_dialog import ask_about_robot
from polhode_app.window.widgets.problems_dialog import ProblemsDialog

MESH = gallery.FOLDER.parent / "meshes/hammer.stl"
ACTIONS = ("settings", "sizes", "scenes", "log", "palette", "keys", "explanations", "report")
FILES = ("open", "import_mesh", "save_as")
MAP_FILES = ("save", "picture", "table")
EXPORTS = ("web_page", "live_page", "run_table", "film_as", "picture_as")


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


def open_robot(window: MainWindow) -> None:
    """Open a robot with a joint whose limits can be chosen."""
    limit = '<limit lower="0" upper="0" effort="0" velocity="0"/>'
    text = ARM.replace("MESH", MESH.name).replace("KIND", "revolute").replace("LIMIT", limit)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "arm.urdf"
        path.write_text(text)
        shutil.copy(MESH, folder)
        ask_about_robot(path, window, lambda robot: None)


def choose_file(window: MainWindow, export: str) -> None:
    """Open a dialog of an export, and from it the one that chooses its file."""
    window.action_table[export].trigger()
    (dialog,) = (each for each in window.findChildren(QDialog) if each.isVisible())
    next(each for each in dialog.findChildren(QPushButton) if each.text() == "Choose...").click()


def open_dock(window: MainWindow, name: str) -> Any:
    """Open a dock that is made in several events."""
    window.action_table[name].setChecked(True)
    for _ in range(200):
        if (dock := window.docks.dock(name)) is not None:
            return dock
        QTest.qWait(100)  # [ms]
    raise TimeoutError(f"the dock '{name}' is not made")


def ask_for_map(window: MainWindow, kind: str) -> None:
    """Ask for the file of a map, its picture or its table; the entries of the menu are disabled without a map."""
    action = open_dock(window, "maps").widgets.export_actions[kind]
    action.setEnabled(True)
    action.trigger()


OPENERS: dict[str, Callable[[MainWindow], object]] = {
    **{name: lambda window, name=name: window.action_table[name].trigger() for name in (*ACTIONS, *EXPORTS)},
    "calibration": calibrate,
    "new mesh": lambda window: ask_to_hang(MESH, Meshes(), "dark", window, lambda scene: None),
    "added mesh": lambda window: ask_to_add(window.session.scene, MESH, Meshes(), "dark", window, lambda maker: None),
    "parameter": choose_parameter,
    "problems": refuse,
    "robot": open_robot,
}
BLOCKING: dict[str, Callable[[MainWindow], object]] = {
    **{name: lambda window, name=name: window.action_table[name].trigger() for name in (*FILES, "about")},
    **{f"{name}/file": lambda window, name=name: choose_file(window, name) for name in EXPORTS},
    **{f"{kind} of a map": lambda window, kind=kind: ask_for_map(window, kind) for kind in MAP_FILES},
    "open data": lambda window: open_dock(window, "measured").data.ask_file(),
    "report": lambda window: open_dock(window, "measured").fit._ask_report(),
    "received data": lambda window: open_dock(window, "measured").phone.live.ask_save(None),
    "recording of a sensor": lambda window: open_dock(window, "sensor").source._ask_file(),
    "colour": choose_color,
}
"""Dialogs of Qt; most return when they are closed. After a slash: one that is opened from the dialog before it."""
