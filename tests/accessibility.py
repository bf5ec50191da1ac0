"""Controls of a window as seen by keyboard and screen readers: names, tab order, focus ring."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAccessible, QImage, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDockWidget,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QScrollArea,
    QScrollBar,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QToolButton,
    QWidget,
)

from polhode_app.docks.inspector.value_slider import ValueSlider
from polhode_app.main_window import MainWindow

CONTROLS = (
    *(QAbstractButton, QAbstractItemView, QAbstractSlider, QAbstractSpinBox),
    *(QComboBox, QLineEdit, QPlainTextEdit, QTabBar),
)
TAB = Qt.FocusPolicy.TabFocus
NEVER = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
ICON_ONLY = Qt.ToolButtonStyle.ToolButtonIconOnly
FOR_THE_MOUSE = (ValueSlider,)
"""Controls without a place in the tab order: the field beside them takes the same values from arrow keys."""
PARTS = ("qt_tableview_cornerbutton", "qt_toolbar_ext_button", "ScrollLeftButton", "ScrollRightButton")


def controls(root: QWidget) -> list[QWidget]:
    """All controls that are seen and enabled, and all else that Tab may reach; not the pieces of other controls."""
    found = []
    for widget in root.findChildren(QWidget):
        is_control = isinstance(widget, CONTROLS) or bool(widget.focusPolicy() & TAB)
        if is_control and widget.isEnabled() and not widget.visibleRegion().isEmpty() and not is_piece(widget):
            found.append(widget)
    return found


def is_piece(widget: QWidget) -> bool:
    """Whether a widget belongs to a control that has the name and the focus."""
    inside = widget.parentWidget()
    if isinstance(widget, QHeaderView | QScrollBar) or widget.objectName() in PARTS:
        return True
    proxied = widget.focusProxy() is not None or inside.focusProxy() is widget
    return proxied or isinstance(inside, QAbstractSpinBox | QComboBox | QTabBar | QLineEdit)


def described(widget: QWidget) -> str:
    """A widget for the message of a failed test."""
    chain, each = [], widget
    while each is not None and not isinstance(each, MainWindow) and len(chain) < 4:
        chain.append(type(each).__name__)
        each = each.parentWidget()
    return f"{' in '.join(chain)} '{widget.accessibleName()}'"


def nameless(widgets: list[QWidget]) -> list[str]:
    """Widgets of which a screen reader would say no name, or no role but that of any widget."""
    found = []
    for widget in widgets:
        told = QAccessible.queryAccessibleInterface(widget)
        name, role = told.text(QAccessible.Text.Name), told.role()
        is_container = bool(widget.findChildren(QWidget)) and not isinstance(widget, CONTROLS)
        if not name.strip() or role in (QAccessible.Role.NoRole,):
            found.append(described(widget))
        elif role == QAccessible.Role.Client and not is_container:
            found.append(f"{described(widget)}: no role")
    return found


def press(key: Qt.Key, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier, text: str = "") -> None:
    """A key as Qt delivers it to whatever has the focus: offered to shortcuts first."""
    target = QApplication.focusWidget() or QApplication.activeWindow()
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(target, QKeyEvent(kind, key, keys, text))
    QApplication.processEvents()


def tab_chain(window: MainWindow, first: QWidget, most: int = 300) -> list[QWidget]:
    """The widgets that Tab reaches, one after another, from `first` until one comes again."""
    window.accessible.focus.focus(first)
    reached = [first]
    for _ in range(most):
        press(Qt.Key.Key_Tab)
        now = QApplication.focusWidget()
        if now is None or now in reached:
            return reached
        reached.append(now)
    raise AssertionError("Tab never comes back")


def shows_focus(window: MainWindow) -> bool:
    """Whether the pixels of the widget that has the focus differ from those without the ring."""
    ring = window.accessible.focus.ring
    if ring is None or not ring.isVisible():
        return False
    pictures: list[QImage] = []
    for seen in (True, False):
        ring.setVisible(seen)
        pictures.append(ring.parentWidget().grab(ring.geometry()).toImage())
    ring.setVisible(True)
    return pictures[0] != pictures[1]


def cut_texts(root: QWidget) -> list[str]:
    """Visible labels, buttons and choices whose text has less room than its letters need.

    What a scroll area has moved out of sight below is not cut, what it hides at its side is.
    """
    found = []
    for widget in root.findChildren(QWidget):
        if isinstance(widget, QScrollArea | QListView) and (hidden := hidden_at_the_side(widget)) > 0:
            found.append(f"{described(widget)} hides {hidden} pixels at its side")
        if widget.visibleRegion().isEmpty() or (room := missing_room(widget)) is None:
            continue
        across, down = room
        if widget.visibleRegion().boundingRect().width() < widget.width():
            across = max(across, widget.width() - widget.visibleRegion().boundingRect().width())
        if across > 0 or down > 0:
            found.append(f"{described(widget)} '{text_of(widget)}' lacks {max(across, 0)} x {max(down, 0)} pixels")
    return found


def hidden_at_the_side(area: QScrollArea | QListView) -> int:
    """Width [pixel] of the contents of an area or a list that it does not show; 0 where it wraps them."""
    if area.visibleRegion().isEmpty() or area.horizontalScrollBarPolicy() == NEVER:
        return 0
    if isinstance(area, QListView):
        wraps = area.viewMode() == QListView.ViewMode.IconMode
        return 0 if wraps else area.sizeHintForColumn(0) - area.viewport().width()
    return area.horizontalScrollBar().maximum()


def text_of(widget: QWidget) -> str:
    """The text that a widget shows."""
    return widget.currentText() if isinstance(widget, QComboBox) else getattr(widget, "text", str)()


def missing_room(widget: QWidget) -> tuple[int, int] | None:
    """Width and height [pixel] that the text of a widget lacks; None if it is not measured, or has none."""
    metrics, width, height = widget.fontMetrics(), widget.width(), widget.height()
    if isinstance(widget, QLabel) and widget.text():
        if widget.wordWrap():
            return widget.minimumSizeHint().width() - width, widget.heightForWidth(width) - height
        return widget.sizeHint().width() - width, widget.sizeHint().height() - height
    if isinstance(widget, QAbstractButton) and widget.text() and not isinstance(widget.parentWidget(), QDockWidget):
        has_icon = isinstance(widget, QToolButton) and not widget.icon().isNull()
        hides_text = has_icon and widget.toolButtonStyle() == ICON_ONLY
        across = 0 if hides_text else metrics.size(0, widget.text().replace("&", "")).width()
        return across - width, metrics.height() - height
    if isinstance(widget, QComboBox) and widget.currentText():
        option = QStyleOptionComboBox()
        widget.initStyleOption(option)
        kind, field = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        room = widget.style().subControlRect(kind, option, field, widget)
        return metrics.horizontalAdvance(widget.currentText()) - room.width(), metrics.height() - room.height() - 2
    if isinstance(widget, QLineEdit):
        is_number = isinstance(widget.parentWidget(), QAbstractSpinBox)
        return metrics.horizontalAdvance(widget.text()) - width if is_number else 0, metrics.height() - height
    return None
