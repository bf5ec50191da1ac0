"""Where bodies on joints may get: circles and spheres about the fixed points that they hang from. Geometry only."""

from __future__ import annotations

import numpy as np

from polhode.physics.joints.description import AxisJoint, Joint
from polhode.physics.joints.ends import FIRST, ends_of
from polhode.scene.scene import Scene
from polhode_app.viewport.base.bounds import LEVEL
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.paths.path_polylines import tracks
from polhode_app.viewport.things.joints import visible_joints

AROUND = np.linspace(0, 2 * np.pi, 24, endpoint=False)


def fixed_anchor(scene: Scene, joint: Joint, rows: dict[str, int]) -> np.ndarray | None:
    """(3,) [m] the point of the laboratory that a joint is fixed to; None between two bodies."""
    if joint.second is not None:
        return None
    ends = ends_of(scene, joint, rows)
    return np.asarray(ends.anchors[1] if joint.anchor is None else ends.positions[FIRST])


def chains(stage: Stage) -> dict[int, tuple[np.ndarray, float]]:
    """For each body on joints that lead to the laboratory: the fixed point (3,) [m], and its farthest distance [m]."""
    scene = stage.scene
    rows = {body.name: number for number, body in enumerate(scene.bodies)}
    joints = visible_joints(scene)
    found: dict[int, tuple[np.ndarray, float]] = {}
    start = [
        (rows[joint.first], at, at, 0.0) for joint in joints if (at := fixed_anchor(scene, joint, rows)) is not None
    ]
    fixed = {i for i, solid in enumerate(stage.solids) if solid.body.support == "fixed"}
    left = list(start)
    while left:
        number, here, root, before = left.pop(0)
        points = stage.solids[number].points @ stage.bodies.basis[number] + stage.bodies.position[number]
        reach = before + float(np.linalg.norm(points - here, axis=1).max())
        if number in found or number in fixed:
            continue
        found[number] = root, reach
        for joint in joints:
            if joint.second is None:
                continue
            pair = rows[joint.first], rows[joint.second]
            if number in pair:
                at = ends_of(scene, joint, rows).positions[FIRST]
                other = pair[0] if pair[1] == number else pair[1]
                left.append((other, at, root, before + float(np.linalg.norm(at - here))))
    return found


def joined_reach(stage: Stage) -> np.ndarray:
    """(n, 3) [m] corners of boxes around what bodies on joints may reach: discs, if all joints have the same axis."""
    axis = _common_axis(stage)
    across = np.ones(3) if axis is None else np.sqrt(np.clip(1 - axis**2, 0, 1))
    ends = [(root - reach * across, root + reach * across) for root, reach in chains(stage).values()]
    return np.array(ends).reshape(-1, 3)


def _common_axis(stage: Stage) -> np.ndarray | None:
    """(3,) the axis that all joints of a scene share; None where there is no such axis."""
    joints = visible_joints(stage.scene)
    axes = [np.array(each.axis) / np.linalg.norm(each.axis) for each in joints if isinstance(each, AxisJoint)]
    if not axes or len(axes) < len(joints):
        return None
    return axes[0] if all(abs(axes[0] @ axis) > LEVEL for axis in axes) else None


def flat_reach(stage: Stage, back: np.ndarray) -> np.ndarray | None:
    """(n, 3) [m] points that span a scene in which everything moves in planes across `back` (3,); None for others."""
    scene = stage.scene
    if scene.soft or scene.particle or scene.spring or scene.wall:
        return None
    axis, beads, made = _common_axis(stage), tracks(scene), [joined_reach(stage)]
    chained = chains(stage) if axis is not None and abs(axis @ back) > LEVEL else {}
    for i, solid in enumerate(stage.solids):
        if i in stage.unseen:
            continue
        points = solid.points @ stage.bodies.basis[i] + stage.bodies.position[i]
        body = solid.body
        if body.name in beads:
            continue
        if body.support == "axle" and abs(np.array(body.axis) @ back) > LEVEL * np.linalg.norm(body.axis):
            made += [points, _swung(points, stage.bodies.position[i], back)]
        elif body.support == "fixed" or i in chained:
            made.append(points)
        else:
            return None
    radius = {bead.name: bead.radius for bead in scene.bead}
    for name, track in beads.items():
        if track.motion.kind not in ("still", "sensor", "formula"):
            return None
        made += [track.line - radius[name], track.line + radius[name]]
    found = np.vstack(made)
    return found if len(found) else None


def _swung(points: np.ndarray, pivot: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """(n, 3) [m] circle about a pivot (3,) [m], across an axis (3,), that points (m, 3) [m] are within."""
    arms = points - pivot
    reach = float(np.linalg.norm(arms - np.outer(arms @ axis, axis), axis=1).max())
    across = np.cross(axis, [0, 0, 1.0])
    up = np.cross(across, axis)
    return np.asarray(pivot + reach * (np.outer(np.cos(AROUND), across) + np.outer(np.sin(AROUND), up)))
