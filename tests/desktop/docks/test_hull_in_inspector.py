"""The inspector tells how much larger the hull is than a mesh that presses with it; fields take lengths with units."""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from pathlib import Path

import pytest
import trimesh
from gui import SOON, accepted, inspect, row_of, type_in
from meaning import Meaning
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from polhode_app.main_window import MainWindow

SCENE = """
format = 1
[[body]]
name = "ring"
support = "free"
contact = { stiffness = 1000 }
orientation = { axis = [0, 1, 0], angle = 0.5 }
[[body.shape]]
kind = "mesh"
file = "ring.stl"
density = 1000
"""


def test_the_header_has_the_note_and_fields_take_units(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    trimesh.creation.annulus(r_min=0.08, r_max=0.1, height=0.02).export(tmp_path / "ring.stl")
    path = tmp_path / "ring.toml"
    path.write_text(SCENE)
    window = lab(path)
    for place in (("body", 0), ("body", 0, "shape", 0)):
        inspector = inspect(window, *place)
        qtbot.waitUntil(lambda shown=inspector: "2.78" in shown.header.text(), timeout=SOON)
        assert Meaning("", "hull", ratio="2.78").of(inspector.header.text())
    inspect(window, "body", 0)
    type_in(qtbot, row_of(window, "body[0].orientation.angle").editor.field, "12 deg")
    assert accepted(window, qtbot).body[0].orientation.angle == pytest.approx(12 * pi / 180)
    type_in(qtbot, row_of(window, "body[0].position").editor.fields[2], "0,4 cm")
    assert accepted(window, qtbot).body[0].position == pytest.approx((0.0, 0.0, 0.004))


@pytest.mark.new_window
def test_a_notice_lets_meshes_press_as_they_look(lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path) -> None:
    """One edit, which is undone like others; and the whole scene in the newest format, which computes the same."""
    trimesh.creation.annulus(r_min=0.08, r_max=0.1, height=0.02).export(tmp_path / "ring.stl")
    path = tmp_path / "ring.toml"
    path.write_text(SCENE.replace("free", "fixed"))
    window = lab(path)
    toast = window.toast
    qtbot.waitUntil(lambda: Meaning("", "hull", "ring", ratio="2.78").of(toast.text), timeout=SOON)
    qtbot.waitUntil(lambda: window.session.document.path == path, timeout=SOON)

    def button() -> list[QPushButton]:
        return [each for each in toast.findChildren(QPushButton) if each.isVisible() and each.text() == "Apply"]

    qtbot.waitUntil(lambda: len(button()) == 1, timeout=SOON)
    qtbot.mouseClick(button()[0], Qt.MouseButton.LeftButton)
    assert accepted(window, qtbot).body[0].contact.shape == "mesh"
    inspector = inspect(window, "body", 0)
    qtbot.waitUntil(lambda: "mm apart" in inspector.header.text(), timeout=SOON)
    window.session.undo()
    assert accepted(window, qtbot).body[0].contact.shape is None
    window.action_table["convert"].trigger()
    converted = accepted(window, qtbot)
    assert (converted.format, converted.body[0].contact.shape) == (2, "hull")
    window.action_table["convert"].trigger()
    assert accepted(window, qtbot) == converted
    assert len(window.session.document.undo) == 1
