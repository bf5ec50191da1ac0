"""Size of the letters of all windows, relative to that of the system."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

USUAL, SCALE = "usual_size", "letters_scale"  # dynamic properties of the application: size [point], and the factor


def apply_letters(percent: int) -> bool:
    """Set the size of the letters of all windows [%]; True if it has changed, then widgets have to be styled again."""
    app = QApplication.instance()
    if isinstance(app, QApplication):
        usual = app.property(USUAL) or app.font().pointSizeF()
        app.setProperty(USUAL, usual)
        app.setProperty(SCALE, percent / 100)
        font = app.font()
        font.setPointSizeF(usual * percent / 100)
        if font != app.font():
            app.setFont(font)
            return True
    return False


def scaled(pixels: float) -> int:
    """A length [pixel] that holds letters, at their current size."""
    app = QApplication.instance()
    return round(pixels * ((app.property(SCALE) if app is not None else None) or 1.0))
