"""Names of controls for screen readers, from the labels beside them."""

from __future__ import annotations

import re

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QBoxLayout,
    QComboBox,
    QDockWidget,
    QFormLayout,
    QGraphicsView,
    QGridLayout,
    QHeaderView,
    QLabel,
    QLayout,
    QLineEdit,
    QProgressBar,
    QScrollBar,
    QTabBar,
    QTabWidget,
    QWidget,
)

from polhode_app.window.accessibility.roles import set_role
from polhode_app.window.accessibility.tab_order import items_of

CONTROLS = (
    *(QAbstractButton, QAbstractSlider, QAbstractSpinBox, QAbstractItemView, QAbstractScrollArea),
    *(QComboBox, QLineEdit, QProgressBar, QTabBar, QTabWidget),
)
DERIVED = "name_is_derived"  # dynamic property of a widget whose name comes from here, and not from its owner
LEVELS = 4  # of parents in which a label is looked for
LETTERS = 2  # a label this short names a component, and the label before it the whole
TAG, SHORTCUT = re.compile(r"<[^<>]*>"), re.compile(r"(?<!\s)\s*\([^()]*\)$")


def name_controls(root: QWidget) -> None:
    """Give every control below `root` without a name of its own one that a screen reader can say, and plots a role.

    To be called again when texts have changed. Names that owners have set by `setAccessibleName` are kept. Controls
    that would have the same name as one beside them are numbered.
    """
    taken: dict[tuple[QWidget | None, type, str], int] = {}
    for widget in root.findChildren(QWidget):
        if isinstance(widget, QGraphicsView):
            set_role(widget, QAccessible.Role.Chart)
            widget.viewport().setAccessibleName(derived_name(widget))
        if not isinstance(widget, CONTROLS) or _is_part(widget):
            continue
        if widget.accessibleName() and not widget.property(DERIVED):
            continue
        name = derived_name(widget)
        key = widget.parentWidget(), type(widget), name
        taken[key] = taken.get(key, 0) + 1
        if name and taken[key] > 1:
            name = f"{name} {taken[key]}"
        if name != widget.accessibleName():
            widget.setAccessibleName(name)
        if isinstance(widget, QComboBox) and not widget.toolTip():
            widget.setAccessibleDescription(name)  # on Linux Qt gives the chosen entry as the name of a choice
        widget.setProperty(DERIVED, True)


def derived_name(widget: QWidget) -> str:
    """Name of a control: the label before it, its tool tip, its placeholder, or the title of its dock.

    "" for a button with a text, which is its name and may change.
    """
    tip = plain(widget.toolTip()).split("\n")[0]
    if isinstance(widget, QAbstractButton):
        return "" if len(widget.text()) > 1 else SHORTCUT.sub("", tip) or _label_before(widget)
    placeholder = widget.placeholderText() if isinstance(widget, QLineEdit) else ""
    return _label_before(widget) or placeholder or tip or _title_around(widget)


def plain(text: str) -> str:
    """A text without tags, mnemonics and a final colon."""
    return TAG.sub("", text).replace("&nbsp;", " ").replace("&", "").strip().removesuffix(":")


def _is_part(widget: QWidget) -> bool:
    """Whether a widget is a piece of another control, which has the name."""
    inside = widget.parentWidget()
    if isinstance(widget, QHeaderView | QScrollBar) or widget.objectName().startswith("qt_tableview"):
        return True
    if isinstance(inside, QDockWidget) and isinstance(widget, QAbstractButton):
        return True  # Qt names the buttons of a title bar
    in_popup = widget.window().inherits("QComboBoxPrivateContainer")
    return in_popup or isinstance(inside, QAbstractSpinBox | QComboBox | QTabBar | QLineEdit)


def _title_around(widget: QWidget) -> str:
    """Title of the dock or the window around a widget."""
    each = widget.parentWidget()
    while each is not None and not isinstance(each, QDockWidget) and not each.isWindow():
        each = each.parentWidget()
    return plain(each.windowTitle()) if each is not None else ""


def _label_before(widget: QWidget) -> str:
    """Text of the label beside a widget, or beside the one that contains it; a letter follows the label of its row."""
    found: list[str] = []
    each: QWidget | None = widget
    for _ in range(LEVELS):
        parent = each.parentWidget() if each is not None else None
        if (
            each is None
            or parent is None
            or parent.layout() is None
            or isinstance(each, QAbstractScrollArea | QTabWidget)
        ):
            break
        label = _beside(parent.layout(), each)
        if label:
            found.insert(0, label)
            if len(label) > LETTERS:
                break
        each = parent
    return " ".join(found)


def _beside(layout: QLayout, widget: QWidget | QLayout) -> str:
    """Text of the label before a widget in a layout or the layouts inside; "" if there is none."""
    if layout.indexOf(widget) >= 0:
        return _in_layout(layout, widget)
    for inner in items_of(layout):
        if isinstance(inner, QLayout) and (text := _beside(inner, widget)):
            return text
        if isinstance(inner, QLayout) and inner.indexOf(widget) >= 0:
            return _in_layout(layout, inner)
    return ""


def _in_layout(layout: QLayout, item: QWidget | QLayout) -> str:
    """Text of the label before an item of a layout."""
    if isinstance(layout, QFormLayout):
        label = layout.labelForField(item)
        return plain(label.text()) if isinstance(label, QLabel) else ""
    if not isinstance(layout, QGridLayout | QBoxLayout):
        return ""
    labels = [each for each in items_of(layout) if isinstance(each, QLabel) and plain(each.text())]
    if isinstance(layout, QGridLayout):
        row, last = layout.getItemPosition(layout.indexOf(item))[:2]
        cells = {label: layout.getItemPosition(layout.indexOf(label))[:2] for label in labels}
        order = {label: cell[1] for label, cell in cells.items() if cell[0] == row}
    else:
        order, last = {label: layout.indexOf(label) for label in labels}, layout.indexOf(item)
    before = [label for label, column in order.items() if column < last]
    return plain(max(before, key=order.__getitem__).text()) if before else ""
