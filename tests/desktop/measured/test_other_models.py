"""Several runs, other models and the band of predictions in the tab of the fit, with real events."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gui import LEFT, SOON, START, click
from made_data import PENDULUM, write_swing
from measured_window import opened, type_quantity
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from polhode import fit, read_data, read_scene
from polhode.fitting.inference.comparison import compared
from polhode.fitting.inference.prediction import prediction
from polhode_app.docks.measured.fit_controller import FitController
from polhode_app.docks.measured.fit_tab import FitTab
from polhode_app.i18n.translation import translate_problem
from polhode_app.main_window import MainWindow

pytestmark = pytest.mark.new_window  # a dock keeps what a test has set

SCENE = PENDULUM.format(gravity=9.4, friction=0.004, angle=1.2)
RATE = "bob.angular_velocity.y"
FRICTION, GRAVITY = "body[0].friction", "world.gravity[2]"
Answer = Callable[[Path], None]


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Answer:
    """Chooses a file in the next dialog."""

    def chosen(path: Path) -> None:
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_asked: (str(path), ""))

    return chosen


@pytest.fixture
def swing(tmp_path: Path) -> Path:
    path = tmp_path / "swing.csv"
    write_swing(path)
    return path


def prepared(window: MainWindow, qtbot: QtBot, swing: Path) -> tuple[FitController, FitTab]:
    """The tab of the fit, with friction and gravity as unknowns."""
    opened(window, qtbot, swing)
    dock = window.docks.docks["measured"]
    type_quantity(window, qtbot, "w", "angular velocity y")
    qtbot.mouseClick(dock.tabs.tabBar(), LEFT, pos=dock.tabs.tabBar().tabRect(1).center())
    for name in (FRICTION, GRAVITY):
        dock.fit.free(name)
    qtbot.waitUntil(dock.fit_tab.rows[GRAVITY].marks["without"].isVisible, timeout=SOON)
    return dock.fit, dock.fit_tab


def fitted(control: FitController, tab: FitTab, qtbot: QtBot) -> None:
    """Fit by a click."""
    before = control.result
    qtbot.waitUntil(tab.fit.isEnabled, timeout=START)
    click(qtbot, tab.fit)
    qtbot.waitUntil(lambda: control.result is not before, timeout=START)


def test_a_model_without_an_unknown_is_compared_in_a_table(window: MainWindow, qtbot: QtBot, swing: Path) -> None:
    control, tab = prepared(window, qtbot, swing)
    box = tab.rows[GRAVITY].marks["without"]
    assert not tab.rows[GRAVITY].marks["own"].isVisible(), "there is one run"
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert control.models.without == {GRAVITY}
    fitted(control, tab, qtbot)
    scene, data = window.session.scene, read_data(swing)
    both = fit(scene, data, {"w": RATE}, [FRICTION, GRAVITY])
    expected = compared(fit(scene, data, {"w": RATE}, [FRICTION]), both)
    (made,) = control.comparisons
    assert made.is_nested
    assert made.f == pytest.approx(expected.f, rel=1e-3)
    table = tab.models.table
    assert table.isVisible()
    assert f"{made.f:.4g}" in table.item(0, 1).text()
    assert table.item(0, 2).text() == f"{made.aicc[0] - made.aicc[1]:+.4g}"
    click(qtbot, box)
    assert control.is_outdated
    assert not table.isEnabled()


def test_no_model_is_left_without_unknowns(window: MainWindow, qtbot: QtBot, swing: Path) -> None:
    control, tab = prepared(window, qtbot, swing)
    for name in (FRICTION, GRAVITY):
        click(qtbot, tab.rows[name].marks["without"])
    qtbot.waitUntil(tab.fit.isEnabled, timeout=START)
    click(qtbot, tab.fit)
    qtbot.waitUntil(lambda: bool(tab.error.text()), timeout=START)
    assert control.result is None


def test_another_scene_is_compared_and_left_out_again(
    window: MainWindow, qtbot: QtBot, swing: Path, tmp_path: Path, answer: Answer
) -> None:
    control, tab = prepared(window, qtbot, swing)
    other = tmp_path / "drag.toml"
    other.write_text(SCENE.replace("friction = 0.004", "friction = 0.004\nquadratic_drag = 0.02"))
    answer(other)
    click(qtbot, tab.models.choose_scene)
    assert tab.models.scene.name.text() == "drag.toml"
    fitted(control, tab, qtbot)
    data = read_data(swing)
    first = fit(read_scene(other), data, {"w": RATE}, [FRICTION, GRAVITY])
    expected = compared(first, fit(window.session.scene, data, {"w": RATE}, [FRICTION, GRAVITY]))
    (made,) = control.comparisons
    assert not made.is_nested
    assert made.aicc == pytest.approx(expected.aicc, abs=1e-2)
    assert tab.models.table.item(0, 0).text() == "drag.toml"
    qtbot.mouseClick(tab.models.scene.remove, LEFT)
    assert control.models.against is None
    assert tab.models.scene is None


def test_two_runs_share_their_unknowns_or_have_their_own(
    window: MainWindow, qtbot: QtBot, swing: Path, tmp_path: Path, answer: Answer
) -> None:
    control, tab = prepared(window, qtbot, swing)
    second = tmp_path / "second.csv"
    write_swing(second, seed=2)
    answer(second)
    click(qtbot, tab.models.add_run)
    qtbot.waitUntil(lambda: len(control.models.further) == 1, timeout=SOON)
    assert [row.name.text() for row in tab.models.runs] == ["second.csv"]
    fitted(control, tab, qtbot)
    runs, scene = [read_data(path) for path in (swing, second)], window.session.scene
    expected = fit(scene, runs[0], {"w": RATE}, [FRICTION, GRAVITY], runs=[(scene, runs[1])])
    values = [each.value for each in control.result.estimates]
    assert values == pytest.approx([each.value for each in expected.estimates], rel=1e-4)
    own = tab.rows[FRICTION].marks["own"]
    assert own.isVisible()
    click(qtbot, own)
    fitted(control, tab, qtbot)
    assert [each.unknown.name for each in control.result.estimates] == [FRICTION, GRAVITY, f"run[1].{FRICTION}"]
    assert tab.table.rowCount() == 3
    qtbot.mouseClick(tab.models.runs[0].remove, LEFT)
    assert control.models.further == []
    fitted(control, tab, qtbot)
    assert len(control.result.estimates) == 2


def test_runs_that_are_added_at_once_are_all_read(
    window: MainWindow, qtbot: QtBot, swing: Path, tmp_path: Path
) -> None:
    control, tab = prepared(window, qtbot, swing)
    names = [f"run{number}.csv" for number in range(3)]
    for number, name in enumerate(names):
        write_swing(tmp_path / name, seed=number)
        control.models.add_run(tmp_path / name)
    qtbot.waitUntil(lambda: len(control.models.further) == 3, timeout=SOON)
    assert [row.name.text() for row in tab.models.runs] == names


def test_a_model_that_can_not_be_fitted_is_reported_beside_the_result(
    window: MainWindow, qtbot: QtBot, swing: Path, tmp_path: Path
) -> None:
    control, tab = prepared(window, qtbot, swing)
    other = tmp_path / "resting.toml"
    other.write_text(PENDULUM.format(gravity=9.4, friction=0.004, angle=0.0))
    control.models.compare_with(other)
    fitted(control, tab, qtbot)
    assert control.comparisons == ()
    assert tab.models.table.item(0, 0).text() == "resting.toml"
    assert tab.models.problems.isVisible()
    assert translate_problem(control.others[0].problems[0]) in tab.models.problems.text()
    control.models.compare_with(None)
    fitted(control, tab, qtbot)
    assert not tab.models.problems.isVisible()


def test_a_file_that_can_not_be_read_is_refused(
    window: MainWindow, qtbot: QtBot, swing: Path, tmp_path: Path, answer: Answer
) -> None:
    control, tab = prepared(window, qtbot, swing)
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("nothing")
    answer(wrong)
    click(qtbot, tab.models.add_run)
    qtbot.waitUntil(lambda: bool(tab.models.error.text()), timeout=SOON)
    assert control.models.further == []


def test_the_plots_have_the_band_of_predicted_readings(window: MainWindow, qtbot: QtBot, swing: Path) -> None:
    control, tab = prepared(window, qtbot, swing)
    fitted(control, tab, qtbot)
    qtbot.keyClick(window, Qt.Key.Key_F4)
    qtbot.waitUntil(lambda: window.docks.dock("plots") is not None, timeout=SOON)
    plots = window.docks.docks["plots"]
    control._data.plot()
    qtbot.waitUntil(lambda: RATE in plots.time_plot.lines, timeout=SOON)
    assert not plots.time_plot._predicted.drawn
    click(qtbot, tab.models.predict)
    qtbot.waitUntil(lambda: RATE in plots.time_plot._predicted.drawn, timeout=START)
    expected = prediction(control.result)
    curves = [item for item in plots.time_plot._predicted.drawn[RATE][1] if hasattr(item, "getData")]
    upper, lower = (each.getData() for each in curves)
    assert upper[0] == pytest.approx(expected.times)
    assert upper[1] == pytest.approx(expected.upper[:, 0])
    assert lower[1] == pytest.approx(expected.lower[:, 0])
    inside = np.mean((control.result.task.values[:, 0] <= upper[1]) & (control.result.task.values[:, 0] >= lower[1]))
    assert 0.9 < inside < 1.0
    click(qtbot, tab.models.predict)
    qtbot.waitUntil(lambda: not plots.time_plot._predicted.drawn, timeout=SOON)
