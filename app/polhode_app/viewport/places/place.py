"""The place of a scene: a bench, a felt table with a rim, or a panel on a wall. Which one, and where; geometry only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from polhode.physics.bodies.shapes import unit
from polhode.scene.display.view import PlaceName
from polhode.scene.formula_vector import at_the_start
from polhode.scene.scene import Scene
from polhode_app.viewport.base.bounds import LEVEL, floors
from polhode_app.viewport.base.camera import FROM
from polhode_app.viewport.base.lighting import KEY
from polhode_app.viewport.base.polydata import box
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.places.reach import flat_reach, joined_reach

MARGIN = 0.14  # of a board or a panel around the extent, in radii of the stage
NARROW = 0.07  # the same of a felt table, whose cushions are the walls of the scene
BEHIND = 0.10  # distance of a panel, and of the posts of a bench, from the extent, in the same
THICK = 0.05  # thickness of a board, in the same
FLAT = 0.42  # extent of a scene for a panel across it, in the smaller of the other two, at most
LIT = 0.2  # least cosine of the angle between the normal of a panel and the key light
UPRIGHT = 0.1  # vertical component of the normal of an upright wall, at most
UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class Place:
    """A rectangle with the supports on it."""

    name: PlaceName  # never "auto" or "none"
    origin: np.ndarray  # (3,) [m] a point of the plane
    axes: np.ndarray  # (3, 3) unit vectors: two along the plane, and its normal towards the scene
    low: np.ndarray  # (2,) [m] least coordinates along the axes
    high: np.ndarray  # (2,) [m] largest ones

    @cached_property
    def corners(self) -> np.ndarray:
        """(4, 3) [m] corners, counterclockwise as seen from the scene."""
        (left, lower), (right, upper) = self.low, self.high
        return self.at(np.array([(left, lower), (right, lower), (right, upper), (left, upper)]))

    def at(self, flat: np.ndarray) -> np.ndarray:
        """(n, 3) [m] points with coordinates (n, 2) [m] along the plane."""
        return np.asarray(self.origin + flat @ self.axes[:2])

    def height(self, points: np.ndarray) -> np.ndarray:
        """(n,) [m] of points (n, 3) [m] above the plane."""
        return np.asarray((points - self.origin) @ self.axes[2])


def place_of(stage: Stage) -> Place | None:
    """The place of a scene: the stated one, or one that suits it; None where it has none."""
    name = stage.scene.view.place
    if name == "auto":
        name = _suitable(stage)
    if name == "none":
        return None
    return _panel(stage) if name == "wall" else _board(stage, name)


def backwards(stage: Stage) -> np.ndarray:
    """(3,) unit vector away from the camera, horizontal and along an axis of the laboratory."""
    camera = stage.scene.view.camera
    ahead = -FROM if camera is None else np.array(camera.target) - camera.position
    axis = int(np.abs(ahead[:2]).argmax())
    back = np.zeros(3)
    back[axis] = np.sign(ahead[axis])
    return back


def _suitable(stage: Stage) -> PlaceName:
    """Name of a place that suits a scene; "none" where it has a floor, or where things float or fly."""
    scene = stage.scene
    if _is_boxed(scene):
        return "felt"
    if floors(scene) or scene.surface or scene.wall:
        return "none"
    if not _is_held(stage):
        return "none"
    return "wall" if _is_flat(stage) else "bench"


def _is_boxed(scene: Scene) -> bool:
    """Whether a scene has balls without weight between upright walls: a table seen from above."""
    upright = [abs(unit(wall.normal)[2]) < UPRIGHT for wall in scene.wall]
    return bool(upright and all(upright) and scene.sphere and not any(at_the_start(scene.world.gravity)))


def _is_held(stage: Stage) -> bool:
    """Whether whatever moves hangs, is on an axle or a path, or is tied to something: nothing flies away."""
    scene = stage.scene
    tied = {name for joint in scene.joint for name in (getattr(joint, "first", ""), getattr(joint, "second", ""))}
    ends = [end for spring in scene.spring for end in (spring.from_, spring.to)]
    tied |= {str(getattr(end, "body", end)).split(".")[0] for end in ends if not isinstance(end, tuple)}
    loose = [stage.solids[i].body for i in stage.moving if stage.solids[i].body.support == "free"]
    parts = [part for part in (*scene.soft, *scene.particle) if not part.fixed]
    beads = {bead.name for bead in scene.bead}
    return bool(stage.moving or scene.soft or scene.particle) and all(
        part.name in tied or part.name in beads for part in (*loose, *parts)
    )


def _is_flat(stage: Stage) -> bool:
    """Whether everything moves in upright planes that face the camera, and the key light reaches a panel there."""
    back = backwards(stage)
    points = flat_reach(stage, back)
    if points is None or -back @ KEY <= LIT:
        return False
    low, high = box(points)
    size = high - low
    return bool(np.abs(back) @ size < FLAT * size[np.abs(back) < LEVEL].min())


def _board(stage: Stage, name: PlaceName) -> Place:
    """A horizontal board at the height of the ground, below everything."""
    low, high = box(np.vstack([stage.extent, joined_reach(stage)])[:, :2])
    margin = (NARROW if name == "felt" else MARGIN) * stage.radius
    return Place(name, np.array([0.0, 0.0, stage.ground]), np.eye(3), low - margin, high + margin)


def _panel(stage: Stage) -> Place:
    """An upright panel behind everything."""
    back = backwards(stage)
    right = np.cross(back, UP)
    points = flat_reach(stage, back)
    if points is None:
        points = stage.extent.clip(min=[-np.inf, -np.inf, stage.ground])
    deepest = float((points @ back).max()) + BEHIND * stage.radius
    low, high = box(np.column_stack([points @ right, points @ UP]))
    margin = MARGIN * stage.radius
    return Place("wall", deepest * back, np.array([right, UP, -back]), low - margin, high + margin)
