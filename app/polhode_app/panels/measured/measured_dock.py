"""Dock of measured data: the data on the run in one tab, the fit in the other."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDockWidget, QTabWidget, QWidget

from polhode_app.panels.measured.data_tab import DataTab
from polhode_app.panels.measured.fit_tab import FitTab

WIDTH = 400  # [pixel] initial width


class MeasuredDock(QDockWidget):
    """The widgets of the dock; data_controller.py and fit_controller.py do what they ask for."""

    closed = Signal()  # by the close button
    retranslated = Signal()

    def __init__(self, parent: QWidget):
        """Create the dock; `build` makes its contents in later events."""
        super().__init__(parent)
        self.setObjectName("measured")

    def build(self) -> Iterator[None]:
        """Make the tabs, each in an event of its own."""
        self.data = DataTab()
        yield
        self.fit, self.tabs = FitTab(), QTabWidget()
        yield
        self.tabs.addTab(self.data, "")
        self.tabs.addTab(self.fit, "")
        self.setWidget(self.tabs)
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.setWindowTitle(self.tr("Measured data"))
        self.tabs.setTabText(0, self.tr("Data"))
        self.tabs.setTabText(1, self.tr("Fit"))
        self.data.retranslate()
        self.fit.retranslate()
        self.retranslated.emit()

    def set_theme(self) -> None:
        """Adopt the colours of the window."""
        self.fit.set_theme()

    def sizeHint(self) -> QSize:
        """WIDTH pixels wide when it is opened for the first time."""
        return QSize(WIDTH, super().sizeHint().height())

    def closeEvent(self, event: QCloseEvent) -> None:
        """Emit `closed`, so that the action of the dock is unchecked."""
        self.closed.emit()
        super().closeEvent(event)
