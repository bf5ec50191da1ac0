"""Spin boxes for numbers with units."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QLocale, Qt
from PySide6.QtGui import QKeyEvent, QValidator, QWheelEvent
from PySide6.QtWidgets import QDialog, QDoubleSpinBox, QWidget

from polhode.formulas.parser import FormulaError
from polhode_app.edit.field_numbers import in_ascii, typed_number
from polhode_app.window.widgets.layouts import silent
from polhode_app.window.widgets.line_edit import claims_shortcut
from polhode_app.window.widgets.wheel import takes_wheel


class SpinBox(QDoubleSpinBox):
    """A spin box that shows six digits and keeps the full precision of its value.

    A number can be typed with another unit of the same quantity, such as 0.2 s in a box for milliseconds, with a point
    or a comma, in wide digits, and as a formula; it is shown with a point in every language. While it has the focus it
    receives all keys except function keys and unknown ones with Ctrl. Return commits, Escape reverts. Both
    release the focus, except in a dialog: there Tab moves on from the box, and Escape closes the dialog if there is
    nothing to revert.
    """

    def __init__(self, low: float, high: float, unit: str = "", decimals: int = 4, parent: QWidget | None = None):
        """Create a box for values from `low` to `high`; `unit` is the suffix, `decimals` the precision of input."""
        super().__init__(parent)
        self.setLocale(QLocale.c())
        self.setDecimals(decimals)
        self.setRange(low, high)
        self.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)
        self.setSuffix(f" {unit}" if unit else "")
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def textFromValue(self, value: float) -> str:
        """The value with six significant digits."""
        return f"{value:.6g}"

    def valueFromText(self, text: str) -> float:
        """The entered value; digits that are not shown are kept if the text is unchanged."""
        typed = self._typed(text)
        if typed == self.textFromValue(self.value()) or (number := self._number(typed)) is None:
            return self.value()
        return min(max(number, self.minimum()), self.maximum())

    def validate(self, text: str, at: int) -> object:
        """Accept numbers with a unit of the same quantity, and formulas; any other text may become one."""
        number = self._number(self._typed(text))
        accepted = number is not None and self.minimum() <= number <= self.maximum()
        return (QValidator.State.Acceptable if accepted else QValidator.State.Intermediate), text, at

    def _typed(self, text: str) -> str:
        """A text without the unit that the box shows, in ASCII and with a decimal point."""
        return in_ascii(text.removesuffix(self.suffix())).strip().removesuffix(",")

    def _number(self, typed: str) -> float | None:
        """The value of a text in the unit of the box; None without one."""
        try:
            return typed_number(typed, self.suffix().strip())
        except FormulaError:
            return None

    def show_value(self, value: float) -> None:
        """Set the value without a signal, unless the user is editing it."""
        if not self.hasFocus():
            with silent(self):
                self.setValue(value)

    def event(self, event: QEvent) -> bool:
        """Claim shortcuts while the box has the focus."""
        if claims_shortcut(event):
            event.accept()
            return True
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Step the number if the box has the focus; otherwise the event scrolls the form."""
        if takes_wheel(self, event):
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Commit or revert, and release the focus where the window has other keys."""
        before = self.text()
        if event.key() == Qt.Key.Key_Escape:
            self.setValue(self.value())  # shows it again
        super().keyPressEvent(event)
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            return
        if isinstance(self.window(), QDialog):
            self.selectAll()
        else:
            self.clearFocus()
        leaves = event.key() == Qt.Key.Key_Escape and isinstance(self.window(), QDialog) and self.text() == before
        event.setAccepted(not leaves)  # otherwise a dialog would close


class LimitSpinBox(SpinBox):
    """A spin box for an optional limit: an empty text, as at first, means no limit, or `none`: the lowest value."""

    def __init__(self, low: float, high: float, unit: str = "", decimals: int = 4, none: str = ""):
        super().__init__(low, high, unit, decimals)
        self.setSpecialValueText(none or self.tr("no limit"))
        self.setValue(low)

    def _is_open(self, text: str) -> bool:
        """Whether a text means no limit."""
        return text.removesuffix(self.suffix()).strip() in ("", self.specialValueText())

    def validate(self, text: str, at: int) -> object:
        """Accept texts that mean no limit."""
        if self._is_open(text):
            return QValidator.State.Acceptable, text, at
        return super().validate(text, at)

    def valueFromText(self, text: str) -> float:
        """The entered value; the minimum for no limit."""
        return self.minimum() if self._is_open(text) else super().valueFromText(text)
