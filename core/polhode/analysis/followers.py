"""Query whether a scene depends on the distance sensor."""

from __future__ import annotations

from polhode.physics.sensor.description import WallFollows
from polhode.scene.scene import Scene


def has_followers(scene: Scene) -> bool:
    """Whether walls, driven bodies, bead paths or parameters follow the sensor distance."""
    of_walls, of_bodies = (wall.motion for wall in scene.wall), (body.motion for body in scene.body)
    motions = *of_walls, *of_bodies, *(bead.path_motion for bead in scene.bead)
    return bool(scene.sensor.drive) or any(isinstance(motion, WallFollows) for motion in motions)
