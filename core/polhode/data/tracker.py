"""Projects of the video analysis Tracker (.trk): marked positions of point masses, calibrated.

The file holds positions in pixels and, for frames of the video, origin, angle and scale of the axes. With the origin o,
the angle a of the x axis counterclockwise, the scales s (pixels per unit of length) and y pointing down in the picture

    x = ( (i - o_x) cos a - (j - o_y) sin a) / s_x
    y = (-(i - o_x) sin a - (j - o_y) cos a) / s_y

and frame n was taken at start + (n - first) times the duration of a frame. Axes of a frame hold until the next frame
that states others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from polhode.data.archive import choose
from polhode.data.headings import distinct
from polhode.data.measured import MeasuredData, measured
from polhode.scene.files.xml_tree import LARGEST_NUMBER, NUMBER, Element, read_xml
from polhode.scene.message import Message
from polhode.scene.problem import InputError

INDEX = re.compile(r"\[(\d{1,7})\]")
AXES = {"xorigin": 0.0, "yorigin": 0.0, "angle": 0.0, "xscale": 1.0, "yscale": 1.0}


def read_trk(path: Path, table: str | None, units: Mapping[str, str]) -> MeasuredData:
    """Positions of all point masses of a project, `NAME.x` and `NAME.y` by the name of the mass.

    table: the only mass to read, by default all of them; units: as of `read_data`

    Raises InputError if it is no project, has no marks, or no calibration.
    """
    root = read_xml(path)
    if root.tag != "object" or not _is(root, "TrackerPanel"):
        rule = Message("is XML, but no project of Tracker")
        raise InputError.of(root.source, rule, Message("name a .trk file, or export the data as text"))
    masses = list(_masses(root))
    names = distinct([name for name, _ in masses])
    if table is not None:
        masses = [masses[choose(root.source, names, table)]]
        names = [table]
    frames = sorted({frame for _, marks in masses for frame in marks})
    if not frames:
        rule = Message("has no marked point masses")
        raise InputError.of(root.source, rule, Message("mark a point mass in Tracker and save the project"))
    axes = _axes(root, frames)
    columns: dict[str, np.ndarray] = {}
    for name, (_, marks) in zip(names, masses, strict=True):
        if marks:
            columns |= _positions(name, marks, frames, axes)
    length = _text(root, "length_unit", "m")
    stated = {name: units.get(name, length) for name in columns}
    return measured(root.source, _times(root, frames), columns, stated, "s", lines=np.array(frames))


def _positions(name: str, marks: dict[int, tuple[float, float]], frames: list[int], axes: np.ndarray) -> dict:
    """Columns x and y, in units of length, of marks [pixels] by frame; nan without a mark.

    axes: (frames, 5) as AXES
    """
    missing = (np.nan, np.nan)
    pixels = np.array([marks.get(frame, missing) for frame in frames])
    right, down = (pixels - axes[:, :2]).T
    angle = np.radians(axes[:, 2])
    x = (right * np.cos(angle) - down * np.sin(angle)) / axes[:, 3]
    y = (-right * np.sin(angle) - down * np.cos(angle)) / axes[:, 4]
    return {f"{name}.x": x, f"{name}.y": y}


def _masses(root: Element) -> Iterator[tuple[str, dict[int, tuple[float, float]]]]:
    """Names of the point masses with their marks [pixels] by frame."""
    tracks = _property(root, "tracks")
    for item in tracks.children if tracks is not None else ():
        for track in item.all("object"):
            if not _is(track, "PointMass"):
                continue
            marks = {frame: (_number(mark, "x"), _number(mark, "y")) for frame, mark in _framed(track)}
            yield _text(track, "name", ""), marks


def _axes(root: Element, frames: list[int]) -> np.ndarray:
    """(frames, 5) origin [pixels], angle [deg] and scales [pixels per unit of length] of the axes."""
    system = _object(root, "coords")
    stated = sorted(_framed(system), key=lambda each: each[0]) if system is not None else []
    if not stated:
        rule, remedy = Message("has no calibration"), Message("set axes and scale in Tracker and save the project")
        raise InputError.of(root.source, rule, remedy, "coords")
    numbers = np.array([[_number(axes, name, usual) for name, usual in AXES.items()] for _, axes in stated])
    wrong = np.flatnonzero(~(np.abs(numbers[:, 3:]) > 1e-12).all(axis=1))
    if len(wrong):
        raise stated[wrong[0]][1].fault(Message("has a scale of zero"), Message("calibrate the video in Tracker"))
    at = np.searchsorted([frame for frame, _ in stated], frames, side="right") - 1
    return numbers[np.maximum(at, 0)]


def _times(root: Element, frames: list[int]) -> np.ndarray:
    """(frames,) times [s]. Raises InputError without the duration of a frame."""
    control, clip = _object(root, "clipcontrol"), _object(root, "videoclip") or _object(root, "clip")
    duration = _number(control, "delta_t", 0.0) if control is not None else 0.0
    if not duration > 0.0:
        rule = Message("has no duration of a frame")
        raise InputError.of(root.source, rule, Message("set the frame rate in Tracker"), "clipcontrol")
    first = _number(clip, "startframe", 0.0) if clip is not None else 0.0
    begin = _number(clip, "starttime", 0.0) if clip is not None else 0.0
    return (begin + (np.array(frames, dtype=float) - first) * duration) * 1e-3


def _framed(owner: Element) -> Iterator[tuple[int, Element]]:
    """Frames with their objects in the property `framedata`."""
    data = _property(owner, "framedata")
    for entry in data.children if data is not None else ():
        index = INDEX.fullmatch(entry.attributes.get("name", ""))
        made = entry.first("object")
        if index is not None and made is not None:
            yield int(index[1]), made


def _is(element: Element, kind: str) -> bool:
    """Whether an object is of a class, by the last part of its name."""
    return element.attributes.get("class", "").rpartition(".")[2] == kind


def _property(owner: Element, name: str) -> Element | None:
    return next((each for each in owner.all("property") if each.attributes.get("name") == name), None)


def _object(owner: Element, name: str) -> Element | None:
    """The object that a property holds."""
    found = _property(owner, name)
    return found.first("object") if found is not None else None


def _text(owner: Element, name: str, usual: str) -> str:
    found = _property(owner, name)
    return (found.content.strip() if found is not None else "") or usual


def _number(owner: Element, name: str, usual: float | None = None) -> float:
    """The number of a property; `usual` without it. Raises InputError for text, NaN, infinity and too large ones."""
    found = _property(owner, name)
    if found is None:
        if usual is not None:
            return usual
        raise owner.fault(Message("has no {name}", name=name), Message("mark the point again"))
    text = found.content.strip()
    if NUMBER.fullmatch(text) is None or abs(float(text)) > LARGEST_NUMBER:
        rule = Message("{name} has '{word}', which is no finite number", name=name, word=text)
        raise found.fault(rule, Message("correct it"))
    return float(text)
