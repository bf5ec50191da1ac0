"""Parts of the window between which keys move the focus."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import shiboken6
from PySide6.QtWidgets import QApplication, QWidget

from polhode_app.window.accessibility.keyboard_focus import KeyboardFocus
from polhode_app.window.accessibility.tab_order import tab_stops


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
            known = left is not None and shiboken6.isValid(left) and left.isVisible() and left.isEnabled()
            control = left if known else next(tab_stops(pane), None)
            if control is not None:
                self._focus.focus(control)
                return
