"""A report as PDF, written by matplotlib: no browser and no window is needed."""

from __future__ import annotations

import textwrap
import unicodedata
from pathlib import Path

import numpy as np
from matplotlib import rc_context
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from PIL import ImageFont

from polhode_app.data.measured.content import Drawing, Report, ReportSection, ReportTable
from polhode_app.viewport.base.text_actor import FONT

PAPER = (8.27, 11.69)  # [inch] A4
MARGIN = 0.75  # [inch]
WIDTH = PAPER[0] - 2 * MARGIN  # [inch] of the text
PICTURE = 4.0  # [inch] height
AXES_LEFT, AXES_GAP = 0.75, 0.12  # [inch] space for labels on the left, between two plots
TITLE, HEADING, TEXT, LISTING, RUNNING = 16.0, 12.0, 9.0, 6.5, 7.0  # [point]
INK = "#666666"  # of lines, and of running heads
LEADING = 1.5  # line height over the size of the letters
GAP = 1.5  # between columns of a table, over the size of the letters
MEASURED = 100  # [pixel] size of the letters whose widths are measured
LETTER = 0.53  # mean width of a Latin letter over its size
INDENT = "    "


class PdfFlow:
    """Writes texts, tables and pictures below each other, on as many pages as they need."""

    def __init__(self, pages: PdfPages, title: str):
        """`title` is the running head of the pages after the first."""
        self._pages, self._title, self._number = pages, title, 1
        self._figure = Figure(figsize=PAPER)
        self._below = PAPER[1] - MARGIN  # [inch] height above the lower edge at which the next thing begins

    def close(self) -> None:
        """Finish a page: with its number, and from the second one on with the title."""
        look, y = FontProperties(fname=str(FONT), size=RUNNING), 1 - 0.6 * MARGIN / PAPER[1]
        for text, x, side in ((self._title, MARGIN, "left"), (str(self._number), PAPER[0] - MARGIN, "right")):
            if self._number > 1:
                self._figure.text(
                    x / PAPER[0], y, text, ha=side, va="baseline", color=INK, fontproperties=look, parse_math=False
                )
        self._pages.savefig(self._figure)
        self._number += 1

    def space(self, height: float) -> None:
        """Leave a gap [inch]."""
        self._below -= height

    def text(self, words: str, size: float) -> None:
        """A paragraph, broken into lines."""
        for line in _lines(words, int(WIDTH * 72 / (LETTER * size))):
            self._line([(line, 0.0, "left")], size)

    def table(self, table: ReportTable) -> None:
        """A table; its columns are as wide as their contents need in relation to each other.

        A line separates the heads, which are repeated on the next page; a table without heads is a list of facts.
        """
        cells = [table.heads, *table.rows] if table.heads else list(table.rows)
        font = ImageFont.truetype(str(FONT), MEASURED)
        widths = [max(font.getlength(row[k]) / MEASURED for row in cells) + GAP for k in range(len(cells[0]))]
        size = min(TEXT, 72 * WIDTH / sum(widths))
        unit = size / 72  # [inch]
        if not table.heads:
            for name, text in table.rows:
                self._line([(name, 0.0, "left"), (text, widths[0] * unit, "left")], size)
            return
        for row in cells:
            right, placed = 0.0, []
            for k, cell in enumerate(row):
                right += widths[k] * unit
                placed.append((cell, 0.0, "left") if k == 0 else (cell, right, "right"))
            if row is not table.heads and self._line_is_on_next_page(size):
                self._head([(head, x, side) for head, (_, x, side) in zip(table.heads, placed, strict=True)], size)
            (self._head if row is table.heads else self._line)(placed, size)

    def picture(self, draw: Drawing) -> None:
        """A picture over the whole width."""
        self.space(0.1)
        self._need(PICTURE + 0.5)
        bottom = self._below - PICTURE
        low = 0.24 * PICTURE
        x, width = (MARGIN + AXES_LEFT) / PAPER[0], (WIDTH - AXES_LEFT) / PAPER[0]
        lower = self._figure.add_axes((x, bottom / PAPER[1], width, low / PAPER[1]))
        above, height = bottom + low + AXES_GAP, PICTURE - low - AXES_GAP
        upper = self._figure.add_axes((x, above / PAPER[1], width, height / PAPER[1]), sharex=lower)
        draw(upper, lower)
        upper.tick_params(labelbottom=False)
        self._below = bottom - 0.6

    def listing(self, text: str) -> None:
        """Lines as they stand, the long ones continued with an indent."""
        most = int(WIDTH * 72 / (LETTER * LISTING))
        for line in text.splitlines():
            for part in textwrap.wrap(line, most, subsequent_indent=INDENT, drop_whitespace=False) or [""]:
                self._line([(part, 0.0, "left")], LISTING)

    def _line(self, cells: list[tuple[str, float, str]], size: float) -> None:
        """Texts of one line, each with its position [inch] from the left margin and its alignment."""
        height = LEADING * size / 72
        self._need(height)
        for words, x, side in cells:
            look = FontProperties(fname=str(FONT), size=size)
            position = (MARGIN + x) / PAPER[0], (self._below - height) / PAPER[1]
            self._figure.text(*position, words, ha=side, va="baseline", fontproperties=look, parse_math=False)
        self._below -= height

    def _head(self, cells: list[tuple[str, float, str]], size: float) -> None:
        """Heads of a table with a line below, on the page of the first row."""
        self._need(3 * LEADING * size / 72)
        self._line(cells, size)
        y = (self._below - 0.25 * size / 72) / PAPER[1]
        x = np.array([MARGIN, PAPER[0] - MARGIN]) / PAPER[0]
        self._figure.add_artist(Line2D(x, [y, y], color=INK, linewidth=0.6))
        self.space(0.4 * size / 72)

    def _line_is_on_next_page(self, size: float) -> bool:
        """Whether a line of letters of this size [point] begins another page."""
        return self._below - LEADING * size / 72 < MARGIN

    def _need(self, height: float) -> None:
        """Begin another page where less than so much [inch] is left on this one."""
        if self._below - height < MARGIN:
            self.close()
            self._figure = Figure(figsize=PAPER)
            self._below = PAPER[1] - MARGIN


