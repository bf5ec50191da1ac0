"""Every dialog by keyboard and for screen readers: names, roles, the chain of Tab, a visible focus."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from accessibility import FOR_THE_MOUSE, controls, described, nameless, shows_focus, tab_chain
from gui import SOON
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from app.panels.files.mesh_import import ask_to_add, ask_to_hang
from app.panels.inspector.parameter_chooser import ParameterChooser
from app.panels.sensor.calibration_dialog import CalibrationDialog
from app.panels.shell.command_palette import CommandPalette
from app.panels.widgets.problems_dialog import ProblemsDialog
from app.sensor.calibration import Calibration
from core.mesh.mesh import Meshes
from core.scene import gallery
from core.scene.drivable_parameters import parameters
from core.scene.fields import at, written
from core.scene.message import Message
from core.scene.problem import InputError, Problem

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


@pytest.mark.nightly
@pytest.mark.parametrize("name", OPENERS)
def test_every_control_of_a_dialog_has_a_name_a_role_a_place_in_the_tab_order_and_a_visible_focus(
    lab: Callable[..., MainWindow], qtbot: QtBot, name: str
) -> None:
    window = lab(gallery.path("bead_on_parabola"))
    window.session.play(False)
    before = set(window.findChildren(QDialog))
    OPENERS[name](window)
    opened = lambda: [each for each in window.findChildren(QDialog) if each not in before and each.isVisible()]  # noqa: E731
    qtbot.waitUntil(lambda: bool(opened()), timeout=SOON)
    (dialog,) = opened()
    if not isinstance(dialog, CommandPalette):  # a popup is not the active window, and has no title
        dialog.activateWindow()
        qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog, timeout=SOON)
        assert dialog.windowTitle()
    first = QApplication.focusWidget()
    assert first is not None
    assert dialog.isAncestorOf(first)  # a key goes to the dialog as soon as it is open
    found = controls(dialog)
    assert nameless(found) == []
    chain = tab_chain(window, first)
    left = [each for each in found if each not in chain and not isinstance(each, FOR_THE_MOUSE)]
    if isinstance(dialog, CommandPalette):
        left.remove(dialog.list)  # arrow keys in its line move the selection
    assert [described(each) for each in left] == []
    pale = []
    for each in chain:
        window.accessible.focus.focus(each)
        pale += [] if shows_focus(window) else [described(each)]
    assert pale == []
    dialog.close()
