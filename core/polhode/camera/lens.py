"""Cameras by the pinhole with radial and tangential distortion, and the files that hold their calibration.

A point (X, Y, Z) in the frame of the camera, x to the right, y down and z along the view, is seen at

    u = fx x' + cx,  v = fy y' + cy,  (x', y') = distorted (X / Z, Y / Z)

with the distortion k1, k2, p1, p2, k3 of Brown. Pixel (0, 0) has its centre at u = v = 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tomlkit

from polhode.scene.files.file_io import TooLarge, all_bytes, contents
from polhode.scene.files.file_writing import replace_file
from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue

FIELD_OF_VIEW = math.radians(60.0)  # along the longer side, where nothing is known of a camera
LARGEST_FILE = 2**16  # [bytes]
LARGEST = 65536  # pixels along a side
TERMS = 5  # k1, k2, p1, p2, k3


@dataclass(frozen=True)
class Lens:
    """Geometry of a camera for pictures of one size."""

    focal: tuple[float, float]  # [pixels] fx, fy
    centre: tuple[float, float]  # [pixels] cx, cy
    size: tuple[int, int]  # [pixels] width, height
    distortion: tuple[float, ...] = (0.0,) * TERMS
    error: float | None = None  # [pixels] root mean square of its calibration

    @property
    def matrix(self) -> np.ndarray:
        """(3, 3) camera matrix."""
        (fx, fy), (cx, cy) = self.focal, self.centre
        return np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])

    @property
    def terms(self) -> np.ndarray:
        """(5,) distortion."""
        return np.array(self.distortion)

    @classmethod
    def of_focal_length(cls, focal: float, size: tuple[int, int]) -> Lens:
        """A lens without distortion, with its axis in the middle of the picture. focal: [pixels]"""
        return cls((focal, focal), ((size[0] - 1) / 2, (size[1] - 1) / 2), size)

    @classmethod
    def assumed(cls, size: tuple[int, int]) -> Lens:
        """A lens without distortion that sees FIELD_OF_VIEW along the longer side."""
        return cls.of_focal_length(0.5 * max(size) / math.tan(0.5 * FIELD_OF_VIEW), size)

    def save(self, path: Path) -> None:
        """Write a file that `read_lens` reads. Raises InputError."""
        document = tomlkit.document()
        document.add(tomlkit.comment("Camera: focal lengths and centre in pixels; distortion k1, k2, p1, p2, k3"))
        for name, values in zip(("size", "focal", "centre", "distortion"), self._lists(), strict=True):
            document[name] = values
        if self.error is not None:
            document["error"] = round(self.error, 4)
        replace_file(path, tomlkit.dumps(document))

    def _lists(self) -> tuple[list[float], ...]:
        return list(self.size), list(self.focal), list(self.centre), list(self.distortion)


def chosen_lens(size: tuple[int, int], calibration: Path | None, focal: float | None) -> tuple[Lens, Message | None]:
    """The lens of a calibration file, or of a focal length [pixels], for pictures of `size`; else an assumed one, with
    a warning. Raises InputError.
    """
    if calibration is not None:
        return read_lens(calibration, size), None
    if focal is not None:
        return Lens.of_focal_length(focal, size), None
    lens = Lens.assumed(size)
    return lens, Message(
        "no calibration: distances are right only for a focal length of {focal:.0f} pixels", focal=lens.focal[0]
    )


def read_lens(path: Path, size: tuple[int, int]) -> Lens:
    """The lens of a file for pictures of `size` [pixels]. Raises InputError, also for pictures of another shape.

    Pictures of the same shape in another resolution have the lens scaled.
    """
    source = str(path)
    lens = _parsed(source, contents(path, LARGEST_FILE, _read))
    scale = size[0] / lens.size[0]
    if abs(lens.size[1] * scale - size[1]) > 1.0:
        rule = Message(
            "is for pictures of {w} x {h} pixels, not {x} x {y}", w=lens.size[0], h=lens.size[1], x=size[0], y=size[1]
        )
        raise InputError.of(source, rule, Message("calibrate with films of the same size"))
    cx, cy = ((each + 0.5) * scale - 0.5 for each in lens.centre)
    return Lens((lens.focal[0] * scale, lens.focal[1] * scale), (cx, cy), size, lens.distortion, lens.error)


def _read(path: Path, largest: int) -> bytes:
    """All bytes of a file. Raises InvalidValue if they are too many, and OSError."""
    try:
        return all_bytes(path, largest)
    except TooLarge:
        rule = Message("is larger than {most:.0f} kB, and so no calibration", most=largest / 1024)
        raise InvalidValue(rule, Message("name the file that 'polhode watch --calibrate' has written")) from None


def _parsed(source: str, content: bytes) -> Lens:
    """The lens that a file states. Raises InputError."""
    remedy = Message("make it with 'polhode watch --calibrate FILM --out {file}'", file=source)
    try:
        found = tomlkit.parse(content.decode()).unwrap()
    except (ValueError, RecursionError):
        raise InputError.of(source, Message("is no TOML file"), remedy) from None
    lists = {}
    for name, count in {"size": 2, "focal": 2, "centre": 2, "distortion": TERMS}.items():
        values = found.get(name)
        if not isinstance(values, list) or len(values) != count or not all(map(_is_number, values)):
            raise InputError.of(source, Message("must be {count} finite numbers", count=count), remedy, name)
        lists[name] = [float(value) for value in values]
    if not all(1 <= each <= LARGEST for each in lists["size"]) or not all(each >= 1.0 for each in lists["focal"]):
        raise InputError.of(source, Message("has sizes or focal lengths that are too small or too large"), remedy)
    width, height = map(int, lists["size"])
    error = found.get("error")
    if error is not None and (not _is_number(error) or error < 0.0):
        raise InputError.of(source, Message("must be a positive number of pixels"), remedy, "error")
    return Lens(
        (lists["focal"][0], lists["focal"][1]),
        (lists["centre"][0], lists["centre"][1]),
        (width, height),
        tuple(lists["distortion"]),
        None if error is None else float(error),
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e6
