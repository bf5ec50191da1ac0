"""Legend of a map: colours of attractors with their fractions, marks of statuses, and the scale of values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from polhode.run.status import DIVERGED, INVALID, PENDING, STATUS, UNCERTAIN, UNSETTLED
from polhode.scene.message import Message
from polhode.sweep.maps.map import interval
from polhode.sweep.maps.statistics import probabilities
from polhode_app.data.maps.cell import attractor_name, status_name
from polhode_app.data.maps.map_run import MapRun
from polhode_app.data.maps.picture import Layer, draw_layer, most_common, value_colors
from polhode_app.data.maps.probabilities import SURE
from polhode_app.i18n.translation import translate
from polhode_app.window.widgets.plain_label import wrapped

SWATCH, GAP, LINE = 14, 6, 18  # [pixel]
SHOWN_STATUSES = (UNCERTAIN, UNSETTLED, DIVERGED, INVALID, PENDING)
SCALE_WIDTH = 160  # [pixel] of the scale of values
MOST_ENTRIES = 24


@dataclass(frozen=True, eq=False)
class LegendMark:
    """A mark and its meaning."""

    text: str
    swatch: np.ndarray | None  # (h, w) uint32; None for a text alone
    tip: str = ""  # tooltip


def entries(run: MapRun, labels: np.ndarray, is_probable: bool = False) -> list[LegendMark]:
    """Entries of a map: attractors with their parts, `certain`, and the statuses that occur with theirs.

    labels: (n, m, ...) numbers of the attractors of all cells; is_probable: whether probabilities are shown
    """
    made = run.map
    status = np.array(made.status).reshape(-1)
    found: list[LegendMark] = []
    if run.settings.outcome.kind == "attractor":
        found += _attractors(run, labels.reshape(-1)[status != PENDING])
        if not math.isnan(certain := made.certain):
            tip = Message(
                "Part of the cells that reach an attractor and keep it with half the time step or a displaced start. "
                "Uncertain cells change it; unsettled ones reach none before the end."
            )
            text = Message("certain {percent}", percent=_percent(certain))
            found.append(LegendMark(translate(text), None, translate(tip)))
    if is_probable and (labels >= 0).any():
        found.append(_of_probabilities(labels))
    counts = np.bincount(status, minlength=len(STATUS))
    for which in SHOWN_STATUSES:
        if counts[which]:
            text = f"{status_name(which)} {_percent(counts[which] / status.size)}"
            found.append(LegendMark(text, _swatch(which, most_common(labels.reshape(-1)[status == which]))))
    return found


def _attractors(run: MapRun, labels: np.ndarray) -> list[LegendMark]:
    """Entries of the attractors, with fractions and their 95 % intervals."""
    counts = np.bincount(labels[labels >= 0])
    total, found = int(counts.sum()), []
    for number, count in enumerate(counts[:MOST_ENTRIES].tolist()):
        if count:
            low, high = interval(count, total)
            text = (
                f"{attractor_name(run.settings.outcome, number)} {100 * count / total:.1f} ± {50 * (high - low):.1f} %"
            )
            found.append(LegendMark(text, _swatch(1, number)))
    return found


def _of_probabilities(labels: np.ndarray) -> LegendMark:
    """The part of the cells with a nearly sure attractor, and the meaning of pale colours."""
    chances = probabilities(labels).max(axis=0)
    part = float((chances[np.isfinite(chances)] >= SURE).mean())
    text = Message("probability ≥ {sure:g} %: {percent} of the cells", sure=100 * SURE, percent=_percent(part))
    tip = Message(
        "Part of the cells in which one attractor has at least this probability over the draws. A cell has the colour "
        "of its most probable attractor, paler for a lower probability; over one range the draws are sorted instead."
    )
    return LegendMark(translate(text), None, translate(tip))


def _percent(part: float) -> str:
    return f"{100 * part:.1f} %" if part >= 0.001 else f"{100 * part:.2g} %"


def _swatch(status: int, label: int) -> np.ndarray:
    """Pixels of a cell with a status and a label, as in the picture."""
    pixels = np.full((SWATCH, SWATCH), 0xFFFFFFFF, dtype=np.uint32)
    cell = np.full((1, 1), status, dtype=np.uint8), np.full((1, 1), label, dtype=np.int32)
    draw_layer(pixels, Layer((0.0, 1.0, 0.0, 1.0), *cell), (0.0, 1.0, 0.0, 1.0))
    return pixels


class MapLegend(QWidget):
    """Draws entries in as many lines as the width needs, and a scale of values."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: Sequence[LegendMark] = ()
        self.scale: tuple[float, float, str] | None = None  # lowest and highest value, and their title
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_entries(self, entries: Sequence[LegendMark], scale: tuple[float, float, str] | None) -> None:
        """Show entries and a scale."""
        lines = self._lines(self.width())
        self.entries, self.scale = entries, scale
        if self._lines(self.width()) != lines:
            self.updateGeometry()
        self.update()

    @property
    def texts(self) -> list[str]:
        """All texts."""
        return [entry.text for entry in self.entries]

    def event(self, event: QEvent) -> bool:
        """Show the tooltip of the entry under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            areas = zip(self.entries, self._areas(self.width()), strict=True)
            tip = next((entry.tip for entry, area in areas if area.contains(event.pos())), "")
            QToolTip.showText(event.globalPos(), wrapped(tip), self) if tip else QToolTip.hideText()
            return True
        return super().event(event)

    def heightForWidth(self, width: int) -> int:
        """Height [pixel] of all lines."""
        return LINE * self._lines(width) + 4

    def sizeHint(self) -> QSize:
        return QSize(SCALE_WIDTH, self.heightForWidth(max(self.width(), SCALE_WIDTH)))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.heightForWidth(max(self.width(), SCALE_WIDTH)))

    def _areas(self, width: int) -> list[QRect]:
        """Rectangles of the entries."""
        metrics, areas, x, y = QFontMetrics(self.font()), [], 4, 2 + LINE * (self.scale is not None)
        for entry in self.entries:
            needed = metrics.horizontalAdvance(entry.text) + (SWATCH + GAP if entry.swatch is not None else 0) + 2 * GAP
            if x + needed > width and x > 4:
                x, y = 4, y + LINE
            areas.append(QRect(x, y, needed, LINE))
            x += needed
        return areas

    def _lines(self, width: int) -> int:
        areas = self._areas(width)
        return (areas[-1].bottom() - 1) // LINE if areas else int(self.scale is not None)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw swatches and texts."""
        painter = QPainter(self)
        painter.setPen(self.palette().windowText().color())
        if self.scale is not None:
            self._draw_scale(painter, *self.scale)
        for entry, area in zip(self.entries, self._areas(self.width()), strict=True):
            x = area.x()
            if entry.swatch is not None:
                image = QImage(entry.swatch.data, SWATCH, SWATCH, 4 * SWATCH, QImage.Format.Format_RGB32)
                painter.drawImage(x, area.y() + 2, image)
                painter.drawRect(x, area.y() + 2, SWATCH, SWATCH)
                x += SWATCH + GAP
            painter.drawText(x, area.y(), area.width(), LINE, Qt.AlignmentFlag.AlignVCenter, entry.text)
        painter.end()

    def _draw_scale(self, painter: QPainter, low: float, high: float, text: str) -> None:
        """Draw the colours of values between their ends, and their title."""
        metrics = QFontMetrics(self.font())
        first, last = f"{low:.4g}", f"{high:.4g}"
        colors = np.ascontiguousarray(np.tile(value_colors(), (SWATCH, 1)))
        image = QImage(colors.data, colors.shape[1], SWATCH, 4 * colors.shape[1], QImage.Format.Format_RGB32)
        x = 4 + metrics.horizontalAdvance(first) + GAP
        bar = QRect(x, 4, min(SCALE_WIDTH, self.width() // 3), SWATCH - 2)
        painter.drawText(4, 2, x, LINE, Qt.AlignmentFlag.AlignVCenter, first)
        painter.drawImage(bar, image)
        painter.drawRect(bar)
        painter.drawText(bar.right() + GAP, 2, self.width(), LINE, Qt.AlignmentFlag.AlignVCenter, f"{last}   {text}")
