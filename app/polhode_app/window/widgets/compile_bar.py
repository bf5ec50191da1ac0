"""Progress bar of the compilation of the physics, over the view."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar, QWidget

from polhode_app.window.widgets.toast import OverlayFrame

STYLE = """
QProgressBar { background: #3a4150; border: none; border-radius: 4px; max-height: 8px; }
QProgressBar::chunk { background: #4db2ec; border-radius: 4px; }
"""


class CompileBar(OverlayFrame):
    """Shows how many units are compiled; hidden while there is nothing to wait for."""

    def __init__(self, parent: QWidget):
        super().__init__(parent, at_top=False)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setMinimumWidth(120)
        self._bar.setStyleSheet(STYLE)
        self.side.addWidget(self._bar)

    def show_progress(self, done: int, total: int) -> None:
        """Show that `done` of `total` units are compiled; a total of 0 hides the bar."""
        if not total:
            self.hide()
            return
        self._bar.setRange(0, total)
        self._bar.setValue(done)
        text = self.tr("Compiling the physics, once: {done} of {count}")
        if self.text != (said := text.format(done=done, count=total)) or self.isHidden():
            self.label.setText(said)
            self.show()
            self.place()
