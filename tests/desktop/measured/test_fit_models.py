"""Segments, comparisons with the previous fit, and predictions, from the tab of the fit."""

from __future__ import annotations

from pathlib import Path

import pytest
from gui import LEFT, SOON, START, click
from made_data import write_swing
from measured_window import opened, type_quantity
from pytestqt.qtbot import QtBot

from polhode_app.main_window import MainWindow

pytestmark = pytest.mark.new_window  # a dock keeps what a test has set


def test_a_fit_in_segments_is_compared_with_the_previous_one(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """A second unknown explains the swing, four segments need more unknowns; the report compares them."""
    swing, report = tmp_path / "swing.csv", tmp_path / "r.html"
    write_swing(swing)
    opened(window, qtbot, swing)
    dock = window.docks.docks["measured"]
    type_quantity(window, qtbot, "w", "angular velocity y")
    qtbot.mouseClick(dock.tabs.tabBar(), LEFT, pos=dock.tabs.tabBar().tabRect(1).center())

    def fitted() -> None:
        before = dock.fit.result
        qtbot.waitUntil(dock.fit_tab.fit.isEnabled, timeout=START)
        click(qtbot, dock.fit_tab.fit)
        qtbot.waitUntil(lambda: dock.fit.result is not before, timeout=START)

    dock.fit.free("body[0].friction")
    fitted()
    assert dock.fit.comparisons == ()
    dock.fit.free("world.gravity[2]")
    fitted()
    (comparison,) = dock.fit.comparisons
    assert comparison.is_nested
    assert comparison.prefers_second
    assert f"{comparison.f:.4g}" in dock.fit_tab.tests.text()
    assert f"{comparison.aicc[1] - comparison.aicc[0]:+.4g}" in dock.fit_tab.tests.text()
    dock.fit_tab.segments.setValue(4)
    assert dock.fit.is_outdated
    fitted()
    assert dock.fit.result.runs.count == 4
    (comparison,) = dock.fit.comparisons
    assert not comparison.is_nested
    assert comparison.unknowns[1] > comparison.unknowns[0] == 2
    dock.fit.write_report(report)
    qtbot.waitUntil(report.exists, timeout=SOON)
    assert f"{comparison.aicc[0] - comparison.aicc[1]:+.4g}" in report.read_text("utf-8")
