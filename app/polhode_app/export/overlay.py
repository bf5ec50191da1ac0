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
MARGIN = 0.02  # relative to the height of the picture
PAPER, INK, PALE = (18, 22, 30, 190), (236, 240, 246, 255), (236, 240, 246, 90)


def clock_text(time: float) -> str:
    """The time [s] with three decimals, or with three digits where these would be zeros."""
    return f"t = {time:.3f} s" if time == 0 or abs(time) >= 1e-3 else f"t = {time:.3g} s"


class Overlay:
    """Draws on frames of one size."""

    def __init__(self, size: tuple[int, int], clock: bool, plots: Mapping[str, str], span: tuple[float, float]):
        """Prepare an overlay for frames of `size` (width, height) [pixel].

        `plots` are columns with their units, drawn as one plot per unit; `span` are the times [s] at the ends of the
        axis.
        """
        self._size, self._clock, self._plots, self._span = size, clock, dict(plots), span
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
        units = [*dict.fromkeys(self._plots.values())]
        for number, unit in enumerate(units):
            self._plot(pen, unit, number)
        sheet = sheet.resize(self._size, Image.Resampling.LANCZOS)
        mode = "RGBA" if frame.shape[2] == 4 else "RGB"
        whole = Image.fromarray(frame, mode).convert("RGBA")
        return np.asarray(Image.alpha_composite(whole, sheet).convert(mode))

    def _plot(self, pen: ImageDraw.ImageDraw, unit: str, number: int) -> None:
        """Draw the plot of one unit; plot number 0 is the topmost."""
        width, height = (share * side * FINER for share, side in zip(PLOT, self._size, strict=True))
        margin = self._size[1] * MARGIN * FINER
        left, top = self._size[0] * FINER - margin - width, margin + number * (height + margin)
        bottom = top + height
        pen.rounded_rectangle((left, top, left + width, bottom), margin / 2, fill=PAPER)
        names = [name for name, of_name in self._plots.items() if of_name == unit]
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
