"""The plots in the real window, with real events of the mouse, beside the same run without a window."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from gui import LEFT, SOON, START, choose, type_in
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QComboBox, QDialogButtonBox, QDockWidget, QMenu
from pytestqt.qtbot import QtBot
from sampling import sampled

from polhode import Simulation, read_scene
from polhode.scene import gallery
from polhode.scene.scene import Scene
from polhode_app.cli.results.batch import Request, run_to_file
from polhode_app.data.plots.frame_quantities import observed
from polhode_app.data.plots.plot_store import PlotStore
from polhode_app.data.plots.sample_buffer import SampleBuffer
from polhode_app.docks.plots.phase_defaults import usual
from polhode_app.docks.plots.plot_dock import PlotDock
from polhode_app.docks.plots.plot_files import save_plot
from polhode_app.docks.plots.time_plot import TimePlot, thinned
from polhode_app.main_window import MainWindow
from polhode_app.messages import ColumnSamples, FrameData

pytestmark = pytest.mark.new_window  # the plots keep the quantities of a scene

SCENE = gallery.path("course_1_oscillator")


def plots_of(qtbot: QtBot, window: MainWindow) -> PlotDock:
    """Open the plots by their key, and restart the run with them."""
    qtbot.keyClick(window, Qt.Key.Key_F4)
    qtbot.waitUntil(
        lambda: window.docks.dock("plots") is not None and window.docks.docks["plots"].isVisible(), timeout=SOON
    )
    qtbot.waitUntil(lambda: len(window.docks.docks["plots"].history.columns) > 0, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Backspace)
    qtbot.waitUntil(lambda: len(window.docks.docks["plots"].history.times) > 1, timeout=SOON)
    return window.docks.docks["plots"]


def click_quantity(qtbot: QtBot, plots: PlotDock, name: str) -> None:
    """Look for a quantity, and click it."""
    plots.list.search.clear()
    qtbot.keyClicks(plots.list.search, name)
    view = plots.list.view
    rows = (view.model().index(row, 0) for row in range(view.model().rowCount()))
    index = next(index for index in rows if index.data(Qt.ItemDataRole.UserRole) == name)
    qtbot.mouseClick(view.viewport(), LEFT, pos=view.visualRect(index).center())


def table(path: Path) -> dict[str, np.ndarray]:
    heading, *rows = list(csv.reader(path.open(encoding="utf-8", newline="")))
    return dict(zip(heading, np.array(rows, float).T, strict=True))


def run(scene_name: str, until: float, tmp_path: Path, *maxima: str) -> dict[str, np.ndarray]:
    scene = read_scene(gallery.path(scene_name))
    path = tmp_path / "run.csv"
    run_to_file(scene, Request(float(until), scene.solver.time_step, path, maxima=maxima))
    return table(path)


def settle(qtbot: QtBot, plots: PlotDock) -> None:
    """All that there is in a pause is drawn."""
    qtbot.wait(200)
    qtbot.waitUntil(lambda: not plots.needs_redraw, timeout=SOON)


def test_rounding_errors_of_directions_do_not_fill_a_plot(lab: Callable[..., MainWindow], qtbot: QtBot):
    window = lab(gallery.path("large_swings"))
    plots = plots_of(qtbot, window)
    qtbot.keyClick(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    click_quantity(qtbot, plots, "small.u3.y")
    settle(qtbot, plots)
    panel, line = plots.time_plot.lines["small.u3.y"]
    line.setData([0.0, 0.1, 0.2], [0.0, 3e-18, -2e-18])
    qtbot.wait(100)
    low, high = plots.time_plot.plots[panel].viewRange()[1]
    assert low < -1e-13 < 1e-13 < high


@pytest.mark.nightly
def test_a_clicked_quantity_is_drawn_as_it_is_computed(lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path):
    window = lab()
    plots = plots_of(qtbot, window)
    assert plots.history.columns == ("energy.kinetic", "energy.total", "ball.position.z")
    click_quantity(qtbot, plots, "ball.velocity.z")
    assert "ball.velocity.z" in plots.history.columns
    qtbot.keyClick(window, Qt.Key.Key_Backspace)
    qtbot.waitUntil(lambda: plots.history.times[-1] < 0.3, timeout=SOON)
    qtbot.waitUntil(lambda: plots.history.times[-1] > 1.0, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    settle(qtbot, plots)
    times, values = plots.time_plot.drawn("ball.velocity.z")
    expected = run(SCENE.stem, times[-1], tmp_path)
    assert len(times) == len(expected["time"]) > 100  # each step is there
    np.testing.assert_allclose(times, expected["time"], atol=1e-12)
    np.testing.assert_allclose(values, expected["ball.velocity.z"], atol=1e-12)
    click_quantity(qtbot, plots, "ball.velocity.z")
    assert plots.history.columns == ("energy.kinetic", "energy.total", "ball.position.z")


@pytest.mark.nightly
def test_maxima_and_period_are_those_of_a_run_without_a_window(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
):
    window = lab()
    plots = plots_of(qtbot, window)
    qtbot.mouseClick(plots.maxima, LEFT, pos=QPoint(8, plots.maxima.height() // 2))
    plots.column.setCurrentIndex(plots.column.findData("ball.position.z"))
    qtbot.waitUntil(lambda: "periods: 4" in plots.period.text(), timeout=SOON)
    found = plots.history.maxima("ball.position.z")[:5, 0]
    expected = run(SCENE.stem, found[-1] + 0.05, tmp_path, "ball.position.z")
    printed = np.unique(expected["ball.position.z.maximum"])
    np.testing.assert_allclose(found, printed[~np.isnan(printed)][:5], atol=1e-12)
    words = plots.period.text().split()  # T = mean s ± spread s, periods: 4
    mean, spread = float(words[2]), float(words[5])
    assert len(words[2].partition(".")[2]) == len(words[5].partition(".")[2])  # to the same place
    assert abs(mean - np.diff(found).mean()) <= 0.1 * spread
    assert plots.time_plot.marked == "ball.position.z"


def test_maxima_are_those_of_the_quantity_that_was_added_unless_another_is_chosen(
    lab: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = lab()
    plots = plots_of(qtbot, window)
    click_quantity(qtbot, plots, "ball.velocity.z")
    qtbot.mouseClick(plots.maxima, LEFT, pos=QPoint(8, plots.maxima.height() // 2))
    assert plots.time_plot.marked == "ball.velocity.z"
    choose(qtbot, plots.column, "energy.kinetic")
    assert plots.time_plot.marked == "energy.kinetic"
    click_quantity(qtbot, plots, "ball.velocity.x")
    assert plots.time_plot.marked == "energy.kinetic"


@pytest.mark.nightly
def test_words_that_no_quantity_of_another_scene_has_are_cleared(lab: Callable[..., MainWindow], qtbot: QtBot):
    window = lab()
    plots = plots_of(qtbot, window)
    qtbot.keyClicks(plots.list.search, "energy")
    window.files.open(gallery.path("course_4_wind"))
    qtbot.waitUntil(lambda: "energy.wind" in plots.list.model.names or len(plots.list.model.names) > 0, timeout=SOON)
    assert plots.list.search.text() == "energy"  # it has some too
    plots.list.search.clear()
    qtbot.keyClicks(plots.list.search, "ball.velocity")
    window.files.open(gallery.path("heavy_top"))
    qtbot.waitUntil(lambda: any(name.startswith("top.") for name in plots.list.model.names), timeout=START)
    assert plots.list.search.text() == ""
    assert plots.list.view.model().rowCount() == len(plots.list.model.names)


def test_names_of_quantities_keep_their_components_where_they_are_cut(lab: Callable[..., MainWindow], qtbot: QtBot):
    window = lab("""[[body]]
