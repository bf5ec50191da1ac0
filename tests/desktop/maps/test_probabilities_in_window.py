"""Probabilities over draws in the dock of maps: picture, text of a cell, legend, and what a click starts."""

from __future__ import annotations

import numpy as np
import pytest
from gui import LEFT, SOON, accepted, click, inspect, row_of, type_in
from map_window import SCENE as NEEDLE
from map_window import controller_of, finished
from pytestqt.qtbot import QtBot

from polhode.scene.uncertain import Uncertain
from polhode_app.data.maps.picture import COLORS, packed, paler
from polhode_app.docks.maps.legend import _percent
from polhode_app.main_window import MainWindow

pytestmark = pytest.mark.new_window  # a dock keeps what a test has set

AXES = NEEDLE[NEEDLE.index("axes = [") : NEEDLE.index("outcome =")]
DRAWS = 10
OVER_TWO = f"""axes = [
    {{ parameter = "body[0].tilt[2]", range = [-3, 3], count = 6 }},
    {{ parameter = "body[0].angular_velocity[2]", range = [-6, 6], count = 4 }},
    {{ parameter = "body[0].friction", draws = {{ count = {DRAWS} }} }},
]
"""
OVER_ONE = f"""axes = [
    {{ parameter = "body[0].angular_velocity[2]", range = [-6, 6], count = 6 }},
    {{ parameter = "body[0].friction", draws = {{ count = {DRAWS} }} }},
]
"""
UNCERTAIN = NEEDLE.replace("friction = 2e-3", 'friction = "2e-3 +- 6e-4"').replace(
    "until = 6.0", 'until = 5.0\ncheck = "none"'
)
SCENE = UNCERTAIN.replace(AXES, OVER_TWO)


def pixels_at(dock, seen: int) -> int:
    """The colour of the picture at the middle of a cell, 0xffRRGGBB."""
    where = dock.view.position_of(seen).toPoint()
    return dock.view.grab().toImage().pixel(where)


def test_cells_are_paler_where_their_attractor_is_less_probable(window: MainWindow, qtbot: QtBot) -> None:
    control, dock = finished(window, qtbot), window.docks.docks["maps"].widgets
    made = control.maps.run.map
    chances = made.probabilities()
    assert chances is not None
    most = chances.max(axis=0)
    unsure = int(most.argmin())
    assert most.min() < 0.9, "the scene has cells whose end depends on the friction"
    assert dock.probable.isVisible()
    assert not dock.slice.isVisible()
    for seen in (unsure, int(most.argmax())):
        label, part = int(chances.reshape(2, -1)[:, seen].argmax()), most.reshape(-1)[seen]
        expected = paler(np.array([packed(COLORS[label])]), np.array([part]))[0]
        assert pixels_at(dock, seen) == expected
    qtbot.mouseMove(dock.view.viewport(), dock.view.position_of(unsure).toPoint())
    percent = f"{100 * most.min():.3g} %"
    qtbot.waitUntil(lambda: percent in dock.hover.text() and str(DRAWS) in dock.hover.text(), timeout=SOON)
    sure = _percent(float((most >= 0.95).mean()))
    assert any("95" in text and sure in text for text in dock.legend.texts)


def test_a_click_keeps_the_uncertain_number(window: MainWindow, qtbot: QtBot) -> None:
    control, dock = finished(window, qtbot), window.docks.docks["maps"].widgets
    seen = 3 * 4 + 1
    qtbot.mouseClick(dock.view.viewport(), LEFT, pos=dock.view.position_of(seen).toPoint())
    scene = accepted(window, qtbot)
    spin = control.maps.run.map.axis_values[1][1]
    assert scene.body[0].angular_velocity == pytest.approx((0, 0, spin), abs=1e-12)
    assert scene.body[0].friction == Uncertain(2e-3, 6e-4)
    assert dock.notice.isHidden()


def test_single_draws_are_shown_by_the_button_and_its_keys(window: MainWindow, qtbot: QtBot) -> None:
    control, dock = finished(window, qtbot), window.docks.docks["maps"].widgets
    click(qtbot, dock.probable)
    assert not dock.probable.isChecked()
    qtbot.waitUntil(dock.slice.isVisible, timeout=SOON)
    label = control.maps.run.map.label
    dock.slice.setValue(3)
    differs = np.argwhere(label[..., 3] != label[..., 0])
    row, column = differs[0] if len(differs) else (0, 0)
    qtbot.waitUntil(lambda: pixels_at(dock, row * 4 + column) == packed(COLORS[label[row, column, 3]]), timeout=SOON)
    dock.probable.setFocus()
    qtbot.keyClick(dock.probable, " ")
    qtbot.waitUntil(lambda: dock.probable.isChecked() and not dock.slice.isVisible(), timeout=SOON)


def test_over_one_range_the_heights_of_the_colours_are_probabilities(lab, qtbot: QtBot) -> None:
    window = lab(UNCERTAIN.replace(AXES, OVER_ONE))
    control, dock = finished(window, qtbot), window.docks.docks["maps"].widgets
    made = control.maps.run.map
    chances = made.probabilities()
    assert chances is not None
    column = int(np.abs(chances[0] - 0.5).argmin())
    first = round(chances[0, column] * DRAWS)
    assert 0 < first < DRAWS
    for draw in (0, first - 1, first, DRAWS - 1):
        assert pixels_at(dock, column * DRAWS + draw) == packed(COLORS[int(draw >= first)])
    qtbot.mouseClick(dock.view.viewport(), LEFT, pos=dock.view.position_of(column * DRAWS + first).toPoint())
    friction = accepted(window, qtbot).body[0].friction
    assert friction.deviation == 6e-4
    drawn = int(np.flatnonzero(made.axis_values[1] == float(friction))[0])
    assert made.label[column, drawn] == 1
    click(qtbot, dock.probable)
    by_draw = [pixels_at(dock, column * DRAWS + draw) for draw in range(DRAWS)]
    assert by_draw == [packed(COLORS[each]) for each in made.label[column]]


def test_draws_of_a_number_that_becomes_certain_are_refused_in_words(window: MainWindow, qtbot: QtBot) -> None:
    control = controller_of(window, qtbot)
    form = window.docks.docks["maps"].widgets.form
    inspect(window, "body", 0)
    type_in(qtbot, row_of(window, "body[0].friction").editor.field, "2e-3")
    assert accepted(window, qtbot).body[0].friction == 2e-3
    qtbot.waitUntil(lambda: "sweep[0].axes[2]" in form.error.text(), timeout=SOON)
    assert control.settings is not None
    assert control.settings.axes[2].draws.deviation is None
    box = form.rows[2].deviation
    type_in(qtbot, box, "1e-4")
    qtbot.waitUntil(lambda: window.session.scene.sweep[0].axes[2].draws.deviation == 1e-4, timeout=SOON)
    assert form.error.text() == ""
