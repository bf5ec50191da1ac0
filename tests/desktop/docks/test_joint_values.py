"""Current values of a joint in the inspector: its status in a word, its angle and the zero of that."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gui import LEFT, SOON, accepted, inspect
from pytestqt.qtbot import QtBot

from polhode_app.main_window import MainWindow

SCENE = """
format = 1
[[body]]
name = "rod"
support = "free"
orientation = { axis = [0, 1, 0], angle = 1.0 }
shape = [{ kind = "cuboid", size = [0.05, 0.05, 0.5], mass = 1, position = [0, 0, -0.25] }]
[[joint]]
name = "hinge"
kind = "hinge"
first = "rod"
axis = [0, 1, 0]
anchor_first = [0, 0, 0]
angle = 7.0
limits = { lower = 6.5, upper = 9.5 }
[[joint]]
name = "string"
kind = "distance"
first = "rod"
anchor_second = [0, 0, 1]
length = 9.0
pull_only = true
"""
Lab = Callable[..., MainWindow]


def values(window: MainWindow) -> dict[str, str]:
    """Texts of the rows of current values by their names."""
    now = window.edit_actions.inspector.live_values
    rows = [now.topLevelItem(k) for k in range(now.topLevelItemCount())]
    return {row.text(0): row.text(1) for row in rows}


def test_the_status_is_a_word(lab: Lab, qtbot: QtBot) -> None:
    window = lab(SCENE)
    window.session.select(("joint", 1))
    qtbot.waitUntil(lambda: values(window).get("status") == "slack", timeout=SOON)
    window.session.select(("joint", 0))
    qtbot.waitUntil(lambda: values(window).get("status") in ("free", "at upper limit", "at lower limit"), timeout=SOON)


def test_the_zero_of_the_angle_is_set_here_while_it_runs(lab: Lab, qtbot: QtBot) -> None:
    window = lab(SCENE)
    inspector = inspect(window, "joint", 1)
    assert not inspector.zero_button.isVisible()
    window.session.select(("joint", 0))
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time > 0.05, timeout=SOON)
    window.session.play(False)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    now = window.session.frame.snapshot
    angle = now.joints.coordinate[0]
    assert abs(angle - 7.0) > 1e-3
    qtbot.mouseClick(inspector.zero_button, LEFT)
    hinge = accepted(window, qtbot).joint[0]
    assert hinge.angle == pytest.approx(7.0 - angle)
    assert (hinge.limits.lower, hinge.limits.upper) == pytest.approx((6.5 - angle, 9.5 - angle))
    qtbot.waitUntil(lambda: abs(window.session.frame.snapshot.joints.coordinate[0]) < 1e-9, timeout=SOON)
    assert window.session.frame.snapshot.time == now.time  # the run continues
    assert window.session.frame.snapshot.bodies.basis == pytest.approx(now.bodies.basis, abs=1e-12)
