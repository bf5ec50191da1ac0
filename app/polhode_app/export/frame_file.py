"""A frame of the window in a file, from which another process draws it: state, memory of the views, camera, options.

The file is one message of core/polhode/process/messages.py: a table, and the arrays behind it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np
from vtkmodules.vtkRenderingCore import vtkCamera

from polhode.physics.grab.interactions import Interaction
from polhode.process.messages import receive, send
from polhode.recording.events import interaction_arguments, interaction_from
from polhode.simulation.snapshot import ForceStates, Snapshot
from polhode_app.viewport.base.camera_animation import pose_of, set_camera
from polhode_app.viewport.environment.quality import Level
from polhode_app.viewport.record import Arrays, nested, part


@dataclass(frozen=True, eq=False)
class PlotData:
    """Data of the plots drawn over the picture."""

    units: Mapping[str, str]  # units by column
    times: np.ndarray  # (t,) [s]
    values: np.ndarray  # (t, c) values of the columns


@dataclass(frozen=True)
class Looks:
    """How a picture is drawn, whatever it shows."""

    theme: str
    switches: Mapping[str, bool]  # of the views
    sizes: Mapping[str, float]  # of arrows
    size: tuple[int, int]  # [pixel] width, height
    quality: Level
    transparent: bool = False
    clock: bool = False
    plain: bool = False  # without the axes of the laboratory and the scale bar
    beside: bool = False  # whether the plots of items are side by side


@dataclass(frozen=True, eq=False)
class ShownFrame:
    """State of a scene in the window, and the memory of its views."""

    snapshot: Snapshot
    ghosts: tuple[Snapshot | None, ...]
    memory: Arrays  # of the views, as of SceneView.memory
    camera: Arrays  # as of `camera_numbers`
    plotted: PlotData | None = None


def camera_numbers(camera: vtkCamera) -> Arrays:
    """Pose and projection of a camera, for `move_camera`."""
    projection = np.array([camera.GetViewAngle(), camera.GetParallelProjection()])
    return {"projection": projection, **{name: np.asarray(value) for name, value in vars(pose_of(camera)).items()}}


def move_camera(camera: vtkCamera, numbers: Arrays) -> None:
    """Set pose and projection of a camera to those of `camera_numbers`."""
    pose = type(pose_of(camera))(**{name: array for name, array in numbers.items() if name != "projection"})
    set_camera(camera, pose)
    camera.SetViewAngle(float(numbers["projection"][0]))
    camera.SetParallelProjection(bool(numbers["projection"][1]))


def write_frame(path: Path, frame: ShownFrame, looks: Looks, about: Mapping[str, str]) -> None:
    """Write a frame, how it is drawn, and the texts stored in the picture. Raises OSError."""
    ghosts = {str(number): _arrays(each) for number, each in enumerate(frame.ghosts) if each is not None}
    parts = {
        "snapshot": _arrays(frame.snapshot),
        "ghosts": nested(ghosts),
        "memory": frame.memory,
        "camera": frame.camera,
    }
    units: Mapping[str, str] = {}
    if frame.plotted is not None:
        units = frame.plotted.units
        parts["plotted"] = {"times": frame.plotted.times, "values": frame.plotted.values}
    arrays = nested(parts)
    head = {
        "arrays": [(name, array.dtype.str, array.shape) for name, array in arrays.items()],
        "looks": asdict(looks),
        "about": dict(about),
        "units": dict(units),
        "ghosts": len(frame.ghosts),
    }
    with path.open("wb") as file:
        send(file, head, [array.tobytes() for array in arrays.values()])


def read_frame(path: Path) -> tuple[ShownFrame, Looks, dict[str, str]]:
    """The contents of a file from `write_frame`. Raises OSError, and ValueError for an incomplete file."""
    with path.open("rb") as file:
        message = receive(file)
    if message is None:
        raise ValueError
    head, blobs = message
    arrays = {
        name: np.frombuffer(blob, kind).reshape(shape)
        for (name, kind, shape), blob in zip(head["arrays"], blobs, strict=True)
    }
    ghosts = part(arrays, "ghosts")
    there = [part(ghosts, str(number)) for number in range(head["ghosts"])]
    plotted = part(arrays, "plotted")
    frame = ShownFrame(
        _made(Snapshot, part(arrays, "snapshot")),
        tuple(_made(Snapshot, each) if each else None for each in there),
        part(arrays, "memory"),
        part(arrays, "camera"),
        PlotData(head["units"], plotted["times"], plotted["values"]) if plotted else None,
    )
    return frame, Looks(**{**head["looks"], "size": tuple(head["looks"]["size"])}), head["about"]


def _arrays(value: Any) -> Arrays:
    """The parts of an object of dataclasses, mappings, arrays and numbers, by path; "" is the path of the object.

    An interaction is one text, as in recordings; None has no parts.
    """
    if value is None:
        return {}
    if isinstance(value, Interaction):
        return {"": np.array(json.dumps(interaction_arguments(value)))}
    if is_dataclass(value):
        return nested({field.name: _arrays(getattr(value, field.name)) for field in fields(value)})
    if isinstance(value, Mapping):
        return nested({name: _arrays(each) for name, each in value.items()})
    return {"": np.asarray(value)}


def _made(kind: Any, arrays: Arrays) -> Any:
    """The object of a type whose parts are `arrays`; the inverse of `_arrays`."""
    if kind == Interaction:
        return interaction_from(json.loads(str(arrays[""])))
    if NoneType in get_args(kind):
        return _made(get_args(kind)[0], arrays) if arrays else None
    if get_origin(kind) is not None:  # Mapping[str, ForceStates]
        names = dict.fromkeys(path.partition("/")[0] for path in arrays)
        return {name: _made(ForceStates, part(arrays, name)) for name in names}
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{field.name: _made(hints[field.name], part(arrays, field.name)) for field in fields(kind)})
    return arrays[""] if kind is np.ndarray else arrays[""].item()
