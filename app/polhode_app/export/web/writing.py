"""Runs as web pages in files: which frames are kept so that the file has the size that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from polhode.scene.files.file_writing import replacing
from polhode.scene.message import Message
from polhode_app.export.motion.capture import capture, chosen
from polhode_app.export.motion.parts import RunMotion
from polhode_app.export.sources import FrameSource
from polhode_app.export.web.page import page

SIZE = 20e6  # [bytes] of a page unless another size is asked for
MOST_FRAMES = 20_000  # kept at most
RATE = 60.0  # [1/s] frames per second that are taken from a simulation
BYTES = 0.8  # of a number in a page, about: what decides how many frames are taken
MEMORY = 1.5e8  # numbers of all frames together at most
LEAST = 2  # frames of a page, whatever its size


@dataclass(frozen=True)
class PageSettings:
    """Options of a page."""

    size: float = SIZE  # [bytes] at most
    plots: tuple[str, ...] = ()  # columns plotted at first
    theme: str = ""  # "dark" or "light"; "": that of the browser
    switches: Mapping[str, bool] = field(default_factory=dict)  # views shown or hidden, overriding the scene
    sizes: Mapping[str, float] = field(default_factory=dict)  # lengths of arrows by view, relative to the default


def make_page(
    source: FrameSource, times: Sequence[float], settings: PageSettings | None = None
) -> tuple[str, list[Message]]:
    """The page of a source at the increasing `times` [s], and notes about dropped frames.

    Raises InputError for unknown columns.
    """
    settings = settings or PageSettings()
    return page_of(motion_of(source, times, settings, lambda _share: None), settings)


def page_of(motion: RunMotion, settings: PageSettings) -> tuple[str, list[Message]]:
    """The page of a motion, and notes about it. Raises InputError for unknown columns."""
    text, kept = _fitting(motion, settings)
    notes: list[Message] = []
    if kept < motion.available:
        notes.append(
            Message(
                "{kept} of {available} frames are kept, for a file of at most {size:g} MB",
                kept=kept,
                available=motion.available,
                size=settings.size / 1e6,
            )
        )
    if len(text.encode()) > settings.size:
        notes.append(Message("{size:.1f} MB: it can't be made smaller", size=len(text.encode()) / 1e6))
    return text, notes


def motion_of(
    source: FrameSource, times: Sequence[float], settings: PageSettings, progress: Callable[[float], None]
) -> RunMotion:
    """The motion of a source at the times [s] that may fit into a file."""

    def most(numbers: int) -> int:
        wanted = settings.size / BYTES / max(numbers, 1)
        return int(min(MOST_FRAMES, MEMORY / max(numbers, 1), max(wanted, LEAST)))

    return capture(source, times, settings.switches, settings.sizes, most, progress)


def _fitting(motion: RunMotion, settings: PageSettings) -> tuple[str, int]:
    """The page with as many frames as its size allows, and their number."""
    text = page(motion, settings.plots, settings.theme)
    smallest = None
    while len(text.encode()) > settings.size and len(motion.times) > LEAST:
        if smallest is None:  # the part that does not depend on the number of frames
            smallest = len(page(motion.thinned(np.arange(LEAST)), settings.plots, settings.theme).encode())
        share = (settings.size - smallest) / max(len(text.encode()) - smallest, 1)
        count = int(max(LEAST, min(0.95 * share * len(motion.times), len(motion.times) - 1)))
        motion = motion.thinned(np.array(chosen(len(motion.times), count)))
        text = page(motion, settings.plots, settings.theme)
    return text, len(motion.times)


def write_page(
    source: FrameSource,
    times: Sequence[float],
    out: Path,
    settings: PageSettings | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> list[Message]:
    """Write the page of a source to a file; returns notes about it.

    Raises InputError and OSError, and Diverged when the page of the frames before is written.
    """
    settings = settings or PageSettings()
    motion = motion_of(source, times, settings, progress)
    text, notes = page_of(motion, settings)
    with replacing(out) as file:
        file.write(text.encode())
    if motion.stopped is not None:
        raise motion.stopped
    return notes
