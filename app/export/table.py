"""Runs as tables: one row of numbers per moment, every digit of them."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from math import floor
from pathlib import Path
from typing import Self

import numpy as np

from core.analysis.columns import columns
from core.engine.compile import CompiledScene
from core.simulation.snapshot import Snapshot

WHOLE = 1e-9  # of an interval: a remainder below it is rounding, and no row of its own


def times(until: float, every: float) -> Iterator[float]:
    """Times of the rows [s]: the multiples of `every` from 0, and `until` itself at the end."""
    whole = floor(until / every + WHOLE)
    count = whole + 1 if until - whole * every > WHOLE * every else whole
    for number in range(max(count, 1 if until > 0 else 0)):
        yield number * every
    yield until


class Table:
    """A CSV file that grows row by row; each row reaches the disk whole, so it can be read whenever the run stops."""

    def __init__(self, path: Path, built: CompiledScene, more: Sequence[str] = ()):
        """`more` are names of columns after those of `columns`."""
        self.rows = 0
        self._file = path.open("w", encoding="utf-8", newline="", buffering=1)
        heading = StringIO()
        csv.writer(heading, lineterminator="\n").writerow([*columns(built), *more])  # a name may hold a quote
        self._file.write(heading.getvalue())

    def add(self, time: float, snapshot: Snapshot, more: Sequence[float] = ()) -> None:
        """Append a moment under the time that was asked for, which the clock meets but for rounding."""
        numbers = [time, *snapshot.numbers[1:].tolist(), *more]
        self._file.write(",".join(map(repr, numbers)) + "\n")
        self.rows += 1

    def add_rows(self, rows: np.ndarray) -> None:
        """Append moments (r, c), the time first."""
        self._file.write("".join(",".join(map(repr, row)) + "\n" for row in rows.tolist()))
        self.rows += len(rows)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
