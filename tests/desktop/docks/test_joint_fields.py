"""Fields of joints in the inspector, by real mouse and keys."""

from __future__ import annotations

import numpy as np
from gui import SOON, accepted, inspect, row_of, type_in
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from polhode.scene.fields import parse_path
from polhode_app.docks.inspector.field_drag import FieldLabel
from polhode_app.main_window import MainWindow

SCENE = """
format = 1
title = "A rod on a hinge"
world = { gravity = [0, 0, 0] }
[[body]]
name = "post"
support = "fixed"
shape = [{ kind = "cuboid", size = [0.1, 0.1, 0.1], density = 1000.0 }]
[[body]]
name = "rod"
support = "free"
position = [0.3, 0, 0]
shape = [{ kind = "cuboid", size = [0.4, 0.02, 0.02], density = 1000.0 }]
[[joint]]
name = "pin"
kind = "hinge"
first = "post"
second = "rod"
anchor = [0.1, 0, 0]
axis = [0, 1, 0]
"""


def label_of(window: MainWindow, path: str) -> QLabel:
    """The label beside the editor of a field."""
    inspector = window.edit_actions.inspector
    assert inspector is not None
    return next(each for each in inspector.findChildren(FieldLabel) if each.path == parse_path(path))


def test_the_reading_of_an_angle_does_not_claim_to_turn_the_body(window: MainWindow, qtbot: QtBot) -> None:
    """The field is the reading at the start: its label says so, the column follows it, and the rod does not move."""
    inspect(window, "joint", 0)
    row = row_of(window, "joint[0].angle")
    before = window.session.frame.snapshot.bodies.basis[1].copy()
    type_in(qtbot, row.editor.field, "1.2")
    assert accepted(window, qtbot).joint[0].angle == 1.2
    qtbot.waitUntil(lambda: abs(window.session.frame.snapshot.joints.coordinate[0] - 1.2) < 1e-6, timeout=SOON)
    assert np.allclose(window.session.frame.snapshot.bodies.basis[1], before, atol=1e-9)
    words = label_of(window, "joint[0].angle").text().split()
    assert {"shown", "start"} <= set(words)
    assert "orientation" in row.toolTip()  # what turns the rod
