"""Runs as web pages (.html) and as animated glTF files (.glb)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from polhode.recording.reader import RecordedRun
from polhode.scene.files.file_writing import check_place
from polhode.scene.message import Message
from polhode.scene.scene import Scene
from polhode_app.cli.options.arguments import refusal
from polhode_app.cli.terminal.console import say

if TYPE_CHECKING:
    from polhode_app.export.sources import FrameSource

PAGES = (".html", ".htm")
ENDINGS = (*PAGES, ".glb")
RATE = 60.0  # [1/s] frames per second that are taken from a scene
UNITS = {"": 1.0, "b": 1.0, "kb": 1e3, "mb": 1e6, "gb": 1e9}
SMALLEST = 1e5  # [bytes] of a page: its own program is larger already


@dataclass(frozen=True)
class MotionSettings:
    """Options of a page or a glTF file."""

    begin: float = 0.0  # [s] time of the first frame
    fps: float | None = None  # [1/s] frames of a scene per second
    max_size: str | None = None  # of a page, such as "5MB"
    plots: tuple[str, ...] = ()
    theme: str = ""
    switches: Mapping[str, bool] = field(default_factory=dict)
    sizes: Mapping[str, float] = field(default_factory=dict)


def is_motion(path: Path) -> bool:
    """Whether a file is a page or a glTF file, by its ending."""
    return path.suffix.lower() in ENDINGS


def is_page_file(path: Path) -> bool:
    """Whether a file is a page, by its ending."""
    return path.suffix.lower() in PAGES


def check_max_size(text: str | None, out: Path) -> None:
    """Refuse a size for other files than pages, and invalid sizes. Raises InputError."""
    if text is not None and not is_page_file(out):
        raise refusal("--max-size", Message("is for web pages"), Message("leave it out, or write an .html"))
    size_of(text)


def size_of(text: str | None, option: str = "--max-size") -> float | None:
    """A size in bytes, from a text such as "5MB"; None for None. Raises InputError."""
    if text is None:
        return None
    found = re.fullmatch(r"([0-9.]+)\s*([kMG]?B?)", text.strip(), re.IGNORECASE)
    try:
        size = float(found[1]) * UNITS[found[2].lower()] if found else float("nan")
    except (ValueError, KeyError):
        size = float("nan")
    if not SMALLEST <= size < float("inf"):
        rule = Message("'{value}' is not a page size", value=text)
        raise refusal(option, rule, Message("give a number with kB or MB, such as 5MB"))
    return size


def export_motion(
    what: Scene | RecordedRun,
    until: float,
    out: Path,
    settings: MotionSettings,
    progress: Callable[[float], None],
) -> None:
    """Write the run of a scene, or a recording, up to `until` [s] as a page or glTF file; print notes about it.

    Raises InputError, OSError, and Diverged after the frames before are written.
    """
    is_page, size = is_page_file(out), size_of(settings.max_size)
    check_place(out)
    from polhode_app.export.gltf.scene import write_glb
    from polhode_app.export.sources import RecordingSource, SimulationSource
    from polhode_app.export.web.writing import PageSettings, motion_of, write_page

    source: FrameSource
    source = SimulationSource(what, progress, until) if isinstance(what, Scene) else RecordingSource(what)
    times = _times(what, settings, until)
    page = PageSettings(plots=settings.plots, theme=settings.theme, switches=settings.switches, sizes=settings.sizes)
    if is_page:
        page = page if size is None else PageSettings(**{**vars(page), "size": size})
        for note in write_page(source, times, out, page, progress):
            say(Message("{out}: {note}", out=out, note=note))
    else:
        write_glb(motion_of(source, times, PageSettings(**{**vars(page), "size": float("inf")}), progress), out)


def _times(what: Scene | RecordedRun, settings: MotionSettings, until: float) -> list[float]:
    """Times [s] of the frames: the times of a recording, or equal steps of a scene."""
    begin = min(settings.begin, until)
    if isinstance(what, Scene):
        interval = max(1.0 / (settings.fps or RATE), what.solver.time_step)
        return (begin + interval * np.arange(int((until - begin) / interval + 1e-9) + 1)).tolist()
    times = np.asarray(what.times)
    inside = times[(times >= begin) & (times <= until)]
    return (inside if len(inside) else times[[what.row_at(begin)]]).tolist()
