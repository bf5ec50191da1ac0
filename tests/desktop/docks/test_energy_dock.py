"""The dock of energies and work, with real keys on a virtual screen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gui import SOON
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from polhode.analysis.columns import columns
from polhode_app.main_window import MainWindow

SCENE = """
format = 1
title = "A pendulum with friction"
[[body]]
name = "bob"
support = "axle"
axis = [0, 1, 0]
orientation = { axis = [0, 1, 0], angle = 1.0 }
friction = 1e-3
shape = [{ kind = "sphere", radius = 0.05, mass = 1.0, position = [0, 0, -0.5] }]
"""


def test_energies_and_work_of_the_run_are_listed(lab: Callable[..., MainWindow], qtbot: QtBot) -> None:
    window = lab()
    qtbot.keyClick(window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    dock = window.docks.docks["energies"]
    assert dock.isVisible()
    qtbot.waitUntil(lambda: window.session.frame is not None and window.session.frame.snapshot.time > 0.3, timeout=SOON)
    window.session.play(False)
    qtbot.waitUntil(lambda: not window.session.frame.running, timeout=SOON)
    names = [*columns(window.session.compiled)]
    table = dock.table

    def shown() -> dict[str, str]:
        return {
            table.item(row, 0).text(): table.item(row, 1).text()
            for row in range(table.rowCount())
            if not table.isRowHidden(row)
        }

    def number(name: str) -> float:
        return float(window.session.frame.snapshot.numbers[names.index(name)])

    qtbot.waitUntil(lambda: f"{number('energy.kinetic'):.6g}" in shown().values(), timeout=SOON)
    values = [*shown().values()]
    assert f"{number('work.friction'):.6g}" in values
    start = number("energy.total") - number("work.friction")
    assert float(values[-1]) == pytest.approx(start, rel=1e-5)  # of six digits
    assert len(values) == 5  # kinetic, gravity, total, friction, difference: what is zero is hidden
