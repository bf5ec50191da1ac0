"""The editor of paths in the real window, with real events of mouse and keys, on a virtual screen."""

from __future__ import annotations

import os

import numpy as np
import pytest
from gui import LEFT, SOON, accepted, next_frame, seen_at, send, type_in
from PySide6.QtCore import QEvent, QPointF, Qt
from pytestqt.qtbot import QtBot

from polhode.physics.paths.path_geometry import point_on_path, points_on, polyline
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode_app.docks.paths.path_dock import PathDock
from polhode_app.edit.add_menu import ADDITIONS
from polhode_app.edit.paths import KINDS, bead_of, of_kind, with_path, with_point_after
from polhode_app.main_window import MainWindow
from polhode_app.window.widgets.spin_box import SpinBox

pytestmark = pytest.mark.new_window  # a dock keeps what a test has set

POINTS = [[-0.6, 0, 0.8], [-0.3, 0, 0.3], [0, 0, 0.5], [0.3, 0, 0.3], [0.6, 0, 0.8]]
SCENE = f"""
format = 1
title = "Two beads"
[[bead]]
name = "coaster"
radius = 0.04
parameter = 0.3
path = {{ kind = "spline", points = {POINTS} }}
[[bead]]
name = "typed"
radius = 0.04
parameter = 0.1
path = {{ kind = "formula", x = "q", y = "0.5", z = "0.5 + q^2", range = [-0.6, 0.6] }}
"""


def opened(window: MainWindow, qtbot: QtBot) -> PathDock:
    qtbot.keyClick(window, Qt.Key.Key_E)
    assert window.docks.dock("path") is not None
    qtbot.waitUntil(lambda: window.docks.docks["path"].isVisible() and not window.session.is_pending, timeout=SOON)
    qtbot.wait(200)  # the view has its new size
    next_frame(window.view, qtbot)
    return window.docks.docks["path"]


def keep(window: MainWindow, qtbot: QtBot, name: str) -> None:
    """Save a picture of the window in the folder that POLHODE_PICTURES names, for inspection by eye."""
    qtbot.wait(150)
    if folder := os.environ.get("POLHODE_PICTURES"):
        window.screen().grabWindow(window.winId()).save(f"{folder}/{name}.png")


@pytest.mark.nightly
def test_a_point_is_dragged_while_the_bead_goes_on_and_one_undo_takes_it_back(window: MainWindow, qtbot: QtBot) -> None:
    opened(window, qtbot)
    before = window.session.document
    camera = window.view.plotter.renderer.GetActiveCamera().GetPosition()
    steps = window.session.frame.snapshot.step
    at = seen_at(window, np.array(POINTS[2]))
    send(window, QEvent.Type.MouseButtonPress, at)
    for step in range(1, 13):
        send(window, QEvent.Type.MouseMove, at + QPointF(0, -4 * step))
        qtbot.wait(30)
        if step == 10:
            keep(window, qtbot, "drag")
    expected = window.view.ray_at(at + QPointF(0, -48)).on_plane(np.array(POINTS[2]))
    send(window, QEvent.Type.MouseButtonRelease, at + QPointF(0, -48))
    scene = accepted(window, qtbot)
    moved = np.array(scene.bead[0].path.points)
    # Places are rounded to 1 mm; the press is at a whole pixel, the point between pixels.
    assert moved[2] == pytest.approx(expected, abs=3e-3)
    assert np.delete(moved, 2, axis=0) == pytest.approx(np.delete(np.array(POINTS), 2, axis=0))
    assert window.session.document.undo == (*before.undo, before.scene)
    assert window.session.frame.snapshot.step > steps  # it continues, and not from its start
    assert window.view.plotter.renderer.GetActiveCamera().GetPosition() == pytest.approx(camera, abs=1e-9)  # rounding
    window.action_table["undo"].trigger()
    assert accepted(window, qtbot) == before.scene
    window.action_table["redo"].trigger()
    assert np.array(accepted(window, qtbot).bead[0].path.points) == pytest.approx(moved)


@pytest.mark.nightly
def test_where_no_bead_is_chosen_the_dock_stays_with_its_own(window: MainWindow, qtbot: QtBot) -> None:
    window.session.select(())
    dock = opened(window, qtbot)
    assert dock.bead.currentText() == "coaster"
    window.session.select(("bead", 1))
    window.session.select(())
    assert dock.bead.currentText() == "typed"


