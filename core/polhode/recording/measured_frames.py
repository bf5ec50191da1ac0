"""Measured quantities of recorded frames, which the geometry for other programs is made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.diagnostics import observed
from polhode.engine.model import Inputs, Work
from polhode.engine.rates import add_forces, place
from polhode.physics.contact.penetration import wall_displacements
from polhode.physics.sensor.sensor_motion import sensor_distance


@dataclass(frozen=True, eq=False)
class MeasuredFrames:
    """Measured quantities of r frames, laboratory frame: n bodies, p points, w walls."""

    times: np.ndarray  # (r,) [s]
    table: np.ndarray  # (r, c) columns of polhode.analysis.columns
    body_force: np.ndarray  # (r, n, 3) [N] sum of all laws on each body
    point_force: np.ndarray  # (r, p, 3) [N] sum of all laws on each point
    displacements: np.ndarray  # (r, w) [m] displacement of each wall along its normal
    distances: np.ndarray  # (r,) [m] of the sensor's target


def measured_frames(
    compiled: CompiledScene, inputs: Inputs, times: np.ndarray, states: np.ndarray, work: Work
) -> MeasuredFrames:
    """Measured quantities of `states` (r, k), which are placed, at `times` (r,) [s]; `work`: scratch of this thread."""
    model = compiled.model
    table = observed(model, inputs, times, states, work)
    body_force = np.empty((len(times), *work.bodies.force.shape))
    point_force = np.empty((len(times), *work.points.force.T.shape))
    displacements = np.empty((len(times), len(model.walls.stiffness)))
    for row, (time, state) in enumerate(zip(times.tolist(), states, strict=True)):
        place(model, inputs, time, state, work)
        add_forces(model, inputs, time, state, work)
        body_force[row], point_force[row] = work.bodies.force, work.points.force.T
        wall_displacements(model.walls, inputs.sensor_track, time, displacements[row])
    distances = np.array([sensor_distance(inputs.sensor_track, time)[0] for time in times.tolist()])
    return MeasuredFrames(
        times, table, body_force[:, : len(compiled.scene.bodies)], point_force, displacements, distances
    )
