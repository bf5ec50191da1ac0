"""Runs that stand still, are slow, or leave the picture say so, with buttons that help."""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from gui import SOON, accepted, buttons, choose, click, inspect, row_of, seen_at, type_in
from meaning import Meaning
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from sampling import sampled

from polhode.scene import gallery
from polhode.scene.fields import with_value
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation
from polhode_app.main_window import MainWindow
from polhode_app.session.run_health import falling_reach
from polhode_app.window.notices import run_monitor
from polhode_app.window.notices.run_monitor import distance_text, is_stated

pytestmark = pytest.mark.new_window  # what was said of the last scene would still be there

Lab = Callable[[str | Path], MainWindow]
HELD = """
format = 1
title = "swing"
[solver]
time_step = 1e-3
[[body]]
name = "bob"
support = "pivot"
orientation = { axis = [1, 0, 0], angle = 1.0 }
shape = [{ kind = "sphere", radius = 0.05, mass = 1, position = [0, 0, -0.5] }]
"""


@pytest.fixture
def wide(lab: Callable[..., MainWindow], qtbot: QtBot) -> Lab:
    """Opens windows that are wide enough for the solver."""

    def open_window(scene: str | Path) -> MainWindow:
        window = lab(scene)
        window.resize(1400, 800)
        for dock in ("tree", "inspector"):
            window.action_table[dock].setChecked(False)
        qtbot.waitUntil(window.transport.solver.step.isVisible, timeout=SOON)
        return window

    return open_window


def time_of(window: MainWindow) -> float:
    return window.session.frame.snapshot.time if window.session.frame else 0.0


def press(window: MainWindow, qtbot: QtBot, words: str) -> None:
    """Click the button of the notice whose text contains `words`."""
    button = next(button for button in buttons(window) if words in button.text())
    click(qtbot, button)


@pytest.mark.nightly
def test_a_step_of_a_fifth_of_a_second_runs(wide: Lab, qtbot: QtBot) -> None:
    window = wide(HELD)
    type_in(qtbot, window.transport.solver.step, "200")
    qtbot.waitUntil(lambda: window.session.document.scene.solver.time_step == 0.2, timeout=SOON)
    start = time_of(window)
    qtbot.waitUntil(lambda: time_of(window) > start + 0.9, timeout=SOON)
    assert window.session.running


def test_a_step_of_a_second_runs_and_says_why_the_picture_jumps(wide: Lab, qtbot: QtBot) -> None:
    window = wide(HELD)
    qtbot.waitUntil(lambda: bool(window.session.limits and window.session.limits.accurate), timeout=SOON)
    type_in(qtbot, window.transport.solver.step, "1000")
    qtbot.waitUntil(lambda: any("recommended" in button.text() for button in buttons(window)), timeout=SOON)
    limits = window.session.limits
    press(window, qtbot, "recommended")
    assert accepted(window, qtbot).solver.time_step == limits.accurate["rk4"] < 0.1
    left = window.toast.text if window.toast.isVisible() else ""  # a loaded machine may be told of another cause
    assert "jumps" not in left
    assert "longer than" not in left


@pytest.mark.nightly
def test_a_step_that_loses_the_energy_is_marked_although_it_is_stable(wide: Lab, qtbot: QtBot) -> None:
    window = wide(gallery.path("heavy_top"))
    solver = window.transport.solver
    qtbot.waitUntil(lambda: solver.accurate.text().startswith("recommended ≤"), timeout=SOON)
    assert solver.limit.text() == "stable ≤ 25.7 ms"
    good = solver.accurate.styleSheet()
    type_in(qtbot, solver.step, "10")
    qtbot.waitUntil(lambda: solver.accurate.styleSheet() != good, timeout=SOON)
    assert "more than 1 %" in solver.accurate.toolTip()
    assert "⚠" not in solver.limit.text() + solver.accurate.text()
    type_in(qtbot, solver.step, "20")
    qtbot.waitUntil(lambda: solver.accurate.text().startswith("⚠"), timeout=SOON)
    assert Meaning("", "energy", drift="21 %", time="10 s").of(solver.accurate.toolTip())
    assert not solver.limit.text().startswith("⚠")
    type_in(qtbot, solver.step, "200")
    qtbot.waitUntil(lambda: solver.limit.text().startswith("⚠"), timeout=SOON)
    qtbot.waitUntil(lambda: any("recommended" in button.text() for button in buttons(window)), timeout=SOON)
    press(window, qtbot, "recommended")
    assert accepted(window, qtbot).solver.time_step <= 0.005
    start = time_of(window)
    qtbot.waitUntil(lambda: time_of(window) > start + 0.2, timeout=SOON)


