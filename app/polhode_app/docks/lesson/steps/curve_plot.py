"""Plot in which the student draws a predicted curve, by mouse or by keys, and which shows that of a run."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPalette, QWheelEvent

from polhode_app.docks.maps.key_button import claimed
from polhode_app.docks.plots.time_plot import thinned
from polhode_app.docks.plots.xy_plot import NEVER_PREFIXED
from polhode_app.i18n.field_names import unit_text
from polhode_app.viewport.base.palette import CURVES
from polhode_app.window.accessibility.announcements import announce
from polhode_app.window.accessibility.letters import scaled
from polhode_app.window.widgets.canvas import Canvas, ShortNumberAxis, style_axes

POINTS = 25  # of a drawn curve, evenly spaced
STEPS = 50.0  # of the shown range, by an arrow key
COARSE = 5.0  # steps of a page key
AXIS = 56  # [pixel] width of the values
HEIGHT, TALLEST = 140, 220  # [pixel], so that the text above is seen too
LINE, MARK = 2.0, 11  # [pixel] width of a curve, diameter of the chosen point
PREDICTED, MEASURED = CURVES[1], CURVES[0]
Key = Qt.Key
ALONG = {Key.Key_Left: -1, Key.Key_Right: 1, Key.Key_Home: -POINTS, Key.Key_End: POINTS}
UPWARDS = {Key.Key_Up: 1.0, Key.Key_Down: -1.0, Key.Key_PageUp: COARSE, Key.Key_PageDown: -COARSE}


class CurvePlot(Canvas):
    """A curve over time from 0 to `until` [s]: drawn by the student, and that of a run beside it.

    Left and Right choose a point, Up and Down move it, with Shift finely; a drag of the mouse draws along its path.
    """

    changed = Signal()
    """The student has changed the curve."""
    rested = Signal()
    """The student may have ended a change: a drag, or keys by Return or by leaving the plot."""
    finished = Signal()
    """The student has pressed Return."""
    claimed_keys = frozenset({*ALONG, *UPWARDS, Key.Key_Return, Key.Key_Enter})

    _can_draw = False

    def __init__(self) -> None:
        """Make an empty plot, which is used for one step after another: plots are not deleted, since that is slow."""
        super().__init__()
        self._unit = ""
        self.times, self.values = np.zeros(POINTS), np.zeros(POINTS)
        self.is_drawn = False  # by the student
        self.point = 0  # that keys move
        self._last: tuple[int, float] | None = None  # point and value of a drag
        self._low, self._high = -1.0, 1.0
        self.setMinimumHeight(scaled(HEIGHT))
        self.setMaximumHeight(scaled(TALLEST))
        self.setMinimumWidth(0)
        self.ci.layout.setContentsMargins(2, 4, 8, 2)
        self._plot = self.addPlot(enableMenu=False, axisItems={"left": ShortNumberAxis("left")})
        style_axes(self._plot)
        self._plot.setMouseEnabled(False, False)
        self._box = self._plot.getViewBox()
        self._run = self._plot.plot(connect="finite")
        self._drawn = self._plot.plot(symbolSize=4, symbolBrush=PREDICTED)
        self._mark = self._plot.plot(pen=None, symbol="o", symbolSize=MARK, symbolBrush=None)

    def set_up(self, name: str, unit: str, until: float, can_draw: bool) -> None:
        """Begin with no curves; `name` is that of the quantity, `unit` that of its values.

        Without `can_draw` it only shows curves.
        """
        self._unit, self._can_draw = unit, can_draw
        self.times, self.values = np.linspace(0.0, until, POINTS), np.zeros(POINTS)
        self.is_drawn, self.point, self._last = False, 0, None
        self._style(name)
        self._run.setData([], [])
        self._plot.setXRange(0.0, until, padding=0.02)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if can_draw else Qt.FocusPolicy.NoFocus)
        self.set_range(-1.0, 1.0)
        self.show()

    def _style(self, name: str) -> None:
        """Set names, units and colours."""
        colors, width = self.palette(), LINE * self.devicePixelRatioF()
        self.setBackground(colors.color(QPalette.ColorRole.Base))
        text = colors.color(QPalette.ColorRole.WindowText)
        for side, label, unit in (("bottom", self.tr("time"), "s"), ("left", "", self._unit)):
            axis = self._plot.getAxis(side)
            axis.setPen(pg.mkPen(text))
            axis.setTextPen(pg.mkPen(text))
            axis.setLabel(label, units=unit_text(unit), siPrefixEnableRanges=NEVER_PREFIXED)
        self._plot.getAxis("left").setWidth(scaled(AXIS))
        self._run.setPen(pg.mkPen(MEASURED, width=width))
        self._drawn.setPen(pg.mkPen(PREDICTED, width=width, style=Qt.PenStyle.DashLine))
        self._drawn.setSymbol("o" if self._can_draw else None)
        self._mark.setSymbolPen(pg.mkPen(colors.color(QPalette.ColorRole.Text), width=2.0))
        self.setAccessibleName(name)

    def set_range(self, low: float, high: float) -> None:
        """Show values from `low` to `high`."""
        self._low, self._high = low, high
        self._plot.setYRange(low, high, padding=0.0)
        self._draw()

    @property
    def value_range(self) -> tuple[float, float]:
        """The values that are shown, from and to."""
        return self._low, self._high

    def begin_at(self, value: float) -> None:
        """Let the curve begin as a constant; the student draws another one."""
        self.values[:] = value
        self._draw()

    def show_drawn(self, times: np.ndarray, values: np.ndarray) -> None:
        """Show a curve (n,) that was drawn before."""
        if self._can_draw:
            self.values = np.interp(self.times, times, values)
        else:
            self.times, self.values = times, values
        self.is_drawn = True
        self._include(values)
        self._draw()

    def show_run(self, times: np.ndarray, values: np.ndarray) -> None:
        """Show the curve (n,) of a run."""
        self._run.setData(*thinned(times, values, 2 * max(self.width(), 300)))
        self._include(values[np.isfinite(values)])

    def fit(self) -> None:
        """Show all values of the curves, and some space beside them."""
        known = [each.yData for each in (self._run, self._drawn) if each.yData is not None and len(each.yData)]
        values = np.concatenate(known) if known else np.zeros(1)
        values = values[np.isfinite(values)] if np.isfinite(values).any() else np.zeros(1)
        low, high = float(values.min()), float(values.max())
        beside = 0.08 * (high - low) or 0.1 * abs(high) or 1.0
        self.set_range(low - beside, high + beside)

    def _include(self, values: np.ndarray) -> None:
        """Extend the shown range to values."""
        if len(values) and (values.min() < self._low or values.max() > self._high):
            self.set_range(min(float(values.min()), self._low), max(float(values.max()), self._high))

    def _draw(self) -> None:
        """Draw the curve, and the chosen point while keys move it."""
        shown = self._can_draw or self.is_drawn
        self._drawn.setData(self.times if shown else [], self.values if shown else [])
        marks = self._can_draw and self.hasFocus()
        self._mark.setData([self.times[self.point]] if marks else [], [self.values[self.point]] if marks else [])

    def _set(self, point: int, value: float) -> None:
        """Move a point of the curve, and choose it."""
        self.point, self.is_drawn = point, True
        self.values[point] = value
        self._include(self.values)
        self._draw()
        self.changed.emit()

    def values_at(self, plot: pg.PlotItem, x: float, y: float) -> str:
        """Time and value at the pointer."""
        return f"{x:.3g} s: {y:.3g} {unit_text(self._unit)}".rstrip()

    def _say_point(self) -> None:
        """Let a screen reader say the chosen point."""
        text = self.tr("{time} s: {value} {unit}")
        said = text.format(
            time=f"{self.times[self.point]:.3g}", value=f"{self.values[self.point]:.3g}", unit=unit_text(self._unit)
        )
        self.setAccessibleDescription(said.rstrip())
        announce(self, said.rstrip())

    # Keys and mouse

    def event(self, event: QEvent) -> bool:
        """Claim its keys before shortcuts do."""
        return (self._can_draw and claimed(event, self.claimed_keys)) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose or move a point."""
        key = Key(event.key())
        if not self._can_draw or key not in self.claimed_keys:
            event.ignore()
            return
        if key in ALONG:
            self.point = min(max(self.point + ALONG[key], 0), POINTS - 1)
            self._draw()
        elif key in UPWARDS:
            fine = 0.2 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1.0
            self._set(self.point, float(self.values[self.point]) + fine * UPWARDS[key] * self._key_step)
        else:
            self.rested.emit()
            self.finished.emit()
            return
        self._say_point()

    @property
    def _key_step(self) -> float:
        """Change of a value by one key: a round part of the shown range."""
        exact = (self._high - self._low) / STEPS
        return float(f"{exact:.1g}")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to draw."""
        if self._can_draw and event.button() == Qt.MouseButton.LeftButton:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._last = None
            self._draw_to(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Draw along the path of the pointer."""
        if self._last is not None:
            self._draw_to(event.position())
        else:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End to draw."""
        if self._last is not None:
            self._last = None
            self.rested.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Draw as a click does."""
        self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the dock, which scrolls."""
        event.ignore()

    def _draw_to(self, position: QPointF) -> None:
        """Move the points between the last position of the pointer and this one."""
        at = self._box.mapSceneToView(self.mapToScene(position.toPoint()))
        value = min(max(float(at.y()), self._low), self._high)
        point = min(max(round(float(at.x()) / self.times[-1] * (POINTS - 1)), 0), POINTS - 1)
        before, old = self._last or (point, value)
        for each in range(min(before, point), max(before, point) + 1):
            share = (each - before) / (point - before) if point != before else 1.0
            self.values[each] = old + share * (value - old)
        self._last = point, value
        self._set(point, value)

    def focusInEvent(self, event: object) -> None:
        """Mark the chosen point."""
        super().focusInEvent(event)
        self._draw()

    def focusOutEvent(self, event: object) -> None:
        """Remove the mark; keys have ended a change."""
        super().focusOutEvent(event)
        self._draw()
        self.rested.emit()
