"""How the camera moves in a film: round about the middle, or from key to key."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from scipy.interpolate import PchipInterpolator
from vtkmodules.vtkRenderingCore import vtkCamera

from app.viewport.base.camera import orbit
from core.scene.file_io import contents
from core.scene.message import Message
from core.scene.problem import InputError, Problem, message_of

LARGEST = 2**20  # [bytes] of a file of keys
Place = tuple[float, float, float]
Move = Callable[[vtkCamera, float], None]  # places a camera for a time [s] of the film


@dataclass(frozen=True)
class Key:
    """Where the camera is at a time of the film."""

    time: float  # [s]
    position: Place  # [m]
    look_at: Place  # [m] the middle of the picture
    up: Place = (0.0, 0.0, 1.0)


def turning(period: float) -> Move:
    """Once round the vertical through the middle of the picture in `period` [s] of the film."""
    before = 0.0

    def move(camera: vtkCamera, time: float) -> None:
        nonlocal before
        orbit(camera, 2 * np.pi * (time - before) / period, 0.0)
        before = time

    return move


def along(keys: tuple[Key, ...]) -> Move:
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


def key_of(camera: vtkCamera, time: float) -> Key:
    """The key that a camera stands in."""
    return Key(time, camera.GetPosition(), camera.GetFocalPoint(), camera.GetViewUp())


Three = Annotated[tuple[float, float, float], Field()]


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    time: Annotated[float, Field(ge=0)]
    position: Three
    look_at: Three
    up: Three = (0.0, 0.0, 1.0)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    key: Annotated[tuple[_Row, ...], Field(min_length=1)]


def read_keys(path: Path) -> tuple[Key, ...]:
    """The [[key]] tables of a TOML file, in order of time. Raises InputError."""
    try:
        rows = _File.model_validate(tomllib.loads(contents(path, LARGEST).decode("utf-8-sig"))).key
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        said = first["msg"].lower()
        raise _objection(path, place, Message(said)) from error
    except ValueError as error:
        raise _objection(path, "", Message("is not TOML: {reason}", reason=message_of(error))) from error
    keys = tuple(sorted((Key(row.time, row.position, row.look_at, row.up) for row in rows), key=lambda key: key.time))
    if len({key.time for key in keys}) < len(keys):
        raise _objection(path, "key", Message("two keys have the same time"))
    for number, key in enumerate(keys):
        ahead = np.array(key.look_at) - key.position
        if np.linalg.norm(np.cross(ahead, key.up)) <= 1e-9 * np.linalg.norm(ahead) * np.linalg.norm(key.up):
            raise _objection(path, f"key[{number}]", Message("looks nowhere, or along its own up"))
    return keys


def _objection(path: Path, place: str, rule: Message) -> InputError:
    remedy = Message(
        "write tables like [[key]] with time = 0.0, position = [1.0, -2.0, 1.0], look_at = [0.0, 0.0, 0.0]"
    )
    return InputError(str(path), [Problem(place, rule, remedy)])