@pytest.mark.nightly
def test_what_has_left_the_scene_is_named_and_an_undo_returns_to_the_edit(wide: Lab, qtbot: QtBot) -> None:
    window = wide(gallery.path("jelly_magnet"))
    inspect(window, "world")
    qtbot.waitUntil(lambda: time_of(window) > 0.3, timeout=SOON)
    row = row_of(window, "world.gravity")
    type_in(qtbot, row.editor.fields[2], "-1e9")
    qtbot.waitUntil(lambda: Meaning("", "away", "scene").of(window.toast.text), timeout=SOON)
    edited = window.session.frame.scene
    press(window, qtbot, "Undo")
    qtbot.waitUntil(lambda: "undone" in window.toast.text, timeout=SOON)
    assert accepted(window, qtbot) != edited
    qtbot.wait(1000)  # [ms] in which the monitor sees that the item is still far away
    press(window, qtbot, "Return to")
    radius, center = window.scene_view.stage.radius, window.scene_view.stage.center

    def is_back() -> bool:
        points = window.session.frame.snapshot.points.position
        return bool(np.linalg.norm(points - center, axis=1).max() < 3 * radius)

    qtbot.waitUntil(is_back, timeout=SOON)
    assert window.session.running
    start = time_of(window)
    qtbot.waitUntil(lambda: time_of(window) > start + 0.05, timeout=SOON)
    assert is_back()


@pytest.mark.nightly
def test_a_run_slower_than_half_of_the_speed_offers_one_that_is_reached(wide: Lab, qtbot: QtBot) -> None:
    window = wide(gallery.path("cloth_on_ball"))
    choose(qtbot, window.transport._speed_box, 100.0)
    qtbot.waitUntil(lambda: "instead of 100 ×" in window.toast.text, timeout=SOON)
    reached = float(window.toast.text.split("reaches ")[1].split(" ×")[0])  # the run may be slower a moment later
    press(window, qtbot, "Speed ×")
    assert 0.0 < window.session.speed <= reached


