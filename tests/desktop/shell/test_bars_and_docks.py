"""Texts and sizes of the bars and docks around the view."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from operator import attrgetter

import pytest
from gui import LEFT, SOON, accepted, click
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QComboBox, QPushButton, QStyle, QStyleOptionComboBox, QWidget
from pytestqt.qtbot import QtBot
from sampling import sampled

from polhode.scene.problem import InputError, Problem
from polhode_app.main_window import MainWindow
from polhode_app.window.parts.dock import Dock
from polhode_app.window.parts.docks import DOCKS
from polhode_app.window.shell.actions import entries
from polhode_app.window.shell.status_bar import StatusBar
from polhode_app.window.widgets.number_label import NumberLabel
from polhode_app.window.widgets.problems_dialog import ProblemsDialog
from polhode_app.window.widgets.toast import FilmBar, OverlayFrame, Toast


@pytest.mark.parametrize(
    ("drift", "text"),
    [
        (-0.49, "energy drift −49 %"),
        (1.5e-3, "energy drift +0.15 %"),
        (0.0, "energy drift 0"),
        (5e-11, "energy drift 5e−11"),
        (-3e-7, "energy drift −3e−07"),
    ],
)
def test_a_change_of_energy_is_told_in_percent_where_it_is_one(qtbot: QtBot, drift: float, text: str) -> None:
    status = StatusBar()
    qtbot.addWidget(status)
    assert status.energy_text(drift) == text


@pytest.mark.parametrize(
    ("walls", "rate"),
    [
        ([0.0, 0.1, 0.2, 0.3, 0.4], "10 fps"),
        ([0.0, 5.0, 5.00001, 5.00002], "1 fps"),  # queued frames after a pause
        ([0.0, 0.00001], ""),
    ],
)
def test_the_rate_of_frames_is_measured_over_a_while(
    window: MainWindow, qtbot: QtBot, walls: list[float], rate: str
) -> None:
    status = StatusBar()
    qtbot.addWidget(status)
    for wall in walls:
        status.frame_drawn(wall)
    status.show_frame(replace(window.session.frame, running=True), 0.0)
    labels = [label.text() for label in status.findChildren(NumberLabel)]
    assert [text for text in labels if "fps" in text] == ([rate] if rate else [])


def test_every_problem_is_seen_at_once(qtbot: QtBot) -> None:
    heights = []
    for count in (1, 6):
        problems = [Problem(f"body[{i}].mass", f"is {'not ' * 40}a number", "write a number") for i in range(count)]
        shown = ProblemsDialog(InputError("/some/where/far/scene.toml", problems))
        qtbot.addWidget(shown)
        shown.show()
        qtbot.waitUntil(lambda shown=shown: not shown.table.verticalScrollBar().isVisible(), timeout=SOON)
        heights.append(shown.height())
        shown.close()
    assert heights[1] > heights[0]


def test_a_notice_offers_remedies_until_something_else_is_said(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(600, 300)
    parent.show()
    toast, done = Toast(parent), []
    toast.show_message("It went wrong.", None, {"Mend": lambda: done.append("mend")})
    (button,) = [button for button in toast.findChildren(QPushButton) if button.isVisible()]
    qtbot.mouseClick(button, LEFT)
    assert done == ["mend"]
    toast.show_message("All is well.")
    assert not [button for button in toast.findChildren(QPushButton) if button.isVisible()]


def inside(over: OverlayFrame) -> list[QRect]:
    """Where all that is seen of it stands; nothing of it lies over another, or is cut."""
    assert over.parentWidget().rect().contains(over.geometry())
    seen = [child for child in over.findChildren(QWidget) if child.isVisible()]
    for child in seen:
        assert over.rect().contains(child.geometry())
        assert child.width() >= (child.minimumWidth() or child.minimumSizeHint().width())
    pairs = itertools.combinations([child.geometry() for child in seen], 2)
    assert not any(one.intersects(other) for one, other in pairs)
    return [child.geometry() for child in seen]


@pytest.mark.parametrize("width", [238, 300, 420, 900])
def test_the_bar_of_a_film_fits_its_view(qtbot: QtBot, width: int) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(width, 325)
    parent.show()
    bar = FilmBar(parent)
    for show in (lambda: bar.show_recording(3.0), lambda: bar.show_writing(3.0, 0.2, 754.0)):
        show()
        QApplication.processEvents()
        places = inside(bar)
        assert (len({place.center().y() for place in places}) == 1) == (width >= 420)  # in one row where it can be


def test_the_method_of_every_action_takes_what_the_action_passes(window: MainWindow) -> None:
    for row in entries():
        method = attrgetter(row.call)(window)
        assert callable(method)
        if inspect.ismethod(method):  # `close` is Qt's own
            inspect.signature(method).bind(*row.args, *([True] if row.checkable else []))


def test_every_dock_is_a_class_of_its_module_with_an_action(window: MainWindow) -> None:
    opened = {row.args[0] for row in entries() if row.call == "docks.set_open"}
    assert opened == {row.name for row in DOCKS} <= window.action_table.keys()
    for row in DOCKS:
        assert issubclass(getattr(import_module(row.module), row.class_name), Dock)


@pytest.mark.parametrize("width", sampled([1200, 1500], 2))
def test_a_dock_that_is_opened_again_is_as_wide_as_before(window: MainWindow, qtbot: QtBot, width: int) -> None:
    """Also where the bar below the view must hide widgets to make room for it."""
    window.resize(width, 900)
    window.action_table["tree"].setChecked(True)
    window.action_table["inspector"].setChecked(True)
    qtbot.waitUntil(lambda: window.width() == width and window.docks.docks["inspector"].isVisible(), timeout=SOON)
    tree = window.docks.docks["tree"]
    before = tree.width()
    window.action_table["tree"].setChecked(False)
    qtbot.wait(300)  # [ms] the bar shows what it has room for
    window.action_table["tree"].setChecked(True)
    qtbot.wait(300)
    qtbot.waitUntil(lambda: tree.width() == before, timeout=SOON)


def test_the_first_window_shows_names_whole_and_opens_the_inspector_with_the_first_selection(
    window: MainWindow, qtbot: QtBot
) -> None:
    tree = window.edit_actions.tree.tree
    assert not window.action_table["inspector"].isChecked()
    title = tree.topLevelItem(0)
    assert tree.sizeHintForColumn(0) <= tree.columnWidth(0)
    available = window.screen().availableGeometry().size()
    assert window.size().boundedTo(available) == window.size()
    place = tree.visualItemRect(title.child(0)).center()
    qtbot.mouseClick(tree.viewport(), LEFT, pos=place)
    qtbot.waitUntil(lambda: window.action_table["inspector"].isChecked(), timeout=SOON)
    assert window.edit_actions.inspector.form is not None
    window.action_table["inspector"].setChecked(False)
    qtbot.mouseClick(tree.viewport(), LEFT, pos=tree.visualItemRect(title).center())
    assert not window.action_table["inspector"].isChecked()  # closed once, it stays closed


@pytest.mark.nightly
def test_the_first_selection_opens_the_inspector_in_later_sessions_until_a_person_closes_it(
    lab: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    def opened_by_selection() -> tuple[MainWindow, bool]:
        window = lab()
        assert not window.action_table["inspector"].isChecked()
        window.session.select(("body", 0))
        return window, window.action_table["inspector"].isChecked()

    for left in ("open", "closed by another scene", "closed by hand"):
        window, is_open = opened_by_selection()
        assert is_open, left
        if left == "closed by another scene":
            window.action_table["new"].trigger()
            qtbot.waitUntil(lambda: not window.action_table["inspector"].isChecked(), timeout=SOON)  # noqa: B023
        elif left == "closed by hand":
            window.action_table["inspector"].setChecked(False)
        window.close()
    assert not opened_by_selection()[1]


@pytest.mark.parametrize("width", [700, 1000, 1366, 1600])
def test_method_and_step_are_seen_in_windows_of_all_widths(window: MainWindow, qtbot: QtBot, width: int) -> None:
    window.resize(width, 740)
    qtbot.waitUntil(lambda: window.width() == width, timeout=SOON)
    qtbot.wait(100)

    def are_seen() -> None:
        for each in (window.transport.solver.method, window.transport.solver.step):
            assert each.isVisible()
            corner = each.mapTo(window.transport, each.rect().bottomRight())
            assert window.transport.rect().contains(corner)
            assert each.width() >= each.minimumSizeHint().width()

    qtbot.waitUntil(are_seen, timeout=SOON)


@pytest.mark.nightly
def test_a_dock_that_opens_below_an_empty_inspector_has_room_at_1366_x_768(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1366, 768)
    window.action_table["inspector"].setChecked(True)
    qtbot.waitUntil(lambda: window.width() == 1366 and window.docks.docks["inspector"].isVisible(), timeout=SOON)
    for name in ("maps", "measured", "sensor"):
        window.action_table[name].setChecked(True)
        docks = window.docks.docks
        qtbot.waitUntil(lambda name=name: name in docks and docks[name].isVisible(), timeout=SOON)  # noqa: B023
        qtbot.wait(300)  # [ms] tabs are raised and sizes are settled
        dock = docks[name]
        qtbot.waitUntil(lambda dock=dock: not dock.visibleRegion().isEmpty(), timeout=SOON)
        qtbot.waitUntil(lambda dock=dock: dock.height() > window.centralWidget().height() / 3, timeout=SOON)
        window.action_table[name].setChecked(False)


@pytest.mark.nightly
def test_a_dock_behind_a_tab_comes_to_the_front_when_it_is_opened_again(window: MainWindow, qtbot: QtBot) -> None:
    for name in ("inspector", "sensor"):
        window.action_table[name].setChecked(True)
    qtbot.waitUntil(lambda: "sensor" in window.docks.docks and window.docks.docks["sensor"].isVisible(), timeout=SOON)
    inspector, sensor = window.docks.docks["inspector"], window.docks.docks["sensor"]
    window.tabifyDockWidget(sensor, inspector)
    window.action_table["sensor"].setChecked(False)
    qtbot.wait(100)
    window.action_table["sensor"].setChecked(True)
    qtbot.waitUntil(lambda: not sensor.visibleRegion().isEmpty(), timeout=SOON)


def test_every_method_is_read_whole_where_there_is_room(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1366, 768)
    box = window.transport.solver.method
    longest = max((box.itemText(row) for row in range(box.count())), key=box.fontMetrics().horizontalAdvance)
    field = lambda: box.style().subControlRect(  # noqa: E731
        QStyle.ComplexControl.CC_ComboBox, option(box), QStyle.SubControl.SC_ComboBoxEditField, box
    )
    qtbot.waitUntil(lambda: field().width() >= box.fontMetrics().horizontalAdvance(longest), timeout=SOON)


def option(box: QComboBox) -> QStyleOptionComboBox:
    """The style option of a combo box."""
    made = QStyleOptionComboBox()
    box.initStyleOption(made)
    return made


def test_a_click_on_a_limit_sets_the_step(window: MainWindow, qtbot: QtBot) -> None:
    solver = window.transport.solver
    qtbot.waitUntil(lambda: bool(solver.accurate.text() and solver.limit.text()), timeout=SOON)
    for label, which in ((solver.accurate, "accurate"), (solver.limit, "largest")):
        qtbot.waitUntil(lambda: window.session.limits.hold_for(window.session.scene), timeout=SOON)
        limit = getattr(window.session.limits, which)[window.session.scene.solver.method]
        click(qtbot, label)
        step = accepted(window, qtbot).solver.time_step
        assert step == limit if which == "accurate" else 0.8 * limit < step < limit
