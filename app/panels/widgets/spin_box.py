"""A box for a number with its unit."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QValidator
from PySide6.QtWidgets import QDoubleSpinBox, QWidget


class SpinBox(QDoubleSpinBox):
    """While it has the focus all keys are its own; Return and Escape give the focus back."""

    def __init__(self, low: float, high: float, unit: str = "", decimals: int = 4, parent: QWidget | None = None):
        super().__init__(parent)
        self.setDecimals(decimals)
        self.setRange(low, high)
        self.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)
        self.setSuffix(f" {unit}" if unit else "")
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def textFromValue(self, value: float) -> str:
        return f"{value:.6g}"

    def valueFromText(self, text: str) -> float:
        """Digits that are not seen stay where nobody has typed."""
        untouched = text.removesuffix(self.suffix()).strip() == self.textFromValue(self.value())
        return self.value() if untouched else super().valueFromText(text)

    def show_value(self, value: float) -> None:
        """Show a number that was not typed; not while the user types."""
        if not self.hasFocus():
            self.blockSignals(True)
            self.setValue(value)
            self.blockSignals(False)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.lineEdit().setText(self.textFromValue(self.value()) + self.suffix())
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            self.clearFocus()
            event.accept()  # or a dialog would take it as its end


class LimitSpinBox(SpinBox):
    """A limit that may be left open: an empty box says so, and has its lowest number."""

    def __init__(self, low: float, high: float, unit: str = "", decimals: int = 4):
        super().__init__(low, high, unit, decimals)
        self.setSpecialValueText(self.tr("no limit"))

    def _is_open(self, text: str) -> bool:
        return text.removesuffix(self.suffix()).strip() in ("", self.specialValueText())

    def validate(self, text: str, at: int) -> object:
        if self._is_open(text):
            return QValidator.State.Acceptable, text, at
        return super().validate(text, at)

    def valueFromText(self, text: str) -> float:
        return self.minimum() if self._is_open(text) else super().valueFromText(text)
