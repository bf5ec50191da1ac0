"""The dock of maps in the real window, with real events of mouse and keys, on a virtual screen."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gui import LEFT, SOON, START, accepted, click, inspect, row_of
from map_window import SCENE, controller_of, finished
from meaning import Meaning
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QWidget
from pytestqt.qtbot import QtBot

from polhode.run.status import PENDING, SETTLED, UNCERTAIN
from polhode.scene import gallery
from polhode.scene.fields import parse_path
from polhode.simulation.simulation import Simulation
from polhode.sweep.maps.map_file import read_map
from polhode_app.data.maps.cell import scene_of_cell
from polhode_app.data.maps.picture import COLORS
from polhode_app.docks.inspector.field_drag import FieldLabel, field_data
from polhode_app.docks.inspector.parameter_chooser import ParameterChooser
from polhode_app.docks.maps.map_controller import MapController
from polhode_app.main_window import MainWindow

pytestmark = pytest.mark.new_window  # a dock keeps what a test has set


def ends_by_simulation(control: MapController, cells: np.ndarray) -> np.ndarray:
    """Labels of runs of the scenes that a click on these cells sets."""
    labels = []
    for cell in cells.tolist():
        run = control.maps.run
        simulation = Simulation(scene_of_cell(run, cell, run.scene))
        simulation.advance(run.settings.until)
        bodies = simulation.snapshot().bodies
        at = bodies.position[0] + np.array([0.1, 0, 0]) @ bodies.basis[0]
        labels.append(int(np.argmin([np.linalg.norm(at - end) for end in bodies.position[1:3]])))
    return np.array(labels)


@pytest.mark.nightly
def test_a_map_is_computed_and_a_clicked_cell_starts_there(window: MainWindow, qtbot: QtBot) -> None:
    control, dock = finished(window, qtbot), window.docks.docks["maps"].widgets
    made, before = control.maps.run.map, window.session.scene
    assert set(np.unique(made.label)) == {0, 1}
    qtbot.waitUntil(lambda: any("certain" in text for text in dock.legend.texts), timeout=SOON)
    assert {text.split()[0] for text in dock.legend.texts} >= {"east", "west"}
    cell = 10 * 2 + 7
    where = dock.view.position_of(cell).toPoint()
    qtbot.mouseMove(dock.view.viewport(), where)
    qtbot.waitUntil(lambda: "needle" in dock.hover.text(), timeout=SOON)
    assert "rad/s" in dock.hover.text()
    qtbot.mouseClick(dock.view.viewport(), LEFT, pos=where)
    scene = accepted(window, qtbot)
    tilt, spin = control.maps.run.variation.values(np.array([cell]))[0]
    assert scene.body[0].angular_velocity == pytest.approx((0, 0, spin), abs=1e-12)
    heading = scene.body[0].orientation.matrix()[:, 0]
    assert np.arctan2(heading[1], heading[0]) == pytest.approx(1.4 + tilt, abs=1e-9)
    assert scene.sweep == before.sweep
    assert dock.notice.isHidden()  # the map still belongs to the scene
    # The way begins again at the cell: within what the needle turns in the first frames, 0.1 s at some rad/s.
    starts = pytest.approx(tilt, abs=0.5)
    qtbot.waitUntil(
        lambda: len(control.live_path.points[0]) > 3 and control.live_path.points[0][0] == starts, timeout=SOON
    )
    window.action_table["undo"].trigger()
    assert accepted(window, qtbot) == before


def test_a_map_is_computed_and_a_cell_is_opened_by_keyboard_alone(window: MainWindow, qtbot: QtBot) -> None:
    """F7, Tab to the button, Tab to the picture, arrow keys, Return; what a cell is stands below the picture."""
    window.activateWindow()
    window.view.surface.setFocus()
    press = lambda key: qtbot.keyClick(QApplication.focusWidget(), key)  # noqa: E731
    press(Qt.Key.Key_F7)
    qtbot.waitUntil(
        lambda: window.docks.dock("maps") is not None and window.docks.docks["maps"].widgets.run.isVisible(),
        timeout=SOON,
    )
    control, dock = window.docks.docks["maps"].controller, window.docks.docks["maps"].widgets
    tab_to(qtbot, dock.run)
    press(Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: control.maps.run is not None and control.maps.run.stage == "finished", timeout=START)
    qtbot.waitUntil(lambda: control.display.labels.size == control.maps.run.map.status.size, timeout=SOON)
    tab_to(qtbot, dock.view)
    reached: list[int] = []
    dock.view.cell_reached.connect(reached.append)
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Left, Qt.Key.Key_Left):
        press(key)
    across, up = (np.array(reached) // control.maps.run.map.shape[1], np.array(reached) % control.maps.run.map.shape[1])
    assert list(np.diff(across)) == [1, 0, -1, -1]
    assert list(np.diff(up)) == [0, 1, 0, 0]
    assert "rad/s" in dock.hover.text()
    press(Qt.Key.Key_Return)
    spin = control.maps.run.variation.values(np.array(reached[-1:]))[0][1]
    assert accepted(window, qtbot).body[0].angular_velocity == pytest.approx((0, 0, spin), abs=1e-12)
    settled = int(np.flatnonzero(control.maps.run.map.status.reshape(-1) == SETTLED)[0])
    qtbot.mouseMove(dock.view.viewport(), dock.view.position_of(settled).toPoint())
    qtbot.waitUntil(lambda: "captured" in dock.hover.text(), timeout=SOON)  # near a named magnet, before it rests


@pytest.mark.nightly
def test_arrow_keys_go_on_from_a_clicked_cell(window: MainWindow, qtbot: QtBot) -> None:
    """A click and the keys share one cell: Up goes to its neighbour, and starts no run at the middle of the map."""
    control, view = finished(window, qtbot), window.docks.docks["maps"].widgets.view
    cell = 10 * 2 + 7
    qtbot.mouseClick(view.viewport(), LEFT, pos=view.position_of(cell).toPoint())
    accepted(window, qtbot)
    with qtbot.waitSignal(view.cell_reached, timeout=SOON) as reached:
        qtbot.keyClick(view, Qt.Key.Key_Up)
    assert control.maps.run.map.shape[1] == 10
    assert reached.args == [cell + 1]


def tab_to(qtbot: QtBot, widget: QWidget) -> None:
    """Press Tab until a widget has the keyboard focus."""
    for _ in range(80):
        if QApplication.focusWidget() is widget:
            return
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    raise AssertionError(f"Tab does not reach {widget}")


@pytest.mark.nightly
def test_clicked_cells_end_as_the_map_says(window: MainWindow, qtbot: QtBot) -> None:
    control = finished(window, qtbot)
    made = control.maps.run.map
    certain = np.flatnonzero((np.array(made.status) != UNCERTAIN).reshape(-1))
    cells = np.random.default_rng(1).choice(certain, 12, replace=False)
    assert np.array_equal(ends_by_simulation(control, cells), made.label.reshape(-1)[cells])


@pytest.mark.nightly
def test_a_thousand_clicked_cells_end_as_the_map_says(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab(SCENE.replace("count = 12", "count = 40").replace("count = 10", "count = 30"))
    control = finished(window, qtbot)
    made = control.maps.run.map
    certain = np.flatnonzero((np.array(made.status) != UNCERTAIN).reshape(-1))
    assert len(certain) >= 1000
    cells = np.random.default_rng(1).choice(certain, 1000, replace=False)
    assert np.array_equal(ends_by_simulation(control, cells), made.label.reshape(-1)[cells])


def wheel(window: MainWindow, where: QPoint, steps: int) -> None:
    """Turn the wheel over the map."""
    port = window.docks.docks["maps"].widgets.view.viewport()
    at, to = QPointF(where), QPointF(port.mapToGlobal(where))
    phase, none = Qt.ScrollPhase.NoScrollPhase, Qt.KeyboardModifier.NoModifier
    event = QWheelEvent(at, to, QPoint(), QPoint(0, 120 * steps), Qt.MouseButton.NoButton, none, phase, False)
    QApplication.sendEvent(port, event)


@pytest.mark.nightly
def test_the_wheel_zooms_about_the_pointer_and_computes_the_range_anew(window: MainWindow, qtbot: QtBot) -> None:
    control, view = finished(window, qtbot), window.docks.docks["maps"].widgets.view
    where = view.position_of(10 * 8 + 2).toPoint()
    fixed = view.plot.getViewBox().mapSceneToView(QPointF(where))
    wheel(window, where, 8)
    assert view.plot.getViewBox().mapSceneToView(QPointF(where)).x() == pytest.approx(fixed.x(), abs=1e-6)
    qtbot.waitUntil(lambda: control.maps.history.at == 1, timeout=SOON)
    qtbot.waitUntil(lambda: control.maps.run.stage == "finished", timeout=START)
    low, high = control.maps.run.settings.axes[0].range
    assert -3 < low < fixed.x() < high < 3
    assert control.maps.run.map.shape == (12, 10)
    assert window.session.scene.sweep[0].axes[0].range == (-3, 3)  # a zoom is no edit
    click(qtbot, window.docks.docks["maps"].widgets.tools["earlier"])
    assert control.maps.history.at == 0
    assert view.visible_range[0] < -3
    click(qtbot, window.docks.docks["maps"].widgets.tools["later"])
    assert control.maps.history.at == 1


def test_a_map_is_paused_goes_on_and_is_discarded(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab(SCENE.replace("count = 12", "count = 120").replace("count = 10", "count = 100"))
    control, dock = controller_of(window, qtbot), window.docks.docks["maps"].widgets
    click(qtbot, dock.run)
    qtbot.waitUntil(lambda: control.maps.run.has_begun and dock.run.text() == "Pause", timeout=START)
    click(qtbot, dock.run)
    qtbot.waitUntil(lambda: control.maps.run.stage == "paused", timeout=SOON)
    run = control.maps.run
    done = np.array(run.map.status)
    assert 0 < (done != PENDING).sum() < done.size
    qtbot.wait(300)
    assert np.array_equal(done, run.map.status)
    assert dock.run.text() == "Continue"
    click(qtbot, dock.run)
    qtbot.waitUntil(lambda: (run.map.status != PENDING).sum() > (done != PENDING).sum(), timeout=SOON)
    assert np.array_equal(run.map.status[done != PENDING], done[done != PENDING])
    click(qtbot, dock.cancel)
    assert control.maps.run is None
    assert not run.path.exists()


def test_a_second_click_at_the_place_of_compute_does_not_discard_the_map(
    lab: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = lab(SCENE.replace("count = 12", "count = 300").replace("count = 10", "count = 300"))
    control, dock = controller_of(window, qtbot), window.docks.docks["maps"].widgets
    where = dock.run.geometry().center()
    click(qtbot, dock.run)
    qtbot.waitUntil(lambda: control.maps.run is not None and dock.cancel.isVisible(), timeout=START)
    qtbot.waitUntil(lambda: dock.run.geometry().contains(where), timeout=SOON)
    assert not dock.cancel.geometry().contains(where)
    assert dock.run.nextInFocusChain() is dock.cancel
    click(qtbot, dock.cancel)


@pytest.mark.nightly
def test_a_map_outlives_the_process_that_computes_it(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab(SCENE.replace("count = 12", "count = 120").replace("count = 10", "count = 100"))
    control, dock = controller_of(window, qtbot), window.docks.docks["maps"].widgets
    click(qtbot, dock.run)
    qtbot.waitUntil(lambda: control.maps.run.has_begun, timeout=START)
    run = control.maps.run
    seen = int((run.map.status != PENDING).sum())
    os.kill(control.maps.process.number, signal.SIGKILL)
    qtbot.waitUntil(lambda: run.stage == "refused", timeout=SOON)
    assert Meaning("", "ended").of(dock.error.text())
    assert (read_map(run.path).map.status != PENDING).sum() >= seen
    click(qtbot, dock.run)
    qtbot.waitUntil(lambda: (run.map.status != PENDING).sum() > seen and run.stage == "running", timeout=START)


@pytest.mark.nightly
def test_a_saved_map_is_opened_with_its_scene(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    control = finished(window, qtbot)
    label = np.array(control.maps.run.map.label)
    control.maps.save(tmp_path / "needle.h5")
    window.files.new()
    qtbot.waitUntil(lambda: window.session.document.scene.title == "", timeout=SOON)
    assert "another scene" in window.docks.docks["maps"].widgets.notice.text()
    window.files.open(tmp_path / "needle.h5")
    qtbot.waitUntil(lambda: window.session.document.scene.title == "needle", timeout=START)
    qtbot.waitUntil(lambda: window.docks.docks["maps"].widgets.notice.isHidden(), timeout=SOON)
    assert np.array_equal(control.maps.run.map.label, label)
    assert control.maps.run.stage == "finished"


@pytest.mark.nightly
def test_a_change_of_the_scene_keeps_the_map_and_says_so(window: MainWindow, qtbot: QtBot) -> None:
    control = finished(window, qtbot)
    scene = window.session.scene
    body = scene.body[0].model_copy(update={"friction": 5e-3})
    window.session.edit(scene.model_copy(update={"body": (body, *scene.body[1:])}))
    accepted(window, qtbot)
    qtbot.waitUntil(lambda: "another scene" in window.docks.docks["maps"].widgets.notice.text(), timeout=SOON)
    assert (control.maps.run.map.status == SETTLED).any()
    window.action_table["undo"].trigger()
    accepted(window, qtbot)
    qtbot.waitUntil(lambda: window.docks.docks["maps"].widgets.notice.isHidden(), timeout=SOON)


def test_a_field_of_the_inspector_becomes_an_axis(window: MainWindow, qtbot: QtBot) -> None:
    control, form = controller_of(window, qtbot), window.docks.docks["maps"].widgets.form
    inspect(window, "body", 0)
    row_of(window, "body[0].friction")
    labels = window.edit_actions.inspector.form.findChildren(FieldLabel)
    label = next(each for each in labels if each.path == parse_path("body[0].friction"))
    drop(form, label, form.rows[1].geometry().center())
    scene = accepted(window, qtbot)
    assert [axis.parameter for axis in scene.sweep[0].axes] == ["body[0].tilt[2]", "body[0].friction"]
    vector = next(each for each in labels if each.path == parse_path("body[0].angular_velocity"))
    drop(form, vector, form.rows[2].geometry().center())
    menu = form.findChild(QMenu)
    menu.actions()[2].trigger()
    menu.close()
    scene = accepted(window, qtbot)
    assert scene.sweep[0].axes[2].parameter == "body[0].angular_velocity[2]"
    window.action_table["undo"].trigger()
    window.action_table["undo"].trigger()
    assert len(accepted(window, qtbot).sweep[0].axes) == 2
    assert control.settings == window.session.scene.sweep[0]


def drop(form: object, label: FieldLabel, where: QPoint) -> None:
    """Drop what a drag of the label carries."""
    action, none = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    data = field_data(label.path)
    QApplication.sendEvent(form, QDragEnterEvent(where, action, data, LEFT, none))
    QApplication.sendEvent(form, QDropEvent(QPointF(where), action, data, LEFT, none, QEvent.Type.Drop))


def test_a_new_map_is_begun_by_the_keyboard(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab(SCENE[: SCENE.index("[[sweep]]")])
    controller_of(window, qtbot)
    form = window.docks.docks["maps"].widgets.form
    form.rows[0].parameter.setFocus()
    qtbot.keyClick(form.rows[0].parameter, Qt.Key.Key_Space)
    dialog = window.docks.docks["maps"].findChild(ParameterChooser)
    assert isinstance(dialog, QDialog)
    qtbot.keyClicks(dialog.search, "tilt[2]")
    qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    scene = accepted(window, qtbot)
    assert [axis.parameter for axis in scene.sweep[0].axes] == ["body[0].tilt[2]"]
    assert window.docks.docks["maps"].widgets.sweeps.currentText() == scene.sweep[0].name


ONE_AXIS = SCENE.replace('    { parameter = "body[0].angular_velocity[2]", range = [-6, 6], count = 10 },\n', "")
SPIN = 'quantity = "needle.angular_velocity.z"'


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("outcome", "points"),
    [
        ('kind = "attractor", near = ["east", "west"]', 12),
        (f'kind = "final", {SPIN}', 12),
        (f'kind = "section", {SPIN}, period = 0.5, points = 3', 36),
    ],
    ids=["attractor", "final", "section"],
)
def test_a_map_of_one_axis_is_drawn_as_points(
    lab: Callable[..., MainWindow], qtbot: QtBot, outcome: str, points: int
) -> None:
    window = lab(ONE_AXIS.replace('kind = "attractor", near = ["east", "west"]', outcome))
    control = finished(window, qtbot)
    view, made = window.docks.docks["maps"].widgets.view, control.maps.run.map
    qtbot.waitUntil(lambda: len(view.curve.getData()[0] if view.curve.getData()[0] is not None else ()) == points)
    xs, ys = view.curve.getData()
    np.testing.assert_allclose(np.unique(xs), np.linspace(-3, 3, 12), atol=1e-12)
    drawn = [point.brush().color().name() for point in view.curve.scatter.points()]
    if made.sweep.outcome.kind == "attractor":
        assert np.array_equal(ys, made.label + 1)
        assert drawn == [COLORS[label].lower() for label in made.label.tolist()]
    assert len(drawn) == points
    assert all(point.isVisible() for point in view.curve.scatter.points())


@pytest.mark.nightly
def test_a_map_of_one_axis_shows_no_way_of_the_map_before_it(window: MainWindow, qtbot: QtBot) -> None:
    """Its vertical axis counts attractors: a way over the second axis of another map says nothing there."""
    control, dock = finished(window, qtbot), window.docks.docks["maps"].widgets
    window.session.play(True)
    qtbot.waitUntil(lambda: len(dock.view.path_points[0]) > 3, timeout=SOON)
    sweep = window.session.scene.sweep[0]
    one = sweep.model_copy(update={"axes": sweep.axes[:1]})
    window.session.edit(window.session.scene.model_copy(update={"sweep": (one,)}))
    accepted(window, qtbot)
    click(qtbot, dock.run)
    qtbot.waitUntil(
        lambda: len(control.maps.run.map.shape) == 1 and control.maps.run.stage == "finished", timeout=START
    )
    assert len(dock.view.path_points[0]) == 0


def test_the_form_of_a_long_name_is_not_cut_at_the_right(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab(gallery.path("driven_compass"))
    window.resize(1180, 700)
    controller_of(window, qtbot)
    form = window.docks.docks["maps"].widgets.form
    qtbot.waitUntil(lambda: "angular frequency" in form.rows[0].parameter.text(), timeout=SOON)
    qtbot.waitUntil(lambda: 0 < form.width() <= form.parentWidget().width(), timeout=SOON)
    assert "angular frequency" in form.rows[0].parameter.toolTip()


@pytest.mark.nightly
def test_a_wrong_range_is_refused_with_rule_and_remedy(window: MainWindow, qtbot: QtBot) -> None:
    control, form = controller_of(window, qtbot), window.docks.docks["maps"].widgets.form
    box = form.rows[0].last
    click(qtbot, box.lineEdit())
    box.lineEdit().selectAll()
    qtbot.keyClicks(box.lineEdit(), "-3")
    qtbot.keyClick(box.lineEdit(), Qt.Key.Key_Return)
    assert Meaning("", "ends", value=-3).of(form.error.text())
    assert accepted(window, qtbot).sweep[0].axes[0].range == (-3, 3)
    assert box.value() == 3
    assert control.settings is not None
