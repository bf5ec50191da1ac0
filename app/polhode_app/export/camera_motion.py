"""Motion of the camera in films: an orbit, or interpolation between keys.

Separate from camera_path.py, which the window imports: importing scipy.interpolate takes as long as all panels.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.interpolate import PchipInterpolator
from vtkmodules.vtkRenderingCore import vtkCamera

from polhode_app.export.camera_path import CameraKey
from polhode_app.viewport.base.camera import orbit

Move = Callable[[vtkCamera, float], None]  # sets the pose of a camera at a time [s] of the film


def orbiting(period: float) -> Move:
    """Orbit about the vertical axis through the focal point, with `period` [s] of the film."""
    before = 0.0

    def move(camera: vtkCamera, time: float) -> None:
        nonlocal before
        orbit(camera, 2 * np.pi * (time - before) / period, 0.0)
        before = time

    return move


def through_keys(keys: tuple[CameraKey, ...]) -> Move:
    """Smooth path through all keys, without overshoot and at rest at both ends.

    Focal point, direction and logarithm of the distance are interpolated, so that the camera approaches at a constant
    relative rate.
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
