"""A message over the view with buttons, which can be shown again in another language."""

from __future__ import annotations

from collections.abc import Callable

from polhode_app.window.widgets.toast import Toast

SHOWN = 30.0  # [s] that a notice is shown

Remedies = dict[str, Callable[[], None]]
"""Texts and functions of buttons."""


class Notice:
    """The newest message of one source; others may have replaced it in the view."""

    def __init__(self, toast: Toast):
        self._toast = toast
        self._show: Callable[[], None] = lambda: None
        self._text = ""

    def show(self, show: Callable[[], None]) -> None:
        """Show a message by `show`, which is called again in another language."""
        self._show = show
        show()
        self._text = self._toast.text

    @property
    def is_shown(self) -> bool:
        """Whether the message is visible."""
        return bool(self._text) and self._toast.isVisible() and self._toast.text == self._text

    def retranslate(self) -> None:
        """Show the message in the current language, if it is visible."""
        if self.is_shown:
            self.show(self._show)

    def withdraw(self) -> None:
        """Hide the message, unless another one has replaced it."""
        if self._text and self._toast.text == self._text:
            self._toast.dismiss()
        self._text = ""

    def message(self, text: str, remedies: Remedies) -> None:
        """Show a text with buttons; each hides it."""

        def button(remedy: Callable[[], None]) -> Callable[[], None]:
            return lambda: (self._toast.dismiss(), remedy())[-1]

        self._toast.show_message(text, SHOWN, {name: button(remedy) for name, remedy in remedies.items()})
