"""Units and up axes of mesh files: what a file states, and its vertices in metres with z up. No compiler."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np

from polhode.scene.message import Message

LengthUnit = Literal["um", "mm", "cm", "m", "inch", "foot"]
UpAxis = Literal["x", "y", "z"]

LENGTHS = MappingProxyType({"um": 1e-6, "mm": 1e-3, "cm": 1e-2, "m": 1.0, "inch": 0.0254, "foot": 0.3048})
"""[m] length of one unit."""

# Rows are the new axes in components of the old ones: right, back and up of COLLADA's definition of its up_axis.
ROTATIONS = MappingProxyType(
    {
        "x": np.array([[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]]),
        "y": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]),
        "z": np.eye(3),
    }
)


SMALLEST_USUAL, LARGEST_USUAL = 1e-3, 5.0  # [m] longest side of a thing on a bench


@dataclass(frozen=True)
class FileFrame:
    """Units and axes of the coordinates of a mesh file; None if it states none."""

    unit: float | None = None  # [m] length of one unit of the file
    up: UpAxis | None = None

    def given(self, unit: LengthUnit | None, up: UpAxis | None) -> FileFrame:
        """The frame with the unit and the up axis that a scene gives; None keeps what the file states."""
        return FileFrame(LENGTHS[unit] if unit else self.unit, up or self.up)

    def place(self, vertices: np.ndarray) -> np.ndarray:
        """Vertices (n, 3) with z up, in metres or an unknown unit; the argument itself if nothing changes."""
        rotated = vertices if self.up in (None, "z") else vertices @ ROTATIONS[self.up].T
        return rotated if self.unit in (None, 1.0) else rotated * self.unit


def length_text(length: float) -> str:
    """A length [m] with its unit, to three digits: "60 m", "60 mm", "60 um"."""
    unit = "m" if length >= 1 else "mm" if length >= 1e-3 else "um"
    return f"{length / LENGTHS[unit]:.3g} {unit}"


def size_question(size: float, unit: float) -> Message | None:
    """A question about the unit of a mesh that is larger than LARGEST_USUAL or smaller than SMALLEST_USUAL.

    size: [m] of its longest side; unit: [m] that one unit of the file counts as

    Usual sizes give None.
    """
    if SMALLEST_USUAL <= size <= LARGEST_USUAL or size == 0:
        return None
    names: tuple[LengthUnit, ...] = ("mm", "cm", "um", "m", "inch")
    likely = next((n for n in names if SMALLEST_USUAL <= size / unit * LENGTHS[n] <= LARGEST_USUAL), None)
    if likely is None:
        return Message("{size}? check its unit", size=length_text(size))
    across = length_text(size / unit * LENGTHS[likely])
    return Message("{size}? in {unit} it would be {across}", size=length_text(size), unit=likely, across=across)


NO_FRAME = FileFrame()
