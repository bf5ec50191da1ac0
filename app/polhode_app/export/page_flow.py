"""Pages of A4 that are filled from top to bottom: texts with line breaks, boxes and empty plots."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Rectangle
from matplotlib.textpath import TextToPath
from matplotlib.transforms import Affine2D, Transform

from polhode.scene.files.file_writing import replacing
from polhode_app.viewport.base.text_actor import FONT

PAPER = (210.0, 297.0)  # [mm] A4
MARGIN = 18.0  # [mm]
INCH, POINT = 25.4, 25.4 / 72.0  # [mm]
LINE = 1.45  # distance of lines, relative to the size of letters
WIDE = re.compile("[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")  # letters of Japanese, between which lines break
FRAME, GRID = "#555555", "#c8c8c8"


class PageFlow:
    """`y` [mm] is how far from the top the current page is filled; a content that does not fit begins a new one."""

    def __init__(self, footer: str):
        """`footer` stands at the bottom of each page, with its number."""
        self._footer, self.pages = footer, list[Figure]()
        self._measure = TextToPath()
        self.y = 0.0
        self.new_page()

    @property
    def width(self) -> float:
        """[mm] between the margins."""
        return PAPER[0] - 2 * MARGIN

    def new_page(self) -> None:
        """Begin a page."""
        page = Figure(figsize=(PAPER[0] / INCH, PAPER[1] / INCH))
        self.pages.append(page)
        self.y = MARGIN
        self._write(MARGIN, PAPER[1] - MARGIN / 2, f"{self._footer}   {len(self.pages)}", 8.0)

    def reserve(self, height: float) -> None:
        """Begin a new page where this one has less than a height [mm] left."""
        if self.y + height > PAPER[1] - MARGIN and self.y > MARGIN:
            self.new_page()

    def space(self, height: float) -> None:
        """Leave a height [mm] empty."""
        self.y += height

    def text(self, text: str, size: float = 10.0, indent: float = 0.0, width: float | None = None) -> None:
        """Write a text of a size [point] with line breaks, `indent` [mm] from the left margin."""
        for line in self.wrapped(text, size, (width or self.width) - indent):
            self.reserve(LINE * size * POINT)
            self.y += LINE * size * POINT
            self._write(MARGIN + indent, self.y, line, size)

    def wrapped(self, text: str, size: float, width: float) -> list[str]:
        """Lines of a text that are at most `width` [mm] wide."""
        lines = []
        for paragraph in text.split("\n"):
            line = ""
            for word in _words(paragraph):
                if line.strip() and self.width_of((line + word).rstrip(), size) > width:
                    lines.append(line.rstrip())
                    line = word.lstrip()
                else:
                    line += word
            lines.append(line.rstrip())
        return lines

    def width_of(self, text: str, size: float) -> float:
        """Width [mm] of a text in letters of a size [point]."""
        found: float = self._measure.get_text_width_height_descent(text, _look(size), ismath=False)[0]
        return found * POINT

    def box(self, width: float, height: float, label: str = "", unit: str = "", indent: float = 0.0) -> None:
        """Draw a box [mm] for an answer, with a label before it and a unit behind."""
        self.reserve(height + 2.0)
        left = MARGIN + indent
        if label:
            self._write(left, self.y + 0.5 * height + 1.5, label, 10.0)
            left += self.width_of(label, 10.0) + 3.0
        self._rectangle(left, self.y, min(width, PAPER[0] - MARGIN - left), height)
        if unit:
            self._write(left + width + 2.0, self.y + 0.5 * height + 1.5, unit, 10.0)
        self.y += height + 2.0

    def choice(self, text: str, indent: float = 0.0) -> None:
        """A small square, and the text of a choice behind it."""
        lines = self.wrapped(text, 10.0, self.width - indent - 7.0)
        self.reserve(len(lines) * LINE * 10.0 * POINT)
        self._rectangle(MARGIN + indent, self.y + 1.3, 3.6, 3.6)
        self.text(text, 10.0, indent + 7.0)

    def plot(self, height: float, until: float, labels: tuple[str, str], indent: float = 0.0) -> None:
        """An empty plot of a height [mm] over time to `until` [s]; labels: of the values and of the time."""
        self.reserve(height + 16.0)
        self.text(labels[0], 9.0, indent)
        self.y += 1.5
        left, wide, cells = MARGIN + indent, self.width - indent, 10
        for k in range(cells + 1):
            x = left + wide * k / cells
            self._line((x, x), (self.y, self.y + height), GRID if 0 < k < cells else FRAME)
            self._write(x, self.y + height + 4.5, f"{until * k / cells:.3g}", 8.0, "center")
        for k in range(5):
            y = self.y + height * k / 4
            self._line((left, left + wide), (y, y), GRID if k % 2 else FRAME)
        self.y += height + 9.0
        self._write(left + wide, self.y, labels[1], 9.0, "right")
        self.y += 2.0

    def picture(self, pixels: np.ndarray, width: float) -> None:
        """A picture (height, width, 3) uint8, `width` [mm] wide, in the middle."""
        height = width * pixels.shape[0] / pixels.shape[1]
        self.reserve(height + 3.0)
        left = 0.5 * (PAPER[0] - width)
        bottom = PAPER[1] - self.y - height
        place = (left / PAPER[0], bottom / PAPER[1], width / PAPER[0], height / PAPER[1])
        axes = self.pages[-1].add_axes(place)
        axes.imshow(pixels, aspect="auto")
        axes.set_axis_off()
        self.y += height + 3.0

    def write(self, path: Path) -> None:
        """Write all pages as PDF. Raises OSError."""
        with replacing(path) as file, PdfPages(file) as made:
            for page in self.pages:
                made.savefig(page)

    def _write(self, x: float, y: float, text: str, size: float, align: str = "left") -> None:
        """Write a line, whose base is `y` [mm] from the top."""
        look = _look(size)
        self.pages[-1].text(x, y, text, transform=self._millimetres, fontproperties=look, ha=align, parse_math=False)

    def _rectangle(self, x: float, y: float, width: float, height: float) -> None:
        frame = Rectangle(
            (x, y), width, height, fill=False, edgecolor=FRAME, linewidth=0.6, transform=self._millimetres
        )
        self.pages[-1].add_artist(frame)

    def _line(self, xs: tuple[float, float], ys: tuple[float, float], color: str) -> None:
        width, height = xs[1] - xs[0], ys[1] - ys[0]
        frame = Rectangle(
            (xs[0], ys[0]), width, height, fill=False, edgecolor=color, linewidth=0.4, transform=self._millimetres
        )
        self.pages[-1].add_artist(frame)

    @property
    def _millimetres(self) -> Transform:
        """Transform from millimetres, from the upper left corner."""
        flipped = Affine2D().scale(1 / PAPER[0], -1 / PAPER[1]).translate(0.0, 1.0)
        return flipped + self.pages[-1].transFigure


def _look(size: float) -> FontProperties:
    return FontProperties(fname=str(FONT), size=size)


def _words(text: str) -> list[str]:
    """Pieces of a text between which a line may break; spaces belong to the piece before."""
    words, word = list[str](), ""
    for letter in text:
        word += letter
        if letter == " " or WIDE.match(letter):
            words.append(word)
            word = ""
    return [*words, word] if word else words
