"""Plots of items side by side: physical coordinates beside modal ones, with a common time axis, by real keys."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gui import LEFT, SOON, press_space
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from polhode import Simulation, read_scene
from polhode.analysis.columns import columns
from polhode.scene import gallery
from polhode_app.docks.plots.panels import MOST_BESIDE, Panel, placed
from polhode_app.docks.plots.plot_dock import PlotDock
from polhode_app.docks.plots.plot_settings import usual
from polhode_app.docks.plots.time_plot import TimePlot
from polhode_app.main_window import MainWindow
from polhode_app.window.shell.qt_translator import use_language

pytestmark = pytest.mark.new_window  # the plots keep the quantities of a scene

SCENE = gallery.path("two_masses")
NAMES = tuple(f"{row}.{k}.position.z" for row in ("points", "modes") for k in (1, 2))


@pytest.fixture(autouse=True)
def _english_again(qapp: object) -> object:
    yield
    use_language("en")


def opened(window: MainWindow, qtbot: QtBot) -> PlotDock:
    qtbot.keyClick(window, Qt.Key.Key_F4)
    qtbot.waitUntil(lambda: window.docks.dock("plots") is not None, timeout=SOON)
    plots = window.docks.docks["plots"]
    qtbot.waitUntil(lambda: plots.isVisible() and bool(plots.list.model.names), timeout=SOON)
    return plots


def choose_curves(plots: PlotDock, qtbot: QtBot) -> None:
    """Uncheck the usual quantities and check NAMES, by clicks."""
    for name in (*plots._columns, *NAMES):
        plots.list.search.setText(name)
        view = plots.list.view
        rows = (view.model().index(row, 0) for row in range(view.model().rowCount()))
        index = next(index for index in rows if index.data(Qt.ItemDataRole.UserRole) == name)
        view.scrollTo(index)
        qtbot.mouseClick(view.viewport(), LEFT, pos=view.visualRect(index).center())
    assert tuple(plots.time_plot.lines) == NAMES


def boxes(plots: PlotDock) -> dict[Panel, tuple[float, float, float, float]]:
    """Left, top, width and height of the area of each plot [pixel]."""
    found = {key: plot.getViewBox().sceneBoundingRect() for key, plot in plots.time_plot.plots.items()}
    return {key: (box.left(), box.top(), box.width(), box.height()) for key, box in found.items()}


def test_items_are_side_by_side_in_equal_panels_with_a_common_time_axis(
    lab: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    window = lab()
    plots = opened(window, qtbot)
    choose_curves(plots, qtbot)
    assert list(plots.time_plot.plots) == [Panel("m")]
    press_space(window, qtbot, plots.beside)
    assert list(plots.time_plot.plots) == [Panel("m", "points"), Panel("m", "modes")]

    def is_even() -> bool:
        left, right = boxes(plots).values()
        return left[0] + left[2] < right[0] and abs(left[2] - right[2]) < 12 and left[1] == pytest.approx(right[1])

    qtbot.waitUntil(is_even, timeout=SOON)
    first, second = plots.time_plot.plots.values()
    window.session.play(False)
    plots.follow.setChecked(False)
    second.getViewBox().setXRange(0.2, 0.7, padding=0)
    assert first.viewRange()[0] == pytest.approx((0.2, 0.7), abs=1e-3)
    press_space(window, qtbot, plots.beside)
    assert list(plots.time_plot.plots) == [Panel("m")]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_names_are_wrapped_within_their_panel(lab: Callable[..., MainWindow], qtbot: QtBot, language: str) -> None:
    window = lab()
    use_language(language)
    plots = opened(window, qtbot)
    choose_curves(plots, qtbot)
    press_space(window, qtbot, plots.beside)
    window.resize(1000, 700)
    QApplication.processEvents()

    def fits() -> bool:
        labels = plots.time_plot.legends.values()
        inside = all(each.itemRect().width() <= each.rect().width() + 1 for each in labels)
        return inside and all(each.itemRect().height() <= each.rect().height() + 1 for each in labels)

    qtbot.waitUntil(fits, timeout=SOON)
    left, right = boxes(plots).values()
    assert min(left[3], right[3]) > 40  # [pixel] the curves have the most


def test_the_choice_is_remembered_for_the_scene(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    plots = opened(window, qtbot)
    choose_curves(plots, qtbot)
    press_space(window, qtbot, plots.beside)
    assert plots.beside.isChecked()
    window.session.open(gallery.path("course_1_oscillator"))
    qtbot.waitUntil(lambda: "ball.position.z" in plots.time_plot.lines, timeout=SOON)
    assert not plots.beside.isChecked()
    window.session.open(SCENE)
    qtbot.waitUntil(lambda: tuple(plots.time_plot.lines) == NAMES, timeout=SOON)
    assert plots.beside.isChecked()
    assert len(plots.time_plot.plots) == 2


def test_plots_fill_the_canvas_after_every_change(qtbot: QtBot) -> None:
    """Two units, one unit, two items side by side, and one plot again, without a resize between."""
    canvas, colors = TimePlot(), {"energy.total": "#888", "a.z": "#f00", "b.z": "#0f0"}
    qtbot.addWidget(canvas)
    canvas.resize(800, 300)
    with qtbot.waitExposed(canvas):
        canvas.show()
    two, both = {"energy.total": "J", "a.z": "m"}, {"a.z": "m", "b.z": "m"}
    for units, items in ((two, None), ({"energy.total": "J"}, None), (both, {"a.z": "a", "b.z": "b"}), (both, None)):
        canvas.show_columns(units, colors, items)

        def fills(rows: int = len(set(units.values()))) -> bool:
            heights = [plot.getViewBox().height() for plot in canvas.plots.values()]
            return min(heights) > 0.25 * canvas.height() and sum(heights[:rows]) > 0.6 * canvas.height()

        qtbot.waitUntil(fills, timeout=SOON)


def test_the_height_that_is_plotted_first_is_one_that_changes() -> None:
    """Point 0 of the row hangs at the ceiling."""
    compiled = Simulation(read_scene(SCENE)).compiled
    assert usual(compiled, columns(compiled))[-1] == "points.1.position.z"


def test_units_are_below_each_other_and_many_items_in_further_rows() -> None:
    names = [f"ball{k}" for k in range(MOST_BESIDE + 1)]
    places = placed([Panel(unit, name) for name in names for unit in ("m", "J")])
    assert places[Panel("m", names[0])] == (0, 0)
    assert places[Panel("J", names[1])] == (1, 1)
    assert places[Panel("m", names[MOST_BESIDE])] == (2, 0)
    assert len(set(places.values())) == len(places)
