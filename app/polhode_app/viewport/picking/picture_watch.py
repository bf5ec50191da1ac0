"""Notices when what moves has left the picture. No Qt: a window asks a few times per second."""

from __future__ import annotations

from math import inf

import numpy as np

from polhode.scene.fields import FieldPath
from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.picking.bounding_boxes import numbers_of
from polhode_app.viewport.things.point_appearance import cloud

OUTSIDE = 1.0  # [s] wall time outside of the picture after which an item has left it
INSIDE = 10.0  # [s] wall time in the picture after which another departure is reported
MOVING = 1e-3  # speed in radii of the stage per second of wall time above which an item moves
RECENTLY = 3.0  # [s] wall time for which an item counts as moving after it has come to rest
SPECK = 2e-3  # extent in heights of the picture below which nothing is seen of an item
SIGNS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


def unseen(corners: np.ndarray, clip: np.ndarray) -> np.ndarray:
    """(n,) bool: which boxes with corners (n, 8, 3) [m] are outside of a picture, or too small to be seen.

    clip: (4, 4) as by `camera.clip_matrix`.
    """
    x, y, _, w = np.moveaxis(corners @ clip[:, :3].T + clip[:, 3], -1, 0)  # each (n, 8)
    outside = np.any([(side > w).all(axis=1) for side in (x, -x, y, -y)], axis=0)
    ahead = (w > 0).all(axis=1)
    scale = np.where(ahead[:, None], w, 1.0)
    extent = np.maximum(np.ptp(x / scale, axis=1), np.ptp(y / scale, axis=1)) / 2
    return np.asarray(outside | (ahead & (extent < SPECK)))


