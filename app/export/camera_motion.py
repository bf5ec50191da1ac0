"""How the camera moves in a film: round about the middle, or from key to key.

Not in camera_path.py, which the window imports: scipy.interpolate takes as long to import as all panels together.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.interpolate import PchipInterpolator
from vtkmodules.vtkRenderingCore import vtkCamera

from app.export.camera_path import CameraKey
from app.viewport.base.camera import orbit

Move = Callable[[vtkCamera, float], None]  # places a camera for a time [s] of the film


def turning(period: float) -> Move:
    """Once round the vertical through the middle of the picture in `period` [s] of the film."""
    before = 0.0

    def move(camera: vtkCamera, time: float) -> None:
        nonlocal before
        orbit(camera, 2 * np.pi * (time - before) / period, 0.0)
        before = time

    return move


def along(keys: tuple[CameraKey, ...]) -> Move:
    """From key to key, smoothly: it passes through each, never beyond them, and rests at the ends.

    Between them go the middle, the direction and the logarithm of the distance, so that it comes nearer evenly.
    """
    times = np.array([key.time for key in keys])
    middles, ups = (np.array([getattr(key, name) for key in keys]) for name in ("look_at", "up"))
    arms = np.array([key.position for key in keys]) - middles
    far = np.linalg.norm(arms, axis=1, keepdims=True)
    rows = np.hstack([middles, arms / far, np.log(far), ups])
    between = PchipInterpolator(times, rows) if len(keys) > 1 else lambda _time: rows[0]

    def move(camera: vtkCamera, time: float) -> None:
        middle, arm, distance, up = np.split(between(float(np.clip(time, times[0], times[-1]))), [3, 6, 7])
        camera.SetFocalPoint(*middle)
        camera.SetPosition(*(middle + arm / np.linalg.norm(arm) * np.exp(distance[0])))
        camera.SetViewUp(*up)

    return move