@pytest.mark.nightly
def test_an_edit_that_changes_no_motion_is_undone_without_an_offer(wide: Lab, qtbot: QtBot) -> None:
    window = wide(HELD)
    window.session.edit(window.session.scene.model_copy(update={"title": "another"}))
    accepted(window, qtbot)
    start = time_of(window)
    qtbot.waitUntil(lambda: time_of(window) > start + 0.1, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert accepted(window, qtbot).title == "swing"
    qtbot.wait(500)
    assert not window.toast.isVisible()


def test_the_offer_of_an_undo_ends_when_the_edit_is_done_again(wide: Lab, qtbot: QtBot) -> None:
    window = wide(HELD)
    with_friction = with_value(window.session.scene, ("body", 0, "friction"), 0.01)
    window.session.edit(with_friction)
    accepted(window, qtbot)
    start = time_of(window)
    qtbot.waitUntil(lambda: time_of(window) > start + 0.1, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.toast.isVisible() and "undone" in window.toast.text, timeout=SOON)
    window.action_table["redo"].trigger()
    assert accepted(window, qtbot) == with_friction
    qtbot.waitUntil(lambda: not window.toast.isVisible(), timeout=1000)


@pytest.mark.nightly
def test_an_undo_after_a_divergence_returns_to_the_edit(wide: Lab, qtbot: QtBot) -> None:
    window = wide(gallery.path("jelly_magnet"))
    inspect(window, "world")
    qtbot.waitUntil(lambda: time_of(window) > 0.3, timeout=SOON)
    type_in(qtbot, row_of(window, "world.gravity").editor.fields[2], "-1e12")
    qtbot.waitUntil(lambda: "Paused: " in window.toast.text, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    accepted(window, qtbot)
    qtbot.waitUntil(lambda: "undone" in window.toast.text, timeout=SOON)
    qtbot.wait(1000)  # [ms] in which limits of the step are found, which updated the old message
    assert "undone" in window.toast.text
    press(window, qtbot, "Return to")
    start = time_of(window)
    qtbot.waitUntil(lambda: time_of(window) > start + 0.1, timeout=SOON)
    distances = np.linalg.norm(window.session.frame.snapshot.points.position - window.scene_view.stage.center, axis=1)
    assert distances.max() < 3 * window.scene_view.stage.radius


def test_a_scene_that_is_opened_after_a_divergence_runs(wide: Lab, qtbot: QtBot) -> None:
    window = wide(gallery.path("heavy_top"))
    type_in(qtbot, window.transport.solver.step, "200")
    qtbot.waitUntil(lambda: "Paused: " in window.toast.text, timeout=SOON)
    assert not window.session.running
    window.files.open(gallery.path("compass"))
    qtbot.waitUntil(lambda: window.session.document.scene.title == "Compass" and time_of(window) > 0.1, timeout=SOON)
    assert window.session.running


@pytest.mark.parametrize(
    ("distance", "text"), [(7.168, "7.17"), (999.4, "999"), (1080.4, "1,080"), (49_912.0, "49,900"), (2.5e9, "2.5e+09")]
)
def test_distances_are_written_as_people_write_them(distance: float, text: str) -> None:
    assert distance_text(distance) == text


FLYING = """
format = 1
title = "flying"
[solver]
time_step = 1e-3
[[body]]
name = "brick"
support = "free"
position = [0, 0, 1]
velocity = [20, 0, 0]
shape = [{ kind = "cuboid", size = [0.1, 0.1, 0.1], mass = 1 }]
"""


@pytest.mark.nightly
def test_what_has_left_can_be_shown_and_an_old_edit_is_not_undone(
    wide: Lab, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = wide(FLYING)
    session = window.session
    monkeypatch.setattr(run_monitor, "RECENT", 0.0)  # all edits are old
    qtbot.waitUntil(lambda: Meaning("", "away", "scene").of(window.toast.text), timeout=SOON)
    session.edit(with_value(session.scene, ("body", 0, "velocity"), (19.0, 0.0, 0.0)))
    accepted(window, qtbot)
    assert session.newest.undo
    window.toast.dismiss()
    window.run_monitor._told.clear()
    qtbot.waitUntil(lambda: len(buttons(window)) == 2, timeout=SOON)
    assert [button.text() for button in buttons(window)] == ["Show it", "Reset"]
    press(window, qtbot, "Show it")
    assert window.action_table["follow"].isChecked()
    qtbot.waitUntil(lambda: not window.view.glides, timeout=SOON)

    def is_seen() -> bool:
        place = seen_at(window, session.frame.snapshot.bodies.position[0])
        return bool(window.view.rect().contains(place.toPoint()))

    qtbot.waitUntil(is_seen, timeout=SOON)


@pytest.mark.parametrize(("name", "says"), sampled([("too_long", "buckle"), ("trebuchet", "'sling' has broken")], 2))
def test_what_a_scene_is_made_for_is_no_warning(
    lab: Callable[..., MainWindow], qtbot: QtBot, name: str, says: str
) -> None:
    shown = []
    window = lab(gallery.path("heavy_top"))
    window.toast.message_shown.connect(shown.append)
    window.session.open(gallery.path(name))
    qtbot.waitUntil(lambda: any(says in text for text in shown), timeout=SOON)  # the log has it
    assert says in window.status.currentMessage()
    qtbot.wait(300)
    assert not (window.toast.isVisible() and says in window.toast.text)


def test_only_values_that_the_scene_states_are_meant(lab: Callable[..., MainWindow]) -> None:
    scene = lab(gallery.path("trebuchet")).session.scene
    assert is_stated(scene, "joint[2].breaks_at")
    assert not is_stated(scene, "joint[0].breaks_at")
    assert not is_stated(scene, "joint[7].breaks_at")
    assert not is_stated(scene, "solver.time_step")


def test_what_is_moved_below_a_table_has_not_sunk_into_it() -> None:
    compiled = Simulation(read_scene(gallery.path("jelly_magnet"))).compiled
    assert [
        body.name for body, reach in zip(compiled.scene.bodies, falling_reach(compiled), strict=True) if reach > 0
    ] == ["magnet"]


def test_a_drift_raises_a_bar_once_until_it_is_ignored(wide: Lab, qtbot: QtBot) -> None:
    """The frame of a run whose energy drifts by -50 %, for longer than a first moment in which little has moved."""
    window = wide(HELD)
    qtbot.waitUntil(lambda: bool(window.session.limits and window.session.limits.is_complete), timeout=SOON)
    window.session.play(False)
    monitor, frame = window.step_monitor, replace(window.session.frame, recent_drift=-0.5, running=True)
    monitor.show_frame(frame, 100.0)
    assert not window.toast.isVisible()
    monitor.show_frame(frame, 101.0)
    assert Meaning("", "drifted", drift="-50 %", time="10 s", step="1 ms").of(window.toast.text)
    halve, ignore = buttons(window)
    assert Meaning("", "Halve", step="0.5 ms").of(halve.text())
    assert ignore.text() == "Ignore"
    press(window, qtbot, "Ignore")
    monitor.show_frame(frame, 102.0)
    assert not window.toast.isVisible()
    monitor.show_frame(replace(frame, recent_drift=0.01), 103.0)
    window.session.edit(with_value(window.session.scene, ("body", 0, "friction"), 0.01))
    accepted(window, qtbot)
    for wall in (104.0, 105.0):
        monitor.show_frame(replace(frame, scene=window.session.scene), wall)
    assert "drifted by" in window.toast.text


DROPPED = """
format = 1
title = "dropped"
[[body]]
name = "ball"
support = "free"
position = [0, 0, 0.3]
contact = { restitution = 0.5 }
shape = [{ kind = "sphere", radius = 0.05, mass = 0.5 }]
[[wall]]
name = "floor"
restitution = 0.5
"""


def test_a_step_too_long_for_a_contact_is_marked_before_it_closes_and_the_contact_is_named(
    wide: Lab, qtbot: QtBot
) -> None:
    """k/m = g/(0.002 s): rk4 allows sqrt(8 * 0.002 * 0.1/9.80665) = 12.8 ms, the damper a little more; air any."""
    window = wide(DROPPED)
    window.session.play(False)
    window.session.reset()
    solver = window.transport.solver
    qtbot.waitUntil(lambda: solver.limit.text() == "stable ≤ 13.1 ms", timeout=SOON)
    assert Meaning("", "contact", part="ball", other="floor").of(html.unescape(solver.limit.toolTip()))
    type_in(qtbot, solver.step, "15")
    qtbot.waitUntil(lambda: solver.limit.text().startswith("⚠"), timeout=SOON)
    accepted(window, qtbot)
    window.session.play(True)
    qtbot.waitUntil(lambda: Meaning("", "presses", part="ball", other="floor").of(window.toast.text), timeout=SOON)
    qtbot.waitUntil(lambda: any("recommended" in button.text() for button in buttons(window)), timeout=SOON)
    press(window, qtbot, "recommended")
    assert accepted(window, qtbot).solver.time_step < 0.01


@pytest.mark.nightly
def test_what_has_sunk_into_a_wall_is_named_with_ways_back(wide: Lab, qtbot: QtBot) -> None:
    window = wide(DROPPED)
    inspect(window, "world")
    qtbot.waitUntil(lambda: time_of(window) > 0.3, timeout=SOON)
    type_in(qtbot, row_of(window, "world.gravity").editor.fields[2], "-2e4")
    qtbot.waitUntil(lambda: Meaning("", "sunk", part="ball", wall="floor").of(window.toast.text), timeout=SOON)
    press(window, qtbot, "Undo")
    qtbot.waitUntil(lambda: "undone" in window.toast.text, timeout=SOON)
    assert accepted(window, qtbot).world.gravity[2] == pytest.approx(-9.8, abs=0.1)
