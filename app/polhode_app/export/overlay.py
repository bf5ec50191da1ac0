"""Overlay of films and pictures: simulated time, and plots up to the current time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from polhode_app.i18n.field_names import quantity
from polhode_app.viewport.base.palette import CURVES
from polhode_app.viewport.base.text_actor import FONT

FINER = 2  # supersampling factor
TEXT = 1 / 30  # font size, relative to the height of the picture
PLOT = (0.40, 0.22)  # width and height of a plot, relative to those of the picture
MOST_BESIDE = 2  # plots side by side: more would cover the picture
MARGIN = 0.02  # relative to the height of the picture
PAPER, INK, PALE = (18, 22, 30, 190), (236, 240, 246, 255), (236, 240, 246, 90)


def clock_text(time: float) -> str:
    """The time [s] with three decimals, or with three digits where these would be zeros."""
    return f"t = {time:.3f} s" if time == 0 or abs(time) >= 1e-3 else f"t = {time:.3g} s"


class Overlay:
    """Draws on frames of one size."""

    def __init__(
        self,
        size: tuple[int, int],
        clock: bool,
        plots: Mapping[str, str],
        span: tuple[float, float],
        items: Mapping[str, str] | None = None,
    ):
        """Prepare an overlay for frames of `size` (width, height) [pixel].

        plots: columns with their units, drawn as one plot per unit; span: times [s] at the ends of the axis; items:
        name of the item of each column, whose plots are beside each other, or None for one plot of all
        """
        self._size, self._clock, self._plots, self._span = size, clock, dict(plots), span
        owners = items or {}
        self._panels = {name: (unit, owners.get(name, "")) for name, unit in plots.items()}
        self._font = ImageFont.truetype(FONT, max(9.0, size[1] * TEXT) * FINER)
        self._small = ImageFont.truetype(FONT, max(8.0, size[1] * TEXT * 0.7) * FINER)
        self._rows: list[np.ndarray] = []

    @property
    def draws(self) -> bool:
        """Whether there is anything to draw."""
        return self._clock or bool(self._plots)

    def add(self, time: float, values: np.ndarray) -> None:
        """Append the values (c,) of the plotted columns at a time [s]."""
        if self._plots:
            self._rows.append(np.array([time, *values]))

    def add_rows(self, times: np.ndarray, values: np.ndarray) -> None:
        """Append values (t, c) of the plotted columns at times (t,) [s]."""
        self._rows += [*np.column_stack([times, values])]

    def draw_on(self, frame: np.ndarray, time: float) -> np.ndarray:
        """The frame (height, width, 3 or 4) uint8 with the overlay, as a new array."""
        if not self.draws:
            return frame
        sheet = Image.new("RGBA", (self._size[0] * FINER, self._size[1] * FINER), (0, 0, 0, 0))
        pen = ImageDraw.Draw(sheet)
        margin = self._size[1] * MARGIN * FINER
        if self._clock:
            text = clock_text(time)
            box = pen.textbbox((2 * margin, 2 * margin), text, font=self._font)
            pen.rounded_rectangle(_enlarged(box, margin / 2), margin / 2, fill=PAPER)
            pen.text((2 * margin, 2 * margin), text, font=self._font, fill=INK)
        for panel, (row, from_right) in self._places().items():
            self._plot(pen, panel, row, from_right)
        sheet = sheet.resize(self._size, Image.Resampling.LANCZOS)
        mode = "RGBA" if frame.shape[2] == 4 else "RGB"
        whole = Image.fromarray(frame, mode).convert("RGBA")
        return np.asarray(Image.alpha_composite(whole, sheet).convert(mode))

    def _places(self) -> dict[tuple[str, str], tuple[int, int]]:
        """Place of each plot: its row from the top, and its column from the right; items are from left to right."""
        panels = [*dict.fromkeys(self._panels.values())]
        items = [*dict.fromkeys(item for _, item in panels)]
        places, row = {}, 0
        for first in range(0, len(items), MOST_BESIDE):
            block = items[first : first + MOST_BESIDE]
            units = [*dict.fromkeys(unit for unit, item in panels if item in block)]
            for unit, item in (panel for panel in panels if panel[1] in block):
                places[unit, item] = row + units.index(unit), len(block) - 1 - block.index(item)
            row += len(units)
        return places

    def _plot(self, pen: ImageDraw.ImageDraw, panel: tuple[str, str], row: int, from_right: int) -> None:
        """Draw the plot of a unit, and of an item if they are side by side, at a place."""
        width, height = (share * side * FINER for share, side in zip(PLOT, self._size, strict=True))
        margin = self._size[1] * MARGIN * FINER
        left, top = self._size[0] * FINER - (from_right + 1) * (margin + width), margin + row * (height + margin)
        bottom = top + height
        pen.rounded_rectangle((left, top, left + width, bottom), margin / 2, fill=PAPER)
        names, unit = [name for name, its in self._panels.items() if its == panel], panel[0]
        letter = self._small.size
        head = self._draw_names(pen, names, (left + margin / 2, top + margin / 4), width - margin)
        if len(self._rows) < 1:
            return
        rows = np.array(self._rows)
        columns = [1 + [*self._plots].index(name) for name in names]
        values = rows[:, columns]
        low, high = (float(edge) for edge in (np.nanmin(values), np.nanmax(values)))
        if not high > low:
            low, high = low - 0.5 * (abs(low) or 1.0), high + 0.5 * (abs(high) or 1.0)
        labels = {value: f"{value:.3g} {unit}".strip() for value in (high, low)}
        aside = max(pen.textlength(label, font=self._small) for label in labels.values()) + margin / 2
        inside = (
            left + margin,
            top + (0.6 + 1.2 * head) * letter,
            left + width - margin / 2 - aside,
            bottom - 1.4 * letter,
        )
        pen.text((inside[0], inside[3] + 0.1 * letter), f"{self._span[0]:g} s", font=self._small, fill=INK)
        pen.text((inside[2], inside[3] + 0.1 * letter), f"{self._span[1]:g} s", font=self._small, fill=INK, anchor="ra")
        for value, y in ((high, inside[1]), (low, inside[3])):
            pen.line((inside[0], y, inside[2], y), fill=PALE, width=FINER)
            pen.text((inside[2] + margin / 2, y), labels[value], font=self._small, fill=INK, anchor="lm")
        across = (inside[2] - inside[0]) / max(self._span[1] - self._span[0], 1e-12)
        for name, column in zip(names, columns, strict=True):
            color = CURVES[[*self._plots].index(name) % len(CURVES)]
            xs = inside[0] + (rows[:, 0] - self._span[0]) * across
            ys = inside[3] - (rows[:, column] - low) / (high - low) * (inside[3] - inside[1])
            kept = np.isfinite(ys)
            line = np.column_stack([xs, ys])[kept]
            if len(line) > 1:
                pen.line([*map(tuple, line.tolist())], fill=color, width=max(2, round(letter / 8)), joint="curve")

    def _draw_names(
        self, pen: ImageDraw.ImageDraw, names: Sequence[str], corner: tuple[float, float], width: float
    ) -> int:
        """Write the names of curves in their colours from a corner on, in lines of a width; returns their number."""
        x, line = corner[0], 0
        for name in names:
            color, text = CURVES[[*self._plots].index(name) % len(CURVES)], quantity(name)
            length = pen.textlength(text, font=self._small)
            if x > corner[0] and x + length > corner[0] + width:
                x, line = corner[0], line + 1
            pen.text((x, corner[1] + 1.2 * line * self._small.size), text, font=self._small, fill=color)
            x += length + pen.textlength("  ", font=self._small)
        return line + 1


def _enlarged(box: tuple[float, float, float, float], by: float) -> tuple[float, float, float, float]:
    """A rectangle (left, top, right, bottom) enlarged on all sides."""
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by
