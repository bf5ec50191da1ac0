"""Mesh files to triangles with merged vertices. A format is one line in FORMATS of formats.py.

A reader takes the whole content of a file and returns the unchanged corners of its triangles, so that the merging of
equal corners, the limits on size and coordinates, and the messages are the same for all formats. Colours, normals,
textures and groups are passed over; the orientation is that of the corners.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from polhode.mesh.files.corners import corners_of
from polhode.mesh.files.damage import Damaged
from polhode.mesh.files.weld import merged
from polhode.mesh.frame import FileFrame
from polhode.scene.message import Message, plural
from polhode.scene.problem import InputError

LARGEST = 1e30  # the fifth power of a coordinate, which the inertia has, must be finite


def read_triangles(path: Path) -> tuple[np.ndarray, np.ndarray, FileFrame, tuple[Message, ...]]:
    """Vertices (n, 3) float64 [file units] and faces (m, 3) int32 of a file, read by its ending, its frame, and notes.

    Corners at bitwise equal coordinates become one vertex; -0.0 counts as 0.0. Raises InputError where the file is
    missing, unreadable, empty, too large, damaged, or has coordinates that are not finite or at least
    LARGEST.
    """
    try:
        with np.errstate(all="ignore"):  # numbers that are not finite are refused below
            corners, frame, notes = corners_of(path)
            if len(corners) == 0:
                raise Damaged(Message("has no triangles"), Message("export it again, as triangles"))
            vertices, faces = merged(corners.reshape(-1, 3))
        bad = len(vertices) - int((np.abs(vertices) < LARGEST).all(axis=1).sum())  # a comparison with NaN is false
        if bad:
            rule = plural(
                "has {count} vertex with NaN, infinite or too large coordinates",
                "has {count} vertices with NaN, infinite or too large coordinates",
                count=bad,
            )
            raise Damaged(rule)
    except Damaged as damage:
        raise InputError(str(path), [damage.of(path.name)]) from None
    return vertices, faces, frame, notes
