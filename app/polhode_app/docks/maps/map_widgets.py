"""Contents of the dock of maps: the sweeps of the scene, the map of one of them, and its texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QMenu,
    QProgressBar,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from polhode_app.docks.maps.key_button import KeyButton, KeySlider
from polhode_app.docks.maps.legend import MapLegend
from polhode_app.docks.maps.map_view import MapView
from polhode_app.docks.maps.sweep_form import SweepForm
from polhode_app.window.accessibility.letters import scaled
from polhode_app.window.widgets.icons import icon
from polhode_app.window.widgets.layouts import column_of, focus_by_tab, row_of, scrolled
from polhode_app.window.widgets.plain_label import PlainLabel
from polhode_app.window.widgets.wheel import ComboBox

HIGH = 900  # [pixel] height from which on there is room for the settings and the picture
WIDE = 640  # [pixel] width from which on the settings stand beside the picture
FORM_WIDTH = 290  # [pixel] least width of the settings there
UNBOUNDED = 16_777_215  # [pixel] of Qt
NEW = -1  # of the choice of sweeps: one that is not there yet
ICONS = {"earlier": "back_arrow", "later": "forward_arrow", "whole": "fit", "more": "export", "settings": "settings"}


class MapWidgets(QWidget):
    """The widgets of the dock; map_controller.py fills them and does what they ask for. `build` makes them."""

    def build(self) -> Iterator[None]:
        """Make the contents in parts, between which the window can work."""
        self._build_frame()
        yield
        self.form = SweepForm()
        yield from self.form.build()
        yield
        self._place_form()
        yield
        self.view = MapView()
        yield from self.view.build()
        self._picture.insertWidget(0, self.view, 1)
        self.view.hide()
        yield
        self.set_theme()
        self.retranslate()

    def _build_frame(self) -> None:
        """Make and place the small widgets."""
        self.sweeps, self.run, self.cancel = ComboBox(), KeyButton(), KeyButton()
        self.longer, self._longer = KeyButton(), 0.0  # [s] duration of runs that the button proposes
        self.longer.clicked.connect(lambda _checked: self._run_longer())
        self.tools = {name: QToolButton() for name in ICONS}
        self.progress, self.state = QProgressBar(), QLabel()
        self.notice, self.error = PlainLabel(), PlainLabel()
        self.hint, self.hover = PlainLabel(), PlainLabel()
        self.slice, self.slice_label = KeySlider(), QLabel()
        self.probable = KeyButton()
        self.probable.setCheckable(True)
        self.probable.setChecked(True)
        self.legend, self.more = MapLegend(), QMenu(self)
        self.export_actions = {name: self.more.addAction("") for name in ("save", "picture", "table")}
        self._form_area = QScrollArea()
        self._middle = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._middle.addWidget(self._form_area)
        self._middle.addLayout(self._picture_column(), 1)
        rows = self._top_row(), self._tool_row(), self.notice, self.error, self.longer, (self._middle, 1)
        column_of(*rows, on=self, margins=(8, 4, 8, 6), spacing=4)
        QWidget.setTabOrder(self.run, self.cancel)
        self.notice.hide()
        self.error.hide()
        self.longer.hide()
        self.setMinimumWidth(280)

    def _place_form(self) -> None:
        """Place the settings."""
        scrolled(self.form, self._form_area)
        self._arrange()

    def _top_row(self) -> QHBoxLayout:
        """Choice of the sweep, and what is done with it."""
        self.sweeps.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        focus_by_tab(self.sweeps)
        # The button that cancels is before the other, so that it does not appear under the pointer.
        return row_of((self.sweeps, 1), self.cancel, self.run)

    def _tool_row(self) -> QHBoxLayout:
        """Buttons of the history, progress, and buttons of files and settings."""
        row = QHBoxLayout()
        row.setSpacing(0)
        focus_by_tab(*self.tools.values())
        for name, button in self.tools.items():
            row.addWidget(button)
            if name == "whole":
                row.addSpacing(6)
                row.addWidget(self.progress, 1)
                row.addSpacing(8)
                row.addWidget(self.state)
                row.addStretch(0)
        settings, more = self.tools["settings"], self.tools["more"]
        settings.setCheckable(True)
        settings.setChecked(True)
        settings.toggled.connect(self._form_area.setVisible)
        more.setMenu(self.more)
        more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.progress.setTextVisible(False)
        self.progress.setMaximumHeight(8)
        self.progress.setRange(0, 1000)
        return row

    def _picture_column(self) -> QVBoxLayout:
        """The picture, or a hint in its place, above the slice, the cell under the pointer and the legend."""
        for label in (self.notice, self.error, self.hint, self.hover):
            label.setWordWrap(True)
        self.error.setForegroundRole(QPalette.ColorRole.BrightText)
        self.error.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        slices = row_of((self.slice, 1), self.slice_label)
        self._picture = column_of((self.hint, 1), self.probable, slices, self.hover, self.legend, spacing=3)
        return self._picture

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        tips = {
            "earlier": self.tr("The map before this zoom"),
            "later": self.tr("The map after it"),
            "whole": self.tr("The whole map"),
            "more": self.tr("Save the map, or export it as a picture or a table"),
            "settings": self.tr("What is varied and what is asked"),
        }
        for name, tip in tips.items():
            self.tools[name].setToolTip(tip)
        self.export_actions["save"].setText(self.tr("Save map..."))
        self.export_actions["picture"].setText(self.tr("Export picture (PNG, SVG)..."))
        self.export_actions["table"].setText(self.tr("Export table (CSV, Parquet, numpy)..."))
        self.cancel.setText(self.tr("Discard"))
        self.cancel.setToolTip(self.tr("Stop computing, and forget this map"))
        self.probable.setText(self.tr("Probabilities over the draws"))
        self.probable.setToolTip(
            self.tr("Colours by the most probable attractor, paler where it is less probable; off: single draws")
        )
        self.offer_longer(self._longer or None)
        self.form.retranslate()

    def set_theme(self) -> None:
        """Adopt the colours of the window."""
        palette = QGuiApplication.palette()
        for name, button in self.tools.items():
            button.setIcon(icon(ICONS[name], palette))
        for row in self.form.rows:
            row.set_theme()
        self.view.set_theme(palette)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the settings beside the picture where there is room."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        is_wide = self.width() >= scaled(WIDE)
        direction = QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom
        self._middle.setDirection(direction)
        self._form_area.setMinimumWidth(scaled(FORM_WIDTH) if is_wide else 0)
        self._form_area.setMaximumWidth(scaled(FORM_WIDTH) if is_wide else UNBOUNDED)
        hint = self.form.sizeHint().height() + 4
        self._form_area.setMinimumHeight(0 if is_wide else min(hint, max(60, self.height() // 3)))
        self._form_area.setMaximumHeight(UNBOUNDED if is_wide else hint)

    def make_space(self) -> None:
        """Fold the settings where they take the room of the picture."""
        if self.width() < scaled(WIDE) and self.height() < HIGH:
            self.tools["settings"].setChecked(False)

    # What is shown

    def show_sweeps(self, names: Sequence[str], chosen: int) -> None:
        """Offer the sweeps of the scene by name, and a new one behind them; `chosen` is an index or NEW."""
        self.sweeps.blockSignals(True)
        self.sweeps.clear()
        for number, name in enumerate(names):
            self.sweeps.addItem(name, number)
        self.sweeps.addItem(self.tr("New map"), NEW)
        self.sweeps.setCurrentIndex(self.sweeps.findData(chosen))
        self.sweeps.blockSignals(False)

    def show_picture(self, on: bool, hint: str) -> None:
        """Show the view, or a text in its place."""
        self.view.setVisible(on)
        self.hint.setVisible(not on)
        self.hint.setText(hint)
        for widget in (self.legend, self.hover):
            widget.setVisible(on)

    def offer_longer(self, until: float | None) -> None:
        """Offer to compute the map with runs of another duration [s]; None: no offer."""
        self._longer = until or 0.0
        self.longer.setVisible(until is not None)
        self.longer.setText(self.tr("Compute with runs of {until} s").format(until=f"{self._longer:g}"))

    def _run_longer(self) -> None:
        """Set the proposed duration, and compute the map again."""
        self.form.until.setValue(self._longer)
        self.run.click()

    def show_text(self, label: PlainLabel, text: str) -> None:
        """Show a text, and hide the label without one."""
        if label.text() != text or label.isHidden() != (not text):
            label.setText(text)
            label.setVisible(bool(text))
