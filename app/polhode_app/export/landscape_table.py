"""A potential landscape as a CSV file."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from polhode.data.csv_line import csv_line
from polhode.equilibria.landscape import Landscape
from polhode.scene.file_writing import replacing


def write_landscape(landscape: Landscape, path: Path) -> None:
    """Write one row for each point: the coordinates, then the energy. Units stand in the head. Raises OSError."""
    heads = [f"{axis.name} [{axis.unit}]" if axis.unit else axis.name for axis in landscape.axes]
    rows = zip(product(*landscape.values), landscape.energy.ravel(), strict=True)
    lines = [",".join(repr(float(number)) for number in (*place, energy)) + "\n" for place, energy in rows]
    with replacing(path) as file:
        file.write("".join([csv_line([*heads, "energy [J]"]), *lines]).encode())
