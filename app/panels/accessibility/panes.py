"""Parts of the window between which keys move the focus."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from app.panels.accessibility.keyboard_focus import KeyboardFocus


def first_control(pane: QWidget) -> QWidget | None:
    """The control of a part of the window that Tab reaches first; None if there is none."""
    if pane.focusPolicy() & Qt.FocusPolicy.TabFocus and pane.isEnabled():
        return pane
    each = pane.nextInFocusChain()
    while each is not None and each is not pane:
        reachable = each.focusPolicy() & Qt.FocusPolicy.TabFocus and each.focusProxy() is None
        if pane.isAncestorOf(each) and reachable and each.isVisible() and each.isEnabled():
            return each
        each = each.nextInFocusChain()
    return None


class Panes:
    """Moves the focus from the 3-D view to the bars and the open docks, in a circle.

    A part that is entered again gets the focus where it was left.
    """

    def __init__(self, focus: KeyboardFocus, panes: Callable[[], Sequence[QWidget]]):
        """`panes` returns the parts of the window that are seen now, in order."""
        self._focus, self._panes = focus, panes
        self._left: dict[QWidget, QWidget] = {}  # by part: the control that had the focus

    def go(self, step: int) -> None:
        """Focus the next part (1) or the previous one (-1)."""
        panes, now = list(self._panes()), QApplication.focusWidget()
        here = next((each for each in panes if now is not None and (each is now or each.isAncestorOf(now))), None)
        if here is not None and now is not None:
            self._left[here] = now
        start = panes.index(here) if here is not None else -1 if step > 0 else 0
        for distance in range(1, len(panes) + 1):
            pane = panes[(start + step * distance) % len(panes)]
            left = self._left.get(pane)
            try:
                known = left is not None and left.isVisible() and left.isEnabled()
            except RuntimeError:  # it was deleted
                known = False
            control = left if known else first_control(pane)
            if control is not None:
                self._focus.focus(control)
                return
