"""Keyboard focus of a window: its ring, the keys of the focused control, and the next control for Tab."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLineEdit, QMainWindow, QPlainTextEdit, QWidget

from polhode_app.viewport.widget import ViewWidget
from polhode_app.window.accessibility.focus_ring import FocusRing
from polhode_app.window.accessibility.key_claims import MOVES, PRESS, claims
from polhode_app.window.accessibility.names import name_controls
from polhode_app.window.accessibility.tab_order import scroll_to, stop_after

TABS = {Qt.Key.Key_Tab: 1, Qt.Key.Key_Backtab: -1}


class KeyboardFocus(QObject):
    """Follows the focus of a main window, its docks and its dialogs.

    A control that was reached by keyboard has a ring, and takes the keys that it needs from the shortcuts of the
    window: Space presses a button instead of starting the run. Escape gives the keyboard back to the 3-D view. A
    control that was clicked has neither, so the keys of the window work as long as only the mouse is used.
    """

    def __init__(self, window: QMainWindow, view: ViewWidget, panes: Callable[[], Sequence[QWidget]]):
        """Follow the focus of `window`, which begins in the 3-D view.

        `panes` returns the parts of the window that are seen, in the order in which Tab goes through them.
        """
        super().__init__(window)
        self._window, self._view, self._panes = window, view, panes
        self._ring: FocusRing | None = None
        self._focused: QWidget | None = None  # with the event filter
        # Its parents, innermost first: a dialog that Qt has made, as getOpenFileName does, has no other in Python, and
        # with that of a parent PySide discards those of its children.
        self._around: list[QWidget] = []
        self._last: QWidget | None = None  # the last one in the main window: Tab continues from there
        self._by_key = False  # the next change of focus is one by keyboard
        window.installEventFilter(self)
        QApplication.instance().focusChanged.connect(self._on_focus_changed)
        view.surface.setFocus()

    @property
    def ring(self) -> FocusRing | None:
        """The ring that is shown, or None."""
        return self._ring if self._ring is not None and shiboken6.isValid(self._ring) else None

    def focus(self, widget: QWidget, reason: Qt.FocusReason = Qt.FocusReason.TabFocusReason) -> None:
        """Give a widget the keyboard focus, with a ring."""
        self._by_key = True
        widget.setFocus(reason)
        scroll_to(widget)
        self._by_key = False
        if QApplication.focusWidget() is widget and self.ring is None:  # it had the focus before, by a click
            self._show_ring(widget)

    def _on_focus_changed(self, old: QWidget | None, now: QWidget | None) -> None:
        """Move ring and event filter."""
        if not shiboken6.isValid(self._window):
            return
        returns = now is not None and self.ring is not None and self.ring.parentWidget() is now
        if self._focused is not None and shiboken6.isValid(self._focused):
            self._focused.removeEventFilter(self)
        self._focused = None
        self._around = _parents(now)
        if now is None or self._window not in (
            now,
            *self._around,
        ):  # neither in the window nor in a dialog or dock of it
            return
        if old is not None and shiboken6.isValid(old) and not old.isVisible() and self._is_field(now):
            now = self._view.surface  # Qt passes on the focus of hidden widgets: no field gets it by that
            now.setFocus()
            return
        self._focused = now
        now.installEventFilter(self)
        if now.window() is self._window:
            self._last = now
        elif isinstance(now.window(), QDialog):
            name_controls(now.window())
        self._show_ring(now if self._by_key or returns else None)

    def _is_field(self, widget: QWidget) -> bool:
        """Whether a widget takes letters."""
        return isinstance(widget, QLineEdit | QPlainTextEdit) or widget.testAttribute(
            Qt.WidgetAttribute.WA_InputMethodEnabled
        )

    def _show_ring(self, widget: QWidget | None) -> None:
        """Show the ring around a widget, or none."""
        if (ring := self.ring) is not None:
            ring.hide()
            ring.deleteLater()
        self._ring = None
        if widget is not None:
            covered = widget is self._view.surface  # a graphics card draws it: nothing inside is seen
            self._ring = FocusRing(widget, self._view if covered else widget)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the keys of the window without a focus, and of the control that has it."""
        if not isinstance(event, QKeyEvent):
            return False
        is_press = event.type() == QEvent.Type.KeyPress
        if watched is self._window:
            return is_press and event.key() in TABS and QApplication.focusWidget() is None and self._go_on(event)
        if watched is not self._focused:
            return False
        if is_press and event.key() in TABS:
            return self._tab(TABS[Qt.Key(event.key())])
        if is_press and event.key() in MOVES and self.ring is not None:
            self._expect_focus()  # arrow keys go from a button to the next one
        return self.ring is not None and self._control_key(event)

    def customEvent(self, event: QEvent) -> None:
        """Later changes of the focus are not those of the key."""
        self._by_key = False

    def _tab(self, step: int) -> bool:
        """Move the focus by Tab (1) or Shift+Tab (-1); False if Qt does it, as in dialogs."""
        assert self._focused is not None
        stop = stop_after(self._panes(), self._focused, step)
        if stop is not None:
            back = Qt.FocusReason.BacktabFocusReason
            self.focus(stop, Qt.FocusReason.TabFocusReason if step > 0 else back)
            return True
        self._expect_focus()
        return False

    def _expect_focus(self) -> None:
        """Show the ring around the control that gets the focus while this key is handled."""
        self._by_key = True
        QCoreApplication.postEvent(self, QEvent(QEvent.Type.User))

    def _control_key(self, event: QKeyEvent) -> bool:
        """Handle a key of the control with the ring; True if it was consumed."""
        widget = self._focused
        assert widget is not None
        leaves = event.key() == Qt.Key.Key_Escape and not isinstance(widget.window(), QDialog)
        leaves = leaves and not self._is_field(widget) and widget is not self._view.surface
        if event.type() == QEvent.Type.ShortcutOverride and (leaves or claims(widget, event)):
            event.accept()
            return True
        if event.type() != QEvent.Type.KeyPress:
            return False
        if leaves:
            self.focus(self._view.surface)
            return True
        if isinstance(widget, QAbstractButton) and event.key() in PRESS and not event.modifiers():
            self._expect_focus()  # a check box may pass it on to the field that it switches on
            widget.click()
            return True
        return False

    def _go_on(self, event: QKeyEvent) -> bool:
        """Continue with Tab from the control that had the focus last, such as a field left by Return."""
        last = self._last if self._last is not None and shiboken6.isValid(self._last) else None
        if last is None or not last.isVisible():
            last = self._view.surface
        last.setFocus()
        QCoreApplication.sendEvent(last, event)
        return True


def _parents(widget: QWidget | None) -> list[QWidget]:
    """Parents of a widget beyond the limits of windows, innermost first."""
    found: list[QWidget] = []
    while widget is not None and (widget := widget.parentWidget()) is not None:
        found.append(widget)
    return found
