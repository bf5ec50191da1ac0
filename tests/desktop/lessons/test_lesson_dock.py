"""The dock of lessons: a whole lesson by keys and by mouse, the lock of the scene, and what is kept."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi
from pathlib import Path

import numpy as np
import pytest
from gui import SOON, accepted, buttons, click, inspect, seen_at, send
from lesson_driving import LessonDriver
from lesson_scenes import PENDULUM, SHORT, WHOLE
from PySide6.QtCore import QEvent, QPointF, Qt
from pytestqt.qtbot import QtBot

from polhode.lessons.hand_in import read_hand_in
from polhode_app.main_window import MainWindow

SCENE = PENDULUM + WHOLE + SHORT
Lab = Callable[..., MainWindow]


@pytest.mark.parametrize("by_keys", [True, False], ids=["keys", "mouse"])
def test_a_lesson_is_gone_through(window: MainWindow, qtbot: QtBot, tmp_path: Path, by_keys: bool) -> None:
    before = window.session.document.scene
    driver = LessonDriver(window, qtbot, "Ada", by_keys=by_keys, answers={4: {"body[0].tilt[1]": 20}})
    progress = driver.go_through()
    assert progress.value_of(8)["passed"]
    path = driver.save(tmp_path / "ada.handin")
    found = read_hand_in(path)
    assert (found.name, found.title) == ("Ada", "How long does a swing take?")
    assert found.runs[0].values["body[0].tilt[1]"] == pytest.approx(0.349, abs=1e-3)
    driver.press(driver.dock.end.leave)
    qtbot.waitUntil(lambda: window.session.document.scene == before and not window.session.is_pending, timeout=SOON)
    assert not window.session.lock.is_on


def test_other_edits_are_refused_while_a_lesson_runs(window: MainWindow, qtbot: QtBot) -> None:
    window.action_table["tree"].setChecked(True)
    driver = LessonDriver(window, qtbot)
    driver.begin()
    accepted(window, qtbot)
    inspector = inspect(window, "body", 0)
    scene = window.session.scene
    qtbot.waitUntil(lambda: inspector.form is not None and not inspector.form.isEnabled(), timeout=SOON)
    assert not window.edit_actions.tree.add_button.isEnabled()
    assert not any(window.action_table[name].isEnabled() for name in ("delete", "undo", "save", "paste", "hand"))
    window.session.edit(scene.with_values({"body[0].friction": 0.1}))
    window.session.set_solver(time_step=0.01)
    assert window.session.scene == scene
    assert not window.session.save(Path("never.toml"))
    assert [button.text() for button in buttons(window)] == ["Leave the lesson"]
    rod = seen_at(window, (-0.07, 0.0, -0.22))
    send(window, QEvent.Type.MouseButtonPress, rod)
    send(window, QEvent.Type.MouseMove, rod + QPointF(30, 0))
    assert not window.grab_tool.holding
    send(window, QEvent.Type.MouseButtonRelease, rod + QPointF(30, 0))
    click(qtbot, buttons(window)[0])
    qtbot.waitUntil(lambda: not window.session.lock.is_on, timeout=SOON)
    inspect(window, "body", 0)
    assert inspector.form.isEnabled()
    window.session.edit(window.session.scene.with_values({"body[0].friction": 0.1}))
    assert accepted(window, qtbot).body[0].friction == 0.1


@pytest.mark.new_window
def test_progress_is_kept_when_the_window_closes(lab: Lab, qtbot: QtBot) -> None:
    first = LessonDriver(lab(SCENE), qtbot, "Grace", lesson=1)
    first.begin()
    first.do_step()
    first.go_on()
    assert first.progress.current == 1
    made = first.progress.runs[0].run.checkpoints[-1][1]
    first.window.close()
    second = LessonDriver(lab(SCENE), qtbot, "Grace", lesson=1, continues=True)
    second.begin()
    assert second.progress.current == 1
    assert (second.progress.runs[0].run.checkpoints[-1][1] == made).all()
    second.do_step()
    assert second.progress.is_complete
    other = second.dock.player.kept(1, "Somebody else")
    assert other is None


def test_another_scene_ends_the_lesson(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    driver = LessonDriver(window, qtbot, lesson=1)
    driver.begin()
    other = tmp_path / "other.toml"
    other.write_text(PENDULUM)
    window.session.open(other)
    qtbot.waitUntil(lambda: not window.session.lock.is_on, timeout=SOON)
    assert driver.progress is None
    assert driver.dock.start.hint.isVisible()
    assert window.session.document.path == other


def test_a_wrong_number_is_refused_and_can_be_checked_again(window: MainWindow, qtbot: QtBot) -> None:
    driver = LessonDriver(window, qtbot, answers={1: "12 m", 8: 99})
    driver.begin()
    driver.go_on()
    driver.enter(driver.input.field, "12 m")
    assert driver.input.error.isVisible()
    assert not driver.dock.step.forward.isEnabled()
    driver.enter(driver.input.field, "1200 ms")
    assert driver.progress.value_of(1) == 1.2
    driver.go_on()
    while driver.progress.current < 8:
        driver.do_step()
        driver.go_on()
    driver.do_step()
    assert not driver.progress.value_of(8)["passed"]
    assert "Difference" in driver.input.result.text()
    del driver.answers[8]
    driver.do_step()
    assert driver.progress.value_of(8)["passed"]
    assert [answer.step for answer in driver.progress.answers].count(8) == 2


def test_the_numbers_of_a_name_are_shown_at_each_step(window: MainWindow, qtbot: QtBot) -> None:
    driver = LessonDriver(window, qtbot)
    driver.begin()
    numbers, length = driver.dock.step.numbers, driver.progress.scene.body[0].shape[0].length
    for _ in range(2):
        assert numbers.isVisible()
        assert numbers.text() == f"Your numbers:\nrod: shapes 1 length = {length:g} m"
        driver.go_on()
        driver.do_step()
    other = LessonDriver(window, qtbot, lesson=1)  # without such numbers
    other.dock.leave()
    other.begin()
    assert not numbers.isVisible()


def test_an_end_of_a_range_is_typed_as_it_is_shown(lab: Lab, qtbot: QtBot) -> None:
    path = "body[0].orientation.angle"
    step = f'{{ run = ["{path}"], range = {{ "{path}" = [-0.2, 0.2] }}, until = 0.5 }}'
    driver = LessonDriver(lab(f'{PENDULUM}[[lesson]]\ntitle = "Ends"\nstep = [ {step} ]'), qtbot)
    driver.begin()
    row = driver.input.rows[path]
    for text, value in (("0.2 rad", 0.2), ("-11.46", -0.2), ("11.459", 0.199997)):
        driver.enter(row.field, text)
        assert not driver.input.error.isVisible()
        assert row.value == pytest.approx(value, abs=2e-6)
        assert abs(row.value) <= 0.2
    driver.enter(row.field, "11.47")
    assert "11.47 is not between -11.46 and 11.46" in driver.input.error.text()


def test_plots_show_what_a_lesson_measures_alone(window: MainWindow, qtbot: QtBot) -> None:
    window.action_table["plots"].setChecked(True)
    qtbot.waitUntil(lambda: window.docks.dock("plots") is not None, timeout=SOON)
    driver = LessonDriver(window, qtbot)
    driver.begin()
    qtbot.waitUntil(lambda: list(window.docks.dock("plots").plotted_units) == ["rod.u3.x"], timeout=SOON)


def test_values_of_a_measured_curve_have_the_unit_of_their_axis(window: MainWindow, qtbot: QtBot) -> None:
    driver = LessonDriver(window, qtbot)
    driver.begin()
    plot = driver.dock.step.plot
    axis = plot._plot.getAxis("left")
    for size in (0.3, 3000.0, 0.3):  # used for one step after another
        plot.set_up("rod: position z", "m", 1.0, can_draw=False)
        plot.show_run(np.array([0.0, 1.0]), np.array([0.0, size]))
        plot.fit()
        assert axis.labelString().count("(m)") == 1
        assert float(axis.tickStrings([size], axis.autoSIPrefixScale * axis.scale, size)[0]) == size


def test_own_data_are_measured(lab: Lab, qtbot: QtBot, tmp_path: Path) -> None:
    data = tmp_path / "swing.csv"
    data.write_text("time [s],x [mm]\n" + "".join(f"{k / 50},{100 * cos(pi * k / 50)}\n" for k in range(400)))
    own = '[[lesson]]\ntitle = "Own"\nstep = [ { run = [], until = 0.5 }, { measure = "period", own_data = true } ]'
    driver = LessonDriver(lab(PENDULUM + own), qtbot, answers={1: data})
    progress = driver.go_through()
    assert progress.value_of(1)["value"] == pytest.approx(2.0, abs=1e-3)
    assert progress.value_of(1)["file"] == "swing.csv"


def test_a_narrow_dock_needs_no_horizontal_scrolling(window: MainWindow, qtbot: QtBot) -> None:
    driver = LessonDriver(window, qtbot)
    driver.begin()
    window.resizeDocks([driver.dock], [200], Qt.Orientation.Horizontal)
    while driver.progress.current < 8:
        area = driver.dock.step.area
        assert area.widget().width() <= area.viewport().width()
        driver.do_step()
        driver.go_on()


def test_a_lesson_is_shown_in_both_languages_and_themes(window: MainWindow, qtbot: QtBot) -> None:
    driver = LessonDriver(window, qtbot)
    driver.begin()
    driver.go_on()
    qtbot.keyClicks(driver.input.field, "1.5")
    window.set_language("ja")
    window.set_theme("dark")
    assert driver.progress.value_of(1) == 1.5  # what was typed is taken
    assert driver.input.field.text() == "1.5"
    assert driver.dock.step.forward.text() != "&Next"
    window.set_language("en")
    window.set_theme("light")
    assert driver.dock.step.forward.text() == "&Next"
