"""The window on usual small screens: no control is squeezed, cut or covered, whichever docks are open.

A screen of 1600 x 1000 at 200 % has 800 x 500 pixels of Qt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from geometry import faults, shortened
from gui import SOON
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from polhode.scene import gallery
from polhode_app.application import make_application
from polhode_app.main_window import MainWindow
from polhode_app.window.parts.docks import DOCKS

SIZES = [(1024, 700, "en"), (1366, 768, "ja"), (800, 500, "en"), (800, 500, "ja")]


METHODS = "rk4", "dormand_prince_8", "adams_bashforth_2_as_printed"  # names of all lengths


@pytest.fixture(autouse=True)
def _own_font(qapp: QApplication) -> Iterator[None]:
    """The font of the program: Japanese letters that a system lacks would be narrow boxes."""
    before = qapp.font()
    make_application()
    yield
    qapp.setFont(before)


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


@pytest.mark.parametrize(
    ("width", "height", "language"), [(1366, 768, "ja"), (1366, 768, "en"), (1100, 700, "ja"), (1100, 700, "en")]
)
def test_the_name_of_the_method_is_whole(
    lab: Callable[..., MainWindow], qtbot: QtBot, width: int, height: int, language: str
) -> None:
    """With and without docks beside the view, and after the method was changed by the scene."""
    window = lab(gallery.path("heavy_top"))
    window.session.play(False)
    window.resize(width, height)
    window.set_language(language)
    try:
        for open_docks in ((), ("tree",), ("tree", "inspector")):
            for name in ("tree", "inspector"):
                window.action_table[name].setChecked(name in open_docks)
            for method in METHODS:
                window.session.set_solver(method=method)
                qtbot.waitUntil(lambda method=method: window.transport.solver.method.currentData() == method)
                qtbot.wait(100)  # [ms] bars are wrapped in later events
                assert_whole(window, qtbot, (width, height), f"{open_docks}, {method}")
                assert not shortened(window)
    finally:
        window.set_language("en")
