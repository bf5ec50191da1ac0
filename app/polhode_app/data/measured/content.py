"""Contents of a report, without a format: sections with texts, tables, pictures and listings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from matplotlib.axes import Axes

Drawing = Callable[[Axes, Axes], None]  # draws into a high plot and the low one below it, with a common time axis


@dataclass(frozen=True)
class ReportTable:
    """A table whose first column is left aligned, and the others right; without heads a list of names and texts."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class ReportSection:
    """Contents of one section, in this order."""

    heading: str = ""
    text: str = ""
    table: ReportTable | None = None
    drawing: Drawing | None = None
    caption: str = ""  # of the drawing
    listing: str = ""  # lines in a typeface of equal widths


@dataclass(frozen=True)
class Report:
    """A report in one language."""

    title: str
    sections: tuple[ReportSection, ...]