def reach(corners: np.ndarray, clip: np.ndarray) -> np.ndarray:
    """(n,) how far boxes with corners (n, 8, 3) [m] reach from the middle of a picture, 1 at its edges; inf behind."""
    x, y, _, w = np.moveaxis(corners @ clip[:, :3].T + clip[:, 3], -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        sides = np.where(w > 0, np.maximum(np.abs(x), np.abs(y)) / w, inf)
    return np.asarray(sides.max(axis=1))


class MovableItems:
    """Bounding boxes of the visible bodies, soft bodies and particles of a stage that can move."""

    def __init__(self, stage: Stage):
        """Take the boxes of bodies in their frames, and the radii of points."""
        self.stage = stage
        self.bodies = np.array(stage.moving, dtype=int)
        solids = [stage.solids[i] for i in stage.moving]
        self._middle = np.array([solid.middle for solid in solids]).reshape(-1, 3)
        half = np.array([solid.box[1] - solid.box[0] for solid in solids]).reshape(-1, 3) / 2
        self._arms = self._middle[:, None] + half[:, None] * SIGNS
        looks = cloud(stage)
        shown = {name: at for name, at in stage.where.items() if at.stop > at.start and not looks.hidden[at].all()}
        self.names = [stage.scene.bodies[i].name for i in stage.moving] + list(shown)
        self._points = np.concatenate([np.arange(0), *(np.arange(at.start, at.stop) for at in shown.values())])
        self._starts = np.cumsum([0, *(at.stop - at.start for at in shown.values())])[:-1]
        self._radius = looks.radius[self._points, None]

    def corners(self, now: Snapshot) -> np.ndarray:
        """(n, 8, 3) [m] corners of the boxes, of the bodies first."""
        at = now.bodies.position[self.bodies][:, None]
        of_bodies = at + self._arms @ now.bodies.basis[self.bodies]
        if not len(self._starts):
            return np.asarray(of_bodies)
        points = now.points.position[self._points]
        low = np.minimum.reduceat(points - self._radius, self._starts)
        high = np.maximum.reduceat(points + self._radius, self._starts)
        of_points = (low + high)[:, None] / 2 + (high - low)[:, None] / 2 * SIGNS
        return np.concatenate([of_bodies, of_points])

    def rows(self, path: FieldPath | None) -> list[int]:
        """Rows of `corners` of the item at a path; empty if it cannot move, or has no position."""
        if path is None or len(path) < 2 or path[0] not in ("body", "sphere", "bead", "soft", "particle"):
            return []
        scene = self.stage.scene
        if path[0] in ("soft", "particle"):
            wanted = {getattr(scene, str(path[0]))[int(path[1])].name}
        else:
            wanted = {scene.bodies[i].name for i in numbers_of(scene, path)}
        return [row for row, name in enumerate(self.names) if name in wanted]


class Presence:
    """Whether something that was in the picture has left it, reported once."""

    def __init__(self) -> None:
        self._was_in = self._is_told = False
        self._in_since = self._out_since = inf  # [s] wall time; inf: it is not
        self.is_out = False  # for OUTSIDE, after it was in the picture

    def look(self, is_in: bool, wall: float) -> bool:
        """Note whether it is in the picture at a wall time [s]; True if its departure is to be reported now."""
        if is_in:
            self._in_since, self._out_since = min(self._in_since, wall), inf
            self._is_told = self._is_told and wall - self._in_since < INSIDE
            self._was_in, self.is_out = True, False
            return False
        self._in_since, self._out_since = inf, min(self._out_since, wall)
        self.is_out = self._was_in and wall - self._out_since >= OUTSIDE
        is_due, self._is_told = self.is_out and not self._is_told, self._is_told or self.is_out
        return is_due


class PictureWatch:
    """Watches the frames of a run for departures: of all that moves, and of the selected item.

    Only what has been in the picture can leave it: after `restart`, such as when the user has moved the camera, what is
    outside may be meant to be.
    """

    def __init__(self) -> None:
        self._items: MovableItems | None = None
        self._corners = np.zeros((0, 8, 3))  # [m] in the last frame
        self._moved = np.zeros(0)  # [s] wall time at which each item moved last
        self._wall = -inf  # [s] wall time of the last frame
        self._selection: FieldPath | None = None
        self.restart()

    def restart(self) -> None:
        """Forget what was in the picture."""
        self._all, self._selected = Presence(), Presence()

    @property
    def is_out(self) -> bool:
        """Whether something that was in the picture is outside of it now."""
        return self._all.is_out or self._selected.is_out

    def moving_corners(self) -> np.ndarray:
        """(n, 3) [m] corners of the boxes of what moved in the last frame."""
        return np.asarray(self._corners[self._is_moving].reshape(-1, 3))

    @property
    def _is_moving(self) -> np.ndarray:
        """(n,) bool: which items move, or have moved RECENTLY."""
        return np.asarray(self._wall - self._moved < RECENTLY)

    def look(
        self, stage: Stage, now: Snapshot, clip: np.ndarray, selection: FieldPath | None, wall: float
    ) -> tuple[str, ...]:
        """Names of what has left the picture and is to be reported, in a frame at a wall time [s].

        clip: (4, 4) of the picture, as by `camera.clip_matrix`.
        """
        if self._items is None or self._items.stage is not stage:
            self._items, self._corners = MovableItems(stage), np.zeros((0, 8, 3))
            self._moved = np.full(len(self._items.names), -inf)
            self.restart()
        if selection != self._selection:
            self._selection, self._selected = selection, Presence()
        corners = self._items.corners(now)
        if len(self._corners) == len(corners) and wall > self._wall:
            distance = np.abs(corners - self._corners).max(axis=(1, 2), initial=0.0)
            self._moved[distance > MOVING * stage.radius * (wall - self._wall)] = wall
        self._corners, self._wall = corners, wall
        hidden, moving = unseen(corners, clip), self._is_moving
        rows = self._items.rows(selection)
        selected_left = bool(rows) and self._selected.look(not hidden[rows].all(), wall)
        all_left = bool(moving.any()) and self._all.look(not hidden[moving].all(), wall)
        left = np.flatnonzero(moving) if all_left else rows[:1] if selected_left else []
        return tuple(self._items.names[row] for row in left)
