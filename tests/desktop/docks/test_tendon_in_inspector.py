"""A tendon over hinges, whose lists are typed, and a string over a pulley on a body, which is seen where it runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gui import LEFT, SOON, accepted, inspect, row_of, seen_at, type_in
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from polhode.scene.scene_file import scene_of_text
from polhode_app.edit.joining import with_zero
from polhode_app.main_window import MainWindow

LINK = """
[[body]]
name = "{0}"
support = "free"
position = [0, 0, {1}]
shape = [{{ kind = "capsule", radius = 0.03, length = 0.4, position = [0, 0, -0.25], mass = 1 }}]
"""
HINGE = """
[[joint]]
name = "{0}"
kind = "hinge"
first = "{1}"
second = "{2}"
axis = [0, 1, 0]
anchor_second = [0, 0, 0]
"""
SCENE = (
    "format = 1\n"
    + LINK.format("base", 1.2).replace("free", "fixed")
    + LINK.format("upper", 1.0)
    + LINK.format("lower", 0.5)
    + HINGE.format("hip", "base", "upper")
    + HINGE.format("knee", "upper", "lower")
    + """
[[joint]]
name = "hamstring"
kind = "tendon"
joints = ["hip", "knee"]
coefficients = [0.03, -0.02]
limits = { lower = -0.01, upper = 0.02 }
spring = { stiffness = 2000, rest = 0.005 }
[[spring]]
from = [0.5, 0, 1.2]
to = { body = "lower", point = [0.1, 0, -0.4] }
over = [[0.1, 0, -0.4], [0.4, 0, 0.9]]
over_bodies = ["upper", ""]
pull_only = true
stiffness = 50
rest_length = 1.0
"""
)
Lab = Callable[..., MainWindow]


def test_lists_of_a_tendon_are_typed(lab: Lab, qtbot: QtBot) -> None:
    window = lab(SCENE)
    inspector = inspect(window, "joint", 2)
    qtbot.waitUntil(lambda: values(window).get("status") is not None, timeout=SOON)
    editor = row_of(window, "joint[2].coefficients").editor
    field = editor.findChild(QPlainTextEdit) or editor
    field.setFocus()
    type_in(qtbot, getattr(editor, "field", field), "0.04, -0.03")
    assert accepted(window, qtbot).joint[2].coefficients == (0.04, -0.03)
    assert not inspector.zero_button.isVisible()
    type_in(qtbot, row_of(window, "joint[2].spring.stiffness").editor.field, "3000 N/m")
    assert accepted(window, qtbot).joint[2].spring.stiffness == 3000.0


def values(window: MainWindow) -> dict[str, str]:
    now = window.edit_actions.inspector.live_values
    rows = [now.topLevelItem(k) for k in range(now.topLevelItemCount())]
    return {row.text(0): row.text(1) for row in rows}


def test_a_string_is_drawn_over_the_pulley_on_its_body(lab: Lab, qtbot: QtBot) -> None:
    window = lab(SCENE)
    window.session.play(False)
    window.session.reset()
    qtbot.waitUntil(lambda: window.session.frame is not None and window.session.frame.snapshot.time == 0, timeout=SOON)
    at = np.array([0.1, 0, 0.6]) / 2 + np.array([0.4, 0, 0.9]) / 2  # between the pulley on the body and the other one
    where = seen_at(window, at.tolist())
    QTest.mouseClick(window.view.surface, LEFT, pos=where.toPoint())
    qtbot.waitUntil(lambda: window.session.selection == ("spring", 0), timeout=SOON)


def test_the_zero_of_a_hinge_leaves_the_limits_of_its_tendon_where_they_are() -> None:
    scene = with_zero(scene_of_text(SCENE.encode(), "scene", Path()), 1, 0.5)
    limits, spring = scene.joint[2].limits, scene.joint[2].spring
    assert (limits.lower, limits.upper, spring.rest) == pytest.approx((0.0, 0.03, 0.015))
    assert scene.joint[1].angle == -0.5
