"""Values under the pointer in plots: over time, in the phase plane, and in a spectrum."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from gui import SOON
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QToolTip
from pytestqt.qtbot import QtBot

from polhode_app.docks.plots.time_plot import TimePlot
from polhode_app.docks.plots.xy_plot import XYPlot
from polhode_app.window.widgets.canvas import Canvas

TIMES = np.linspace(0.0, 2.0, 201)


@pytest.fixture(autouse=True)
def _no_tip_is_left() -> Iterator[None]:
    yield
    QToolTip.hideText()


def pointed(qtbot: QtBot, canvas: Canvas, plot: object, x: float, y: float) -> str:
    """The tool tip after the pointer has moved to a position of a plot, "" for none."""
    box = plot.getViewBox()
    where = canvas.mapFromScene(box.mapViewToScene(QPointF(x, y)))
    qtbot.mouseMove(canvas.viewport(), where)
    canvas.scene().sigMouseMoved.emit(QPointF(canvas.mapToScene(where)))
    return QToolTip.text()


def test_a_time_plot_names_time_and_values(qtbot: QtBot) -> None:
    canvas = TimePlot()
    qtbot.addWidget(canvas)
    canvas.resize(500, 300)
    canvas.show_columns(
        {"energy.kinetic": "J", "energy.total": "J"}, {"energy.kinetic": "#888", "energy.total": "#fff"}
    )
    for name, values in (("energy.kinetic", TIMES**2), ("energy.total", 3.0 + 0.0 * TIMES)):
        canvas.lines[name][1].setData(TIMES, values)
    canvas.set_span(0.0, 4.0)
    canvas.plots["J", ""].setYRange(0.0, 4.0)
    with qtbot.waitExposed(canvas):
        canvas.show()
    lines = pointed(qtbot, canvas, canvas.plots["J", ""], 1.0, 2.0).splitlines()
    assert [line.rpartition(": ")[0] for line in lines] == ["time", "kinetic energy", "total energy"]
    numbers = [float(line.rpartition(": ")[2].split()[0]) for line in lines]
    resolution = 4.0 / 400  # one pixel of the time axis [s]
    assert numbers == pytest.approx([1.0, 1.0, 3.0], abs=2 * resolution)
    assert numbers[1] == pytest.approx(numbers[0] ** 2, rel=1e-3)
    assert lines[1].endswith(" J")
    pointed(qtbot, canvas, canvas.plots["J", ""], 3.0, 2.0)  # after the last value
    qtbot.waitUntil(lambda: not QToolTip.isVisible(), timeout=SOON)


@pytest.mark.parametrize("is_logarithmic", [False, True])
def test_a_plot_of_pairs_names_the_nearest_one(qtbot: QtBot, is_logarithmic: bool) -> None:
    canvas = XYPlot()
    qtbot.addWidget(canvas)
    canvas.set_theme(QPalette())
    canvas.resize(400, 300)
    canvas.set_labels(("frequency", "Hz"), ("amplitude", "m"), "#888")
    canvas.set_log_y(is_logarithmic)
    canvas.draw(np.array([1.0, 2.0, 3.0]), np.array([10.0, 1000.0, 100.0]), points=True)
    with qtbot.waitExposed(canvas):
        canvas.show()
    height = 3.0 if is_logarithmic else 1000.0
    assert pointed(qtbot, canvas, canvas.plot, 2.0, height).splitlines() == ["frequency: 2 Hz", "amplitude: 1000 m"]
    pointed(qtbot, canvas, canvas.plot, 1.5, 0.9 * height)
    qtbot.waitUntil(lambda: not QToolTip.isVisible(), timeout=SOON)
