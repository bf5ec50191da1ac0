"""The dock of measured data in the real window, from dropping a file to the report, with real events."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gui import LEFT, SOON, START, accepted, click, inspect, row_of, type_in
from made_data import FALL, PENDULUM, write_swing
from made_data import swing as made_swing
from meaning import Meaning
from measured_window import compared, drop, opened, type_name, type_quantity
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from polhode.scene.fields import parse_path
from polhode.scene.problem import InputError
from polhode_app.cli.main import main
from polhode_app.data.measured.fit_run import Progress
from polhode_app.data.measured.fitted_scene import BEFORE
from polhode_app.docks.inspector.field_drag import field_data
from polhode_app.docks.inspector.parameter_chooser import ParameterChooser
from polhode_app.main_window import MainWindow
from polhode_app.window.widgets.data_drag import DataLabel, column_data

pytestmark = pytest.mark.new_window  # a dock keeps what a test has set

SCENE = PENDULUM.format(gravity=9.4, friction=0.004, angle=1.2)
RATE = "bob.angular_velocity.y"


@pytest.fixture
def swing(tmp_path: Path) -> Path:
    path = tmp_path / "swing.csv"
    write_swing(path)
    return path


def test_from_dropping_a_file_to_the_report(window: MainWindow, qtbot: QtBot, swing: Path, tmp_path: Path) -> None:
    """Noise 0.01 rad/s, seed 1: friction 0.002 and gravity 9.81 are within their intervals."""
    opened(window, qtbot, swing)
    dock, before = window.docks.docks["measured"], window.session.document.scene
    assert dock.isVisible()
    assert list(dock.data_tab.rows) == ["w", "x", "z"]
    type_quantity(window, qtbot, "w", "angular velocity y")
    assert dock.data.layer.mapping == {"w": RATE}
    compared(window, qtbot)
    assert "rms" in dock.data_tab.rows["w"].state.text()
    assert np.abs(dock.data.comparison.residuals("w")).max() > 0.2  # the scene is another one than what was measured
    qtbot.mouseClick(dock.tabs.tabBar(), LEFT, pos=dock.tabs.tabBar().tabRect(1).center())
    inspect(window, "body", 0)
    row_of(window, "body[0].friction")
    drop(dock.fit_tab, field_data(parse_path("body[0].friction")))
    assert list(dock.fit.unknowns.bounds) == ["body[0].friction"]
    choose_unknown(window, qtbot, "world.gravity[2]")
    qtbot.waitUntil(dock.fit_tab.fit.isEnabled, timeout=START)
    assert "determine all unknowns" in dock.fit_tab.determination.text()
    click(qtbot, dock.fit_tab.fit)
    assert dock.fit.is_busy
    qtbot.waitUntil(lambda: dock.fit.result is not None, timeout=START)
    found = dock.fit.result
    assert found.estimate("body[0].friction").low < 0.002 < found.estimate("body[0].friction").high
    assert found.estimate("world.gravity[2]").low < -9.81 < found.estimate("world.gravity[2]").high
    assert dock.fit_tab.table.rowCount() == 2
    qtbot.waitUntil(dock.fit_tab.apply.isVisible, timeout=SOON)
    click(qtbot, dock.fit_tab.apply)
    scene = accepted(window, qtbot)
    assert scene.body[0].friction == found.estimate("body[0].friction").value
    assert scene.ghost[0].name == BEFORE
    assert {each.parameter: each.value for each in scene.ghost[0].values} == {
        "body[0].friction": 0.004,
        "world.gravity[2]": -9.4,
    }
    qtbot.waitUntil(lambda: window.session.frame is not None and len(window.session.frame.ghosts) == 1, timeout=SOON)
    compared(window, qtbot)
    assert np.sqrt(np.mean(dock.data.comparison.residuals("w") ** 2)) == pytest.approx(0.01, rel=0.2)
    report = tmp_path / "report.pdf"
    dock.fit.write_report(report)
    qtbot.waitUntil(report.exists, timeout=SOON)
    window.action_table["undo"].trigger()
    assert accepted(window, qtbot) == before


def choose_unknown(window: MainWindow, qtbot: QtBot, name: str) -> None:
    """Choose a number of the searchable list, by keys."""
    click(qtbot, window.docks.docks["measured"].fit_tab.choose)
    qtbot.waitUntil(
        lambda: any(isinstance(each, ParameterChooser) for each in window.findChildren(QDialog)), timeout=SOON
    )
    dialog = next(each for each in window.findChildren(QDialog) if isinstance(each, ParameterChooser))
    qtbot.keyClicks(dialog.search, name)
    qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: name in window.docks.docks["measured"].fit.unknowns.bounds, timeout=SOON)


@pytest.mark.nightly
def test_places_are_drawn_in_the_view_and_in_the_plots(window: MainWindow, qtbot: QtBot, swing: Path) -> None:
    opened(window, qtbot, swing)
    data, dock = window.docks.docks["measured"].data, window.docks.docks["measured"]
    window.action_table["plots"].setChecked(True)
    plots = window.docks.docks["plots"]
    qtbot.waitUntil(lambda: plots is not None and len(plots.list.model.names) > 0, timeout=SOON)
    names = [name for name in data._known() if ".point[" in name and "along" not in name]
    assert len(names) == 3  # the centre of mass, which is not the pivot
    for column, name in (("x", names[0]), ("z", names[2])):
        data.assign(column, name)
    view = plots.list.view
    plots.list.search.setText("angular_velocity.y")
    label = dock.data_tab.rows["w"].name
    assert isinstance(label, DataLabel)
    index = plots.list.proxy.index(0, 0)
    drop(view.viewport(), column_data(label.name), view.visualRect(index).center())
    assert data.layer.mapping["w"] == RATE
    compared(window, qtbot)
    qtbot.waitUntil(lambda: data._tracks is not None and data._tracks.is_shown, timeout=SOON)
    track = next(iter(data.comparison.tracks().values()))
    assert track.shape == (201, 3)
    assert np.hypot(track[:, 0], track[:, 2]) == pytest.approx(0.5, abs=0.012)  # noise of 2 mm
    assert track[:, 1] == pytest.approx(0.0, abs=1e-9)  # not measured: that of the run
    qtbot.waitUntil(lambda: RATE in plots.time_plot.marks, timeout=SOON)
    times, values = plots.time_plot.marks[RATE].getData()
    assert len(times) > 0
    assert np.abs(values).max() < 8.0  # rad/s: converted from deg/s


@pytest.mark.nightly
def test_what_was_measured_is_shown_again_after_the_run_is_past_it(
    window: MainWindow, qtbot: QtBot, swing: Path
) -> None:
    opened(window, qtbot, swing)
    data = window.docks.docks["measured"].data
    window.action_table["plots"].setChecked(True)
    data.assign("w", RATE)
    type_in(qtbot, window.docks.docks["measured"].data_tab.offset, "-9")  # the data begin before the run
    compared(window, qtbot)
    plots = window.docks.docks["plots"]
    window.session.set_speed(20.0)
    qtbot.waitUntil(lambda: plots.store.span is not None and plots.store.span[1] > 60.0, timeout=SOON)
    data.plot()
    begin, end = plots.time_plot.span
    times = data.layer.times
    assert not plots.follow.isChecked()
    assert begin <= times[0] < times[-1] <= end
    assert end - begin < 1.2 * (times[-1] - times[0])  # not a sliver beside the whole run
    qtbot.waitUntil(lambda: len(plots.time_plot.marks[RATE].getData()[0]) > 50, timeout=SOON)


def test_plot_shows_data_that_the_run_has_not_reached(window: MainWindow, qtbot: QtBot, swing: Path) -> None:
    opened(window, qtbot, swing)
    dock = window.docks.docks["measured"]
    dock.data.assign("w", RATE)
    type_in(qtbot, dock.data_tab.offset, "500")
    qtbot.waitUntil(lambda: dock.data.layer.times[0] > 400.0, timeout=SOON)
    qtbot.waitUntil(dock.data_tab.plot.isVisible, timeout=SOON)
    click(qtbot, dock.data_tab.plot)
    qtbot.waitUntil(lambda: window.docks.dock("plots") is not None, timeout=SOON)
    plots, times = window.docks.docks["plots"], dock.data.layer.times
    qtbot.waitUntil(lambda: RATE in plots.time_plot.marks, timeout=SOON)
    qtbot.waitUntil(lambda: (plots.time_plot.span or (0, 0))[1] > times[-1], timeout=SOON)
    assert plots.time_plot.span[0] <= times[0]
    assert not plots.follow.isChecked()
    qtbot.waitUntil(lambda: len(plots.time_plot.marks[RATE].getData()[0]) > 50, timeout=SOON)


@pytest.mark.nightly
def test_offsets_units_and_smoothing_act_at_once(window: MainWindow, qtbot: QtBot, swing: Path) -> None:
    opened(window, qtbot, swing)
    data, dock = window.docks.docks["measured"].data, window.docks.docks["measured"]
    data.assign("w", RATE)
    compared(window, qtbot)
    before = data.comparison.residuals("w")
    type_in(qtbot, dock.data_tab.rows["w"].offset, "0.5")
    compared(window, qtbot)
    assert data.comparison.residuals("w") == pytest.approx(before - 0.5)
    type_in(qtbot, dock.data_tab.offset, "-1")
    compared(window, qtbot)
    assert len(data.comparison.residuals("w")) == 151  # the first second comes before the run
    type_in(qtbot, dock.data_tab.smoothing, "0.2")
    assert data.layer.smoothing == 0.2
    series = data.layer.series()[RATE][1]
    assert np.abs(np.diff(series, 2)).mean() < 0.75 * np.abs(np.diff(data.layer.measured("w"), 2)).mean()
    row = dock.data_tab.rows["w"]
    row.unit.setCurrentText("rad/s")
    row.unit.activated.emit(row.unit.currentIndex())
    qtbot.waitUntil(lambda: np.abs(data.layer.measured("w")).max() > 100, timeout=SOON)


@pytest.mark.nightly
def test_what_the_data_leave_open_is_told_before_the_fit(window: MainWindow, qtbot: QtBot, swing: Path) -> None:
    opened(window, qtbot, swing)
    window.docks.docks["measured"].data.assign("w", RATE)
    for name in ("body[0].friction", "body[0].shape[0].mass"):
        window.docks.docks["measured"].fit.free(name)
    tab = window.docks.docks["measured"].fit_tab
    qtbot.waitUntil(lambda: "ratio" in tab.determination.text(), timeout=START)
    assert not tab.fit.isEnabled()
    line = next(line for line in tab.determination.text().splitlines() if "ratio" in line)
    assert Meaning("", "ratio", one="bob: friction", other="bob: shapes 1 mass").of(line)
    further = Meaning("", "measure", name="bob: shapes 1 mass")
    qtbot.waitUntil(lambda: further.of(tab.determination.text()), timeout=START)
    assert "--" not in tab.determination.text()  # no option of the command line


def fitted(window: MainWindow, qtbot: QtBot, swing: Path) -> None:
    """Fit friction and gravity, with the tab of the fit in front."""
    opened(window, qtbot, swing)
    dock = window.docks.docks["measured"]
    dock.data.assign("w", RATE)
    for name in ("body[0].friction", "world.gravity[2]"):
        dock.fit.free(name)
    dock.tabs.setCurrentIndex(1)
    qtbot.waitUntil(dock.fit_tab.fit.isEnabled, timeout=START)
    click(qtbot, dock.fit_tab.fit)
    qtbot.waitUntil(lambda: dock.fit.result is not None, timeout=START)


@pytest.mark.nightly
def test_the_profile_of_an_unknown_is_computed_and_drawn(
    window: MainWindow, qtbot: QtBot, swing: Path, tmp_path: Path
) -> None:
    """By the menu of its row, and by keys; the report has it too."""
    fitted(window, qtbot, swing)
    dock = window.docks.docks["measured"]
    tab = dock.fit_tab
    box, estimate = tab.profile, dock.fit.result.estimate("world.gravity[2]")
    qtbot.waitUntil(box.button.isVisible, timeout=SOON)
    assert not box.picture.isVisible()
    tab.table.customContextMenuRequested.emit(tab.table.visualItemRect(tab.table.item(1, 0)).center())
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None, timeout=SOON)
    menu = QApplication.activePopupWidget()
    qtbot.keyClick(menu, Qt.Key.Key_Down)
    qtbot.keyClick(menu, Qt.Key.Key_Return)
    qtbot.waitUntil(box.picture.isVisible, timeout=START)
    assert box.unknown.currentData() == "world.gravity[2]"
    (curve,) = dock.fit.profiles.curves
    assert curve.interval == pytest.approx((estimate.low, estimate.high), abs=0.05 * estimate.error)
    points = box.picture.points()
    assert points.shape == (13, 2)
    assert np.argmax(points[:, 1]) == 6  # downwards: the least rise is in the middle
    assert points.min() >= 0
    assert (points.max(axis=0) <= (box.picture.width(), box.picture.height())).all()
    assert f"{curve.interval[0]:.6g}" in box.state.text()
    box.unknown.setCurrentIndex(0)
    assert not box.picture.isVisible()
    report = tmp_path / "report.html"
    dock.fit.write_report(report)
    qtbot.waitUntil(report.exists, timeout=SOON)
    assert report.read_text("utf-8").count("data:image/png") == 2


@pytest.mark.nightly
def test_a_profile_can_be_cancelled(window: MainWindow, qtbot: QtBot, swing: Path) -> None:
    fitted(window, qtbot, swing)
    dock = window.docks.docks["measured"]
    box = dock.fit_tab.profile
    qtbot.waitUntil(box.button.isVisible, timeout=SOON)
    click(qtbot, box.button)
    qtbot.waitUntil(box.cancel.isVisible, timeout=SOON)
    click(qtbot, box.cancel)
    qtbot.waitUntil(lambda: not dock.fit.profiles.is_busy and not box.cancel.isVisible(), timeout=SOON)
    assert dock.fit.profiles.curves == []
    assert box.button.isEnabled()


@pytest.mark.nightly
def test_a_wrong_unit_is_mended_by_one_click(window: MainWindow, qtbot: QtBot, swing: Path) -> None:
    """Millimetres without a unit in the heading; another unit takes it back."""
    swing.write_text(swing.read_text().replace("x (mm)", "x").replace("w (deg/s)", "w"))
    opened(window, qtbot, swing)
    data, dock = window.docks.docks["measured"].data, window.docks.docks["measured"]
    data.assign("x", next(name for name in data._known() if ".point[" in name))
    compared(window, qtbot)
    row = dock.data_tab.rows["x"]
    qtbot.waitUntil(row.mend.isVisible, timeout=SOON)
    assert row.mend.text() == "Read it in mm"
    click(qtbot, row.mend)
    qtbot.waitUntil(lambda: data.layer.data.column("x").stated == "mm", timeout=SOON)
    compared(window, qtbot)
    row = dock.data_tab.rows["x"]
    assert not row.mend.isVisible()
    assert np.abs(data.comparison.residuals("x")).max() < 1.0
    row.unit.setCurrentText("m")
    row.unit.activated.emit(row.unit.currentIndex())
    qtbot.waitUntil(lambda: data.layer.data.column("x").stated == "m", timeout=SOON)
    compared(window, qtbot)
    qtbot.waitUntil(lambda: dock.data_tab.rows["x"].mend.isVisible(), timeout=SOON)


@pytest.mark.nightly
def test_a_wrong_scale_is_mended_by_one_click(window: MainWindow, qtbot: QtBot, swing: Path) -> None:
    opened(window, qtbot, swing)
    data, dock = window.docks.docks["measured"].data, window.docks.docks["measured"]
    data.assign("w", RATE)
    compared(window, qtbot)
    type_in(qtbot, dock.data_tab.rows["w"].scale, "1000")
    compared(window, qtbot)
    row = dock.data_tab.rows["w"]
    qtbot.waitUntil(row.mend.isVisible, timeout=SOON)
    assert row.mend.text() == "Scale 1"
    click(qtbot, row.mend)
    compared(window, qtbot)
    assert data.layer.assignments["w"].scale == pytest.approx(1.0)
    assert not row.mend.isVisible()


@pytest.mark.parametrize(
    ("typed", "downs", "name"),
    [
        ("tilt y", 0, "body[0].tilt[1]"),
        ("tilt x", 0, "body[0].tilt[0]"),
        ("tilt z", 0, "body[0].tilt[2]"),
        ("tilt", 1, "body[0].tilt[1]"),
    ],
)
def test_return_takes_the_unknown_that_matches_what_was_typed(
    window: MainWindow, qtbot: QtBot, swing: Path, typed: str, downs: int, name: str
) -> None:
    """A row with all words as they were typed is highlighted before one that has them inside of others."""
    opened(window, qtbot, swing)
    window.docks.docks["measured"].data.assign("w", RATE)
    window.docks.docks["measured"].tabs.setCurrentIndex(1)
    click(qtbot, window.docks.docks["measured"].fit_tab.choose)
    qtbot.waitUntil(lambda: window.findChild(ParameterChooser) is not None, timeout=SOON)
    dialog = window.findChild(ParameterChooser)
    qtbot.keyClicks(dialog.search, typed)
    for _ in range(downs):
        qtbot.keyClick(dialog.search, Qt.Key.Key_Down)
    assert dialog.view.currentIndex().data(Qt.ItemDataRole.UserRole) == name
    qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: list(window.docks.docks["measured"].fit.unknowns.bounds) == [name], timeout=SOON)


@pytest.mark.nightly
def test_the_fit_button_stays_in_its_place_and_old_results_are_marked(
    window: MainWindow, qtbot: QtBot, swing: Path
) -> None:
    """A press of Cancel as a fit ends starts none; after another mapping nothing old is applied or reported."""
    opened(window, qtbot, swing)
    dock = window.docks.docks["measured"]
    tab = dock.fit_tab
    dock.data.assign("w", RATE)
    dock.fit.free("body[0].friction")
    dock.tabs.setCurrentIndex(1)
    qtbot.waitUntil(tab.fit.isEnabled, timeout=START)
    qtbot.wait(50)
    before, cancel = tab.fit.geometry(), tab.cancel.geometry()
    click(qtbot, tab.fit)
    assert (tab.progress.minimum(), tab.progress.maximum()) == (0, 0)  # busy: it states no part that is done
    qtbot.wait(50)
    assert (tab.fit.geometry(), tab.cancel.geometry()) == (before, cancel)
    tab.cancel.setFocus()
    qtbot.waitUntil(lambda: dock.fit.result is not None and not dock.fit._fitter.is_running, timeout=START)
    qtbot.wait(50)
    assert (tab.fit.geometry(), tab.cancel.geometry()) == (before, cancel)
    now = QApplication.focusWidget()
    assert now is not tab.fit
    qtbot.keyClick(now or window, Qt.Key.Key_Return)
    qtbot.mouseClick(tab.cancel, LEFT)
    assert not dock.fit._fitter.is_running
    assert tab.apply.isEnabled()
    assert tab.outdated.isHidden()
    dock.data.assign("w", "bob.angular_velocity.x")
    qtbot.waitUntil(lambda: not dock.fit.is_busy, timeout=START)
    assert tab.outdated.isVisible()
    assert not any(widget.isEnabled() for widget in (tab.apply, tab.report, tab.table))
    dock.data.assign("w", RATE)
    assert tab.apply.isEnabled()
    click(qtbot, tab.apply)
    accepted(window, qtbot)
    assert tab.apply.isEnabled()
    assert tab.outdated.isHidden()


@pytest.mark.nightly
def test_a_fit_can_be_cancelled(window: MainWindow, qtbot: QtBot, swing: Path) -> None:
    opened(window, qtbot, swing)
    dock = window.docks.docks["measured"]
    dock.data.assign("w", RATE)
    for name in ("body[0].friction", "world.gravity[2]", "body[0].tilt[1]", "data.w.scale"):
        dock.fit.free(name)
    dock.tabs.setCurrentIndex(1)
    qtbot.waitUntil(dock.fit_tab.fit.isEnabled, timeout=START)
    click(qtbot, dock.fit_tab.fit)
    qtbot.waitUntil(lambda: (dock.fit._fitter.progress or Progress()).runs > 3, timeout=SOON)
    click(qtbot, dock.fit_tab.cancel)
    qtbot.waitUntil(lambda: not dock.fit._fitter.is_running, timeout=SOON)
    assert dock.fit.result is None


@pytest.mark.parametrize(
    ("text", "said"),
    [("t,x\n0,1\n0,2\n", Meaning("line 3", before="0 s", after="0 s")), ("hello", Meaning("", "table", "numbers"))],
)
def test_bad_files_are_told_with_a_remedy(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, text: str, said: Meaning
) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    drop(window, data)
    qtbot.waitUntil(lambda: window.docks.dock("measured") is not None, timeout=SOON)
    qtbot.waitUntil(lambda: said.of(window.docks.docks["measured"].data_tab.error.text()), timeout=SOON)
    assert window.docks.docks["measured"].data_tab.error.text().startswith("bad.csv: ")


def test_a_bad_file_leaves_the_data_that_are_shown(
    window: MainWindow, qtbot: QtBot, swing: Path, tmp_path: Path
) -> None:
    opened(window, qtbot, swing)
    path = tmp_path / "bad.csv"
    path.write_bytes(bytes(range(256)) * 8)
    window.docks.docks["measured"].data.open(path)
    qtbot.waitUntil(lambda: "bad.csv: " in window.docks.docks["measured"].data_tab.error.text(), timeout=SOON)
    assert window.docks.docks["measured"].data.path == swing
    assert window.docks.docks["measured"].data.name == swing.name


@pytest.mark.nightly
def test_a_column_of_another_scene_is_told(lab: Callable[..., MainWindow], qtbot: QtBot, swing: Path) -> None:
    window = lab()
    opened(window, qtbot, swing)
    window.docks.docks["measured"].data.assign("w", "other.angular_velocity.y")
    qtbot.waitUntil(lambda: "did you mean" in window.docks.docks["measured"].data_tab.error.text(), timeout=START)
    assert (
        not window.docks.docks["measured"].data_tab.rows["w"].state.text()
    )  # such as that it is compared with the run
    assert isinstance(window.docks.docks["measured"].data.comparison, type(None)) or not isinstance(
        window.docks.docks["measured"].data.comparison, InputError
    )


def test_a_large_file_is_read_in_the_background_and_can_be_cancelled(
    window: MainWindow, qtbot: QtBot, swing: Path, tmp_path: Path
) -> None:
    """60 MB: while it is read the bar moves, and the former data stay, also after a click on Cancel."""
    opened(window, qtbot, swing)
    path, data, tab = (
        tmp_path / "large.csv",
        window.docks.docks["measured"].data,
        window.docks.docks["measured"].data_tab,
    )
    rows = "".join(f"{k / 1000:.3f},{k % 97}.125,0.5\n" for k in range(60_000))
    with path.open("w") as file:
        file.write("t (s),u,v\n")
        for _ in range(60):
            file.write(rows)
    before, shown = data.layer, data.path
    data.open(path)
    qtbot.waitUntil(lambda: tab.reading.isVisible() and tab.reading.value() > 20, timeout=SOON)
    assert data.layer is before
    click(qtbot, tab.cancel)
    qtbot.waitUntil(lambda: not data._reader.is_running, timeout=SOON)
    qtbot.waitUntil(lambda: not tab.reading.isVisible(), timeout=SOON)
    assert data.layer is before
    assert data.path == shown


@pytest.mark.nightly
def test_an_angle_and_places_seen_by_the_camera_are_chosen_from_the_list(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """Directions of a video from behind: in the view from behind, to the right is -x."""
    times = np.linspace(0.0, 4.0, 201)
    angle, _rate = made_swing(times)
    rows = np.stack([times, np.degrees(angle), 0.5 * np.sin(angle), -0.5 * np.cos(angle)], axis=1)
    np.savetxt(tmp_path / "video.csv", rows, delimiter=",", header="t (s),a (deg),right (m),up (m)", comments="")
    opened(window, qtbot, tmp_path / "video.csv")
    dock = window.docks.docks["measured"]
    window.action_table["plots"].setChecked(True)
    qtbot.waitUntil(lambda: window.docks.dock("plots") is not None, timeout=SOON)
    camera = window.view.plotter.renderer.GetActiveCamera()
    camera.SetFocalPoint(0.0, 0.0, 0.0)
    camera.SetPosition(0.0, 3.0, 0.0)
    camera.SetViewUp(0.0, 0.0, 1.0)
    right, up = "bob.point[0, 0, -0.5].along[-1, 0, 0]", "bob.point[0, 0, -0.5].along[0, 0, 1]"
    qtbot.waitUntil(lambda: dock.data_tab.rows["right"].quantity.findData(right) > 0, timeout=SOON)
    type_quantity(window, qtbot, "right", "along (-1")
    type_quantity(window, qtbot, "a", "bob: angle")
    type_name(window, qtbot, "up", "bob.point[0,0,-0.5].along[0,0,2]")
    assert dock.data.layer.mapping == {"right": right, "a": "bob.angle", "up": "bob.point[0,0,-0.5].along[0,0,2]"}
    assert dock.data._known()["bob.point[0,0,-0.5].along[0,0,2]"] == "m"
    assert up in dock.data._known()
    compared(window, qtbot)
    assert np.abs(dock.data.comparison.residuals("a")).max() > 0.1  # the scene has other numbers
    assert dock.data.comparison.residuals("up")[0] == pytest.approx(0.0, abs=1e-6)
    track = dock.data.comparison.tracks()["bob.point[0, 0, -0.5]"]
    assert track[:, [0, 2]] == pytest.approx(rows[:, 2:] * [-1, 1], abs=1e-9)
    qtbot.waitUntil(lambda: dock.data._tracks is not None and dock.data._tracks.is_shown, timeout=SOON)
    plots = window.docks.docks["plots"]
    qtbot.waitUntil(lambda: {right, "bob.angle"} <= set(plots.time_plot.marks), timeout=SOON)
    window.action_table["play"].trigger()
    qtbot.waitUntil(lambda: len(plots.store.frames.times) > 10, timeout=START)
    shown = plots.store.frames
    assert shown.column(right) == pytest.approx(0.5 * np.sin(shown.column("bob.angle")), abs=1e-9)
    dock.fit.free("world.gravity[2]")
    dock.fit.free("body[0].friction")
    dock.tabs.setCurrentIndex(1)
    qtbot.waitUntil(dock.fit_tab.fit.isEnabled, timeout=START)
    click(qtbot, dock.fit_tab.fit)
    qtbot.waitUntil(lambda: dock.fit.result is not None, timeout=START)
    assert dock.fit.result.estimate("world.gravity[2]").value == pytest.approx(-9.81, rel=1e-5)


def test_a_name_that_is_typed_wrongly_is_told(window: MainWindow, qtbot: QtBot, swing: Path) -> None:
    opened(window, qtbot, swing)
    type_name(window, qtbot, "x", "bop.point[0, 0, -0.5].x")
    error = window.docks.docks["measured"].data_tab.error
    qtbot.waitUntil(lambda: Meaning("", near="bob.point[0, 0, -0.5].x").of(error.text()), timeout=START)
    type_name(window, qtbot, "x", "bob.point[0, 0, -0.4].x")
    compared(window, qtbot)
    assert not error.text()
    assert len(window.docks.docks["measured"].data.comparison.residuals("x")) == 201


@pytest.mark.nightly
def test_a_stiffness_that_is_left_out_is_offered_and_found(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    """Data of a wall of 8000 N/m; the fit begins at m g/(0.002 s) = 9806.65 N/m."""
    window = lab(FALL)
    stated, data = tmp_path / "stated.toml", tmp_path / "run.csv"
    stated.write_text(FALL.replace("damping", "stiffness = 8000.0\ndamping"))
    assert main(["run", str(stated), "--until", "0.2", "--out", str(data)]) == 0
    opened(window, qtbot, data)
    dock = window.docks.docks["measured"]
    tab = dock.fit_tab
    dock.data.assign("ball.position.z", "ball.position.z")
    dock.tabs.setCurrentIndex(1)
    choose_unknown(window, qtbot, "wall[0].stiffness")
    assert tab.rows["wall[0].stiffness"].value.text() == "not stated"
    qtbot.waitUntil(tab.fit.isEnabled, timeout=START)
    click(qtbot, tab.fit)
    qtbot.waitUntil(lambda: dock.fit.result is not None, timeout=START)
    qtbot.waitUntil(tab.apply.isVisible, timeout=SOON)
    click(qtbot, tab.apply)
    scene = accepted(window, qtbot)
    assert scene.wall[0].stiffness == pytest.approx(8000.0, rel=1e-3)
    assert scene.ghost[0].values[0].value == pytest.approx(9806.65, rel=1e-9)
