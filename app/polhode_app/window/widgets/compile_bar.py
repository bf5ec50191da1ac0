"""Progress bar of the compilation of the physics, over the view."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from polhode.scene.message import printable
from polhode_app.messages import CompilationProgress
from polhode_app.window.widgets.toast import OverlayFrame

STYLE = """
QProgressBar { background: #3a4150; border: none; border-radius: 4px; max-height: 8px; }
QProgressBar::chunk { background: #4db2ec; border-radius: 4px; }
"""


FINE = 1000  # steps of the bar where parts are known


class CompileBar(OverlayFrame):
    """Shows how many units are compiled; hidden while there is nothing to wait for."""

    cancelled = Signal()

    def __init__(self, parent: QWidget):
        super().__init__(parent, at_top=False)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setMinimumWidth(120)
        self._bar.setStyleSheet(STYLE)
        self.side.addWidget(self._bar)
        self._cancel = QPushButton()
        self._cancel.clicked.connect(self.cancelled)
        self.side.addWidget(self._cancel)

    def show_progress(self, progress: CompilationProgress, name: str, can_cancel: bool) -> None:
        """Show how many units are compiled for the scene of this name, or how far its shapes are; a total of 0 hides
        the bar.

        As long as the total is unknown, the bar is busy, and no number is shown that would change. `can_cancel`: there
        is a scene to which one can return.
        """
        done, total, shapes = progress.done, progress.total, progress.shapes
        if total == 0 and shapes is None:
            self.hide()
            return
        self._cancel.setText(self.tr("Cancel"))
        self._cancel.setVisible(can_cancel)
        said = self.tr("Compiling the physics of '{name}', once").format(name=printable(name))
        if shapes is not None:
            self._bar.setRange(0, FINE)
            self._bar.setValue(int(FINE * shapes))
            said = self.tr("Computing the shapes of '{name}' for contacts, once").format(name=printable(name))
        else:
            self._bar.setRange(0, total or 0)
            self._bar.setValue(done if total else -1)
        if total and shapes is None:
            text = self.tr("Compiling the physics of '{name}', once: {done} of {count}")
            said = text.format(name=printable(name), done=done, count=total)
        if self.text != said or self.isHidden():
            self.label.setText(said)
            self.show()
            self.place()
