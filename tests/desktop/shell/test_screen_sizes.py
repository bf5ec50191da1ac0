"""The window on usual small screens: no control is squeezed, cut or covered, whichever docks are open.

A screen of 1600 x 1000 at 200 % has 800 x 500 pixels of Qt.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from geometry import faults
from gui import SOON
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from polhode.scene import gallery
from polhode_app.main_window import MainWindow
from polhode_app.window.parts.docks import DOCKS

SIZES = [(1024, 700, "en"), (1366, 768, "ja"), (800, 500, "en"), (800, 500, "ja")]


def assert_whole(window: MainWindow, qtbot: QtBot, size: tuple[int, int], opened: str) -> None:
    """No fault of geometry once sizes are settled."""
    qtbot.wait(200)  # [ms] tabs are raised and bars are wrapped in later events
    found: list[str] = []

    def is_whole() -> bool:
        found[:] = faults(window)
        return not found

    try:
        qtbot.waitUntil(is_whole, timeout=5000)  # [ms] many times what settling takes
    except qtbot.TimeoutError:
        pytest.fail(f"{opened}: {'; '.join(found)}")
    assert window.size().toTuple() == size


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(("sensor",), id="short"),
        pytest.param([row.name for row in DOCKS if row.name not in ("tree", "inspector")], marks=pytest.mark.nightly),
    ],
)
@pytest.mark.parametrize(("width", "height", "language"), SIZES)
def test_no_control_is_squeezed_cut_or_covered(
    lab: Callable[..., MainWindow], qtbot: QtBot, width: int, height: int, language: str, names: list[str]
) -> None:
    """With the inspector alone, beside the tree, and with each of the other docks."""
    window = lab(gallery.path("heavy_top"))
    window.resize(width, height)
    window.set_language(language)
    try:
        assert_whole(window, qtbot, (width, height), "tree")
        window.docks.open("inspector")
        window.session.select(("body", 0))
        assert_whole(window, qtbot, (width, height), "inspector")
        controls = window.transport
        for widget in (controls._time_label, controls._speed_box, controls._buttons["record"], controls.solver.method):
            assert widget.isVisible()
        for name in names:
            window.docks.open(name)
            qtbot.waitUntil(lambda name=name: window.docks.dock(name) is not None, timeout=SOON)
            qtbot.waitUntil(lambda name=name: not window.docks.docks[name].visibleRegion().isEmpty(), timeout=SOON)
            assert_whole(window, qtbot, (width, height), name)
            window.action_table[name].setChecked(False)
            QApplication.processEvents()
    finally:
        window.set_language("en")