def test_a_formula_is_seen_while_it_is_typed_and_entered_by_return(window: MainWindow, qtbot: QtBot) -> None:
    dock = opened(window, qtbot)
    dock.choose("typed")
    (field,) = dock.form.fields["z"]
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "0.5 + sin(3*q")
    assert field.text() == "0.5 + sin(3*q"  # none of its letters is the window's
    assert "column" in dock.form.problem_labels["z"].text()
    assert dock.draft is None
    keep(window, qtbot, "wrong")
    qtbot.keyClicks(field, ")^2")
    assert dock.form.problem_labels["z"].isHidden()
    assert dock.draft is not None
    keep(window, qtbot, "preview")
    assert window.session.document.scene.bead[1].path.z == "0.5 + q^2"
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert accepted(window, qtbot).bead[1].path.z == "0.5 + sin(3*q)^2"
    assert len(window.session.document.undo) == 1
    qtbot.waitUntil(lambda: window.session.frame is not None, timeout=SOON)
    field.setFocus()
    qtbot.keyClicks(field, "x")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == "0.5 + sin(3*q)^2"
    assert dock.draft is None
    assert len(window.session.document.undo) == 1


def test_numbers_that_nobody_typed_keep_all_their_digits(window: MainWindow, qtbot: QtBot) -> None:
    dock = opened(window, qtbot)
    dock.kind.activated.emit(KINDS.index("formula"))  # of the coaster
    exact = accepted(window, qtbot).bead[0].path.range
    dock.apply_path({**dock.form.table(), "range": [-np.pi / 7, 2 * np.pi]})
    assert accepted(window, qtbot).bead[0].path.range == (-np.pi / 7, 2 * np.pi) != exact
    type_in(qtbot, dock.form.fields["y"][0], "0.1*sin(q)")
    path = accepted(window, qtbot).bead[0].path
    assert (path.y, path.range) == ("0.1*sin(q)", (-np.pi / 7, 2 * np.pi))
    type_in(qtbot, dock.form.fields["range"][0], "-pi/3")
    assert accepted(window, qtbot).bead[0].path.range == (-np.pi / 3, 2 * np.pi)


def test_a_point_of_which_one_number_is_typed_keeps_the_others(window: MainWindow, qtbot: QtBot) -> None:
    dock = opened(window, qtbot)
    points = [[x + 1 / 7, y, z] for x, y, z in POINTS]
    dock.apply_path({**dock.form.table(), "points": points})
    assert accepted(window, qtbot).bead[0].path.points[2] == (1 / 7, 0, 0.5)
    dock.points.item(2, 2).setText("0.51234567")
    assert accepted(window, qtbot).bead[0].path.points[2] == (1 / 7, 0, 0.51234567)


def test_return_in_a_box_that_nobody_typed_in_keeps_all_its_digits(qtbot: QtBot) -> None:
    box = SpinBox(0.0, 1e5, "ms", 6)
    qtbot.addWidget(box)
    box.show()
    box.setValue(1000 / 240)
    seen: list[float] = []
    box.valueChanged.connect(seen.append)
    qtbot.mouseClick(box.lineEdit(), LEFT)
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert seen == []
    assert box.value() == 4.166667
    qtbot.mouseClick(box.lineEdit(), LEFT)
    box.selectAll()
    qtbot.keyClicks(box, "4.1667")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert seen == [4.1667]


def test_bad_numbers_are_said_at_their_fields_and_change_nothing(window: MainWindow, qtbot: QtBot) -> None:
    dock = opened(window, qtbot)
    dock.choose("typed")
    scene = window.session.document.scene
    first, last = dock.form.fields["range"]
    for text, said in (("2*pie", "did you mean 'pi'"), ("-5", "is empty"), ("1/0", "")):
        last.setFocus()
        last.selectAll()
        qtbot.keyClicks(last, text)
        qtbot.keyClick(last, Qt.Key.Key_Return)
        words = dock.form.problem_labels["range"].text() + dock.error_label.text()
        assert said in words
        assert words
    assert first.text() == "-0.6"
    assert accepted(window, qtbot) is scene


@pytest.mark.nightly
def test_what_is_said_is_seen_whole_where_there_is_little_room(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1366, 700)
    window.action_table["inspector"].setChecked(True)
    dock = opened(window, qtbot)
    dock.choose("typed")
    qtbot.waitUntil(lambda: dock.form.fields["x"][0].isVisible(), timeout=SOON)
    for name in "xyz":
        type_in(qtbot, dock.form.fields[name][0], "0.1 cos(q)")
    words = [dock.form.problem_labels[name] for name in "xyz"]
    assert [each.isVisible() for each in words] == [True, True, True]
    assert words[1].heightForWidth(words[1].width()) > 1.5 * words[1].fontMetrics().height()  # two lines
    qtbot.waitUntil(lambda: all(each.height() >= each.heightForWidth(each.width()) for each in words), timeout=SOON)
    keep(window, qtbot, "uncut")


@pytest.mark.nightly
def test_every_kind_takes_the_place_of_every_other(window: MainWindow, qtbot: QtBot) -> None:
    dock = opened(window, qtbot)
    for row, kind in enumerate(KINDS):
        dock.kind.activated.emit(row)
        assert accepted(window, qtbot).bead[0].path.kind == kind
        assert dock.error_label.isHidden()
    keep(window, qtbot, "kinds")


