"""Names of quantities that are no columns of the table: positions, and the magnetic field.

    bob.point[0, 0, -0.5].x                   position of a point of a body along an axis of the laboratory
    bob.point[0, 0, -0.5].along[0.6, 0.8, 0]  along a direction, such as one of a picture
    bob.point[0, 0, -0.5].in[cart].x          relative to the origin of another body, along its axis u1
    knot.position.in[cart].x                  the same of an origin, of a particle or of a point of a soft body
    field[0, 0, 0.1].z                        magnetic field at a point of the laboratory
    phone.field[0, 0.07, 0].x                 at a point fixed in a body, along its axis u1, without its own dipoles

Points of bodies are in their frame [m]. Directions need not be unit vectors.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isfinite

import numpy as np

from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue

_ALONG = r"(?:(?P<axis>[xyz])|along\[(?P<direction>[^\[\]]*)\])"
POINT = re.compile(
    r"(?P<body>.+)\.(?:position|point\[(?P<point>[^\[\]]*)\])(?:\.in\[(?P<frame>[^\[\]]+)\])?\." + _ALONG
)
FIELD = re.compile(r"(?:(?P<body>.+)\.)?field\[(?P<point>[^\[\]]*)\]\." + _ALONG)


def point_name(body: str, point: Sequence[float], axis: str) -> str:
    """Name of the position of a point (3,) of a body [m, body frame] along an axis of the laboratory."""
    return f"{body}.point{_written(point)}.{axis}"


def along_name(body: str, point: Sequence[float], direction: Sequence[float]) -> str:
    """Name of the position of a point (3,) of a body [m, body frame] along a direction (3,) of the laboratory."""
    return f"{body}.point{_written(point)}.along{_written(direction)}"


def point_in_frame_name(body: str, point: Sequence[float], frame: str, axis: str) -> str:
    """Name of the position of a point (3,) of a body [m, body frame] in the frame of another body."""
    return f"{body}.point{_written(point)}.in[{frame}].{axis}"


def field_name(body: str, point: Sequence[float], axis: str) -> str:
    """Name of the magnetic field at a point (3,) [m] fixed in a body; in the laboratory for the body ""."""
    return f"{body}.field{_written(point)}.{axis}".removeprefix(".")


def _written(vector: Sequence[float]) -> str:
    return f"[{', '.join(f'{value + 0.0:.6g}' for value in vector)}]"


def owner_of(name: str, found: re.Match[str]) -> str:
    """Name of a position without its direction, the same for all notations of a point. Raises InvalidValue."""
    frame = "" if found["frame"] is None else f".in[{found['frame']}]"
    if found["point"] is None:
        return f"{found['body']}.position{frame}"
    return f"{found['body']}.point{_written(point_of(name, found['point']).tolist())}{frame}"


def point_of(name: str, text: str) -> np.ndarray:
    """(3,) [m] coordinates of a point. Raises InvalidValue."""
    found = _numbers(text)
    if found is None:
        rule = Message("the point of '{name}' is no place", name=name)
        raise InvalidValue(rule, Message("write three numbers [m] in the frame of the body, such as [0, 0, -0.5]"))
    return found


def direction_of(name: str, found: re.Match[str]) -> np.ndarray:
    """(3,) unit vector of an axis, or of a direction. Raises InvalidValue."""
    if found["axis"] is not None:
        return np.eye(3)["xyz".index(found["axis"])]
    direction = _numbers(found["direction"])
    if direction is None or not np.linalg.norm(direction) > 0.0:
        rule = Message("'{name}' has no direction", name=name)
        raise InvalidValue(rule, Message("write three numbers that are not all 0, such as along[0.6, 0.8, 0]"))
    return np.asarray(direction / np.linalg.norm(direction))


def _numbers(text: str) -> np.ndarray | None:
    """(3,) finite numbers of a text, or None."""
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        return None
    return np.array(values) if len(values) == 3 and all(map(isfinite, values)) else None
