"""The distance sensor as the engine knows it: what follows it belongs to other subjects."""

from __future__ import annotations

from core.engine.part import Part
from core.physics.sensor.sensor_motion import track_at_start

PART = Part(
    "sensor",
    inputs=lambda scene, model: {"hand": track_at_start(scene.sensor)},
    is_in=lambda model, inputs: False,
    meets_bodies=False,
)
