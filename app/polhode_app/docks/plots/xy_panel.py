"""Controls of phase planes, Poincaré sections and spectra."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from math import isnan
from typing import Any

import numpy as np
from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QWidget

from polhode.analysis.spectrum import WINDOWS, Spectrum, spectrum
from polhode_app.data.plots.plot_store import PlotStore
from polhode_app.data.plots.plot_table import PlotTable, complete
from polhode_app.data.plots.poincare import PoincareSection
from polhode_app.docks.plots.phase_curve import are_alike, phase_curve
from polhode_app.docks.plots.phase_defaults import usual
from polhode_app.docks.plots.plot_settings import Choices
from polhode_app.docks.plots.time_plot import thinned
from polhode_app.docks.plots.xy_plot import XYPlot
from polhode_app.i18n.field_names import quantity
from polhode_app.window.widgets.spin_box import SpinBox
from polhode_app.window.widgets.wheel import ComboBox

KINDS = {
    "time": QT_TRANSLATE_NOOP("Relation", "Over time"),
    "phase": QT_TRANSLATE_NOOP("Relation", "Phase plane"),
    "section": QT_TRANSLATE_NOOP("Relation", "Poincaré section"),
    "spectrum": QT_TRANSLATE_NOOP("Relation", "Spectrum"),
}
WINDOW_NAMES = {
    "hann": QT_TRANSLATE_NOOP("Relation", "Hann window"),
    "blackman": QT_TRANSLATE_NOOP("Relation", "Blackman window"),
    "none": QT_TRANSLATE_NOOP("Relation", "No window"),
}
MEAN_SAMPLES = 100  # samples from which the automatic level is final
MAX_SPECTRUM_POINTS = 20_000  # drawn in a spectrum at most; it is often zoomed
WIDEST_LEVEL = "-1.23e-05"  # widest text of a level
SPECTRUM_INTERVAL = 0.2  # [s] wall time


def translated(text: str) -> str:
    """A text of this module in the current language."""
    return QCoreApplication.translate("Relation", text)


def current_column(combo: QComboBox) -> str:
    """Column selected in a combo box, "" if it is empty."""
    return combo.currentData() or ""


def fill_columns(combo: QComboBox, columns: Iterable[str]) -> None:
    """Offer columns in a combo box, by their display names."""
    combo.clear()
    for column in columns:
        combo.addItem(quantity(column), column)
        combo.setItemData(combo.count() - 1, column, Qt.ItemDataRole.ToolTipRole)


def select_column(combo: QComboBox, column: str) -> None:
    """Select a column in a combo box."""
    combo.setCurrentIndex(combo.findData(column))


class XYPanel(QWidget):
    """Controls for plots of pairs; `plane` is the plot itself.

    Phase plane: y over x. Section: points (x, y) at which the third quantity, `watched`, rises through a level; the
    level is the mean of that quantity until the user sets one. Spectrum: amplitudes of y. `changed` is emitted when the
    user has changed a control.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.kind = "phase"
        self.x, self.y, self.watched = ComboBox(), ComboBox(), ComboBox()
        self.level = SpinBox(-1e12, 1e12, decimals=12)
        self.window_choice = ComboBox()
        self.log = QCheckBox()
        self.result_label = QLabel()
        self._section, self._units, self._drawn_at = PoincareSection(), {}, 0.0
        self._colors: Mapping[str, str] = {}
        self._axis_state: tuple[object, ...] = ()
        self._selected_by_user = False  # columns were chosen by the user
        self._level_is_automatic = True  # the level is the mean
        self._lay_out()
        self.retranslate()

    @cached_property
    def plane(self) -> XYPlot:
        """The plot, created at its first use because that takes long."""
        return XYPlot()

    def _lay_out(self) -> None:
        """Arrange all controls in one row; `show_kind` shows those in use."""
        for name in WINDOW_NAMES:
            self.window_choice.addItem("", name)
        self.result_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        digits, low = self.level.fontMetrics(), self.level.textFromValue(self.level.minimum())
        around = self.level.sizeHint().width() - digits.horizontalAdvance(low)
        self.level.setFixedWidth(around + digits.horizontalAdvance(WIDEST_LEVEL))
        self._labels = {key: QLabel() for key in self._label_texts()}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for widget in (
            *(self._labels["x"], self.x, self._labels["y"], self.y, self._labels["when"], self.watched),
            *(self._labels["passes"], self.level, self.window_choice, self.log, self.result_label),
        ):
            row.addWidget(widget)
        for combo in (self.x, self.y, self.watched, self.window_choice):
            combo.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # Space starts and pauses the run
            combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            combo.activated.connect(self.changed if combo is self.window_choice else self._on_quantity_activated)
        self.log.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.log.toggled.connect(self.changed)
        self.level.valueChanged.connect(self._on_level_changed)

    def retranslate(self) -> None:
        """Set all texts in the current language; names of quantities follow with the next `set_quantities`."""
        self.log.setText(self.tr("Logarithmic"))
        for row, text in enumerate(WINDOW_NAMES.values()):
            self.window_choice.setItemText(row, translated(text))
        self.level.setToolTip(self.tr("Level: a point is drawn whenever the third quantity rises through it"))
        self.window_choice.setToolTip(
            self.tr("Hann resolves close frequencies; Blackman shows weak lines beside strong ones")
        )
        for key, text in self._label_texts().items():
            self._labels[key].setText(text)
        self._axis_state = ()

    def _label_texts(self) -> dict[str, str]:
        """Texts of the labels between the controls."""
        return {"x": "x", "y": "y", "when": self.tr("whenever"), "passes": self.tr("rises through")}

    def show_kind(self, kind: str) -> None:
        """Show the controls of a kind of plot, one of KINDS."""
        self.kind = kind
        pair, section, frequencies = kind in ("phase", "section"), kind == "section", kind == "spectrum"
        for widget in (self._labels["x"], self.x, self._labels["y"]):
            widget.setVisible(pair)
        for widget in (self._labels["when"], self.watched, self._labels["passes"], self.level):
            widget.setVisible(section)
        for widget in (self.window_choice, self.log):
            widget.setVisible(frequencies)
        self.result_label.setText("")
        self.result_label.setMinimumWidth(0)

    def set_quantities(self, units: Mapping[str, str], colors: Mapping[str, str], rates: Mapping[str, str]) -> None:
        """Offer columns with their units, colours and the names of their rates of change.

        Columns selected by the user are kept; others are replaced by defaults.
        """
        self._units, self._colors = dict(units), colors
        names = list(units)
        watched = current_column(self.watched)
        for combo, name in zip((self.x, self.y, self.watched), usual(names, rates), strict=True):
            now = current_column(combo)
            fill_columns(combo, names)
            select_column(combo, now if self._selected_by_user and now in units else name)
        self._level_is_automatic |= current_column(self.watched) != watched

    def _on_quantity_activated(self) -> None:
        """Keep the columns from now on; another section quantity gets its own level."""
        self._selected_by_user = True
        self._level_is_automatic |= self.sender() is self.watched
        self.changed.emit()

    def _on_level_changed(self) -> None:
        """Keep the level that the user has entered."""
        self._level_is_automatic = False
        self.changed.emit()

    @property
    def settings(self) -> dict[str, Any]:
        """Choices of the user as JSON values, see `restore`."""
        return {
            "x": current_column(self.x),
            "y": current_column(self.y),
            "watched": current_column(self.watched),
            "window": self.window_choice.currentData(),
            "log": self.log.isChecked(),
        } | ({} if self._level_is_automatic else {"level": self.level.value()})

    def reset(self) -> None:
        """Return to default columns and level, for another scene."""
        self._selected_by_user, self._level_is_automatic = False, True

    def restore(self, settings: Choices) -> None:
        """Apply stored settings; values that are not valid for this scene are ignored."""
        for combo, name in ((self.x, settings.x), (self.y, settings.y), (self.watched, settings.watched)):
            if name in self._units:
                select_column(combo, name)
                self._selected_by_user = True
        if settings.level is not None:
            self.level.show_value(settings.level)
            self._level_is_automatic = False
        if settings.window in WINDOWS:
            self.window_choice.setCurrentIndex(self.window_choice.findData(settings.window))
        self.log.setChecked(settings.log)

    def update_axis_labels(self) -> None:
        """Label the axes and fit the plot, if quantities or kind have changed."""
        x, y = current_column(self.x), current_column(self.y)
        wanted = (self.kind, x, y, current_column(self.watched), self._colors.get(y), self.log.isChecked())
        if wanted == self._axis_state or not y:
            return
        self._axis_state, self._drawn_at = wanted, 0.0
        frequencies = self.kind == "spectrum"
        across = (self.tr("frequency"), "Hz") if frequencies else (quantity(x), self._units.get(x, ""))
        self.plane.set_log_y(frequencies and self.log.isChecked())
        self.plane.set_labels(across, (quantity(y), self._units.get(y, "")), self._colors.get(y, "#888888"))

    def draw(self, plotted: PlotStore, span: tuple[float, float], wall: float, now: float | None) -> None:
        """Draw the samples within `span` (begin, end) [s] at a wall time [s].

        `now` is the time [s] of the cursor, marked in a phase plane. Spectra are computed every SPECTRUM_INTERVAL at
        most.
        """
        self.update_axis_labels()
        x, y = current_column(self.x), current_column(self.y)
        if not y or (self.kind == "spectrum" and wall - self._drawn_at < SPECTRUM_INTERVAL):
            return
        self._drawn_at = wall
        match self.kind:
            case "phase":
                self._draw_phase(plotted, x, y, span, now)
            case "section":
                self._draw_section(plotted, x, y)
            case "spectrum":
                self._draw_spectrum(plotted, y, span)

    def _draw_phase(self, plotted: PlotStore, x: str, y: str, span: tuple[float, float], now: float | None) -> None:
        """Draw y over x, quantities of one unit at the same scale."""
        all_times, *all_values = plotted.together(x, y)
        times, xs, ys = _within(span, all_times, *all_values)
        curve = phase_curve(times, xs, ys)
        marked = None
        if now is not None and len(all_times):
            marked = tuple(float(np.interp(now, all_times, values)) for values in all_values)
        one_unit = self._units.get(x) == self._units.get(y)
        self.plane.set_equal_scales(one_unit and are_alike(xs, ys))
        self.plane.draw(curve.x, curve.y, points=False, now=marked, lonely=curve.points)  # type: ignore[arg-type]

    def _draw_section(self, plotted: PlotStore, x: str, y: str) -> None:
        """Draw all crossings so far and show their number."""
        watched = current_column(self.watched)
        values = plotted.of(watched).column(watched)
        if self._level_is_automatic and np.isfinite(values).any():
            self._level_is_automatic = len(values) < MEAN_SAMPLES
            self.level.show_value(float(f"{np.nanmean(values):.3g}"))
        self._section.look(plotted, x, y, watched, self.level.value())
        points = self._section.points
        self.plane.set_equal_scales(self._units.get(x) == self._units.get(y) and are_alike(points[:, 1], points[:, 2]))
        self.plane.draw(points[:, 1], points[:, 2], points=True)
        self.result_label.setText(self.tr("points: {count}").format(count=len(points)))

    def _draw_spectrum(self, plotted: PlotStore, y: str, span: tuple[float, float]) -> None:
        """Draw the amplitude spectrum of y within `span` [s] and show its highest peak."""
        found = self._spectrum(plotted, y, span)
        self.plane.set_equal_scales(False)
        self.plane.draw(*thinned(found.frequencies, found.amplitudes, MAX_SPECTRUM_POINTS), points=False)
        self.plane.show_up_to(_frequency_limit(found.frequencies, found.amplitudes))
        text = self.tr("peak: {frequency} Hz, {amplitude} {unit}")
        peak, height = f"{found.peak:.5g}", f"{found.height:.3g}"
        result = text.format(frequency=peak, amplitude=height, unit=self._units.get(y, "")).strip()
        self.result_label.setText("" if isnan(found.peak) else result)
        widest = max(self.result_label.minimumWidth(), self.result_label.sizeHint().width())
        self.result_label.setMinimumWidth(widest)  # so that a longer number is whole at once

    def _spectrum(self, plotted: PlotStore, y: str, span: tuple[float, float]) -> Spectrum:
        """Amplitude spectrum of y within `span` [s]."""
        history = plotted.of(y)
        return spectrum(*_within(span, history.times, history.column(y)), self.window_choice.currentData())

    def table(self, plotted: PlotStore, span: tuple[float, float]) -> PlotTable:
        """Drawn data of the samples within `span` (begin, end) [s], in full resolution."""
        x, y = current_column(self.x), current_column(self.y)
        of_x, of_y = (x, self._units.get(x, "")), (y, self._units.get(y, ""))
        if self.kind == "spectrum":
            found = self._spectrum(plotted, y, span)
            columns = ("frequency", "Hz"), (f"amplitude of {y}", of_y[1])
            return complete(columns, np.column_stack([found.frequencies, found.amplitudes]))
        if self.kind == "section":
            self._section.look(plotted, x, y, current_column(self.watched), self.level.value())
            return complete((("time", "s"), of_x, of_y), self._section.points)
        return complete((("time", "s"), of_x, of_y), np.column_stack(_within(span, *plotted.together(x, y))))


def _within(span: tuple[float, float], times: np.ndarray, *values: np.ndarray) -> tuple[np.ndarray, ...]:
    """Times (n,) and values (n,) within `span` (begin, end) [s]."""
    begin, end = np.searchsorted(times, span)
    return times[begin:end], *(each[begin:end] for each in values)


def _frequency_limit(frequencies: np.ndarray, amplitudes: np.ndarray) -> float:
    """Upper end [Hz] of the visible frequencies, from frequencies (n,) [Hz] and amplitudes (n,).

    All but 1e-4 of the power lies below it, and the median of the power in the lower quarter.
    """
    power = np.cumsum(np.nan_to_num(amplitudes) ** 2)
    if len(power) == 0 or power[-1] == 0:
        return 0.0
    middle, end = (float(frequencies[np.searchsorted(power, share * power[-1])]) for share in (0.5, 0.9999))
    return max(4 * middle, 1.2 * end)
