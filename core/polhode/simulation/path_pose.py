"""Where a path is at the time of a snapshot; no compiler."""

from __future__ import annotations

from polhode.physics.paths.path_geometry import PathPose, path_pose
from polhode.physics.paths.path_motions import CarriedPath, PathMotion
from polhode.scene.scene import Scene
from polhode.simulation.snapshot import Snapshot


def pose_of_path(scene: Scene, motion: PathMotion, now: Snapshot) -> PathPose:
    """The pose of a path with this motion in the snapshot `now` of a scene; at rest on an unknown body."""
    if isinstance(motion, CarriedPath):
        number = carrier_number(scene, motion)
        if number < len(now.bodies.position):
            return PathPose(now.bodies.basis[number].T, now.bodies.position[number])
    return path_pose(motion, now.time, now.distance)


def carrier_number(scene: Scene, motion: CarriedPath) -> int:
    """Index of the body that a path moves with; the number of bodies for an unknown name."""
    names = [body.name for body in scene.body]
    return names.index(motion.body) if motion.body in names else len(scene.bodies)
