"""Engine record of the distance sensor. The walls, bodies and paths that follow it belong to their own subjects."""

from __future__ import annotations

from polhode.engine.part import Part
from polhode.physics.sensor.sensor_motion import track_at_start

PART = Part(
    "sensor",
    inputs=lambda scene, model: {"sensor_track": track_at_start(scene.sensor)},
    is_in=lambda model, inputs: False,
    meets_bodies=False,
)