name = "top"
support = "pivot"
shape = [{ kind = "sphere", radius = 0.05, mass = 1, position = [0, 0, 0.1] }]""")
    view = plots_of(qtbot, window).list.view
    assert view.textElideMode() == Qt.TextElideMode.ElideMiddle


@pytest.mark.nightly
def test_the_height_of_a_body_that_a_joint_holds_is_not_plotted_by_itself(lab: Callable[..., MainWindow], qtbot: QtBot):
    window = lab(gallery.path("double_rod_pendulum"))
    plots = plots_of(qtbot, window)
    assert plots.history.columns == ("energy.kinetic", "energy.total", "lower.position.z")
    qtbot.waitUntil(lambda: plots.history.times[-1] > 0.5, timeout=SOON)
    assert np.ptp(plots.time_plot.drawn("lower.position.z")[1]) > 0.05  # [m]


@pytest.mark.nightly
def test_reset_restarts_the_curves_and_an_edit_keeps_them(lab: Callable[..., MainWindow], qtbot: QtBot):
    window = lab()
    plots = plots_of(qtbot, window)
    qtbot.waitUntil(lambda: plots.history.times[-1] > 0.5, timeout=SOON)
    window.session.set_solver(time_step=0.005)
    now = plots.history.times[-1]
    qtbot.waitUntil(lambda: plots.history.times[-1] > now + 0.3, timeout=SOON)
    assert plots.history.times[0] < 0.1
    assert np.diff(plots.history.times)[-20:] == pytest.approx(0.005)
    qtbot.keyClick(window, Qt.Key.Key_Backspace)
    qtbot.waitUntil(lambda: plots.history.times[-1] < 0.3, timeout=SOON)
    assert plots.history.times[0] == 0.0
    qtbot.waitUntil(lambda: plots.history.times[-1] > 2.0, timeout=SOON)
    window.files.open(gallery.path("course_4_wind"))
    qtbot.waitUntil(lambda: window.session.document.path == gallery.path("course_4_wind"), timeout=SOON)
    qtbot.waitUntil(lambda: len(plots.history.times) > 0, timeout=SOON)
    assert plots.history.times[-1] < 2.0
    assert plots.history.times[0] == 0.0


def test_what_is_closed_is_not_sampled(lab: Callable[..., MainWindow], qtbot: QtBot):
    window = lab()
    plots = plots_of(qtbot, window)
    qtbot.keyClick(window, Qt.Key.Key_F4)
    assert plots.isHidden()
    qtbot.wait(300)
    heard = plots.history.times[-1]
    time = window.session.frame.snapshot.time
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time > time + 0.3, timeout=SOON)
    assert plots.history.times[-1] == heard


def test_a_wheel_zooms_and_follow_comes_back(lab: Callable[..., MainWindow], qtbot: QtBot):
    plots = plots_of(qtbot, lab())
    qtbot.waitUntil(lambda: plots.history.times[-1] > 0.5, timeout=SOON)
    box = next(iter(plots.time_plot.plots.values())).getViewBox()
    middle = plots.time_plot.mapFromScene(box.sceneBoundingRect().center())
    plots.time_plot.viewport().setFocus()
    qtbot.mousePress(plots.time_plot.viewport(), LEFT, pos=middle - QPoint(40, 10))
    for step in range(-30, 50, 10):
        qtbot.mouseMove(plots.time_plot.viewport(), middle + QPoint(step, 10), delay=30)
    qtbot.mouseRelease(plots.time_plot.viewport(), LEFT, pos=middle + QPoint(40, 10))
    qtbot.waitUntil(lambda: not plots.follow.isChecked(), timeout=SOON)
    begin, end = plots.time_plot.span
    assert end - begin < 3.0
    qtbot.mouseClick(plots.follow, LEFT)
    qtbot.waitUntil(lambda: plots.time_plot.span[1] - plots.time_plot.span[0] == pytest.approx(10.0), timeout=SOON)


def test_data_and_pictures_are_exported(lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path):
    plots = plots_of(qtbot, lab())
    qtbot.waitUntil(lambda: len(plots.history.times) > 50, timeout=SOON)  # one of each frame
    box = next(iter(plots.time_plot.plots.values())).getViewBox()
    middle = plots.time_plot.mapFromScene(box.sceneBoundingRect().center())
    for ending in ("csv", "png", "svg", "pdf"):
        qtbot.mouseClick(plots.time_plot.viewport(), Qt.MouseButton.RightButton, pos=middle)
        qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None, timeout=SOON)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        next(action for action in menu.actions() if ending.upper() in action.text()).trigger()
        menu.close()
    (data,), (picture,), (drawing,) = (list(tmp_path.glob(f"polhode-*.{ending}")) for ending in ("csv", "png", "svg"))
    exported = table(data)
    assert tuple(exported) == ("time [s]", *(f"{name} [{plots._units[name]}]" for name in plots.history.columns))
    count = len(exported["time [s]"])
    assert count > 40
    assert (exported["energy.total [J]"] == plots.history.column("energy.total")[:count]).all()
    assert QImage(str(picture)).width() == 2 * plots.time_plot.viewport().width()
    assert QSvgRenderer(str(drawing)).isValid()
    (page,) = tmp_path.glob("polhode-*.pdf")
    content = page.read_bytes()
    assert content.startswith(b"%PDF")
    assert content.rstrip().endswith(b"%%EOF")
    width, height = (float(side) for side in re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", content).groups())
    size = plots.time_plot.viewport().size()
    assert width / height == pytest.approx(size.width() / size.height(), rel=0.01)


def pick(qtbot: QtBot, combo: QComboBox, text: str) -> None:
    """Open a combo box with the mouse, and take an entry by its text or column by the keys: clicks right after it has
    opened don't count."""
    qtbot.mouseClick(combo, LEFT)
    view = combo.view()
    qtbot.waitUntil(lambda: view.isVisible(), timeout=SOON)
    row = max(combo.findText(text), combo.findData(text))
    view.setCurrentIndex(combo.model().index(row, 0))
    qtbot.keyClick(view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not view.isVisible() and combo.currentIndex() == row, timeout=SOON)


