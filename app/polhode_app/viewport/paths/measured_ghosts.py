"""Bodies at measured poses: translucent, in the colour of measured data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from vtkmodules.vtkRenderingCore import vtkRenderer

from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.palette import rgba
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.paths.measured_tracks import COLOR
from polhode_app.viewport.things.bodies import BodyView

Pose = tuple[np.ndarray, np.ndarray]
"""Position (3,) [m] and basis (3, 3), rows u1, u2, u3, laboratory frame."""


class MeasuredGhosts:
    """Draws copies of bodies, in addition to those of the run."""

    def __init__(self, renderer: vtkRenderer):
        self._view = BodyView(renderer, rgba(COLOR))
        self._built: tuple[object, ...] = ()
        self.poses: Mapping[int, Pose] = {}  # by body, as drawn

    def draw(self, stage: Stage, now: Snapshot, poses: Mapping[int, Pose]) -> bool:
        """Draw bodies at their poses; whether anything has changed."""
        bodies = sorted(poses)
        built = (*bodies, *(id(stage.solids[b].parts) for b in bodies))
        if built == self._built and _equal(poses, self.poses):
            return False
        if built != self._built:
            self._view.rebuild_some(stage, bodies)
            self._built = built
        self.poses = dict(poses)
        if poses:
            position, basis = now.bodies.position.copy(), now.bodies.basis.copy()
            for b, (origin, axes) in poses.items():
                position[b], basis[b] = origin, axes
            self._view.update(replace(now, bodies=replace(now.bodies, position=position, basis=basis)))
        return True


def _equal(one: Mapping[int, Pose], other: Mapping[int, Pose]) -> bool:
    return one.keys() == other.keys() and all(
        np.array_equal(a, b) for key in one for a, b in zip(one[key], other[key], strict=True)
    )
