"""Card over the view: description of the scene, sliders, things to try, and the legend of its arrows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QToolButton, QWidget

from polhode_app.docks.story.card_slider import CardSliderRow
from polhode_app.i18n.phrases import breaking_at_phrases
from polhode_app.viewport.base.camera_animation import WHOLE, FreeArea, beside
from polhode_app.viewport.record import LegendEntry
from polhode_app.window.accessibility.letters import scaled
from polhode_app.window.widgets.layouts import column_of, focus_by_tab, row_of
from polhode_app.window.widgets.plain_label import PlainLabel
from polhode_app.window.widgets.toast import CARD, GAP, MARGIN, OverlayFrame

WIDTH = 250  # [pixel]
TITLE = 1.2  # size of titles, as that of "large" in rich text, relative to other texts
SHARE = 0.5  # of the width of the view, at most
STYLE = """
QFrame#story {{ background: {ground}; border-radius: 8px; }}
QFrame#story QLabel {{ color: {text}; }}
QFrame#story QToolButton {{ color: {text}; border: none; padding: 0 4px; }}
QFrame#story QPushButton:checked {{ background: {on}; color: {on_text}; border: 1px solid {on_edge};
  border-radius: 4px; padding: 2px 8px; font-weight: bold; }}
QToolButton#open_story {{ color: {text}; background: {ground}; border: none; border-radius: 12px; font-weight: bold; }}
"""
COLORS = {
    "dark": {
        "ground": "rgba(24, 28, 36, 225)",
        "text": "#f1f4f8",
        "on": "#1d4f73",
        "on_text": "#ffffff",
        "on_edge": "#56b4e9",
    },
    "light": {
        "ground": "rgba(255, 255, 255, 228)",
        "text": "#1f2933",
        "on": "#cfe6f7",
        "on_text": "#10293c",
        "on_edge": "#0072b2",
    },
}
"""By theme: as the view, whose arrows the legend names."""


class StoryCard(QFrame):
    """Title, one sentence, sliders, buttons for things to try, and a legend, at the upper left corner of the view.

    A small button takes its place while it is closed. The card moves below frames at the upper edge, and leaves
    space for those at the lower edge that do not fit beside it. If the view is too low it leaves out the legend, then
    the sentence, the buttons and the sliders; if none of them fits, only the button is shown.
    """

    closed = Signal()
    opened = Signal()

    def __init__(self, parent: QWidget):
        """Create the hidden card of a view."""
        super().__init__(parent)
        self.setObjectName(CARD)
        self.title, self.text, self.heading = PlainLabel(), PlainLabel(), PlainLabel()
        self.buttons: list[QPushButton] = []
        self.sliders: list[CardSliderRow] = []
        self.legend = QLabel()
        self.close_button, self.open_button = QToolButton(), QToolButton(parent)
        self._lay_out()
        self.close_button.clicked.connect(self.closed)
        self.open_button.clicked.connect(self.opened)
        self._is_open: bool | None = None  # None: there is nothing to show
        self.withdraw()
        parent.installEventFilter(self)

    def _lay_out(self) -> None:
        """Place the widgets."""
        self._fit_letters()
        self.open_button.setObjectName("open_story")
        self.open_button.setText("i")
        self.close_button.setText("×")
        focus_by_tab(self.close_button, self.open_button)
        for label in (self.title, self.text, self.legend):
            label.setWordWrap(True)
        head = row_of((self.title, 1), (self.close_button, 0, Qt.AlignmentFlag.AlignTop))
        self._sliders, self._trials = column_of(spacing=4), column_of(spacing=4)
        rows = head, self.text, self._sliders, self.heading, self._trials, self.legend
        column_of(*rows, on=self, margins=(12, 8, 8, 10), spacing=6)

    def _fit_letters(self) -> None:
        """Give the title its size relative to other texts."""
        font = self.font()
        font.setBold(True)
        font.setPointSizeF(TITLE * font.pointSizeF())
        self.title.setFont(font)
        self.close_button.setFont(font)
        self.open_button.setFixedSize(scaled(24), scaled(24))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of the letters of the window, which an own font does not."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_letters()

    def show_story(
        self,
        title: str,
        text: str,
        sliders: Sequence[CardSliderRow],
        trials: Sequence[tuple[str, Callable[[], None]]],
        legend: Sequence[LegendEntry],
    ) -> None:
        """Set the contents: `trials` are texts and functions of the buttons."""
        self.title.setText(breaking_at_phrases(title))
        self.text.setText(text)
        self.heading.setText(self.tr("Try this"))
        for layout, widgets in ((self._trials, self.buttons), (self._sliders, self.sliders)):
            for widget in widgets:
                layout.removeWidget(widget)
                widget.hide()
                widget.deleteLater()
        self.sliders = list(sliders)
        for slider in self.sliders:
            self._sliders.addWidget(slider)
            slider.show()
        self.buttons = [self._button(label, function) for label, function in trials]
        self.show_legend(legend)

    def show_tried(self, on: Sequence[bool]) -> None:
        """Show which of the things to try are on."""
        for button, is_on in zip(self.buttons, on, strict=True):
            button.setChecked(is_on)

    def show_legend(self, legend: Sequence[LegendEntry]) -> None:
        """Set the legend alone."""
        lines = []
        for color, sign, symbol, name in legend:
            symbol = f" <b>{escape(symbol)}</b>" if symbol else ""
            lines.append(f'<b style="color: {color}">{sign}</b>{symbol}&nbsp; {escape(name)}')
        self.legend.setText("<br>".join(lines))
        self.place()

    def set_theme(self, theme: str) -> None:
        """Set the colours: "light" or "dark"."""
        for widget in (self, self.open_button):
            widget.setStyleSheet(STYLE.format(**COLORS[theme]))

    def set_open(self, is_open: bool) -> None:
        """Show the card, or the button that opens it."""
        self._is_open = is_open
        self.place()

    def withdraw(self) -> None:
        """Show neither card nor button."""
        self._is_open = None
        self.hide()
        self.open_button.hide()

    def retranslate(self) -> None:
        """Set the tool tips in the current language; the contents are set by `show_story`."""
        self.close_button.setToolTip(self.tr("Close (I)"))
        self.open_button.setToolTip(self.tr("About this scene (I)"))

    def place(self) -> None:
        """Place the card and the button between frames at the upper and lower edge of the view, or beside them."""
        view, before = self.parentWidget(), (self.geometry(), self.isHidden())
        found = view.findChildren(OverlayFrame, options=Qt.FindChildOption.FindDirectChildrenOnly)
        frames = [frame for frame in found if frame.isVisible()]
        buttons = max(map(_width_when_on, self.buttons), default=0) + 20  # of the margins
        width = max(min(scaled(WIDTH), int(SHARE * view.width())), min(buttons, view.width() - 2 * MARGIN))
        upper, lower = ([frame for frame in frames if frame.at_top is at_top] for at_top in (True, False))
        over = [each for each in upper if not (self._is_open and each.fits_beside(QRect(MARGIN, 0, width, 1)))]
        top = max([MARGIN, *(frame.geometry().bottom() + GAP for frame in over)])
        self.open_button.move(MARGIN, top)
        space = view.height() - MARGIN - top
        height = self._fit(width, space)
        for frame in lower:
            above = frame.y() - GAP - top
            if above < height and not frame.fits_beside(QRect(MARGIN, top, width, height)):
                space = min(space, above)
        height = self._fit(width, space)
        self.setGeometry(MARGIN, top, width, min(height, space))
        if self._is_open is not None:
            self.setVisible(self._is_open and height <= space)
            self.open_button.setVisible(not self.isVisibleTo(view))
        if before != (self.geometry(), self.isHidden()):
            for frame in (*upper[:1], *lower[:1]):
                frame.place()

    def _fit(self, width: int, space: int) -> int:
        """Hide parts that do not fit into a height; returns the needed height [pixel]."""
        self.text.setVisible(bool(self.text.text()))
        self.heading.setVisible(bool(self.buttons))
        self.legend.setVisible(bool(self.legend.text()))
        for widget in (*self.buttons, *self.sliders):
            widget.show()
        for parts in ((), (self.legend,), (self.text,), (self.heading, *self.buttons), self.sliders):
            for part in parts:
                part.hide()
            self.layout().activate()
            height = max(self.layout().totalHeightForWidth(width), self.layout().totalMinimumSize().height())
            if height <= space:
                break
        return height

    @property
    def free_area(self) -> FreeArea:
        """The larger part of the view that the card leaves free."""
        view = self.parentWidget()
        if not self.isVisibleTo(view):
            return WHOLE
        width, height, edge = max(view.width(), 1), max(view.height(), 1), self.geometry()
        return beside((edge.right() + GAP) / width, 1 - (edge.bottom() + GAP) / height, width / height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Place the card again after the view was resized."""
        if event.type() == QEvent.Type.Resize:
            QTimer.singleShot(0, self, self.place)
        return super().eventFilter(watched, event)

    def _button(self, label: str, function: Callable[[], None]) -> QPushButton:
        """Add a button for something to try."""
        button = QPushButton(label)
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda: function())
        self._trials.addWidget(button)
        button.show()
        return button


def _width_when_on(button: QPushButton) -> int:
    """Least width [pixel] that holds the text of a button in bold letters, as it is while it is on."""
    font = button.font()
    font.setBold(True)
    longer = QFontMetrics(font).horizontalAdvance(button.text()) - button.fontMetrics().horizontalAdvance(button.text())
    return button.minimumSizeHint().width() + max(longer, 0)
