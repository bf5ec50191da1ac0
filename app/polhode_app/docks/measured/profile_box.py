"""Profile of an unknown: which one, the button that computes it, and its curve with the level of 95 %."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from polhode.fitting.profile import ProfileCurve
from polhode_app.docks.maps.key_button import ChoiceBox, KeyButton
from polhode_app.i18n.field_names import unit_text
from polhode_app.window.widgets.layouts import grid_of
from polhode_app.window.widgets.plain_label import NoteLabel

HEIGHT, MARGIN = 130, 6  # [pixel] of the picture
TOP = 1.15  # of the largest rise or the level: upper end of the picture


class ProfilePicture(QWidget):
    """A curve with its level, and lines at the ends of the interval."""

    def __init__(self) -> None:
        super().__init__()
        self._curve: ProfileCurve | None = None
        self.setFixedHeight(HEIGHT)

    def sizeHint(self) -> QSize:
        """HEIGHT pixels high."""
        return QSize(200, HEIGHT)

    def show_curve(self, curve: ProfileCurve | None) -> None:
        """Draw a curve; None hides the picture."""
        self._curve = curve
        self.setVisible(curve is not None)
        self.update()

    def points(self) -> np.ndarray:
        """(k, 2) [pixel] of the curve, without values that no scene has."""
        assert self._curve is not None
        there = np.isfinite(self._curve.rises)
        return np.array([self._at(*pair) for pair in zip(*(each[there] for each in self._numbers()), strict=True)])

    def _numbers(self) -> tuple[np.ndarray, np.ndarray]:
        assert self._curve is not None
        return self._curve.values, self._curve.rises

    def _at(self, value: float, rise: float) -> tuple[float, float]:
        """Place [pixel] of a value and a rise."""
        assert self._curve is not None
        values, rises = self._numbers()
        low, width = float(values[0]), max(float(values[-1] - values[0]), 1e-300)
        top = TOP * max(float(np.nanmax(rises, initial=0.0)), self._curve.level)
        frame = self._frame()
        return frame.left() + (value - low) / width * frame.width(), frame.bottom() - rise / top * frame.height()

    def _frame(self) -> QRectF:
        """The part of the picture above the labels of the values."""
        line = self.fontMetrics().height()
        return QRectF(self.rect()).adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN - line)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the frame, the level, the ends of the interval, the curve and the values at both sides."""
        curve = self._curve
        if curve is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame, text = self._frame(), self.palette().color(QPalette.ColorRole.WindowText)
        faint = self.palette().color(QPalette.ColorRole.PlaceholderText)
        painter.setPen(QPen(faint, 1.0))
        painter.drawRect(frame)
        painter.setPen(QPen(faint, 1.0, Qt.PenStyle.DashLine))
        level = self._at(curve.values[0], curve.level)[1]
        painter.drawLine(QPointF(frame.left(), level), QPointF(frame.right(), level))
        for end in curve.interval:
            if np.isfinite(end):
                x = self._at(end, 0.0)[0]
                painter.drawLine(QPointF(x, frame.bottom()), QPointF(x, level))
        painter.setPen(text)
        painter.drawText(QPointF(frame.left() + MARGIN, level - 3), "95 %")
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Highlight), 2.0))
        painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in self.points().tolist()]))
        painter.setPen(text)
        below = QRectF(frame.left(), frame.bottom(), frame.width(), self.height() - frame.bottom())
        sides = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
        for value, side in zip((curve.values[0], curve.values[-1]), sides, strict=True):
            painter.drawText(below, side | Qt.AlignmentFlag.AlignBottom, f"{value:.5g}")


class ProfileBox(QWidget):
    """`wanted` carries the name of an unknown; `cancel_wanted` ends the computation."""

    wanted = Signal(str)
    cancel_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.unknown, self.button, self.cancel = ChoiceBox(), KeyButton(), KeyButton()
        self.state, self.picture = NoteLabel(), ProfilePicture()
        stays = self.cancel.sizePolicy()
        stays.setRetainSizeWhenHidden(True)  # else the other button would be where it was pressed
        self.cancel.setSizePolicy(stays)
        rows = (self.unknown, self.button, self.cancel), ((self.picture, 3),), ((self.state, 3),)
        grid_of(*rows, on=self, margins=0, stretched=[0])
        self.button.clicked.connect(lambda _checked: self.wanted.emit(self.unknown.currentData()))
        self.cancel.clicked.connect(lambda _checked: self.cancel_wanted.emit())

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.button.setText(self.tr("Profile"))
        self.button.setToolTip(self.tr("Refits the other unknowns with this one fixed at values around its estimate"))
        self.cancel.setText(self.tr("Cancel"))
        self.unknown.setAccessibleName(self.tr("Unknown whose profile is computed"))
        self.unknown.setToolTip(self.unknown.accessibleName())
        self.picture.setAccessibleName(self.tr("Rise of the sum of squares over the values of the unknown"))

    def offer(self, names: Sequence[str], titles: Sequence[str]) -> None:
        """Set the unknowns of a result, with their display names; none hide the box."""
        self.setVisible(bool(names))
        self.unknown.offer(zip(titles, names, strict=True))
        if self.unknown.currentIndex() < 0:
            self.unknown.setCurrentIndex(0)

    def show_state(self, is_running: bool, curve: ProfileCurve | None, problem: str) -> None:
        """Show whether a profile is computed, a curve, and what went wrong; "" for nothing."""
        self.cancel.setVisible(is_running)
        self.button.setEnabled(not is_running)
        self.picture.show_curve(curve if not is_running else None)
        if is_running:
            text = self.tr("Computing the profile...")
        elif problem or curve is None:
            text = problem
        else:
            low, high = curve.interval
            text = self.tr("95 % interval by the profile: {low} … {high} {unit}")
            text = text.format(low=f"{low:.6g}", high=f"{high:.6g}", unit=unit_text(curve.unit)).rstrip()
        self.state.show_text(text)
