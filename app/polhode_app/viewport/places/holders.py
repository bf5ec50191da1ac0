"""Holders of the things of a scene in its place: arms from fixed points to posts or to a panel, posts under paths.

An arm leads straight backwards, behind everything, so that nothing that moves meets a post. Arms of equal height end at
a common beam. Geometry only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyvista as pv

from polhode.physics.joints.description import AxisJoint, CylindricalJoint, SliderJoint
from polhode.scene.formula_vector import at_the_start
from polhode.scene.scene import FormulaMotion
from polhode_app.viewport.base.bounds import hangs
from polhode_app.viewport.base.polydata import bar
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.paths.path_polylines import PathPolyline, tracks
from polhode_app.viewport.places.place import BEHIND, Place, backwards
from polhode_app.viewport.places.reach import fixed_anchor, joined_reach
from polhode_app.viewport.things.joints import visible_joints
from polhode_app.viewport.things.point_appearance import anchors

ROD, POST = 0.0065, 0.011  # radius of an arm and of a post, in radii of the stage
FOOT, FOOT_HIGH = 0.05, 0.014  # radius and height of the foot of a post, in the same
SIDES = 14
LEVEL = 0.02  # difference of the heights of arms that share a beam, in radii of the stage
LOW = 0.12  # height over a board below which nothing is held, in the same
CLOSE = 0.03  # distance from a fixed body that holds a point itself, in the same
FEW = 4  # fixed points of a soft body up to which each is held
MOST = 40  # fixed points of a scene up to which they are held at all
VERTICAL = 0.9  # vertical component of an axis from which on its body is held from below
SPACING = 0.6  # distance of the posts under a path, in radii of the stage
BESIDE = 0.03  # distance at which a path passes a post, in the same
ON_PANEL = 0.3  # distance of the pins that hold a path before a panel, in the same


@dataclass(frozen=True, eq=False)
class Anchor:
    """A fixed point that holds something."""

    position: np.ndarray  # (3,) [m]
    is_below: bool = False  # held from below, not from behind


def holders(stage: Stage, place: Place) -> list[pv.PolyData]:
    """The surfaces of all that holds things in a place."""
    held = [anchor for anchor in _anchors(stage) if not _is_on_body(stage, anchor.position)]
    found = held if len(held) <= MOST else []
    above = [anchor for anchor in found if place.name == "wall" or _is_high(stage, place, anchor.position)]
    behind = _distinct([anchor.position for anchor in above if not anchor.is_below])
    made = [_post(stage, anchor.position, place) for anchor in above if anchor.is_below and place.name != "wall"]
    if place.name == "wall":
        behind = _distinct([*behind, *(point for track in _paths(stage) for point in _pins(stage, track))])
        made += [[bar(at, at - place.height(at[None])[0] * place.axes[2], ROD * stage.radius, SIDES)] for at in behind]
        made += [_flange(stage, at - place.height(at[None])[0] * place.axes[2], place.axes[2]) for at in behind]
        return [piece for pieces in made for piece in pieces]
    made.append(_frame(stage, place, behind))
    made += [_post(stage, foot, place) for track in _paths(stage) for foot in _under(stage, track)]
    return [piece for pieces in made for piece in pieces]


def _anchors(stage: Stage) -> Iterator[Anchor]:
    """All fixed points that hold something that moves, and is seen."""
    scene, start = stage.scene, stage.start
    weight = any(at_the_start(scene.world.gravity))
    for i in stage.moving:
        solid, position = stage.solids[i], stage.bodies.position[i]
        if solid.body.support not in ("pivot", "axle") or isinstance(solid.body.motion, FormulaMotion):
            continue
        if solid.body.support == "axle":
            axis = np.array(solid.body.axis) / np.linalg.norm(solid.body.axis)
            yield Anchor(position, bool(abs(axis[2]) > VERTICAL))
        elif weight and hangs(scene, solid, stage.bodies.basis[i]):  # others have a post of their own
            yield Anchor(position)
    rows = {body.name: number for number, body in enumerate(scene.bodies)}
    for joint in visible_joints(scene):
        if joint.second is None and not isinstance(joint, SliderJoint | CylindricalJoint):  # these leave their anchor
            axis = np.array(joint.axis) / np.linalg.norm(joint.axis) if isinstance(joint, AxisJoint) else np.zeros(3)
            if (at := fixed_anchor(scene, joint, rows)) is not None:
                yield Anchor(at, bool(abs(axis[2]) > VERTICAL))
    yield from (Anchor(position) for position in anchors(stage))
    for spring in scene.spring:
        yield from (Anchor(np.array(at)) for name, at in spring.course if not name)
    for part in scene.soft:
        if 0 < len(part.fixed) <= FEW:
            points = start.points.position[stage.where[part.name]]
            yield from (Anchor(points[k]) for k in part.fixed if k < len(points))
    yield from (Anchor(np.array(part.position)) for part in scene.particle if part.fixed)


def _is_on_body(stage: Stage, point: np.ndarray) -> bool:
    """Whether a point (3,) [m] is in, at or little above a shape of a fixed body, which holds it."""
    near = CLOSE * stage.radius
    for i, solid in enumerate(stage.solids):
        if solid.body.support != "fixed" or i in stage.unseen:
            continue
        inside = stage.bodies.basis[i] @ (point - stage.bodies.position[i])
        for part in solid.parts:
            low, high = part.box
            lift = LOW * stage.radius * np.clip(stage.bodies.basis[i] @ [0, 0, 1.0], 0, 1)  # also what is low over it
            if ((inside > low - near) & (inside < high + near + lift)).all():
                return True
    return False


def _is_high(stage: Stage, place: Place, point: np.ndarray) -> bool:
    """Whether a point (3,) [m] is well above a board."""
    return bool(place.height(point[None])[0] > LOW * stage.radius)


def _distinct(points: list[np.ndarray]) -> list[np.ndarray]:
    """The points without repetitions."""
    return [np.array(point) for point in dict.fromkeys(tuple(np.round(each, 9).tolist()) for each in points)]


def _frame(stage: Stage, place: Place, points: list[np.ndarray]) -> list[pv.PolyData]:
    """Arms from points (3,) [m] backwards, and the posts and beams that they end at."""
    if not points:
        return []
    back, radius = backwards(stage), ROD * stage.radius
    deep = float((np.vstack([stage.extent, joined_reach(stage)]) @ back).max()) + BEHIND * stage.radius
    ends = [at + (deep - at @ back) * back for at in points]
    made = [bar(at, end, radius, SIDES) for at, end in zip(points, ends, strict=True)]
    left = sorted(ends, key=lambda end: -end[2])
    while left:
        row = [end for end in left if left[0][2] - end[2] < LEVEL * stage.radius]
        left = [end for end in left if left[0][2] - end[2] >= LEVEL * stage.radius]
        row.sort(key=lambda end: float(end @ np.cross(back, [0, 0, 1])))
        first, last = row[0], row[-1]
        if np.linalg.norm(last - first) > POST * stage.radius:
            made += [bar(first, last, radius, SIDES), *_post(stage, last, place)]
        made += _post(stage, first, place)
    return made


def _post(stage: Stage, top: np.ndarray, place: Place) -> list[pv.PolyData]:
    """A post on a round foot, from a board up to `top` (3,) [m]."""
    ground = float(place.origin[2])
    if top[2] - ground < FOOT_HIGH * stage.radius:
        return []
    foot, up = np.array([top[0], top[1], ground]), np.array([0, 0, 1.0])
    return [bar(foot, top, POST * stage.radius, SIDES), *_flange(stage, foot, up)]


def _flange(stage: Stage, at: np.ndarray, normal: np.ndarray) -> list[pv.PolyData]:
    """The foot of a post or a pin at a point (3,) [m] of a board or a panel with a normal (3,)."""
    return [bar(at, at + FOOT_HIGH * stage.radius * normal, FOOT * stage.radius / 2, 2 * SIDES)]


def _paths(stage: Stage) -> list[PathPolyline]:
    """The polylines of all visible paths at rest."""
    found = {id(track): track for name, track in tracks(stage.scene).items() if name not in stage.scene.view.hide}
    return [track for track in found.values() if track.motion.kind == "still"]


def _pins(stage: Stage, track: PathPolyline) -> list[np.ndarray]:
    """Points (3,) [m] at which a path is fixed to a panel: its ends, and further ones between them."""
    line = track.rails[0]
    length = float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())
    count = max(round(length / (2 * ON_PANEL * stage.radius)), 1)
    at = np.linspace(0, len(line) - 1, count + 1).round().astype(int)
    return [line[k] for k in (at[:-1] if track.closed else at)]


def _under(stage: Stage, track: PathPolyline) -> list[np.ndarray]:
    """Points (3,) [m] of a path below which a post meets nothing else of it, at about equal distances."""
    line = track.line
    if np.ptp(line[:, 2]) < LEVEL * stage.radius and len(track.ties) == 0 and track.closed:
        return [line[k] for k in (np.linspace(0, 1, 5)[:-1] * (len(line) - 1)).astype(int)]
    lengths = np.concatenate([[0.0], np.linalg.norm(np.diff(line, axis=0), axis=1).cumsum()])
    count = max(round(lengths[-1] / (SPACING * stage.radius)), 1)
    wanted = np.interp(np.linspace(0, 1, count + 1) * lengths[-1], lengths, np.arange(len(line))).round().astype(int)
    wanted = np.unique(np.append(wanted, line[:, 2].argmin()))
    found: list[np.ndarray] = []
    for k in wanted:
        aside = np.linalg.norm(line[:, :2] - line[k, :2], axis=1)
        is_free = not ((aside < BESIDE * stage.radius) & (line[:, 2] < line[k, 2] - BESIDE * stage.radius)).any()
        if is_free and all(np.linalg.norm(line[k, :2] - at[:2]) > BESIDE * stage.radius for at in found):
            found.append(line[k])
    return found
