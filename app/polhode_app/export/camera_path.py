"""Camera keys of films: reading from TOML. The interpolation is in camera_motion.py."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from vtkmodules.vtkRenderingCore import vtkCamera

from polhode.scene.files.file_io import contents
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem, message_of

LARGEST = 2**20  # [bytes] size of a file at most
Point = tuple[float, float, float]


@dataclass(frozen=True)
class CameraKey:
    """Camera pose at a time of the film."""

    time: float  # [s] of the film
    position: Point  # [m] laboratory frame
    look_at: Point  # [m] focal point, in the centre of the picture
    up: Point = (0.0, 0.0, 1.0)


def key_of(camera: vtkCamera, time: float) -> CameraKey:
    """The current pose of a camera as a key at `time` [s]."""
    return CameraKey(time, camera.GetPosition(), camera.GetFocalPoint(), camera.GetViewUp())


Three = Annotated[tuple[float, float, float], Field()]


class _KeyTable(BaseModel):
    """Validation of one [[key]] table."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    time: Annotated[float, Field(ge=0)]
    position: Three
    look_at: Three
    up: Three = (0.0, 0.0, 1.0)


class _File(BaseModel):
    """Validation of the file."""

    model_config = ConfigDict(extra="forbid")

    key: Annotated[tuple[_KeyTable, ...], Field(min_length=1)]


def read_keys(path: Path) -> tuple[CameraKey, ...]:
    """The [[key]] tables of a TOML file, in order of time. Raises InputError."""
    try:
        rows = _File.model_validate(tomllib.loads(contents(path, LARGEST).decode("utf-8-sig"))).key
    except ValidationError as error:
        first = error.errors()[0]
        location = ".".join(map(str, first["loc"]))
        said = first["msg"].lower()
        raise _input_error(path, location, Message(said)) from error
    except ValueError as error:
        raise _input_error(path, "", Message("is not TOML: {reason}", reason=message_of(error))) from error
    keys = tuple(
        sorted((CameraKey(row.time, row.position, row.look_at, row.up) for row in rows), key=lambda key: key.time)
    )
    if len({key.time for key in keys}) < len(keys):
        raise _input_error(path, "key", Message("two keys have the same time"))
    for number, key in enumerate(keys):
        ahead = np.array(key.look_at) - key.position
        if np.linalg.norm(np.cross(ahead, key.up)) <= 1e-9 * np.linalg.norm(ahead) * np.linalg.norm(key.up):
            raise _input_error(
                path, f"key[{number}]", Message("has no direction of view, or one parallel to its up vector")
            )
    return keys


def _input_error(path: Path, location: str, rule: Message) -> InputError:
    """An InputError about one place of the file."""
    remedy = Message(
        "write tables like [[key]] with time = 0.0, position = [1.0, -2.0, 1.0], look_at = [0.0, 0.0, 0.0]"
    )
    return InputError(str(path), [Problem(location, rule, remedy)])
