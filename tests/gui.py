"""Mouse and keyboard of GUI tests: events as Qt sends them, and how long to wait for what they cause."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from polhode.scene.fields import parse_path
from polhode.scene.scene import Scene
from polhode_app.docks.inspector.dock import Inspector
from polhode_app.docks.inspector.form import Row
from polhode_app.main_window import MainWindow
from polhode_app.viewport.picking.selection_gizmo import HandleShape
from polhode_app.viewport.widget import ViewWidget

START = 300_000  # [ms] for a first moment: where nothing is compiled yet, the kernels are
SOON = 30_000  # [ms] for what follows an action
LEFT, RIGHT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.NoButton
PLAIN = Qt.KeyboardModifier.NoModifier


def seen_at(window: MainWindow, place: Sequence[float]) -> QPointF:
    """Where a place (3,) [m] is seen, in the view's own coordinates."""
    renderer, surface = window.view.plotter.renderer, window.view.surface
    renderer.SetWorldPoint(*place, 1.0)
    renderer.WorldToDisplay()
    x, y, _ = renderer.GetDisplayPoint()
    ratio = surface.devicePixelRatioF()
    return QPointF(x / ratio, surface.height() - 1 - y / ratio)


def send(
    window: MainWindow, kind: QEvent.Type, at: QPointF, button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = PLAIN
) -> None:
    """A press, a move with the button held, or a release."""
    held = NONE if kind == QEvent.Type.MouseButtonRelease else button
    cause = NONE if kind == QEvent.Type.MouseMove else button
    surface = window.view.surface
    to = QPointF(surface.mapToGlobal(at.toPoint()))
    QApplication.sendEvent(surface, QMouseEvent(kind, at, to, cause, held, keys))


def next_frame(view: ViewWidget, qtbot: QtBot) -> None:
    """Wait until a frame was rendered that shows all that is so now.

    `drawn` also comes from repaints of the last frame, such as below a notice that goes.
    """
    frames: list[bool] = []
    window = view.plotter.render_window
    observer = window.AddObserver("EndEvent", lambda *_: frames.append(view._stale))
    view.redraw()
    qtbot.waitUntil(lambda: False in frames, timeout=SOON)
    window.RemoveObserver(observer)


def is_at_rest(view: ViewWidget) -> bool:
    """Whether the camera and the shift of the picture into the free area have come to an end."""
    return not view.glides and view._shifting is not None and view._shift == view._shifting[1]


def handles_of(window: MainWindow) -> HandleShape:
    """The handles of the selected item, as they are drawn."""
    tool = window.selection_tool
    box = tool.box()
    dragged = tool.draggable(box)
    assert dragged is not None
    return tool.shape_of(dragged, box)


def click(qtbot: QtBot, widget: QWidget) -> None:
    """Click the middle of a widget that is seen."""
    assert widget.isVisible()
    qtbot.mouseClick(widget, LEFT, pos=QPoint(widget.width() // 2, widget.height() // 2))


def press_space(window: MainWindow, qtbot: QtBot, widget: QWidget) -> None:
    """Give a widget the keyboard focus, and press the space bar, which elsewhere pauses the run."""
    window.accessible.focus.focus(widget)
    qtbot.keyClick(widget, Qt.Key.Key_Space)


def type_in(qtbot: QtBot, field: QWidget, text: str) -> None:
    """Replace the text of a line edit or a spin box, and press Return."""
    edit = field.lineEdit() if isinstance(field, QAbstractSpinBox) else field
    click(qtbot, edit)
    edit.selectAll()
    qtbot.keyClicks(edit, text)
    qtbot.keyClick(edit, Qt.Key.Key_Return)


def choose(qtbot: QtBot, box: QComboBox, data: object) -> None:
    """Choose an entry by its data in the popup list: a click opens it, keys go through it."""
    row = next(row for row in range(box.count()) if box.itemData(row) == data)
    click(qtbot, box)
    view = box.view()
    qtbot.waitUntil(view.isVisible, timeout=SOON)
    qtbot.keyClick(view, Qt.Key.Key_Home)
    for _ in range(row):
        qtbot.keyClick(view, Qt.Key.Key_Down)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: box.currentData() == data, timeout=SOON)


def accepted(window: MainWindow, qtbot: QtBot) -> Scene:
    """The scene after the physics has accepted every edit."""
    qtbot.waitUntil(lambda: not window.session.is_pending, timeout=SOON)
    return window.session.document.scene


def buttons(window: MainWindow) -> list[QPushButton]:
    """The buttons of the notice that is shown."""
    return [button for button in window.toast.findChildren(QPushButton) if button.isVisible()]


def row_of(window: MainWindow, place: str) -> Row:
    """The row of a field, seen; its part is chosen."""
    inspector = window.edit_actions.inspector
    assert inspector is not None
    assert inspector.form is not None
    row = inspector.form.rows[parse_path(place)]
    if not row.isVisible():  # it is rarely used
        inspector.form.more_button.click()
    inspector.scroll_area.ensureWidgetVisible(row)
    return row


def inspect(window: MainWindow, *place: Any) -> Inspector:
    window.action_table["inspector"].setChecked(True)
    window.session.select(place)
    inspector = window.edit_actions.inspector
    assert inspector is not None
    assert inspector.isVisible()
    return inspector


def opened_row(window: MainWindow, qtbot: QtBot, source: str) -> Any:
    """Open the dock of measured data, and in it the row of a source: "phone" or "sensor"."""
    window.action_table["measured"].setChecked(True)
    qtbot.waitUntil(lambda: window.docks.dock("measured") is not None, timeout=SOON)
    tab = window.docks.docks["measured"].data_tab
    row = getattr(tab, source)
    assert not row.isVisible()
    click(qtbot, getattr(tab, f"from_{source}"))
    qtbot.waitUntil(row.isVisible, timeout=SOON)
    return row
