"""The dock of plots: quantities of the running scene over time, against each other, and by their frequencies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QPoint, Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QMenu,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.i18n.field_names import quantity
from app.i18n.translation import translate_reason
from app.messages import FrameData
from app.panels.plots.phase_defaults import missing, rate_of
from app.panels.plots.plot_files import save_plot
from app.panels.plots.plot_settings import PlotSettings, usual
from app.panels.plots.time_plot import TimePlot
from app.panels.plots.xy_panel import KINDS, XYPanel, chosen_in
from app.panels.plots.xy_plot import XYPlot
from app.panels.widgets.canvas import RedrawTimer
from app.panels.widgets.column_list import ColumnList
from app.panels.widgets.toast import Toast
from app.plot_data.moment_quantities import observed
from app.plot_data.plot_store import PlotStore
from app.plot_data.sample_buffer import SampleBuffer, joined
from app.session.document import Document
from app.session.new_file import new_file
from app.session.session import Session
from app.session.settings import Settings
from app.viewport.base.palette import CURVES
from core.analysis.columns import columns

SPAN = 10.0  # [s] wall time that is seen while the plot follows
FIRST = ("energy.", "work.", "momentum.", "angular_momentum.", "ghost.", "sensor.")  # in the list of all


class PlotDock(QDockWidget):
    """Samples are asked for while it is seen, and cost nothing while it is not."""

    closed = Signal()  # by its own button

    def __init__(self, session: Session, settings: Settings, toast: Toast, parent: QWidget):
        super().__init__(parent)
        self.setObjectName("plots")
        self._session, self._toast, self._memory = session, toast, PlotSettings(settings)
        self._units: dict[str, str] = {}  # of all quantities of the scene
        self._chosen: list[str] = []
        self._colors: dict[str, str] = {}
        self._picked = False  # by a hand, and not by us
        self._stale = False
        self._now: float | None = None  # [s] of the moment that has its line
        self.plotted = PlotStore()
        self.list = ColumnList()
        self.curves = TimePlot()
        self.relation = XYPanel()
        self._pace = RedrawTimer()
        self.kind = QComboBox()
        self.follow = QToolButton()
        self.maxima = QCheckBox()
        self.column = QComboBox()
        self.period = QLabel()
        self._lay_out()
        self._connect()
        self.set_theme()
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.setWindowTitle(self.tr("Plots"))
        self.follow.setText(self.tr("Follow"))
        self.follow.setToolTip(self.tr("Show the newest samples again after zooming"))
        for row, text in enumerate(KINDS.values()):
            self.kind.setItemText(row, QCoreApplication.translate("Relation", text))
        self.kind.setToolTip(self.tr("Kind of plot of the selected quantities"))
        self.maxima.setText(self.tr("Maxima"))
        self.maxima.setToolTip(self.tr("Mark the maxima of a quantity and show the period"))
        self.list.retranslate()
        self.relation.retranslate()
        self._choose(self._chosen)

    def _lay_out(self) -> None:
        self.setAcceptDrops(True)
        self.follow.setCheckable(True)
        self.follow.setChecked(True)
        for name in KINDS:
            self.kind.addItem("", name)
        self.column.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.period.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        for widget in (self.kind, self.follow, self.maxima, self.column):
            widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Space stays with play
        bar = QHBoxLayout()
        bar.setContentsMargins(4, 0, 4, 0)
        for widget in (self.kind, self.follow, self.maxima, self.column, self.period, self.relation):
            bar.addWidget(widget)
        bar.addStretch(1)
        self._seen = QStackedWidget()
        self._seen.addWidget(self.curves)
        self._pace.add(self.curves)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(bar)
        column.addWidget(self._seen, 1)
        self._split = QSplitter()
        self._split.addWidget(self.list)
        self._split.addWidget(right)
        self._split.setSizes([230, 770])
        self._split.setStretchFactor(1, 1)
        self.setWidget(self._split)
        self._show_kind()

    def _connect(self) -> None:
        self._session.scene_changed.connect(self._show_scene)
        self.list.toggled.connect(self._pick)
        self.curves.zoomed.connect(lambda: self.follow.setChecked(False))
        self.curves.sought.connect(self._session.seek)
        self.curves.asked.connect(self._ask)
        self.relation.changed.connect(self._keep)
        self.kind.activated.connect(self._choose_kind)
        self.follow.toggled.connect(self._follow)
        self.maxima.toggled.connect(self._mark)
        self.column.currentTextChanged.connect(self._mark)

    # What is plotted

    def begin(self) -> None:
        """Take in the scene. Called when the dock is there: both at once would hold the window for long."""
        if not self._units:
            self._show_scene(self._session.document)

    @property
    def history(self) -> SampleBuffer:
        """Of the quantities of steps."""
        return self.plotted.steps

    def _show_scene(self, document: Document) -> None:
        built = self._session.built
        if built is None:
            return
        readings = observed(built)
        self._units = columns(built) | {name: unit for name, (unit, _) in readings.items()}
        del self._units["time"]
        ordered = sorted(self._units, key=lambda name: not name.startswith(FIRST))
        self.list.model.fill({name: self._units[name] for name in ordered})
        self.plotted.know(readings)
        edited = bool(document.undo or document.redo)
        remembered: dict[str, Any] = {}
        if not edited:
            self.plotted.clear()
            self.follow.setChecked(True)
            remembered = self._memory.of(document)
            self._chosen = [str(name) for name in remembered.get("columns", ())] or self._chosen
        still = [name for name in dict.fromkeys(self._chosen) if name in self._units][: len(CURVES)]
        if not still or not (self._picked or edited or remembered):
            still, self._picked = usual(self._session.built, self._units), False
        if not edited:
            self.relation.forget()
        self._choose(still)
        if remembered:
            self.relation.choose(remembered)
            self.kind.setCurrentIndex(max(0, self.kind.findData(remembered.get("kind"))))
            self._show_kind()

    def _choose_kind(self) -> None:
        """Another picture; a quantity against its rate is what a phase plane shows at first."""
        kind, scene = self.kind.currentData(), self._session.document.scene
        if kind in ("phase", "section"):
            for name in missing(self._chosen, scene, self._units, len(CURVES), kind == "section"):
                self._pick(name, True)
        self._show_kind()
        self._keep()

    def _show_kind(self) -> None:
        kind = self.kind.currentData()
        over_time = kind == "time"
        self._seen.setCurrentWidget(self.curves if over_time else self._plane)
        for widget in (self.follow, self.maxima, self.column, self.period):
            widget.setVisible(over_time)
        self.relation.setVisible(not over_time)
        if not over_time:
            self.relation.show_kind(kind)
        self._stale = True

    @cached_property
    def _plane(self) -> XYPlot:
        plane = self.relation.plane
        plane.asked.connect(self._ask)
        plane.set_theme(self.palette())
        self._seen.addWidget(plane)
        self._pace.add(plane)
        return plane

    def _keep(self) -> None:
        """Remember for this scene what a hand has chosen."""
        chosen = {"columns": self._chosen, "kind": self.kind.currentData()} | self.relation.chosen
        self._memory.keep(self._session.document, chosen)
        self._stale = True

    @property
    def plotted_units(self) -> dict[str, str]:
        """Units of the columns of steps that are plotted, by their names."""
        return {name: self._units[name] for name in self.history.columns}

    def _pick(self, name: str, on: bool) -> None:
        self._picked = True
        others = [other for other in self._chosen if other != name]
        if on and len(others) == len(CURVES):
            text = self.tr("At most {count} quantities can be plotted at once; uncheck one first")
            self._toast.show_message(text.format(count=len(CURVES)))
        self._choose([*others, name] if on and len(others) < len(CURVES) else others)
        self._keep()

    def _choose(self, names: list[str]) -> None:
        """Plot these; a colour stays with its quantity as long as that is plotted."""
        colors = {name: color for name, color in self._colors.items() if name in names}
        free = (color for color in CURVES if color not in colors.values())
        colors |= dict(zip([name for name in names if name not in colors], free, strict=False))
        self._chosen, self._colors = names, colors
        self.plotted.choose(names)
        self.list.model.check(colors)
        units = {name: self._units[name] for name in names}
        self.curves.show_columns(units, colors)
        self.relation.offer(units, colors, {name: rate_of(name, self._session.document.scene) for name in names})
        self._fill_combo()
        self._listen()
        self._stale = True

    def _fill_combo(self) -> None:
        now = chosen_in(self.column)
        self.column.blockSignals(True)
        self.column.clear()
        for name in self._chosen:
            self.column.addItem(quantity(name), name)
        self.column.setCurrentIndex(max(0, self.column.findData(now)))
        self.column.blockSignals(False)
        self._mark()

    def _listen(self) -> None:
        """Ask for samples of what is plotted, while it is seen."""
        self._session.set_sampled_columns(self.plotted.steps.columns if self.isVisible() else ())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._listen()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._listen()
        self.plotted.interrupt()

    def plot(self, names: Iterable[str]) -> None:
        """These quantities as well."""
        self.begin()
        for name in names:
            if name in self._units and name not in self._chosen:
                self._pick(name, True)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if not self._units.keys().isdisjoint(event.mimeData().text().split("\n")):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.plot(event.mimeData().text().split("\n"))
        event.acceptProposedAction()

    # What is seen of it

    def tick(self, wall: float, passed: Sequence[FrameData]) -> None:
        """A frame at a wall time [s]: take what the physics has sampled, and the moments that have passed."""
        for sampled in joined(self._session.samples()):
            self.plotted.take(sampled)
            self._stale = True
            if self._session.replay is not None and self.follow.isChecked():
                self.see_all()  # nothing comes after it
        if not self.isVisible():
            return
        for moment in passed:
            self._stale |= self.plotted.see(moment)
        now = self._session.moment
        time = now.snapshot.time if now is not None and not now.running else None
        if (self._stale or time != self._now) and self._pace.due(wall):
            with self._pace.drawing(wall):
                self._draw(wall, time)

    def _draw(self, wall: float, now: float | None) -> None:
        fresh, self._stale, self._now = self._stale, False, now
        known = self.plotted.span
        over_time = self.kind.currentData() == "time"
        if self.follow.isChecked() and known is not None and self._chosen:
            self._follow_to(known[1], now)
            fresh |= now is not None
        if over_time:
            self.curves.point_at(now)
            if fresh:
                self.curves.draw(self.plotted)
                self.period.setText(self.curves.period(self.plotted))
        elif known is not None:
            whole = self.kind.currentData() == "spectrum" and self.follow.isChecked()
            self.relation.draw(self.plotted, known if whole else self.curves.span or known, wall, now)

    def _follow_to(self, last: float, now: float | None) -> None:
        """See the newest; where somebody has gone back farther than that, what is about the moment of `now` [s]."""
        span = SPAN * self._session.speed
        end = max(last, span)
        if now is not None and now < end - span:
            end = now + span / 2
        self.curves.look_at(end - span, end)

    def _follow(self, on: bool) -> None:
        if on:
            self.curves.fit_heights()
        self._stale = True

    def _mark(self) -> None:
        self.column.setEnabled(self.maxima.isChecked())
        self.curves.marked = chosen_in(self.column) if self.maxima.isChecked() else ""
        self._stale = True

    def set_theme(self) -> None:
        """Take the colours of the window."""
        self.curves.set_theme(self.palette())
        if self._seen.count() > 1:
            self._plane.set_theme(self.palette())
        self._choose(self._chosen)

    # Files

    def _ask(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Show the whole run")).triggered.connect(self.see_all)
        if self._seen.currentIndex():
            menu.addAction(self.tr("Fit the plot")).triggered.connect(self._plane.fit)
        menu.addSeparator()
        menu.addAction(self.tr("Export the data (CSV)")).triggered.connect(lambda: self.export("csv"))
        menu.addAction(self.tr("Export an image (PNG)")).triggered.connect(lambda: self.export("png"))
        menu.addAction(self.tr("Export a drawing (SVG)")).triggered.connect(lambda: self.export("svg"))
        menu.addAction(self.tr("Export a drawing (PDF)")).triggered.connect(lambda: self.export("pdf"))
        menu.popup(place)

    def see_all(self) -> None:
        self.follow.setChecked(False)
        known = self.plotted.span
        if known is not None and known[1] > known[0] and self._chosen:
            self.curves.look_at(*known)
            self.curves.fit_heights()
        self._stale = True

    def export(self, ending: str) -> None:
        """Write all data, or a picture of what is seen, beside the pictures of the view."""
        path = new_file(ending, self._session.document.path)
        try:
            self._write(path)
        except OSError as error:
            text = self.tr("{path} can't be written: {reason}")
            self._toast.show_message(text.format(path=path, reason=translate_reason(error)), 20.0)
            return
        self._toast.show_file_saved(self.tr("Plot saved: {path}"), path)

    def _write(self, path: Path) -> None:
        if path.suffix == ".csv":
            self.plotted.save(path)
        else:
            save_plot(self._plane if self._seen.currentIndex() else self.curves, path)
