"""Rows, columns and grids of widgets, and the properties that many widgets get alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QHBoxLayout, QLayout, QScrollArea, QVBoxLayout, QWidget

Content = QWidget | QLayout
Entry = Content | int | tuple[Content, int] | tuple[Content, int, Qt.AlignmentFlag]
"""A widget or layout, alone or with its stretch and its alignment; a number is an empty stretch."""
Cell = Content | tuple[Content, int] | None
"""A widget or layout, alone or with the number of columns that it spans; None for an empty cell."""
Margins = int | tuple[int, int, int, int] | None
"""[pixel] left, top, right, bottom, or all four; None for those of the style."""

Box = TypeVar("Box", bound=QBoxLayout)


def row_of(*entries: Entry, on: QWidget | None = None, margins: Margins = None, spacing: int = -1) -> QHBoxLayout:
    """Entries from left to right, as the layout of the widget `on` if given; `spacing` [pixel] is by style if -1."""
    return _filled(QHBoxLayout(on), entries, margins, spacing)


def column_of(*entries: Entry, on: QWidget | None = None, margins: Margins = None, spacing: int = -1) -> QVBoxLayout:
    """Entries from top to bottom, otherwise as `row_of`."""
    return _filled(QVBoxLayout(on), entries, margins, spacing)


def grid_of(
    *rows: Sequence[Cell],
    on: QWidget | None = None,
    margins: Margins = None,
    spacing: tuple[int, int] = (-1, -1),
    stretched: Iterable[int] = (),
) -> QGridLayout:
    """Rows of cells, otherwise as `row_of`; `spacing` [pixel] is horizontal, vertical; `stretched` are columns."""
    grid = QGridLayout(on)
    _set_margins(grid, margins)
    grid.setHorizontalSpacing(spacing[0])
    grid.setVerticalSpacing(spacing[1])
    for number, cells in enumerate(rows):
        column = 0
        for cell in cells:
            content, span = cell if isinstance(cell, tuple) else (cell, 1)
            if isinstance(content, QLayout):
                grid.addLayout(content, number, column, 1, span)
            elif content is not None:
                grid.addWidget(content, number, column, 1, span)
            column += span
    for column in stretched:
        grid.setColumnStretch(column, 1)
    return grid


def _filled(box: Box, entries: Iterable[Entry], margins: Margins, spacing: int) -> Box:
    """The layout with its entries added."""
    _set_margins(box, margins)
    box.setSpacing(spacing)
    for entry in entries:
        if isinstance(entry, int):
            box.addStretch(entry)
            continue
        content, *share = entry if isinstance(entry, tuple) else (entry,)
        if isinstance(content, QLayout):
            box.addLayout(content, *share)
        else:
            box.addWidget(content, *share)
    return box


def _set_margins(layout: QLayout, margins: Margins) -> None:
    if margins is not None:
        layout.setContentsMargins(*(margins if isinstance(margins, tuple) else (margins,) * 4))


def scrolled(inside: QWidget, area: QScrollArea | None = None, is_narrow: bool = True) -> QScrollArea:
    """A frameless area, by default a new one, that scrolls a widget; up and down only if it is narrow."""
    area = area or QScrollArea()
    area.setWidget(inside)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    if is_narrow:
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return area


def focus_by_tab(*widgets: QWidget) -> None:
    """Give widgets the focus by Tab only: a click leaves Space the key that starts and pauses the run."""
    for widget in widgets:
        widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)


@contextmanager
def silent(*objects: QObject) -> Iterator[None]:
    """Block the signals of Qt objects meanwhile."""
    before = [each.blockSignals(True) for each in objects]
    try:
        yield
    finally:
        for each, was_blocked in zip(objects, before, strict=True):
            each.blockSignals(was_blocked)
