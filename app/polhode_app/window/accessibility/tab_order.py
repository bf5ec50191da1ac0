"""Order in which Tab goes through the parts of a window: that of their layouts, part after part.

Qt's own order is that in which widgets were made, so a form that is built again would come last, behind all docks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QDockWidget, QGridLayout, QLayout, QPlainTextEdit, QScrollArea, QWidget


def stop_after(panes: Sequence[QWidget], widget: QWidget, step: int) -> QWidget | None:
    """Where Tab (step 1) or Shift+Tab (-1) leads from a widget in one of these parts of a window.

    None where Qt decides: from a widget that Tab does not reach, from editors in tables, and from texts that take Tab.
    """
    takes_tab = isinstance(widget, QPlainTextEdit) and not widget.tabChangesFocus()
    each = widget.parentWidget()
    while each is not None and not isinstance(each, QAbstractItemView):
        each = each.parentWidget()
    if takes_tab or each is not None:
        return None
    stops = [stop for pane in panes for stop in tab_stops(pane)]
    return stops[(stops.index(widget) + step) % len(stops)] if widget in stops else None


def scroll_to(widget: QWidget) -> None:
    """Let scroll areas around a widget show it."""
    each = widget.parentWidget()
    while each is not None:
        if isinstance(each, QScrollArea):
            each.ensureWidgetVisible(widget)
        each = each.parentWidget()


def tab_stops(pane: QWidget) -> Iterator[QWidget]:
    """The visible widgets of a part that Tab reaches, in the order of their layouts."""
    if not pane.isVisible():
        return
    if _is_stop(pane):
        yield pane
    for child in _children(pane):
        yield from tab_stops(child)


def _is_stop(widget: QWidget) -> bool:
    """Whether Tab stops at a widget."""
    takes_focus = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.focusProxy() is None
    return takes_focus and widget.isVisible() and widget.isEnabled()


def _children(widget: QWidget) -> list[QWidget]:
    """Direct children: first those in the layout, in its order, then the others from top to bottom."""
    layout = None if isinstance(widget, QDockWidget) else widget.layout()  # that of a dock has its title last
    laid_out = list(_in_layout(layout)) if layout is not None else []
    others = [child for child in widget.children() if isinstance(child, QWidget) and not child.isWindow()]
    others = [child for child in others if child not in laid_out]
    return laid_out + sorted(others, key=lambda child: (child.y(), child.x()))


def _in_layout(layout: QLayout) -> Iterator[QWidget]:
    """Widgets of a layout and of those inside it; of a grid row by row."""

    def position(item: QWidget | QLayout) -> tuple[int, ...]:
        index = layout.indexOf(item)
        return layout.getItemPosition(index)[:2] if isinstance(layout, QGridLayout) else (index,)

    for item in sorted(items_of(layout), key=position):
        if isinstance(item, QWidget):
            yield item
        else:
            yield from _in_layout(item)


def items_of(layout: QLayout) -> list[QWidget | QLayout]:
    """Widgets and layouts directly in a layout.

    Not by `itemAt`: with PySide6 6.12 the Python object of a layout's item outlives it. A widget that is allocated at
    the same place later is taken for it, and memory is freed twice.
    """
    owner = layout.parentWidget()
    inside = owner.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly) if owner is not None else []
    layouts = [child for child in layout.children() if isinstance(child, QLayout)]
    return [item for item in (*inside, *layouts) if layout.indexOf(item) >= 0]
