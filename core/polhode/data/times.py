"""Times of tables that do not come as they are needed: rows of a film, and times that are equal or go back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from polhode.data.headings import time_column
from polhode.data.text_table import RawTable
from polhode.scene.message import Message, plural
from polhode.scene.problem import InputError

FRAMES = frozenset(("frame", "frames", "frame number", "frame_number", "frame no", "#frame", "フレーム", "コマ"))


@dataclass(frozen=True)
class TimeOptions:
    """How the times of a table are found."""

    column: str | None = None  # name of the column of times; None: by its name or unit
    rate: float | None = None  # [1/s] frames per second of a table without times
    drop_later: bool = False  # leave out rows whose time is not after all before; else they are refused


def rising(times: np.ndarray) -> np.ndarray:
    """(n,) whether each time is later than all before it; nan counts as later."""
    before = np.fmax.accumulate(np.concatenate([[-np.inf], times]))[:-1]
    return ~(times <= before)


def dropped_note(count: int) -> list[Message]:
    """A note on rows that were left out; none for 0."""
    note = plural(
        "{count} row was left out, as its time is not after those before",
        "{count} rows were left out, as their times are not after those before",
        count=count,
    )
    return [note] if count else []


def with_frames(
    source: str, raw: RawTable, headings: Sequence[tuple[str, str]], rate: float
) -> tuple[RawTable, list[tuple[str, str]], int]:
    """The table with times by the frame: names and units of its columns, and the index of the column of times.

    rate: [1/s] of the frames, whose numbers are in a column such as "frame"; without one each row is a frame

    Raises InputError for a table with times.
    """
    unit = f"1/{rate:.9f}".rstrip("0").rstrip(".")
    numbered = next((k for k, (name, _) in enumerate(headings) if name.strip().casefold() in FRAMES), None)
    if numbered is not None:
        made = [*headings]
        made[numbered] = headings[numbered][0], unit
        return raw, made, numbered
    at = time_column(headings) if raw.headings else None
    if at is not None:
        rule = Message("has times in its column '{name}'", name=headings[at][0])
        raise InputError.of(source, rule, Message("leave out the rate of the frames"))
    frames = raw.every * np.arange(len(raw.values), dtype=float)
    raw = replace(raw, values=np.column_stack([raw.values, frames]))
    return raw, [*headings, ("frame", unit)], len(headings)
