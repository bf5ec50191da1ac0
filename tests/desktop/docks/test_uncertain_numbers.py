"""Uncertain numbers in the window: typed, stepped and undone in the inspector, with bands and parts beside plots."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from gui import SOON, START, accepted, inspect, row_of, type_in
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from polhode.formulas.parser import FormulaError
from polhode.scene.fields import Form
from polhode.scene.uncertain import Uncertain
from polhode_app.docks.inspector.number_editors import NumberOrListEditor
from polhode_app.docks.plots.plot_dock import PlotDock
from polhode_app.edit.field_numbers import text_of, typed_value
from polhode_app.main_window import MainWindow

pytestmark = pytest.mark.new_window

SCENE = """
[[body]]
name = "bob"
support = "pivot"
orientation = { axis = [1, 0, 0], angle = 1.0 }
friction = "0.02 +- 0.005"
shape = [{ kind = "point", mass = 1.0, position = [0, 0, "-0.458 +- 0.03"] }]
"""
Lab = Callable[..., MainWindow]


@pytest.mark.parametrize(
    ("unit", "text", "value"),
    [
        ("m", "0.458 +- 0.001", Uncertain(0.458, 0.001)),
        ("m", "0,458 ± 0,001", Uncertain(0.458, 0.001)),
        ("m", "0.458 +- 0.001 uniform (a)", Uncertain(0.458, 0.001, "uniform", "a")),
        ("m", "45.8 +- 0.1 cm", Uncertain(0.458, 0.001)),
        ("m", "０．４５８＋－０．００１", Uncertain(0.458, 0.001)),
        ("", "0.5±0.1", Uncertain(0.5, 0.1)),
    ],
)
def test_the_parser_takes_uncertain_numbers(unit: str, text: str, value: Uncertain) -> None:
    assert typed_value(text, Form("number", unit), unit, 1.0) == value
    assert typed_value(text_of(value), Form("number", unit), unit, 1.0) == value


def test_numbers_without_a_unit_are_in_the_one_that_is_shown() -> None:
    assert typed_value("458 +- 1", Form("number", "m"), "mm", 1e-3) == Uncertain(0.458, 0.001)
    assert typed_value("0.458 +- 0.001 m", Form("number", "m"), "mm", 1e-3) == Uncertain(0.458, 0.001)


@pytest.mark.parametrize("text", ["0.458 +- -0.001", "0.458 +- 0.001 s", "0.458 +- x", "+- 1"])
def test_invalid_uncertainties_are_refused(text: str) -> None:
    with pytest.raises(FormulaError):
        typed_value(text, Form("number", "m"), "m", 1.0)


def test_counts_are_certain() -> None:
    with pytest.raises(FormulaError):
        typed_value("5 +- 1", Form("whole"), "", 1.0)


def test_lists_may_have_uncertain_numbers(qtbot: QtBot) -> None:
    editor = NumberOrListEditor(Form("number_or_list", "N/m"), 1.0)
    qtbot.addWidget(editor)
    editor.show_value((1.0, Uncertain(2.0, 0.1)))
    assert editor.field.text() == "1, 2 +- 0.1"
    editor.field.setText("1 +- 0.5, 3")
    with qtbot.waitSignal(editor.changed) as emitted:
        editor._commit()
    assert emitted.args[0] == (Uncertain(1.0, 0.5), 3.0)


def test_a_typed_uncertainty_is_shown_kept_by_steps_and_undone(lab: Lab, qtbot: QtBot) -> None:
    window = lab(SCENE.replace('"0.02 +- 0.005"', "0.02"))
    window.session.play(False)
    inspect(window, "body", 0)
    qtbot.waitUntil(lambda: not window.session.is_pending, timeout=SOON)
    field = row_of(window, "body[0].friction").editor.field
    type_in(qtbot, field, "0.03 +- 0.004 (b)")
    assert accepted(window, qtbot).body[0].friction == Uncertain(0.03, 0.004, letter="b")
    assert field.text() == "0.03 +- 0.004 (b)"
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Up)
    stepped = accepted(window, qtbot).body[0].friction
    assert stepped > 0.03
    assert (stepped.deviation, stepped.letter) == (0.004, "b")
    window.action_table["undo"].trigger()
    window.action_table["undo"].trigger()
    assert type(accepted(window, qtbot).body[0].friction) is float
    inspect(window, "body", 0, "shape", 0)
    qtbot.wait(200)
    assert "+-" in row_of(window, "body[0].shape[0].position").editor.fields[2].text()


def test_the_length_of_a_pendulum_may_be_uncertain(lab: Lab, qtbot: QtBot) -> None:
    window = lab(SCENE.replace('"-0.458 +- 0.03"', "-0.4"))
    inspect(window, "body", 0)
    qtbot.waitUntil(lambda: not window.session.is_pending, timeout=SOON)
    field = window.edit_actions.inspector.form.length_row.editor.field
    type_in(qtbot, field, "0.458 +- 0.001")
    assert accepted(window, qtbot).body[0].shape[0].position[2] == Uncertain(-0.458, 0.001)
    assert field.text() in ("0.458 +- 0.001", "45.8 +- 0.1", "458 +- 1")
    mass = window.edit_actions.inspector.form.mass_row.editor.field
    type_in(qtbot, mass, "2 +- 0.1 kg")
    assert accepted(window, qtbot).body[0].shape[0].mass == Uncertain(2.0, 0.1)
    type_in(qtbot, field, "0.5 m")
    assert type(accepted(window, qtbot).body[0].shape[0].position[2]) is float


def shown(window: MainWindow, qtbot: QtBot) -> PlotDock:
    """The dock with a curve of the pendulum."""
    qtbot.keyClick(window, Qt.Key.Key_F4)
    qtbot.waitUntil(lambda: window.docks.dock("plots") is not None, timeout=SOON)
    plots = window.docks.docks["plots"]
    qtbot.waitUntil(lambda: plots.isVisible() and bool(plots.list.model.names), timeout=SOON)
    plots._set_columns(["bob.u3.y"])
    return plots


def test_plots_have_bands_and_the_inspector_the_parts(lab: Lab, qtbot: QtBot) -> None:
    """The band is that of the tangents, dashed from where draws differ."""
    window = lab(SCENE)
    plots, runs = shown(window, qtbot), window.context.uncertain
    inspect(window, "body", 0)
    qtbot.waitUntil(lambda: runs.found is not None, timeout=START)
    qtbot.waitUntil(lambda: runs.found is not None and runs.found.drawn is not None, timeout=START)
    qtbot.waitUntil(lambda: plots.time_plot.banded == ("bob.u3.y",), timeout=SOON)
    found = runs.found
    begin = found.differs_from("bob.u3.y")
    assert 1.0 < begin < 10.0
    qtbot.waitUntil(lambda: str(found.drawn.count) in plots.uncertainty.text(), timeout=SOON)
    curves = [item for item in plots.time_plot._bands.drawn["bob.u3.y"][1] if hasattr(item, "getData")]
    dashed = [each for each in curves if each.opts["pen"].style() == Qt.PenStyle.DashLine]
    assert len(curves) == 4
    assert [each.getData()[0][0] for each in dashed] == pytest.approx([begin, begin])
    upper = np.concatenate([curves[0].getData()[1], curves[2].getData()[1][1:]])
    mean = found.values[:, found.names.index("bob.u3.y")]
    assert upper == pytest.approx(mean + 2 * found.sd("bob.u3.y"))
    share = f"{100 * found.period('bob.u3.y').shares['body[0].shape[0].position[2]']:.0f} %"
    assert share in plots.uncertainty.text()
    header = window.docks.docks["inspector"].header
    qtbot.waitUntil(lambda: share in header.text(), timeout=SOON)
    type_in(qtbot, window.edit_actions.inspector.form.length_row.editor.field, "0.458 m")
    type_in(qtbot, row_of(window, "body[0].friction").editor.field, "0.02")
    qtbot.waitUntil(lambda: not plots.time_plot.banded and plots.uncertainty.isHidden(), timeout=SOON)


def test_a_certain_scene_has_no_bands_and_asks_for_nothing(lab: Lab, qtbot: QtBot) -> None:
    window = lab(SCENE.replace('"0.02 +- 0.005"', "0.02").replace('"-0.458 +- 0.03"', "-0.458"))
    plots = shown(window, qtbot)
    qtbot.waitUntil(lambda: len(plots.time_plot.drawn("bob.u3.y")[0]) > 10, timeout=SOON)
    assert plots.time_plot.banded == ()
    assert plots.uncertainty.isHidden()
    assert not window.context.uncertain.is_running