def write_pdf(report: Report, out: Path) -> None:
    """Write a report. Raises OSError."""
    with rc_context({"pdf.fonttype": 42}), PdfPages(out, metadata={"Title": report.title}) as pages:
        flow = PdfFlow(pages, report.title)
        flow.text(report.title, TITLE)
        for section in report.sections:
            _write(flow, section)
        flow.close()


def _write(flow: PdfFlow, section: ReportSection) -> None:
    flow.space(0.15)
    if section.heading:
        flow.text(section.heading, HEADING)
    if section.text:
        flow.text(section.text, TEXT)
    if section.table is not None:
        flow.table(section.table)
    if section.drawing is not None:
        flow.picture(section.drawing)
    if section.listing:
        flow.listing(section.listing)


def _extent(text: str) -> int:
    """Width of a text in Latin letters; those of Japanese are two wide."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def _lines(text: str, most: int) -> list[str]:
    """A text as lines of at most `most` Latin letters: broken at spaces, and between Japanese letters anywhere."""
    lines, line = [], ""
    for word in _words(text):
        if line and _extent(line + word.rstrip()) > most:
            lines.append(line.rstrip())
            line = ""
        line += word
    return [*lines, line.rstrip()]


def _words(text: str) -> list[str]:
    """Units of line breaking: words with the following space, and single wide letters."""
    words = [""]
    for letter in text:
        if unicodedata.east_asian_width(letter) in "WF":
            words += [letter, ""]
        else:
            words[-1] += letter
            if letter == " ":
                words.append("")
    return [word for word in words if word]
