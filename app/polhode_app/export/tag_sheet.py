"""Sheets to print as PDF, to scale: tags, and the board for the calibration of a camera."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Outline
from matplotlib.transforms import Affine2D, Transform

from polhode.camera.board import SQUARE, SQUARES, board
from polhode.camera.tags import Tag, vision
from polhode.scene.files.file_writing import replacing
from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue
from polhode_app.i18n.translation import translate
from polhode_app.viewport.base.text_actor import FONT

PAPER = (210.0, 297.0)  # [mm] A4
EDGE = 10.0  # [mm] that printers leave white
INCH = 25.4  # [mm]
RULER = 100.0  # [mm]
LETTERS = 9.0  # [point]
CUT = "#999999"  # colour of the line along which a tag is cut out


def write_page(path: Path, page: Figure) -> None:
    """Write a page as PDF. Raises OSError."""
    with replacing(path) as file, PdfPages(file) as pages:
        pages.savefig(page)


def tag_page(tag: Tag, side: float) -> Figure:
    """A page with a tag whose black square has a `side` [m], and its white border.

    Raises InputError without OpenCV, and InvalidValue for a tag that does not fit.
    """
    bitmap = tag.bitmap(vision(str(tag)))
    width = 1000 * side
    border = width / len(bitmap)  # as wide as a cell
    if width + 2 * border > PAPER[0] - 2 * EDGE:
        rule = Message("a tag of {size:g} m does not fit on A4", size=side)
        raise InvalidValue(
            rule, Message("use at most {most:.3f} m", most=(PAPER[0] - 2 * EDGE) / (1 + 2 / len(bitmap)) / 1000)
        )
    left, bottom = 0.5 * (PAPER[0] - width), PAPER[1] - EDGE - 2 * border - width
    page = _page(PAPER)
    _cells(page, bitmap < 128, left, bottom, border)
    cut = _rectangle(left - border, bottom - border, width + 2 * border, width + 2 * border)
    page.add_artist(
        PathPatch(Outline(cut), fill=False, edgecolor=CUT, linewidth=0.3, transform=_millimetres(page, PAPER))
    )
    said = Message(
        "Tag {tag}, black square {size:g} mm. Print at 100 %, cut along the grey line.", tag=str(tag), size=width
    )
    _below(page, PAPER, translate(said))
    return page


def board_page() -> Figure:
    """A page with the board of core/polhode/camera/board.py. Raises InputError without OpenCV."""
    columns, rows = SQUARES
    fine = 8  # cells of a tag's border and bits per square
    bitmap = board(vision("calibration board")).generateImage((fine * columns, fine * rows), None, 0, 1)
    square = 1000 * SQUARE
    paper = PAPER[::-1]
    page = _page(paper)
    bottom = paper[1] - EDGE - rows * square
    _cells(page, bitmap < 128, 0.5 * (paper[0] - columns * square), bottom, square / fine)
    said = Message("Calibration board, squares {size:g} mm. Print at 100 %, and glue it to a flat plate.", size=square)
    _below(page, paper, translate(said))
    return page


def _page(paper: tuple[float, float]) -> Figure:
    return Figure(figsize=(paper[0] / INCH, paper[1] / INCH))


def _millimetres(page: Figure, paper: tuple[float, float]) -> Transform:
    """Transform from millimetres, from the lower left corner."""
    return Affine2D().scale(1 / paper[0], 1 / paper[1]) + page.transFigure


def _rectangle(x: float, y: float, width: float, height: float) -> list[tuple[float, float]]:
    """Corners of a closed rectangle."""
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]


def _cells(page: Figure, black: np.ndarray, left: float, bottom: float, cell: float) -> None:
    """Draw the black cells (rows, columns) of `cell` [mm] as one outline; its lower left corner is at left, bottom."""
    points, codes = [], []
    for row, line in enumerate(black):
        ends = np.flatnonzero(np.diff(np.concatenate(([0], line.astype(int), [0]))))
        for begin, end in ends.reshape(-1, 2):
            y = bottom + (len(black) - 1 - row) * cell
            points += _rectangle(left + begin * cell, y, (end - begin) * cell, cell)
            codes += [Outline.MOVETO, *[Outline.LINETO] * 3, Outline.CLOSEPOLY]
    paper = page.get_size_inches() * INCH
    page.add_artist(
        PathPatch(Outline(points, codes), color="black", linewidth=0, transform=_millimetres(page, tuple(paper)))
    )


def _below(page: Figure, paper: tuple[float, float], text: str) -> None:
    """A ruler at the bottom of a page, and a text above it."""
    look, to_page = FontProperties(fname=str(FONT), size=LETTERS), _millimetres(page, paper)
    ruler = [(EDGE, EDGE + 3), (EDGE, EDGE), (EDGE + RULER, EDGE), (EDGE + RULER, EDGE + 3)]
    page.add_artist(PathPatch(Outline(ruler), fill=False, linewidth=0.5, transform=to_page))
    words = translate(Message("This line is {length:g} mm long.", length=RULER))
    for x, y, said in ((EDGE + RULER + 3, EDGE, words), (EDGE, EDGE + 5, text)):
        page.text(x, y, said, transform=to_page, fontproperties=look, parse_math=False)
