"""The dock of plots: quantities of the running scene against time, their maxima and periods."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QCloseEvent, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QMenu,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.edits import Document
from app.history import History
from app.panels.column_list import ColumnList
from app.panels.curves import Curves
from app.panels.filming import new_file
from app.panels.notice import Notice
from app.session import Session
from app.viewport.palette import CURVES
from core.columns import columns

EVERY = 0.05  # [s] wall time between two drawings
SPAN = 10.0  # [s] wall time that is seen while the plot follows
USUAL = ("energy.kinetic", "energy.total")


class PlotDock(QDockWidget):
    """Samples are asked for while it is seen, and cost nothing while it is not."""

    closed = Signal()  # by its own button

    def __init__(self, session: Session, notice: Notice, parent: QWidget):
        super().__init__(parent)
        self.setWindowTitle(self.tr("Plots"))
        self.setObjectName("plots")
        self._session, self._notice = session, notice
        self._units: dict[str, str] = {}  # of all quantities of the scene
        self._chosen: list[str] = []
        self._colors: dict[str, str] = {}
        self._picked = False  # by a hand, and not by us
        self._drawn_at = 0.0
        self._stale = False
        self.history = History()
        self.list = ColumnList()
        self.curves = Curves()
        self.follow = self._button(self.tr("Follow"), self.tr("See the newest, whatever was zoomed"))
        self.maxima = QCheckBox(self.tr("Maxima"))
        self.column = QComboBox()
        self.period = QLabel()
        self._lay_out()
        self._connect()
        self.dress()
        self._show_scene(session.document)

    def _lay_out(self) -> None:
        self.follow.setChecked(True)
        self.maxima.setToolTip(self.tr("Mark the maxima of a quantity, and the time between them"))
        self.column.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.period.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        for widget in (self.maxima, self.column):
            widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Space stays with play
        bar = QHBoxLayout()
        bar.setContentsMargins(4, 0, 4, 0)
        for widget in (self.follow, self.maxima, self.column, self.period):
            bar.addWidget(widget)
        bar.addStretch(1)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(bar)
        column.addWidget(self.curves, 1)
        self._split = QSplitter()
        self._split.addWidget(self.list)
        self._split.addWidget(right)
        self._split.setSizes([230, 770])
        self._split.setStretchFactor(1, 1)
        self.setWidget(self._split)

    def _button(self, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(tip)
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return button

    def _connect(self) -> None:
        self._session.shown.connect(self._show_scene)
        self.list.toggled.connect(self._pick)
        self.curves.zoomed.connect(lambda: self.follow.setChecked(False))
        self.curves.asked.connect(self._ask)
        self.follow.toggled.connect(self._follow)
        self.maxima.toggled.connect(self._mark)
        self.column.currentTextChanged.connect(self._mark)

    # What is plotted

    def _show_scene(self, document: Document) -> None:
        if self._session.built is None:
            return
        self._units = columns(self._session.built)
        del self._units["time"]
        ordered = sorted(self._units, key=lambda name: not name.startswith(("energy.", "work.")))
        self.list.model.fill({name: self._units[name] for name in ordered})
        edited = bool(document.undo or document.redo)
        if not edited:
            self.history.clear()
            self.follow.setChecked(True)
        still = [name for name in self._chosen if name in self._units]
        if not still or not (self._picked or edited):
            still, self._picked = self._usual(), False
        self._choose(still)

    def _usual(self) -> list[str]:
        """Energies, and the height of the first thing that may move."""
        built = self._session.built
        free = [body.name for body in built.scene.bodies if body.support == "free"] if built else []
        heights = [name for name in self._units if name.endswith(".position.z")]
        first = [f"{name}.position.z" for name in free] or [
            name for name in heights if name not in {f"{body.name}.position.z" for body in built.scene.bodies}
        ]
        return [*USUAL, *first[:1]]

    def _pick(self, name: str, on: bool) -> None:
        self._picked = True
        others = [other for other in self._chosen if other != name]
        if on and len(others) == len(CURVES):
            text = self.tr("{count} quantities at once can be told apart; uncheck one first")
            self._notice.say(text.format(count=len(CURVES)))
        self._choose([*others, name] if on and len(others) < len(CURVES) else others)

    def _choose(self, names: list[str]) -> None:
        """Plot these; a colour stays with its quantity as long as that is plotted."""
        colors = {name: color for name, color in self._colors.items() if name in names}
        for name in names:
            colors.setdefault(name, next(color for color in CURVES if color not in colors.values()))
        self._chosen, self._colors = names, colors
        self.history.choose(names)
        self.list.model.check(colors)
        self.curves.show_columns({name: self._units[name] for name in names}, colors)
        self._fill_combo()
        self._listen()
        self._stale = True

    def _fill_combo(self) -> None:
        now = self.column.currentText()
        self.column.blockSignals(True)
        self.column.clear()
        self.column.addItems(self._chosen)
        self.column.setCurrentIndex(max(0, self.column.findText(now)))
        self.column.blockSignals(False)
        self._mark()

    def _listen(self) -> None:
        """Ask for samples of what is plotted, while it is seen."""
        self._session.plot(tuple(self._chosen) if self.isVisible() else ())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._listen()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._listen()
        self.history.interrupt()

    # What is seen of it

    def tick(self, wall: float) -> None:
        """Take what the physics has sampled; called once per frame, at a wall time [s]."""
        for sampled in self._session.samples():
            self.history.take(sampled)
            self._stale = True
            if self._session.replay is not None and self.follow.isChecked():
                self.see_all()  # nothing comes after it
        if self._stale and self.isVisible() and wall - self._drawn_at >= EVERY:
            self._drawn_at = wall
            self._draw()

    def _draw(self) -> None:
        self._stale = False
        times = self.history.times
        if self.follow.isChecked() and len(times) and self._chosen:
            span = SPAN * self._session.speed
            end = max(times[-1], span)
            self.curves.look_at(end - span, end)
        self.curves.draw(self.history)
        self._tell_period()

    def _tell_period(self) -> None:
        """Mean distance of the maxima that are seen, its standard deviation and how many there are."""
        marked, span = self.curves.marked, self.curves.span
        if not marked or span is None:
            self.period.setText("")
            return
        distances = np.diff(self.history.maxima(marked, *span)[:, 0])
        if len(distances) == 0:
            self.period.setText(self.tr("T: two maxima are needed"))
            return
        spread = f" ± {distances.std(ddof=1):.2g} s" if len(distances) > 1 else ""
        text = self.tr("T = {mean} s{spread}, periods: {count}")
        self.period.setText(text.format(mean=f"{distances.mean():.6g}", spread=spread, count=len(distances)))

    def _follow(self, on: bool) -> None:
        if on:
            self.curves.fit_heights()
        self._stale = True

    def _mark(self) -> None:
        self.column.setEnabled(self.maxima.isChecked())
        self.curves.marked = self.column.currentText() if self.maxima.isChecked() else ""
        self._stale = True

    def dress(self) -> None:
        """Take the colours of the window."""
        self.curves.dress(self.palette())
        self._choose(self._chosen)

    # Files

    def _ask(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("See the whole run")).triggered.connect(self.see_all)
        menu.addSeparator()
        menu.addAction(self.tr("Export the data (CSV)")).triggered.connect(lambda: self.export("csv"))
        menu.addAction(self.tr("Export a picture (PNG)")).triggered.connect(lambda: self.export("png"))
        menu.addAction(self.tr("Export a drawing (SVG)")).triggered.connect(lambda: self.export("svg"))
        menu.popup(place)

    def see_all(self) -> None:
        self.follow.setChecked(False)
        if len(self.history.times) > 1 and self._chosen:
            self.curves.look_at(self.history.times[0], self.history.times[-1])
            self.curves.fit_heights()
        self._stale = True

    def export(self, ending: str) -> None:
        """Write all data, or a picture of what is seen, beside the pictures of the view."""
        path = new_file(ending)
        write: Callable[[Path], None] = self.history.save if ending == "csv" else self.curves.save
        try:
            write(path)
        except OSError as error:
            text = self.tr("{path} can't be written: {reason}")
            self._notice.say(text.format(path=path, reason=error.strerror), 20.0)
            return
        self._notice.say(self.tr("Plot saved: {path}").format(path=path))
