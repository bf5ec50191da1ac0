"""New maps propose what moves and say why nothing settles, in the real window, with real events."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gui import SOON, START, accepted, choose, click
from map_window import controller_of
from measured_window import drop
from PySide6.QtGui import QPalette
from pytestqt.qtbot import QtBot

from polhode.run.status import UNSETTLED
from polhode.scene.fields import parse_path
from polhode_app.docks.inspector.field_drag import field_data
from polhode_app.main_window import MainWindow

pytestmark = pytest.mark.new_window  # a dock keeps what a test has set

SCENE = """
title = "a pendulum on an axle"
solver = { time_step = 0.004 }
[[body]]
name = "bob"
support = "axle"
axis = [0, 1, 0]
orientation = { axis = [0, 1, 0], angle = 0.5 }
shape = [{ kind = "sphere", radius = 0.03, mass = 0.2, position = [0, 0, -0.3] }]
"""
MAP = """
[[sweep]]
until = 0.5
axes = [{ parameter = "body[0].angular_velocity[1]", range = [-3, 3], count = 16 }]
"""


def test_a_new_map_asks_for_what_moves(window: MainWindow, qtbot: QtBot) -> None:
    """No run of a pendulum without friction rests, and its pivot is constant."""
    controller_of(window, qtbot)
    form = window.docks.docks["maps"].widgets.form
    drop(form, field_data(parse_path("body[0].friction")), form.rows[0].geometry().center())
    qtbot.waitUntil(lambda: bool(window.session.scene.sweep), timeout=SOON)
    outcome = accepted(window, qtbot).sweep[0].outcome
    assert (outcome.kind, outcome.quantity) == ("extreme", "bob.angular_velocity.y")


def test_another_kind_of_outcome_proposes_what_moves(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab(SCENE + MAP)
    controller_of(window, qtbot)
    window.docks.docks["maps"].setFloating(True)
    window.docks.docks["maps"].resize(500, 950)
    choose(qtbot, window.docks.docks["maps"].widgets.form.outcome.kind, "final")
    assert accepted(window, qtbot).sweep[0].outcome.quantity == "bob.angular_velocity.y"


@pytest.mark.parametrize(("friction", "reason"), [("", "energy"), ("friction = 1e-3", "longer")])
def test_a_map_of_which_nothing_settles_says_why(
    lab: Callable[..., MainWindow], qtbot: QtBot, friction: str, reason: str
) -> None:
    window = lab(SCENE.replace('support = "axle"', f'support = "axle"\n{friction}') + MAP)
    control = controller_of(window, qtbot)
    window.session.play(False)
    dock = window.docks.docks["maps"].widgets
    click(qtbot, dock.run)
    qtbot.waitUntil(lambda: control.maps.run is not None and control.maps.run.stage == "finished", timeout=START)
    qtbot.waitUntil(dock.error.isVisible, timeout=SOON)
    assert reason in dock.error.text()
    assert dock.longer.isVisible() is (reason == "longer")  # nothing else takes energy
    assert dock.error.foregroundRole() == QPalette.ColorRole.BrightText


def test_a_button_lets_the_runs_take_longer(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    """It sets the duration in the scene, as an edit, and computes the map again; it goes where some runs settle."""
    heavy = SCENE.replace('support = "axle"', 'support = "axle"\nfriction = 4e-2')
    window = lab(heavy + MAP)
    control = controller_of(window, qtbot)
    window.session.play(False)
    dock = window.docks.docks["maps"].widgets
    click(qtbot, dock.run)
    qtbot.waitUntil(dock.longer.isVisible, timeout=START)
    for until in (2.0, 8.0):
        qtbot.waitUntil(lambda until=until: f"{until:g} s" in dock.longer.text(), timeout=SOON)
        click(qtbot, dock.longer)
        assert accepted(window, qtbot).sweep[0].until == until
        qtbot.waitUntil(
            lambda until=until: control.maps.run.settings.until == until and control.maps.run.stage == "finished",
            timeout=START,
        )
    assert (control.maps.run.map.status != UNSETTLED).any()
    qtbot.waitUntil(lambda: not dock.longer.isVisible() and not dock.error.isVisible(), timeout=SOON)
    window.action_table["undo"].trigger()
    assert accepted(window, qtbot).sweep[0].until == 2.0
