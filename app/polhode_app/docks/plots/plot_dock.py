"""Dock of plots: quantities of the running simulation over time, against each other, and their spectra."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from PySide6.QtCore import QCoreApplication, QPoint, QSignalBlocker, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QHideEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QSplitter, QStackedWidget, QToolButton, QWidget

from polhode_app.data.plots.frame_quantities import plottable
from polhode_app.data.plots.plot_store import PlotStore
from polhode_app.data.plots.plot_table import PlotTable
from polhode_app.data.plots.sample_buffer import SampleBuffer, joined
from polhode_app.docks.plots.phase_defaults import missing, rate_of
from polhode_app.docks.plots.plot_export import PlotExport
from polhode_app.docks.plots.plot_settings import PlotSettings, usual
from polhode_app.docks.plots.time_plot import TimePlot
from polhode_app.docks.plots.uncertainty_line import UncertaintyLine
from polhode_app.docks.plots.xy_panel import KINDS, XYPanel, current_column, fill_columns, select_column
from polhode_app.docks.plots.xy_plot import XYPlot
from polhode_app.edit.parts import owners
from polhode_app.messages import FrameData, SetSampledColumns
from polhode_app.session.document import Document
from polhode_app.viewport.base.palette import CURVES
from polhode_app.window.parts.dock import Dock
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.canvas import RedrawTimer
from polhode_app.window.widgets.column_list import ColumnList
from polhode_app.window.widgets.layouts import column_of, focus_by_tab, row_of
from polhode_app.window.widgets.wheel import ComboBox

USUAL_PLOTS = 2  # of the first columns, one for each unit
FOLLOWED_SPAN = 10.0  # [s] wall time that is visible while the plot follows
MARGIN = 0.05  # beside a span that is shown, relative to it


class PlotDock(Dock):
    """List of all quantities, a plot of the checked ones, and the controls of the plot.

    Samples are requested from the simulation thread only while the dock is visible. Quantities of each step come as
    samples; those that only a snapshot holds, such as forces, are taken from each frame. Everything runs in the GUI
    thread; `tick` is called once per frame and redraws at the rate that RedrawTimer allows.
    """

    def __init__(self, context: WindowContext):
        """Create the dock; `build` fills it."""
        super().__init__(context.window)
        self._session, self._toast = context.session, context.toast
        self._plot_settings = PlotSettings(context.settings)
        self._units: dict[str, str] = {}  # by column
        self._columns: list[str] = []
        self._colors: dict[str, str] = {}
        self._selected_by_user = False  # columns were chosen by the user, not by default
        self._has_chosen_maxima = False  # the user has chosen the column whose maxima are marked
        self._further: list[str] = []  # quantities beside the usual ones, positions and fields
        self._lent: list[str] = []  # columns that were added for the current kind of plot
        self.needs_redraw = False
        self._drawn_time: float | None = None  # [s] time of the cursor
        self.store = PlotStore()
        self.exports = PlotExport(self._session, self._toast, self._table, self._current_plot, self)
        self.list, self.time_plot, self.xy_panel = ColumnList(), TimePlot(), XYPanel()
        self.uncertainty = UncertaintyLine(context.uncertain, self.time_plot)
        self._redraw_timer = RedrawTimer()
        self.kind, self.column, self.period = ComboBox(), ComboBox(), QLabel()
        self.follow, self.beside, self.maxima = QToolButton(), QToolButton(), QCheckBox()

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.setWindowTitle(self.tr("Plots"))
        self.follow.setText(self.tr("Follow"))
        self.follow.setToolTip(self.tr("Show the newest samples again after zooming"))
        self.beside.setText(self.tr("Side by side"))
        self.beside.setToolTip(self.tr("The plots of each item beside those of others, with a common time axis"))
        for row, text in enumerate(KINDS.values()):
            self.kind.setItemText(row, QCoreApplication.translate("Relation", text))
        self.kind.setToolTip(self.tr("Kind of plot of the selected quantities"))
        self.maxima.setText(self.tr("Maxima"))
        self.maxima.setToolTip(self.tr("Mark the maxima of a quantity and show the period"))
        self.list.retranslate()
        self.xy_panel.retranslate()
        self._set_columns(self._columns)

    def _lay_out(self) -> None:
        """Arrange the list beside the controls and the plot."""
        self.setAcceptDrops(True)
        self.follow.setCheckable(True)
        self.follow.setChecked(True)
        self.beside.setCheckable(True)
        for name in KINDS:
            self.kind.addItem("", name)
        self.column.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.period.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        controls = self.kind, self.follow, self.beside, self.maxima, self.column
        focus_by_tab(*controls)
        bar = row_of(*controls, self.period, self.xy_panel, 1, margins=(4, 0, 4, 0))
        self._stack = QStackedWidget()
        self._stack.addWidget(self.time_plot)
        self._redraw_timer.add(self.time_plot)
        right = QWidget()
        column_of(bar, (self._stack, 1), self.uncertainty, on=right, margins=0, spacing=4)
        self._splitter = QSplitter()
        self._splitter.addWidget(self.list)
        self._splitter.addWidget(right)
        self._splitter.setSizes([230, 770])
        self._splitter.setStretchFactor(1, 1)
        self.setWidget(self._splitter)
        self._show_kind()

    def _connect(self) -> None:
        """Connect the signals of session, list, plots and controls."""
        self._session.scene_changed.connect(self._show_scene)
        self.list.toggled.connect(self._set_plotted)
        self.time_plot.zoomed.connect(lambda: self.follow.setChecked(False))
        self.time_plot.seek_requested.connect(self._session.seek)
        self.time_plot.context_menu_requested.connect(self._show_context_menu)
        self.xy_panel.changed.connect(self._save_settings)
        self.kind.activated.connect(self._on_kind_activated)
        self.follow.toggled.connect(self._on_follow_toggled)
        self.beside.clicked.connect(lambda: (self._set_columns(self._columns), self._save_settings()))
        self.maxima.toggled.connect(self._update_maxima)
        self.column.currentTextChanged.connect(self._update_maxima)
        self.column.activated.connect(self._on_column_chosen)

    def build(self) -> Iterator[None]:
        """Lay out the dock, prepare the usual plots and load the scene."""
        self._lay_out()
        yield
        self._connect()
        self.set_theme()
        self.retranslate()
        yield
        for _ in range(USUAL_PLOTS):
            self.time_plot.prepare()
            yield
        if not self._units:
            self._show_scene(self._session.document)
        yield

    @property
    def history(self) -> SampleBuffer:
        """Samples of the quantities that are sampled at every step."""
        return self.store.steps

    def _show_scene(self, document: Document) -> None:
        """Offer the quantities of a scene.

        After an edit the plotted columns and their samples are kept as far as they still exist. A newly opened scene
        starts with the columns of the last time, or with defaults.
        """
        if not self._offer():
            return
        edited = self._session.diff.is_edit
        remembered = None
        if not edited:
            self.store.clear()
            self.follow.setChecked(True)
            remembered = self._plot_settings.of(document)
            self.beside.setChecked(remembered is not None and remembered.beside)
            self._columns = [*remembered.columns] if remembered and remembered.columns else self._columns
        still = [name for name in dict.fromkeys(self._columns) if name in self._units][: len(CURVES)]
        if not still or not (self._selected_by_user or edited or remembered):
            still, self._selected_by_user = usual(self._session.compiled, self._units), False
        if not edited:
            self.xy_panel.reset()
        self._set_columns(still)
        if remembered:
            self.xy_panel.restore(remembered)
            self.kind.setCurrentIndex(max(0, self.kind.findData(remembered.kind)))
            self._show_kind()

    def _offer(self) -> bool:
        """List the quantities of the scene, to be followed by `_set_columns`; False before it is compiled."""
        if (compiled := self._session.compiled) is None:
            return False
        self._units, readings = plottable(compiled, self._further)
        self.list.fill(self._units)
        self.store.know(readings)
        return True

    def _on_kind_activated(self) -> None:
        """Show another kind of plot; those but curves over time add quantities that they need while they are shown."""
        kind, scene = self.kind.currentData(), self._session.document.scene
        kept = [name for name in self._columns if name not in self._lent]
        lacking = missing(kept, scene, self._units, len(CURVES), kind == "section")
        self._lent = lacking if kind != "time" else []
        self._set_columns([*kept, *self._lent])
        self._show_kind()
        self._save_settings()

    def _show_kind(self) -> None:
        """Show the plot and the controls of the current kind."""
        kind = self.kind.currentData()
        over_time = kind == "time"
        self._stack.setCurrentWidget(self.time_plot if over_time else self._xy_plot)
        for widget in (self.follow, self.beside, self.maxima, self.column, self.period, self.xy_panel):
            widget.setVisible(over_time != (widget is self.xy_panel))
        if not over_time:
            self.xy_panel.show_kind(kind)
        self.needs_redraw = True

    def _current_plot(self) -> TimePlot | XYPlot:
        """The plot that is visible."""
        return self._xy_plot if self._stack.currentIndex() else self.time_plot

    @cached_property
    def _xy_plot(self) -> XYPlot:
        """The plot of pairs, created and connected at its first use."""
        plane = self.xy_panel.plane
        plane.context_menu_requested.connect(self._show_context_menu)
        plane.set_theme(self.palette())
        self._stack.addWidget(plane)
        self._redraw_timer.add(plane)
        return plane

    def _save_settings(self) -> None:
        """Store the choices of the user for this scene."""
        chosen = {"columns": self._columns, "kind": self.kind.currentData(), "beside": self.beside.isChecked()}
        self._plot_settings.save(self._session.document, chosen | self.xy_panel.settings)
        self.needs_redraw = True

    @property
    def plotted_units(self) -> dict[str, str]:
        """Units of the plotted columns of every step."""
        return {name: self._units[name] for name in self.history.columns}

    def _set_plotted(self, name: str, on: bool) -> None:
        """Add or remove a column on behalf of the user, up to the number of colours."""
        self._selected_by_user = True
        self._lent = [other for other in self._lent if other != name]
        others = [other for other in self._columns if other != name]
        if on and len(others) == len(CURVES):
            text = self.tr("At most {count} quantities can be plotted at once; uncheck one first")
            self._toast.show_message(text.format(count=len(CURVES)))
        self._set_columns([*others, name] if on and len(others) < len(CURVES) else others)
        if name in self._columns and not self._has_chosen_maxima:  # it is what the user wants to see
            select_column(self.column, name)
        self._save_settings()

    def _set_columns(self, names: list[str]) -> None:
        """Plot these columns. A column keeps its colour as long as it is plotted."""
        colors = {name: color for name, color in self._colors.items() if name in names}
        free = (color for color in CURVES if color not in colors.values())
        colors |= dict(zip([name for name in names if name not in colors], free, strict=False))
        self._columns, self._colors = names, colors
        self.store.choose(names)
        self.list.model.check(colors)
        units = {name: self._units[name] for name in names}
        items = owners(names, self._session.document.scene) if self.beside.isChecked() else None
        self.time_plot.show_columns(units, colors, items)
        self.xy_panel.set_quantities(
            units, colors, {name: rate_of(name, self._session.document.scene) for name in names}
        )
        self._fill_combo()
        self._request_samples()
        self.needs_redraw = True

    def _fill_combo(self) -> None:
        """List the plotted columns for the maxima; the chosen one is kept."""
        now = current_column(self.column)
        with QSignalBlocker(self.column):
            fill_columns(self.column, self._columns)
            self.column.setCurrentIndex(max(0, self.column.findData(now)))
        self._update_maxima()

    def _request_samples(self) -> None:
        """Request samples of the plotted columns while the dock is visible, else none."""
        self._session.send(SetSampledColumns(self.store.steps.columns if self.isVisible() else ()))

    def showEvent(self, event: QShowEvent) -> None:
        """Request samples."""
        super().showEvent(event)
        self._request_samples()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop sampling; the gap in the data is marked, so that no line is drawn across it."""
        super().hideEvent(event)
        self._request_samples()
        self.store.interrupt()

    def plot(self, names: Iterable[str], alone: bool = False) -> None:
        """Plot columns and what data measure, beside the others unless `alone`; unknown names are ignored."""
        wanted = list(names)
        self._further += [name for name in wanted if name not in self._units]
        if (not self._units.keys() >= set(wanted) and self._offer()) or alone:
            self._set_columns([] if alone else self._columns)
        for name in wanted:
            if name in self._units and name not in self._columns:
                self._set_plotted(name, True)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept text that names a quantity, as dragged from the current values of the inspector."""
        if not self._units.keys().isdisjoint(event.mimeData().text().split("\n")):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Plot the dropped quantities."""
        self.plot(event.mimeData().text().split("\n"))
        event.acceptProposedAction()

    def tick(self, wall: float, passed: Sequence[FrameData]) -> bool:
        """Store new samples and redraw if necessary."""
        for sampled in joined(self._session.samples()):
            self.store.take(sampled)
            self.needs_redraw = True
            if self._session.replay is not None and self.follow.isChecked():
                self.show_whole_run()  # all samples of a replay come at once
        if not self.isVisible():
            return False
        if (known := self.store.span) is not None:
            self.uncertainty.follow(self._columns, known[1], self._session.document.scene)
        for frame in passed:
            self.needs_redraw |= self.store.see(frame)
        now = self._session.frame
        time = now.snapshot.time if now is not None and not now.running else None
        if (self.needs_redraw or time != self._drawn_time) and self._redraw_timer.due(wall):
            with self._redraw_timer.drawing(wall):
                self._draw(wall, time)
        return False

    def _draw(self, wall: float, now: float | None) -> None:
        """Draw the current kind of plot at a wall time [s].

        `now` is the time [s] of the frame that is shown while the run is paused, which gets a cursor; None while it
        runs.
        """
        fresh, self.needs_redraw, self._drawn_time = self.needs_redraw, False, now
        known = self.store.span
        over_time = self.kind.currentData() == "time"
        if self.follow.isChecked() and known is not None and self._columns:
            self.time_plot.follow(FOLLOWED_SPAN * self._session.speed, known[1], now)
            fresh |= now is not None
        if over_time:
            self.time_plot.set_cursor_time(now)
            if fresh:
                self.time_plot.draw(self.store)
                self.period.setText(self.time_plot.period(self.store))
        elif known is not None:
            self.xy_panel.draw(self.store, self._span_of_pairs(known), wall, now)

    def _span_of_pairs(self, known: tuple[float, float]) -> tuple[float, float]:
        """Times [s] of the samples of a phase plane or spectrum, of those that are known."""
        is_whole = self.kind.currentData() == "spectrum" and self.follow.isChecked()
        return known if is_whole else self.time_plot.span or known

    def _table(self) -> PlotTable:
        """The data of the current plot: of curves over time all samples, of others what is drawn."""
        known = self.store.span
        if self.kind.currentData() == "time" or known is None:
            return self.store.table(self._units)
        return self.xy_panel.table(self.store, self._span_of_pairs(known))

    def _on_follow_toggled(self, on: bool) -> None:
        """Fit the value axes when following starts."""
        if on:
            self.time_plot.fit_heights()
        self.needs_redraw = True

    def _on_column_chosen(self) -> None:
        """The user has chosen whose maxima are marked; further quantities do not change it."""
        self._has_chosen_maxima = True

    def _update_maxima(self) -> None:
        """Mark the maxima of the chosen column, or none."""
        self.column.setEnabled(self.maxima.isChecked())
        self.time_plot.marked = current_column(self.column) if self.maxima.isChecked() else ""
        self.needs_redraw = True

    def set_theme(self) -> None:
        """Apply the palette of the window."""
        self.time_plot.set_theme(self.palette())
        if self._stack.count() > 1:
            self._xy_plot.set_theme(self.palette())
        self._set_columns(self._columns)

    def _show_context_menu(self, position: QPoint) -> None:
        """Show the menu of the plot at a position of the screen."""
        actions = {self.tr("Show the whole run"): self.show_whole_run}
        if self._stack.currentIndex():
            actions[self.tr("Fit the plot")] = self._xy_plot.fit
        self.exports.menu(actions, self).popup(position)

    def show_times(self, begin: float, end: float) -> None:
        """Stop following and show a span [s] of the run with a margin."""
        self.follow.setChecked(False)
        margin = MARGIN * (end - begin)
        self.time_plot.set_span(begin - margin, end + margin)
        self.time_plot.fit_heights()
        self.needs_redraw = True

    def show_whole_run(self) -> None:
        """Stop following and show all samples, and what was measured beside them."""
        self.follow.setChecked(False)
        known = self.store.span
        if known is not None and known[1] > known[0] and self._columns:
            self.time_plot.set_span(*self.time_plot.with_measured(*known))
            self.time_plot.fit_heights()
        self.needs_redraw = True
