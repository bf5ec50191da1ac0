"""Where a form is scrolled: up and down only, so it is never narrower than the form and the bar beside it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget


class FormScrollArea(QScrollArea):
    """As wide as what is in it wants, whether the bar is seen or not."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def minimumSizeHint(self) -> QSize:
        minimum, content = super().minimumSizeHint(), self.widget()
        if content is None:
            return minimum
        return QSize(content.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width(), minimum.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def takeWidget(self) -> QWidget | None:
        """Qt leaves the bar as it was with what was taken."""
        widget = super().takeWidget()
        self.verticalScrollBar().setRange(0, 0)
        self.updateGeometry()
        return widget
