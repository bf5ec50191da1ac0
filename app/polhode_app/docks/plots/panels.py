"""Which curves over time share a plot: those of one unit, or of one unit and one item of the scene, side by side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

MOST_BESIDE = 3  # items whose plots are beside each other; further ones are below


class Panel(NamedTuple):
    """Unit and item that all curves of one plot share."""

    unit: str
    item: str = ""  # "": of the whole scene, or of all items


def placed(panels: Iterable[Panel]) -> dict[Panel, tuple[int, int]]:
    """Row and column of each panel: units one above the other, items side by side, in the order of the panels."""
    found = list(dict.fromkeys(panels))
    items = list(dict.fromkeys(panel.item for panel in found))
    blocks = [items[k : k + MOST_BESIDE] for k in range(0, len(items), MOST_BESIDE)]
    places, row = {}, 0
    for block in blocks:
        units = list(dict.fromkeys(panel.unit for panel in found if panel.item in block))
        for panel in found:
            if panel.item in block:
                places[panel] = row + units.index(panel.unit), block.index(panel.item)
        row += len(units)
    return places
