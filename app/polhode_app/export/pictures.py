"""Pictures and films of running simulations, for the library (core/polhode/simulation/pictures.py)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from polhode.scene.display.view import Camera
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.simulation.simulation import Simulation
from polhode_app.edit.open_file import is_sequence
from polhode_app.export.sources import RunningSource
from polhode_app.export.video import RenderSettings, render, render_now
from polhode_app.export.video_file import ENDINGS
from polhode_app.viewport.base.picture import check_target

LEAST, LARGEST = 16, 8192  # pixels across, what graphics cards and encoders take


def picture(
    simulation: Simulation, size: tuple[int, int], camera: Camera | None, theme: str, transparent: bool
) -> np.ndarray:
    """(height, width, 4) uint8 of the present state. Raises InputError."""
    _check_size("picture", size)
    look = RenderSettings(theme=theme, camera=camera, transparent=transparent)
    drawn = render_now(RunningSource(simulation), size, look)
    return drawn if transparent else np.dstack((drawn, np.full(drawn.shape[:2], 255, dtype=np.uint8)))


def film(
    simulation: Simulation,
    path: Path,
    until: float,
    fps: float,
    speed: float,
    size: tuple[int, int],
    camera: Camera | None,
    theme: str,
    progress: Callable[[float], None],
) -> None:
    """Advance to `until` [s] and write a film. Raises InputError, OSError and Diverged."""
    _check_size("film", size)
    if not is_sequence(path):
        check_target(path, ENDINGS)
    look = RenderSettings(begin=simulation.time, theme=theme, camera=camera)
    source = RunningSource(simulation, until)
    render(source, until, path, size, fps, speed, progress, look)
    source.go_to(until)  # the last frame may be before


def _check_size(source: str, size: tuple[int, int]) -> None:
    """Raise InputError for a size that no picture has."""
    if not LEAST <= min(size) <= max(size) <= LARGEST:
        rule = Message("must be from {least} to {most} pixels", least=LEAST, most=LARGEST)
        raise InputError.of(source, rule, Message("use another size"), "size")
