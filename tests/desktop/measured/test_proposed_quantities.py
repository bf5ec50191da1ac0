"""Quantities that the dock of measured data proposes for a column by its unit, in the real window, with real events."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gui import SOON, click
from made_data import PENDULUM, swing
from measured_window import opened
from pytestqt.qtbot import QtBot

from polhode_app.main_window import MainWindow

pytestmark = pytest.mark.new_window  # a dock keeps what a test has set

SCENE = PENDULUM.format(gravity=9.81, friction=0.002, angle=0.5).replace('"pivot"', '"axle"\naxis = [0, 1, 0]')


@pytest.mark.parametrize(
    ("heading", "name"), [("a (deg)", "bob.deflection"), ("w (rad/s)", "bob.angular_velocity.y"), ("x (mm)", "")]
)
def test_the_only_quantity_with_the_unit_is_proposed(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, heading: str, name: str
) -> None:
    """An angle from the vertical, the rate about an axle; of the many lengths of a scene none."""
    times = np.linspace(0.0, 4.0, 201)
    path, column = tmp_path / "swing.csv", heading[0]
    np.savetxt(path, np.stack([times, swing(times)[0]], axis=1), delimiter=",", header=f"t (s),{heading}", comments="")
    opened(window, qtbot, path)
    dock = window.docks.docks["measured"]
    row = dock.data_tab.rows[column]
    qtbot.waitUntil(row.quantity.isVisible, timeout=SOON)
    units = dock.data._known()
    offered = [units[row.quantity.itemData(index)] for index in range(1, row.quantity.count())]
    same = offered.count(row.column.unit)
    assert set(offered[:same]) == {row.column.unit} != set(offered[same:])
    if not name:
        assert not row.mend.isVisible()
        return
    qtbot.waitUntil(row.mend.isVisible, timeout=SOON)
    click(qtbot, row.mend)
    assert dock.data.layer.mapping == {column: name}
