"""Vertical scroll area of a form, never narrower than the form and its scroll bar."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget


class FormScrollArea(QScrollArea):
    """Scrolls a form vertically only.

    Its minimum width includes the scroll bar, so that no field is cut off when the bar appears.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def minimumSizeHint(self) -> QSize:
        """Minimum width of the form plus that of the scroll bar."""
        minimum, content = super().minimumSizeHint(), self.widget()
        if content is None:
            return minimum
        return QSize(content.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width(), minimum.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Update the geometry when the layout of the form has changed; QScrollArea installs this filter."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def takeWidget(self) -> QWidget | None:
        """Take the form out and hide the scroll bar, whose range QScrollArea does not reset."""
        widget = super().takeWidget()
        self.verticalScrollBar().setRange(0, 0)
        self.updateGeometry()
        return widget
