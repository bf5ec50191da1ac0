"""Rounded solids as files of the user's cache folder: a head, the coefficients of the spline, and the sample points
with their areas.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite, prod
from typing import ClassVar

import numpy as np

from polhode.mesh.distance.field import DistanceField
from polhode.mesh.distance.rounded import RoundedSolid, rounded_solid
from polhode.mesh.distance.samples import Samples
from polhode.mesh.kept import KeptShape, Progress

HEAD = struct.Struct("<8s4q5d")  # mark; nodes along x, y, z; points; first node, cell, rounding
MARK = b"POLHODE\1"


@dataclass(frozen=True)
class KeptSolid(KeptShape[RoundedSolid]):
    """The rounded solid of a mesh; lengths in the unit of the mesh."""

    rounding: float
    cells: int
    reach: float
    """These three as of `rounded_solid`."""

    KIND: ClassVar[str] = "solid"

    def make(self, progress: Progress) -> RoundedSolid:
        """Compute it."""
        return rounded_solid(*self.surface, self.rounding, self.cells, self.reach, progress)

    @staticmethod
    def packed(made: RoundedSolid) -> bytes:
        """Content of the file of a solid."""
        field, samples = made.field, made.samples
        head = HEAD.pack(
            MARK, *field.coefficients.shape, len(samples.points), *field.low.tolist(), field.cell, samples.rounding
        )
        arrays = [(field.coefficients, "<f4"), (samples.points, "<f8"), (samples.areas, "<f8")]
        return b"".join([head, *(array.astype(kind).tobytes() for array, kind in arrays)])

    @staticmethod
    def unpacked(content: bytes) -> RoundedSolid | None:
        """The solid of a file, its arrays read-only; None for a content that is not one."""
        if len(content) < HEAD.size:
            return None
        mark, *counts, x, y, z, cell, rounding = HEAD.unpack_from(content)
        nodes, points = tuple(counts[:3]), counts[3]
        if mark != MARK or min(counts) < 1 or not (isfinite(cell) and isfinite(rounding) and cell > 0 and rounding > 0):
            return None
        edges = np.cumsum([HEAD.size, 4 * prod(nodes), 24 * points, 8 * points], dtype=object).tolist()
        if edges[-1] != len(content):
            return None
        kinds = ("<f4", "<f8", "<f8")
        arrays = [
            np.frombuffer(content, kind, (stop - begin) // int(kind[-1]), begin)
            for kind, (begin, stop) in zip(kinds, pairwise(edges), strict=True)
        ]
        low = np.array([x, y, z])
        if not all(np.isfinite(array).all() for array in (low, *arrays)):
            return None
        # copies: numbers begin at multiples of their size
        numbers, places, areas = (array.astype(array.dtype.newbyteorder("=")) for array in arrays)
        field = DistanceField(low, cell, numbers.reshape(nodes))
        return RoundedSolid(field, Samples(places.reshape(-1, 3), areas, rounding))
