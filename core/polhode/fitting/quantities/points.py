"""Positions of points, in the laboratory or in the frame of a body, along an axis or any direction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from polhode.fitting.quantities.names import POINT, direction_of, point_of
from polhode.fitting.quantities.quantity import POSITION, Has, ObservedQuantity, pose, pose_columns

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene


def point_quantity(name: str, has: Has) -> ObservedQuantity | None:
    """The quantity of a name such as "bob.point[0, 0, -0.5].in[cart].x"; None for other names.

    x + p1 u1 + p2 u2 + p3 u3 with the origin x, basis and point p of the body; with a frame relative to its origin and
    along its basis vectors. Raises InvalidValue, also by `has`.
    """
    found = POINT.fullmatch(name)
    if found is None:
        return None
    body, frame, point, direction = found["body"], found["frame"], None, direction_of(name, found)
    if found["point"] is not None:
        point = point_of(name, found["point"])
    has(found, "body", "position.x" if point is None else "u1.x")
    columns = tuple(f"{body}.{part}" for part in POSITION) if point is None else pose_columns(body)
    size = len(columns)
    if frame is not None:
        has(found, "frame", "u1.x")
        columns += pose_columns(frame)

    def law(values: np.ndarray, _built: CompiledScene) -> np.ndarray:
        points = values[:, :3]
        if point is not None:
            points = points + np.einsum("i,nij->nj", point, pose(values)[1])
        if frame is not None:
            origin, basis = pose(values, size)
            points = np.einsum("nij,nj->ni", basis, points - origin)
        return np.asarray(points @ direction)

    return ObservedQuantity(name, "m", columns, law)
