"""Meshes inside of UDF files, as "motor.udf#rotor" (core/polhode/udf/meshes.py). Polygons are cut into fans."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from polhode.mesh.files.damage import Damaged, triangles
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.udf.meshes import read_mesh_in


def read_udf(path: Path) -> np.ndarray:
    """(m, 3, 3) float64 corners of the triangles of a mesh in a UDF file, in its units. Raises Damaged."""
    try:
        vertices, polygons = read_mesh_in(path)
    except InputError as error:
        problem = error.problems[0]
        place, rule = problem.place, problem.rule
        raise Damaged(Message("{place}: {fault}", place=place, fault=rule) if place else rule, problem.remedy) from None
    if not vertices:
        raise Damaged(Message("has no vertices"))
    fans = [(ring[0], ring[k], ring[k + 1]) for ring in polygons for k in range(1, len(ring) - 1)]
    return triangles(np.array(vertices), np.array(fans, dtype=np.int64).reshape(-1, 3))