def test_points_are_typed_added_and_removed(window: MainWindow, qtbot: QtBot) -> None:
    dock = opened(window, qtbot)
    dock.points.select_row(1)
    qtbot.mouseClick(dock.add, LEFT)
    scene = accepted(window, qtbot)
    assert len(scene.bead[0].path.points) == 6
    dock.points.item(2, 1).setText("0.1*2")
    assert accepted(window, qtbot).bead[0].path.points[2][1] == pytest.approx(0.2)
    dock.points.select_row(2)
    qtbot.mouseClick(dock.remove, LEFT)
    assert np.array(accepted(window, qtbot).bead[0].path.points) == pytest.approx(np.array(POINTS))
    dock.points.item(1, 0).setText("-0.6")
    dock.points.item(1, 2).setText("0.8")  # where another one is
    assert "coincide" in dock.error_label.text()
    assert len(accepted(window, qtbot).bead[0].path.points) == 5


def test_a_bead_is_added_and_its_path_opened(window: MainWindow, qtbot: QtBot) -> None:
    (addition,) = [each for each in ADDITIONS[""] if each.key == "bead"]
    window.edit_actions.adding.add(addition)
    window.action_table["path"].setChecked(True)
    scene = accepted(window, qtbot)
    assert [bead.name for bead in scene.bead] == ["coaster", "typed", "bead"]
    assert window.docks.dock("path") is not None
    assert window.docks.docks["path"].bead.currentText() == "bead"
    assert window.docks.docks["path"].kind.currentText() == "circle"
    keep(window, qtbot, "added")


# Without a window


def scene_with(path: dict[str, object], **more: object) -> Scene:
    return Scene.model_validate({"bead": [{"name": "a", "path": path, **more}]})


@pytest.mark.parametrize("kind", KINDS)
def test_a_path_of_another_kind_is_where_the_old_one_was(kind: str) -> None:
    old = scene_with({"kind": "circle", "radius": 0.3, "center": [1, 2, 3], "normal": [1, 0.2, 0]})
    made = with_path(old, 0, of_kind(kind, old.bead[0].path)).bead[0].path
    places = polyline(made)
    assert np.abs(places.mean(axis=0) - [1, 2, 3]).max() < 0.5
    assert 0.1 < np.ptp(places, axis=0).max() < 2.0
    if kind == "formula":
        q = np.linspace(0, 6, 50)
        assert points_on(made, q) == pytest.approx(points_on(old.bead[0].path, q), abs=1e-5)


def test_a_new_point_is_on_the_curve() -> None:
    spline = scene_with({"kind": "spline", "points": POINTS}).bead[0].path
    points = with_point_after(spline, 1)
    knots = np.cumsum([0, *spline.distances()])
    assert points[2] == pytest.approx(point_on_path(spline, (knots[1] + knots[2]) / 2), abs=1e-5)
    assert with_point_after(spline, 4)[5] == pytest.approx((0.9, 0, 1.3))


def test_problems_are_named_as_the_bead_has_them() -> None:
    scene = scene_with({"kind": "circle", "radius": 0.3})
    with pytest.raises(InputError) as raised:
        bead_of(scene, 0, path={"kind": "formula", "x": "cos(q) + foo", "range": [0, 1]})
    assert [problem.place for problem in raised.value.problems] == ["path.x"]
    assert "column 10" in raised.value.problems[0].rule


def test_a_bead_starts_on_the_path_that_it_gets() -> None:
    scene = scene_with({"kind": "line", "start": [0, 0, 0], "end": [5, 0, 0]}, parameter=4.0)
    bead = with_path(scene, 0, {"kind": "line", "start": [0, 0, 0], "end": [0, 0, 2]}).bead[0]
    assert bead.parameter == 0.5


def test_a_bead_goes_on_over_an_edit_of_its_path() -> None:
    simulation = Simulation(scene_with({"kind": "spline", "points": POINTS}, parameter=0.3))
    simulation.advance(0.2)
    before = simulation.snapshot().beads
    lower = [[x, y, z - 0.1 * (k == 4)] for k, (x, y, z) in enumerate(POINTS)]
    edited = with_path(simulation.scene, 0, {"kind": "spline", "points": lower})
    simulation.load(edited)
    after = simulation.snapshot().beads
    knots = np.cumsum([0, *edited.bead[0].path.distances()])
    assert before.parameter[0] < knots[3]
    assert after.parameter == pytest.approx(before.parameter)  # the points up to there have not moved
    assert after.speed == pytest.approx(before.speed)
    simulation.load(with_path(edited, 0, of_kind("circle", edited.bead[0].path)))
    assert simulation.snapshot().beads.speed[0] == 0  # another kind starts at rest
    ring = scene_with({"kind": "circle", "radius": 0.3}, parameter=1.0, speed=5.0)
    simulation = Simulation(ring)
    simulation.advance(1.0)
    before = simulation.snapshot().beads
    simulation.load(with_path(ring, 0, {"kind": "circle", "radius": 0.4}))
    assert simulation.snapshot().beads.parameter == pytest.approx(before.parameter)
