"""Files, settings and axes of maps in the real window, with real events, on a virtual screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest
from gui import LEFT, SOON, START, accepted, choose, click, inspect, row_of, type_in
from map_window import SCENE, controller_of, finished
from meaning import Meaning
from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QAction, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QToolButton
from pytestqt.qtbot import QtBot

from polhode.scene.fields import parse_path
from polhode.scene.variants.outcome import Feature
from polhode.sweep.maps.map_file import read_map
from polhode_app.docks.inspector.field_drag import FieldLabel
from polhode_app.edit.parts import renamed
from polhode_app.main_window import MainWindow

pytestmark = pytest.mark.new_window  # a dock keeps what a test has set


def of_axes(text: str, axes: str, outcome: str = 'kind = "settled"') -> str:
    """SCENE with other axes and another outcome."""
    return text[: text.index("axes = [")] + f"axes = [{axes}]\noutcome = {{ {outcome} }}\n"


ANGLE = '{ parameter = "body[0].tilt[2]", range = [-3, 3], count = 4 }'
RATE = '{ parameter = "body[0].angular_velocity[2]", range = [-6, 6], count = 3 }'
JOINTED = """
title = "two rods"
joint = [
    { name = "shoulder", kind = "hinge", first = "upper", axis = [0, 1, 0], anchor_first = [0, 0, 0] },
    { name = "elbow", kind = "hinge", first = "lower", second = "upper", axis = [0, 1, 0], anchor_first = [0, 0, 0] },
]
[[body]]
name = "upper"
support = "free"
shape = [{ kind = "cuboid", size = [0.02, 0.02, 0.4], mass = 0.3, position = [0, 0, -0.2] }]
[[body]]
name = "lower"
support = "free"
position = [0, 0, -0.4]
shape = [{ kind = "cuboid", size = [0.02, 0.02, 0.4], mass = 0.2, position = [0, 0, -0.2] }]
[[sweep]]
until = 0.5
axes = []
"""
DRAG = '{ parameter = "body[0].friction", range = [2e-3, 4e-3], count = 3 }'


@pytest.mark.nightly
def test_a_map_is_written_by_the_menu(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    control, dock = finished(window, qtbot), window.docks.docks["maps"].widgets
    for action, name in (("save", "a.h5"), ("picture", "a.png"), ("table", "a.parquet")):
        click_menu(qtbot, dock.tools["more"], dock.export_actions[action])
        qtbot.waitUntil(lambda: dock.findChild(QFileDialog) is not None, timeout=SOON)
        line = dock.findChild(QFileDialog).findChild(QLineEdit)
        line.setText(str(tmp_path / name))  # typing would open a list of completions, which takes Return
        qtbot.keyClick(line, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda name=name: (tmp_path / name).exists(), timeout=START)
        qtbot.waitUntil(lambda: dock.findChild(QFileDialog) is None, timeout=SOON)
        qtbot.waitUntil(lambda: not control.exports.is_busy, timeout=START)
    labels = np.array(control.maps.run.map.label)
    assert np.array_equal(read_map(tmp_path / "a.h5").map.label, labels)
    picture = QImage(str(tmp_path / "a.png"))
    assert picture.width() > 400
    assert len({picture.pixel(x, picture.height() // 2) for x in range(picture.width())}) > 2
    assert pyarrow.parquet.read_table(tmp_path / "a.parquet").num_rows == labels.size


@pytest.mark.nightly
def test_file_picture_and_table_of_a_zoomed_map_are_what_is_seen(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    control = finished(window, qtbot)
    whole, maps = control.maps.run, control.maps
    (left, right), (bottom, top) = (axis[[0, -1]].tolist() for axis in whole.map.axis_values[:2])
    maps.zoom(((left, (left + right) / 2), (bottom, (bottom + top) / 2)))
    qtbot.waitUntil(lambda: maps.run is not whole and maps.run.stage == "finished", timeout=START)
    seen = maps.run.map
    control.exports.save(tmp_path / "part.h5")
    assert Meaning("", "Visible", "map").of(window.toast.text)
    saved = read_map(tmp_path / "part.h5").map
    assert all(np.array_equal(one, other) for one, other in zip(saved.axis_values, seen.axis_values, strict=True))
    assert np.array_equal(saved.label, seen.label)
    for name in ("part.csv", "again.csv", "part.png"):  # all asked for at once
        control.exports.export(tmp_path / name)
    assert "Then: again.csv, part.png" in window.toast.text
    qtbot.waitUntil(lambda: not control.exports.is_busy, timeout=START)
    rows = np.genfromtxt(tmp_path / "part.csv", delimiter=",", names=True)
    assert len(rows) == seen.label.size
    first = np.array(rows.tolist())[:, 0]
    assert first.max() == pytest.approx(seen.axis_values[0].max())
    assert (tmp_path / "again.csv").read_text() == (tmp_path / "part.csv").read_text()
    assert not QImage(str(tmp_path / "part.png")).isNull()
    assert not maps.history.is_saved  # the whole map is not


def click_menu(qtbot: QtBot, button: QToolButton, action: QAction) -> None:
    """Open the menu of a button by a click, and click its entry."""

    def choose() -> None:
        menu = button.menu()
        qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())

    QTimer.singleShot(200, button, choose)  # the menu runs an event loop of its own
    click(qtbot, button)


@pytest.mark.nightly
def test_a_map_is_opened_as_the_file_that_the_program_is_given(
    lab: Callable[..., MainWindow], window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    control = finished(window, qtbot)
    control.maps.save(tmp_path / "needle.h5")
    window.close()
    other = lab(tmp_path / "needle.h5")
    qtbot.waitUntil(lambda: other.session.document.scene.title == "needle", timeout=START)
    qtbot.waitUntil(
        lambda: other.docks.dock("maps") is not None and other.docks.docks["maps"].isVisible(), timeout=SOON
    )
    qtbot.waitUntil(lambda: other.docks.docks["maps"].widgets.view.isVisible(), timeout=SOON)
    assert np.array_equal(other.docks.docks["maps"].controller.maps.run.map.label, control.maps.run.map.label)
    assert other.docks.docks["maps"].widgets.notice.isHidden()


@pytest.mark.nightly
def test_an_axis_of_a_body_that_is_deleted_says_so(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    post = """[[body]]
name = "post"
support = "fixed"
position = [0, 0.4, 0]
shape = [{ kind = "sphere", radius = 0.01, mass = 0.1 }]
"""
    window = lab(SCENE.replace("[[body]]", post + "[[body]]", 1).replace("body[0]", "body[1]"))
    control, form = controller_of(window, qtbot), window.docks.docks["maps"].widgets.form
    window.session.select(("body", 0))
    window.action_table["delete"].trigger()
    scene = accepted(window, qtbot)
    assert scene.body[0].name == "needle"
    assert [axis.parameter for axis in scene.sweep[0].axes] == ["body[0].tilt[2]", "body[0].angular_velocity[2]"]
    window.session.select(("body", 0))
    window.action_table["delete"].trigger()
    accepted(window, qtbot)
    qtbot.waitUntil(lambda: Meaning("", "axis", name="needle").of(form.error.text()), timeout=SOON)
    assert Meaning("", "remove").of(form.error.text())
    click(qtbot, window.docks.docks["maps"].widgets.run)
    qtbot.waitUntil(lambda: "needle" in form.error.text(), timeout=SOON)
    assert control.maps.run is None
    window.action_table["undo"].trigger()
    accepted(window, qtbot)
    qtbot.waitUntil(lambda: form.error.isHidden(), timeout=SOON)


def test_names_of_an_outcome_follow_a_body_that_is_renamed(window: MainWindow, qtbot: QtBot) -> None:
    scene = renamed(window.session.scene, ("body", 1), "right")
    assert scene.sweep[0].outcome.near == ("right", "west")
    mean = scene.sweep[0].outcome.model_copy(update={"near": (), "kind": "mean", "quantity": "needle.u1.x"})
    scene = scene.model_copy(update={"sweep": (scene.sweep[0].model_copy(update={"outcome": mean}),)})
    assert renamed(scene, ("body", 0), "pointer").sweep[0].outcome.quantity == "pointer.u1.x"


@pytest.mark.nightly
def test_the_slider_goes_through_the_third_axis(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab(of_axes(SCENE, f"{ANGLE}, {RATE}, {DRAG}"))
    control, dock = finished(window, qtbot), window.docks.docks["maps"].widgets
    assert dock.slice.isVisible()
    times = np.array(control.maps.run.map.value)
    assert times.shape == (4, 3, 3)
    dock.slice.setFocus()
    for level in range(3):
        qtbot.waitUntil(lambda level=level: f"{2e-3 + 1e-3 * level:.4g}" in dock.slice_label.text(), timeout=SOON)
        shown = times[..., level]
        qtbot.waitUntil(
            lambda shown=shown: np.array_equal(dock.view.image.layers[-1].value, shown, equal_nan=True), timeout=SOON
        )
        qtbot.keyClick(dock.slice, Qt.Key.Key_Right)
    qtbot.keyClick(dock.slice, Qt.Key.Key_Home)
    cell = 3 * 1 + 2  # the second angle, the third rate
    qtbot.mouseClick(dock.view.viewport(), LEFT, pos=dock.view.position_of(cell).toPoint())
    assert accepted(window, qtbot).body[0].friction == pytest.approx(2e-3)


@pytest.mark.nightly
def test_draws_features_and_grids_are_edited_in_the_dock(window: MainWindow, qtbot: QtBot) -> None:
    controller_of(window, qtbot)
    form = window.docks.docks["maps"].widgets.form
    window.docks.docks["maps"].setFloating(True)
    window.docks.docks["maps"].resize(500, 950)
    outcome = form.outcome
    choose(qtbot, form.rows[0].distribution, "normal")
    axis = accepted(window, qtbot).sweep[0].axes[0]
    assert (axis.draws.distribution, axis.range, axis.count) == ("normal", None, None)
    type_in(qtbot, form.rows[0].deviation, "0.25")
    type_in(qtbot, form.rows[0].seed, "7")
    type_in(qtbot, form.rows[0].count, "50")
    draws = accepted(window, qtbot).sweep[0].axes[0].draws
    assert (draws.deviation, draws.seed, draws.count) == (0.25, 7, 50)
    choose(qtbot, outcome.criterion, "features")
    features = accepted(window, qtbot).sweep[0].outcome.features
    assert len(features) == 1
    choose(qtbot, outcome.features.rows[0].quantity, "needle.angular_velocity.z")
    choose(qtbot, outcome.features.rows[0].of, "maximum")
    type_in(qtbot, outcome.features.rows[0].tolerance, "0.5")
    click(qtbot, outcome.features.add)
    features = accepted(window, qtbot).sweep[0].outcome.features
    assert features[0] == Feature(quantity="needle.angular_velocity.z", of="maximum", tolerance=0.5)
    assert len(features) == 2
    click(qtbot, outcome.features.rows[1].remove)
    assert len(accepted(window, qtbot).sweep[0].outcome.features) == 1
    choose(qtbot, form.check, "perturbation")
    type_in(qtbot, form.perturbation, "0.01")
    sweep = accepted(window, qtbot).sweep[0]
    assert (sweep.check, sweep.perturbation) == ("perturbation", 0.01)
    choose(qtbot, outcome.criterion, "grid")
    row = outcome.grid.rows[0]
    qtbot.waitUntil(row.low.isVisible, timeout=SOON)
    type_in(qtbot, row.low, "-8")
    type_in(qtbot, row.high, "8")
    type_in(qtbot, row.count, "30")
    type_in(qtbot, outcome.period, "0.2")
    made = accepted(window, qtbot).sweep[0].outcome
    assert (made.grid[0].range, made.grid[0].count, made.period) == ((-8.0, 8.0), 30, 0.2)
    choose(qtbot, outcome.kind, "section")
    sweep = accepted(window, qtbot).sweep[0]
    assert (sweep.outcome.grid, sweep.check) == ((), "auto")
    choose(qtbot, outcome.of, "needle.u1.x")
    type_in(qtbot, outcome.level, "0.1")
    type_in(qtbot, outcome.points, "12")
    made = accepted(window, qtbot).sweep[0].outcome
    assert (made.of, made.level, made.points) == ("needle.u1.x", 0.1, 12)
    choose(qtbot, outcome.kind, "lyapunov")
    choose(qtbot, outcome.exponents, "all")
    type_in(qtbot, outcome.after, "1")
    made = accepted(window, qtbot).sweep[0].outcome
    assert (made.exponents, made.after) == ("all", 1.0)


@pytest.mark.nightly
def test_the_largest_force_in_a_joint_is_asked_for_in_the_dock(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    """Of both joints, then of the upper one alone, which bears more."""
    window = lab(of_axes(JOINTED, RATE.replace("[2]", "[1]")))
    controller_of(window, qtbot)
    window.session.play(False)
    dock, outcome = window.docks.docks["maps"].widgets, window.docks.docks["maps"].widgets.form.outcome
    window.docks.docks["maps"].setFloating(True)
    window.docks.docks["maps"].resize(500, 950)
    choose(qtbot, outcome.kind, "joint_force")
    choose(qtbot, outcome.of, "elbow")
    assert accepted(window, qtbot).sweep[0].outcome.of == "elbow"
    found = [values_of_map(window, qtbot)]
    choose(qtbot, outcome.of, "shoulder")
    accepted(window, qtbot)
    found.append(values_of_map(window, qtbot))
    choose(qtbot, outcome.of, "")
    accepted(window, qtbot)
    elbow, shoulder, largest = *found, values_of_map(window, qtbot)
    assert (elbow > 0).all()
    assert np.array_equal(largest, np.maximum(elbow, shoulder))
    assert (shoulder > elbow).all()
    assert dock.view.isVisible()


def values_of_map(window: MainWindow, qtbot: QtBot) -> np.ndarray:
    """Values of the map of the dock after a click on its button."""
    maps = window.docks.docks["maps"].controller.maps
    before = maps.run
    click(qtbot, window.docks.docks["maps"].widgets.run)
    qtbot.waitUntil(lambda: maps.run is not before and maps.run.stage == "finished", timeout=START)
    return np.array(maps.run.map.value)


@pytest.mark.nightly
def test_a_label_is_dragged_from_the_inspector_onto_an_axis(window: MainWindow, qtbot: QtBot) -> None:
    """Press, move and release as the window system sends them; Qt runs the drag itself."""
    controller_of(window, qtbot)
    form = window.docks.docks["maps"].widgets.form
    inspect(window, "body", 0)
    row_of(window, "body[0].friction")
    labels = window.edit_actions.inspector.form.findChildren(FieldLabel)
    label = next(each for each in labels if each.path == parse_path("body[0].friction"))
    handle, to = window.windowHandle(), form.rows[1]
    start = label.mapTo(window, QPoint(8, label.height() // 2))
    end = to.mapTo(window, QPoint(to.width() // 2, to.height() // 2))
    moves = [QPointF(start + (end - start) * k / 12).toPoint() for k in range(1, 13)]
    released: list[QPoint] = []

    def go_on() -> None:
        if not moves:
            QTest.mouseRelease(handle, LEFT, Qt.KeyboardModifier.NoModifier, end)
            released.append(end)
            return
        # A timer of its own for each event: the move that begins the drag returns only at its end, and Qt does not
        # fire a timer again before its handler has returned.
        QTimer.singleShot(30, go_on)
        QTest.mouseMove(handle, moves.pop(0))

    QTest.mousePress(handle, LEFT, Qt.KeyboardModifier.NoModifier, start)
    go_on()
    qtbot.waitUntil(lambda: bool(released), timeout=SOON)
    scene = accepted(window, qtbot)
    assert [axis.parameter for axis in scene.sweep[0].axes] == ["body[0].tilt[2]", "body[0].friction"]
