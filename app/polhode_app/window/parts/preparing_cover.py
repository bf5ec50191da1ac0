"""Cover of a dock that shows the scene before, while the physics of another scene is compiled."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QDockWidget, QFrame, QVBoxLayout

from polhode_app.window.widgets.plain_label import PlainLabel

MARGIN = 12  # [pixel] around the text


class PreparingCover(QFrame):
    """Names the scene that is prepared, in place of the contents of a dock, which take neither mouse nor keys."""

    def __init__(self, dock: QDockWidget):
        """Cover the contents of a dock."""
        super().__init__(dock)
        self._contents = dock.widget()
        self.label = PlainLabel()
        self.label.setWordWrap(True)
        self.label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        layout.addWidget(self.label)
        self.setAutoFillBackground(True)
        self._contents.setEnabled(False)
        self._contents.installEventFilter(self)
        self._place()

    def show_name(self, name: str) -> None:
        """Show that a scene of this name is prepared."""
        self.label.setText(self.tr("{name} is being prepared").format(name=name))
        self.show()
        self.raise_()

    def lift(self) -> None:
        """Show the contents again; the cover is deleted."""
        self._contents.removeEventFilter(self)
        self._contents.setEnabled(True)
        self.hide()
        self.deleteLater()

    def _place(self) -> None:
        self.setGeometry(self._contents.geometry())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay over the contents."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()
        return super().eventFilter(watched, event)