@pytest.mark.nightly
def test_a_phase_plane_shows_a_quantity_against_its_rate(lab: Callable[..., MainWindow], qtbot: QtBot):
    window = lab()
    plots = plots_of(qtbot, window)
    pick(qtbot, plots.kind, "Phase plane")
    assert plots.history.columns[-2:] == ("ball.position.z", "ball.velocity.z")  # the rate has come by itself
    assert (plots.xy_panel.x.currentData(), plots.xy_panel.y.currentData()) == plots.history.columns[-2:]
    assert plots.xy_panel.y.currentText() == "ball: velocity z"
    qtbot.waitUntil(lambda: np.isfinite(plots.history.column("ball.velocity.z")).sum() > 200, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    settle(qtbot, plots)
    z, v = plots.xy_panel.plane.drawn()
    # Semi-implicit Euler keeps m v^2 / 2 + k x^2 / 2 - (k dt / 2) x v with x from the middle, m = 0.5, k = 100, where
    # it hangs at rest at z = -0.2 - m g / k: an ellipse, here of the energy k (0.049 m)^2 / 2 at the start.
    x = z + 0.2 + 0.049
    kept = 0.25 * v**2 + 50 * x**2 - 0.5 * x * v
    known = np.isfinite(kept)
    assert known.sum() > 150
    np.testing.assert_allclose(kept[known], 50 * 0.049**2, rtol=1e-6)


@pytest.mark.parametrize(
    ("name", "pair"),
    [
        ("magnet_pendulum", ("knot.u3.x", "knot.angular_velocity.y")),  # it can't leave its pivot
        ("pendulum_wave", ("bob0.angle", "bob0.angular_velocity.x")),
        ("heavy_top", ("top.u3.x", "top.u3.y")),  # the way of its axis, seen from above
        ("t_handle", ("handle.u1.x", "handle.u1.y")),
        ("roller_coaster", ("car0.position.z", "car0.velocity.z")),
    ],
)
def test_a_phase_plane_shows_first_what_moves(
    lab: Callable[..., MainWindow], qtbot: QtBot, name: str, pair: tuple[str, str]
) -> None:
    window = lab(gallery.path(name))
    plots = plots_of(qtbot, window)
    pick(qtbot, plots.kind, "Phase plane")
    assert (plots.xy_panel.x.currentData(), plots.xy_panel.y.currentData()) == pair

    def is_a_curve() -> bool:
        drawn = [values[np.isfinite(values)] for values in plots.xy_panel.plane.drawn()]
        return all(len(values) > 20 and np.ptp(values) > 1e-3 for values in drawn)

    qtbot.waitUntil(is_a_curve, timeout=SOON)  # the axis of the t_handle leaves its direction slowly


def test_what_a_phase_plane_adds_goes_with_it(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    plots = plots_of(qtbot, lab())
    before = plots.history.columns
    pick(qtbot, plots.kind, "Phase plane")
    assert plots.history.columns == (*before, "ball.velocity.z")
    pick(qtbot, plots.kind, "Over time")
    assert plots.history.columns == before
    assert plots.list.view.model().index(0, 0).data() == "kinetic energy [J]"


@pytest.mark.nightly
def test_a_section_goes_at_first_through_another_coordinate(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab(gallery.path("magnet_pendulum"))
    plots = plots_of(qtbot, window)
    pick(qtbot, plots.kind, "Poincaré section")
    relation = plots.xy_panel
    texts = [combo.currentData() for combo in (relation.x, relation.y, relation.watched)]
    assert texts == ["knot.u3.x", "knot.angular_velocity.y", "knot.u3.y"]
    qtbot.waitUntil(lambda: len(relation.plane.drawn()[0]) > 3, timeout=SOON)
    assert np.ptp(relation.plane.drawn()[0]) > 1e-4
    line = relation.level.lineEdit()
    relation.level.show_value(-0.00246)
    assert relation.level.text() == "-0.00246"
    assert line.fontMetrics().horizontalAdvance(relation.level.text()) < line.width() - 4  # its margins


@pytest.mark.parametrize(
    ("names", "rates", "expected"),
    [
        (["a.z", "a.vz", "b.z"], {"a.z": "a.vz", "b.z": "b.vz"}, ("a.z", "a.vz", "b.z")),
        (["energy.kinetic", "b.vz", "a.z", "a.vz"], {"a.z": "a.vz"}, ("a.z", "a.vz", "b.vz")),
        (["energy.kinetic", "a.z", "a.vz"], {"a.z": "a.vz"}, ("a.z", "a.vz", "energy.kinetic")),
        (["a.z", "a.vz"], {"a.z": "a.vz"}, ("a.z", "a.vz", "a.vz")),
        (["a", "b", "c"], {}, ("a", "b", "c")),
        (["a"], {}, ("a", "a", "a")),
        ([], {}, ("", "", "")),
    ],
)
def test_what_a_section_shows_at_first(names: list[str], rates: dict[str, str], expected: tuple[str, ...]) -> None:
    assert usual(names, rates) == expected


@pytest.mark.nightly
def test_a_section_and_a_spectrum_find_the_motion(lab: Callable[..., MainWindow], qtbot: QtBot):
    window = lab()
    plots = plots_of(qtbot, window)
    click_quantity(qtbot, plots, "ball.velocity.z")
    pick(qtbot, plots.kind, "Poincaré section")
    relation = plots.xy_panel
    pick(qtbot, relation.x, "ball.position.z")
    pick(qtbot, relation.y, "ball.velocity.z")
    pick(qtbot, relation.watched, "ball.position.z")
    qtbot.keyClick(window, Qt.Key.Key_Backspace)  # what is recalled of before is coarser
    relation.level.setFocus()
    relation.level.selectAll()
    qtbot.keyClicks(relation.level, "-0.249")
    qtbot.keyClick(relation.level, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: (np.abs(relation.plane.drawn()[0] + 0.249) < 1e-12).sum() >= 3, timeout=SOON)
    z, v = relation.plane.drawn()
    np.testing.assert_allclose(z, -0.249, atol=1e-12)
    # In the middle all is kinetic: v = w 0.049 m, w^2 = k / m; the chords of both between two samples, w dt = 0.14
    # apart, are off by up to an eighth of its square.
    np.testing.assert_allclose(v, np.sqrt(200) * 0.049, rtol=0.005)
    pick(qtbot, plots.kind, "Spectrum")
    pick(qtbot, relation.y, "ball.position.z")
    qtbot.waitUntil(lambda: "Hz" in relation.result_label.text() and plots.history.times[-1] > 5, timeout=SOON)
    # Semi-implicit Euler swings with sin(w' dt / 2) = w dt / 2, and so with an amplitude a little beside 0.049 m.
    expected = 2 * np.arcsin(np.sqrt(200) * 0.005) / 0.01 / (2 * np.pi)
    qtbot.waitUntil(lambda: abs(float(relation.result_label.text().split()[1]) - expected) < 2e-3, timeout=SOON)
    assert float(relation.result_label.text().split()[3]) == pytest.approx(0.049, rel=0.01)


@pytest.mark.nightly
def test_a_click_goes_back_and_forgets_nothing(lab: Callable[..., MainWindow], qtbot: QtBot):
    window = lab()
    plots = plots_of(qtbot, window)
    qtbot.waitUntil(lambda: plots.history.times[-1] > 2.0, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    settle(qtbot, plots)
    end = plots.history.times[-1]

    def place(time: float) -> QPoint:
        box = next(iter(plots.time_plot.plots.values())).getViewBox()
        return plots.time_plot.mapFromScene(box.mapViewToScene(QPointF(time, np.mean(box.viewRange()[1]))))

    qtbot.mouseClick(plots.time_plot.viewport(), LEFT, pos=place(1.0))
    qtbot.waitUntil(lambda: abs(window.session.frame.snapshot.time - 1.0) < 0.1, timeout=SOON)
    there = window.session.frame.snapshot.time
    line = plots.time_plot.cursors[0]
    qtbot.waitUntil(lambda: line.isVisible() and line.value() == there, timeout=SOON)
    assert plots.history.times[-1] == end  # what came later can still be gone to
    click_quantity(qtbot, plots, "ball.velocity.z")  # another quantity forgets nothing either
    qtbot.wait(200)
    assert plots.history.times[-1] == end
    qtbot.keyClick(window, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time >= end, timeout=SOON)
    qtbot.mouseClick(plots.time_plot.viewport(), LEFT, pos=place(0.5))
    qtbot.waitUntil(lambda: window.session.frame.snapshot.time < 0.7, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Right)  # it continues from there; later samples are discarded
    qtbot.waitUntil(lambda: plots.history.times[-1] < 0.8, timeout=SOON)
    assert (np.diff(plots.history.times) > 0).all()


@pytest.mark.nightly
def test_what_only_moments_have_is_plotted_too(lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path):
    window = lab()
    plots = plots_of(qtbot, window)
    for name in ("momentum.z", "ghost.Euler.distance", "ball.velocity.z"):
        click_quantity(qtbot, plots, name)
    qtbot.keyClick(window, Qt.Key.Key_Backspace)
    frames = plots.store.frames
    assert frames.columns == ("momentum.z", "ghost.Euler.distance")
    qtbot.waitUntil(lambda: len(frames.times) > 50 and plots.history.times[-1] < 30, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    qtbot.wait(200)
    _, momentum, velocity = plots.store.together("momentum.z", "ball.velocity.z")
    both = np.isfinite(velocity)
    assert both.sum() > 40
    np.testing.assert_allclose(momentum[both], 0.5 * velocity[both], atol=1e-9)  # m = 0.5 kg, at the same steps
    now = window.session.frame
    apart = np.linalg.norm(now.ghosts[0].points.position - now.snapshot.points.position)
    assert frames.times[-1] == now.snapshot.time
    assert frames.column("ghost.Euler.distance")[-1] == pytest.approx(apart, rel=1e-12)
    path = tmp_path / "all.csv"
    plots.store.table({"momentum.z": "kg m/s"}).save(path)
    heading, *rows = list(csv.reader(path.open(encoding="utf-8", newline="")))
    assert heading == ["time [s]", *plots.history.columns, "momentum.z [kg m/s]", "ghost.Euler.distance"]
    assert 0 < len(rows) <= len(plots.history.times) + len(frames.times)
    assert "nan" not in path.read_text()
    assert [float(row[0]) for row in rows] == sorted(float(row[0]) for row in rows)


@pytest.mark.nightly
def test_curves_are_remembered_scene_by_scene(lab: Callable[..., MainWindow], qtbot: QtBot):
    first = lab()
    plots = plots_of(qtbot, first)
    click_quantity(qtbot, plots, "energy.kinetic")
    click_quantity(qtbot, plots, "ball.velocity.x")
    pick(qtbot, plots.kind, "Phase plane")
    pick(qtbot, plots.xy_panel.x, "ball.velocity.x")
    chosen = plots.store.steps.columns
    first.close()
    again = lab()
    qtbot.waitUntil(
        lambda: again.docks.dock("plots") is not None and again.docks.docks["plots"].isVisible(), timeout=SOON
    )
    plots = again.docks.docks["plots"]
    qtbot.waitUntil(lambda: plots.store.steps.columns == chosen, timeout=SOON)
    assert plots.kind.currentText() == "Phase plane"
    assert plots.xy_panel.x.currentData() == "ball.velocity.x"
    again.files.open(gallery.path("course_4_wind"))
    qtbot.waitUntil(lambda: again.session.document.path == gallery.path("course_4_wind"), timeout=SOON)
    again.files.open(SCENE)
    qtbot.waitUntil(lambda: plots.store.steps.columns == chosen, timeout=SOON)


def test_the_angle_of_a_body_on_an_axle_is_read_from_its_moments():
    scene = read_scene(gallery.path("pendulum_wave"))
    simulation = Simulation(scene)
    readings = observed(simulation.compiled)
    names = [name for name in readings if name.endswith(".angle")]
    assert len(names) == sum(body.support == "axle" for body in scene.body) > 3
    before = simulation.snapshot()
    for _ in range(50):
        simulation.advance_steps(1)
    now = simulation.snapshot()
    moment = FrameData(scene, 1, now, False, 0.0, 0.0, 0.0)
    for body, name in zip(scene.body, names, strict=False):
        axis = np.array(body.axis) / np.linalg.norm(body.axis)
        number = [each.name for each in scene.bodies].index(body.name)
        rates = [each.bodies.angular_velocity[number] @ axis for each in (before, now)]
        turned = np.mean(rates) * now.time  # trapezoidal: off by some w'' t^3 / 12
        assert readings[name][1](moment) == pytest.approx(turned, rel=0.02, abs=1e-9)


def test_the_angle_of_a_pendulum_on_a_pivot_is_its_deflection():
    """It begins with its tilt, and a conical motion aside, a half period later it is as large on the other side."""
    bob = {"kind": "sphere", "radius": 0.02, "mass": 0.1, "position": (0.0, 0.0, -0.5)}
    fields = {"support": "pivot", "orientation": {"axis": (0.6, 0.8, 0.0), "angle": 0.3}, "shape": (bob,)}
    still = {"support": "pivot", "position": (1.0, 0.0, 0.0), "shape": ({**bob, "position": (0.0, 0.0, 0.0)},)}
    bodies = ({"name": "pendulum", **fields}, {"name": "balanced", **still})
    scene = Scene.model_validate({"body": bodies, "solver": {"time_step": 1e-3}})
    simulation = Simulation(scene)
    readings = observed(simulation.compiled)
    assert "balanced.angle" not in readings
    angles = []
    for _ in range(1500):
        now = simulation.snapshot()
        moment = FrameData(scene, 1, now, False, 0.0, 0.0, 0.0)
        angles.append(readings["pendulum.angle"][1](moment))
        simulation.advance_steps(1)
    assert angles[0] == pytest.approx(0.3)
    assert min(angles) == pytest.approx(-0.3, abs=1e-5)
    period = 2 * np.pi * np.sqrt((0.5**2 + 0.4 * 0.02**2) / (9.80665 * 0.5)) * (1 + 0.3**2 / 16)
    assert np.argmin(angles) * 1e-3 == pytest.approx(period / 2, abs=2e-3)


@pytest.mark.nightly
def test_how_wide_docks_were_is_remembered(lab: Callable[..., MainWindow], qtbot: QtBot):
    window = lab()
    window.resize(1366, 768)
    for name in ("tree", "inspector", "plots"):
        window.action_table[name].setChecked(True)
    qtbot.waitUntil(lambda: window.docks.dock("plots") is not None, timeout=SOON)
    qtbot.wait(100)
    window.resizeDocks([window.docks.docks["tree"]], [260], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: window.docks.docks["tree"].width() == 260, timeout=SOON)
    inspector = window.docks.docks["inspector"].width()
    window.close()
    window = lab()
    qtbot.waitUntil(lambda: len(window.docks.docks) == 3, timeout=SOON)
    tree = window.docks.docks["tree"]
    qtbot.waitUntil(lambda: (tree.width(), window.docks.docks["inspector"].width()) == (260, inspector), timeout=SOON)


@pytest.mark.parametrize(("between", "width"), sampled([(0, 1366), (50, 1500)], 2))
def test_a_dock_that_comes_back_is_as_wide_as_it_was(
    lab: Callable[..., MainWindow], qtbot: QtBot, between: int, width: int
):
    """Also where it was alone at its side, and others were opened and closed meanwhile; `between` two of them [ms].

    With a pause the sensor is opened at the other side, which needs a wider window.
    """
    window = lab()
    window.resize(width, 768)
    for name in ("tree", "inspector"):
        window.action_table[name].setChecked(True)
    qtbot.wait(100)
    window.resizeDocks([window.docks.docks["tree"]], [260], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: window.docks.docks["tree"].width() == 260, timeout=SOON)
    for name in ("tree", "inspector", "plots", "sensor", "plots", "tree", "inspector", "sensor"):
        window.action_table[name].toggle()
        if between:
            qtbot.wait(between)
    qtbot.wait(100)
    qtbot.waitUntil(lambda: window.docks.docks["tree"].width() == 260, timeout=SOON)


def test_open_plots_are_remembered(lab: Callable[..., MainWindow], qtbot: QtBot):
    first = lab()
    plots_of(qtbot, first)
    first.close()
    again = lab()
    qtbot.waitUntil(
        lambda: again.docks.dock("plots") is not None and again.docks.docks["plots"].isVisible(), timeout=SOON
    )
    qtbot.waitUntil(lambda: len(again.docks.docks["plots"].history.times) > 5, timeout=SOON)


@pytest.mark.parametrize("name", ["sensor", "modes"])
def test_where_other_docks_stood_is_remembered(lab: Callable[..., MainWindow], qtbot: QtBot, name: str):
    def opened(window: MainWindow) -> QDockWidget:
        window.action_table[name].setChecked(True)
        qtbot.waitUntil(lambda: any(dock.isVisible() for dock in window.findChildren(QDockWidget, name)), timeout=SOON)
        return window.findChild(QDockWidget, name)

    left = Qt.DockWidgetArea.LeftDockWidgetArea
    first = lab()
    dock = opened(first)
    assert first.dockWidgetArea(dock) != left
    first.addDockWidget(left, dock)
    first.close()
    again = lab()
    qtbot.waitUntil(lambda: again.edit_actions.tree is not None, timeout=SOON)
    assert again.dockWidgetArea(opened(again)) == left


def samples(times: np.ndarray) -> ColumnSamples:
    return ColumnSamples(("time", "x"), np.column_stack([times, np.sin(times)]))


def test_a_drawing_cuts_off_what_leaves_its_axes(qtbot: QtBot, tmp_path: Path):
    curves, colors = TimePlot(), {"a.x": "#e03030", "b.y": "#3050e0"}
    qtbot.addWidget(curves)
    curves.resize(600, 400)
    curves.show()
    curves.show_columns({"a.x": "m", "b.y": "J"}, colors)
    times = np.linspace(0, 10, 500)
    for _unit, line in curves.lines.values():
        line.setData(times, 10 * np.sin(5 * times))
    curves.set_span(2, 8)
    boxes = [plot.getViewBox() for plot in curves.plots.values()]
    for box in boxes:
        box.setYRange(-3, 5, padding=0)
    qtbot.waitUntil(lambda: boxes[1].viewRange()[1] == [-3, 5], timeout=SOON)
    save_plot(curves, tmp_path / "plot.svg")
    svg = "{http://www.w3.org/2000/svg}"
    drawing = ElementTree.parse(tmp_path / "plot.svg")
    paths = {f"url(#{clip.get('id')})": clip[0].get("d") for clip in drawing.iter(f"{svg}clipPath")}
    for box, color in zip(boxes, colors.values(), strict=True):
        line = f"{svg}g[@stroke='{color}']/{svg}polyline"
        groups = [group for group in drawing.iter(f"{svg}g") if group.find(line) is not None]
        corners = np.array([re.findall(r"[-\d.]+", paths[group.get("clip-path")]) for group in groups], float)
        seen = box.sceneBoundingRect()
        assert len(corners) > 0
        assert corners[:, 0::2].min() == pytest.approx(seen.left(), abs=1)
        assert corners[:, 0::2].max() == pytest.approx(seen.right(), abs=1)
        assert corners[:, 1::2].min() == pytest.approx(seen.top(), abs=1)
        assert corners[:, 1::2].max() == pytest.approx(seen.bottom(), abs=1)


def test_a_full_history_thins_its_older_half_and_keeps_all_maxima():
    history, times = SampleBuffer(["x"], rows=1000), 0.01 * np.arange(30_000)
    for batch in np.array_split(times, 1000):
        history.take(samples(batch))
    assert len(history.times) <= 1000
    assert history.times[0] == 0.0
    assert history.times[-1] == times[-1]
    assert (np.diff(history.times) > 0).all()
    np.testing.assert_allclose(np.diff(history.times)[-400:], 0.01)  # the newest are as fine as they came
    assert (history.column("x") == np.sin(history.times)).all()
    # A parabola through samples 0.01 apart finds the maxima of a sine to 0.01^3.
    np.testing.assert_allclose(history.maxima("x")[:, 0], np.pi * (0.5 + 2 * np.arange(48)), atol=1e-6)


def test_a_run_that_is_taken_back_forgets_what_has_not_happened():
    history = SampleBuffer(["x"])
    history.take(samples(np.arange(0, 20, 0.01)))
    history.take(samples(np.arange(5, 6, 0.01)))
    assert history.times[-1] == pytest.approx(5.99)
    assert (np.diff(history.times) > 0).all()
    assert len(history.maxima("x")) == 1


def test_a_thinned_curve_keeps_its_extremes():
    times = np.linspace(0, 1, 100_003)
    values = np.where(np.arange(len(times)) == 54_321, 1.0, 0.0)
    drawn_times, drawn = thinned(times, values, 4000)
    assert len(drawn) < 10_000
    assert drawn.max() == 1.0
    assert (np.diff(drawn_times) >= 0).all()
    assert (drawn_times[0], drawn_times[-1]) == (0.0, 1.0)


@pytest.mark.nightly
def test_the_run_is_exported_as_a_table_with_its_units(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = lab()
    window.action_table["run_table"].trigger()
    dialog = window.tables.dialog
    qtbot.waitUntil(dialog.isVisible, timeout=SOON)
    type_in(qtbot, dialog.until, "0.5")
    type_in(qtbot, dialog.every, "0.05")
    qtbot.mouseClick(dialog.units, LEFT, pos=QPoint(8, dialog.units.height() // 2))
    type_in(qtbot, dialog.path, str(tmp_path / "mine.csv"))
    if dialog.isVisible():  # Return in the field of the file accepts the dialog
        qtbot.mouseClick(dialog.buttons.button(QDialogButtonBox.StandardButton.Save), LEFT)
    qtbot.waitUntil(lambda: "Table saved" in window.toast.text, timeout=10 * SOON)
    written = table(tmp_path / "mine.csv")
    scene = read_scene(SCENE)
    run_to_file(scene, Request(0.5, 0.05, tmp_path / "run.csv"))
    assert (tmp_path / "mine.csv").read_text() == (tmp_path / "run.csv").read_text()
    rows = list(csv.reader((tmp_path / "mine.units.csv").open(encoding="utf-8", newline="")))
    assert rows[0] == ["column", "unit"]
    assert [name for name, _ in rows[1:]] == list(written)
    assert dict(rows)["ball.velocity.z"] == "m/s"
    assert dict(rows)["energy.total"] == "J"


def exported(window: MainWindow, qtbot: QtBot, folder: Path) -> dict[str, np.ndarray]:
    """The table that the action writes now."""
    before = {*folder.glob("polhode-*.csv")}
    window.action_table["plot_data"].trigger()
    qtbot.waitUntil(lambda: "Plot saved" in window.toast.text, timeout=SOON)
    (path,) = {*folder.glob("polhode-*.csv")} - before
    return table(path)


@pytest.mark.nightly
def test_each_kind_of_plot_exports_what_it_shows(lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path) -> None:
    """The frequencies of a spectrum, the pairs of a phase plane, the points of a section; with units."""
    window = lab(gallery.path("bouncing_ball"))
    plots = plots_of(qtbot, window)
    names = "ball.position.z", "ball.velocity.z"
    for name in names:
        if name not in plots.history.columns:
            plots.plot([name])
    qtbot.waitUntil(lambda: plots.history.times[-1] > 4.0, timeout=SOON)
    qtbot.keyClick(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    found = {}
    for kind in ("time", "phase", "section", "spectrum"):
        choose(qtbot, plots.kind, kind)
        qtbot.wait(300)  # it is drawn
        found[kind] = exported(window, qtbot, tmp_path)
        assert all(np.isfinite(values).all() for values in found[kind].values()), kind
    assert next(iter(found["spectrum"])) == "frequency [Hz]"
    assert tuple(found["spectrum"])[1].startswith("amplitude of ")
    xs, ys = plots._xy_plot.drawn()
    assert np.isin(xs, found["spectrum"]["frequency [Hz]"]).all()
    assert np.isin(ys, found["spectrum"][tuple(found["spectrum"])[1]]).all()
    assert len(found["phase"]) == len(found["section"]) == 3
    assert 0 < len(found["section"]["time [s]"]) < 0.1 * len(found["phase"]["time [s]"])
    assert {"time [s]", "ball.position.z [m]", "ball.velocity.z [m/s]"} <= set(found["time"])


def test_rows_of_before_a_quantity_was_chosen_are_left_out_and_counted() -> None:
    """Those that mark a discontinuity are none; what was recalled of the quantity stays."""
    store = PlotStore()
    store.choose(["a"])
    store.take(ColumnSamples(("time", "a"), np.array([[0.0, 1.0], [0.1, 2.0], [0.2, 3.0]])))
    store.interrupt()
    store.choose(["a", "b"])
    store.take(ColumnSamples(("time", "a", "b"), np.array([[0.3, 4.0, 5.0]])))
    store.take(ColumnSamples(("time", "a", "b"), np.array([[0.1, 2.0, 6.0]]), recalled=True))
    made = store.table({"a": "m"})
    assert made.headings == ("time [s]", "a [m]", "b")
    assert made.rows == [[0.1, 2.0, 6.0], [0.3, 4.0, 5.0]]
    assert made.late == {"b": 2}
