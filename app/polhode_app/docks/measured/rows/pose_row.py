"""Row of the pose that columns are: it is dragged onto a body, or brought there by a menu."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from polhode_app.docks.maps.key_button import KeyButton
from polhode_app.i18n.field_names import named
from polhode_app.window.widgets.data_drag import PoseLabel
from polhode_app.window.widgets.layouts import row_of
from polhode_app.window.widgets.plain_label import NoteLabel

MOST_BODIES = 40  # in the menu


class PoseRow(QWidget):
    """`laid` and `driven` carry the name of a body."""

    laid = Signal(str)
    driven = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.label, self.button, self.error = PoseLabel(), KeyButton(), NoteLabel(is_error=True)
        self.names: Callable[[], Sequence[str]] = lambda: ()
        self.drivable: Callable[[], Sequence[str]] = lambda: ()
        self.menu = QMenu(self.button)
        self.menu.aboutToShow.connect(self._fill)
        self.button.setMenu(self.menu)
        row_of(self.label, self.button, (self.error, 1), on=self, margins=(0, 0, 0, 2), spacing=6)
        font = self.label.font()
        font.setBold(True)
        self.label.setFont(font)
        self.setEnabled(False)

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.label.setText(self.tr("Pose"))
        self.label.setToolTip(self.tr("Drag it onto a body in the view or in the tree of the scene"))
        self.button.setText(self.tr("To a body"))
        self.button.setToolTip(self.tr("Lay the measured pose over a body, or let it drive the body"))

    def fill(self, menu: QMenu, name: str) -> None:
        """Add the actions for one body to a menu."""
        menu.addAction(self.tr("Lay over {name}").format(name=named(name))).triggered.connect(
            lambda _checked: self.laid.emit(name)
        )
        if name in self.drivable():
            menu.addAction(self.tr("Drive {name}").format(name=named(name))).triggered.connect(
                lambda _checked: self.driven.emit(name)
            )

    def _fill(self) -> None:
        self.menu.clear()
        for name in self.names()[:MOST_BODIES]:
            self.fill(self.menu, name)
