"""Trails: where a point of every moving body has been, fading into the past. All trails are one actor."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from app.viewport.base.palette import RGB, shape_color
from app.viewport.base.solid import Solid
from app.viewport.base.stage import Stage
from core.simulation.snapshot import Bodies, Snapshot

LENGTH = 360  # points of a trail
ALL = 8_000  # points of all trails together
COLORFUL = 0.4  # difference of a colour's components, above which it is no grey or wood
MOST = 12  # points that a frame may add to a trail
BEND = 1.5  # a tangent is not longer than this, in chords: a thing that turned far since is anywhere
CROSS = np.cross(np.eye(3)[:, None], np.eye(3)).transpose(2, 0, 1)  # of i, j, k: a product of few vectors in one sum
STEP = 0.012  # distance between the points, in radii of the stage


def _hermite(count: int) -> np.ndarray:
    """(count, 3) shares of way and both tangents at `count` points of Hermite's cubic, the last at its end."""
    s = np.linspace(0, 1, count + 1)[1:]
    return np.column_stack([s**2 * (3 - 2 * s), s * (1 - s) ** 2, -(s**2) * (1 - s)])


HERMITE = [_hermite(count) for count in range(MOST + 1)]


class TrailView:
    def __init__(self, renderer: vtkRenderer, color: RGB | None = None):
        """`color` is that of all trails, where they don't have those of their bodies."""
        self._renderer = renderer
        self._color = color
        self._mapper = vtkPolyDataMapper()
        self._mapper.SetColorModeToDirectScalars()
        self._mapper.StaticOn()  # nothing upstream: the pipeline need not be asked every frame
        self._actor = vtkActor()
        self._actor.SetMapper(self._mapper)
        self._actor.GetProperty().SetLineWidth(2.5)
        self._actor.GetProperty().LightingOff()
        self._actor.ForceTranslucentOn()
        self._actor.PickableOff()
        renderer.AddActor(self._actor)
        self._lines = pv.PolyData()
        self._trails = np.zeros((0, 0, 3), dtype=np.float32)  # (bodies, points, 3) laboratory, newest last
        self._body = np.zeros(0, dtype=int)
        self._place = np.zeros((0, 1, 3))  # (bodies, 1, 3) the point that is followed, body frame
        self._step = 1.0
        self._what: object = None  # is followed
        self._left = np.zeros((0, 3))  # (bodies, 3) [m] the last points that stay, when, and how fast they were
        self._velocity = np.zeros((0, 3))
        self._time = np.inf

    def rebuild(self, stage: Stage) -> None:
        moving = stage.moving
        self._body = np.array(moving, dtype=int)
        if not moving:
            self._what = None
            self._mapper.SetInputData(pv.PolyData())
            return
        length = int(np.clip(ALL // len(moving), 20, LENGTH))
        place, step = np.array([followed(stage.solids[i]) for i in moving]).reshape(-1, 1, 3), STEP * stage.radius
        bodies = [stage.scene.bodies[i] for i in moving]
        what = moving, place.tolist(), step, [(body.name, body.position, body.orientation) for body in bodies]
        before = self._trails if what == self._what else None  # an edit of something else leaves the trails
        self._what, self._place, self._step = what, place, step
        count = len(moving) * length
        cells = np.column_stack([np.full(len(moving), length), np.arange(count).reshape(len(moving), length)])
        self._lines = pv.PolyData(np.zeros((count, 3), dtype=np.float32), lines=cells.ravel())
        fade = np.linspace(0, 1, length) ** 1.5
        color = np.empty((len(moving), length, 4))
        for row, i in enumerate(moving):
            color[row, :, :3] = self._color or _bright(stage.solids[i], i)
            color[row, :, 3] = 0.95 * fade
        self._lines.point_data.set_scalars(np.round(255 * color).astype(np.uint8).reshape(-1, 4), "color")
        self._mapper.SetInputData(self._lines)
        self._trails = np.asarray(self._lines.points).reshape(len(moving), length, 3)
        if before is None:
            self._time = np.inf  # the first moment begins the trails
        else:
            self._trails[:] = before

    def update(self, now: Snapshot) -> None:
        self.follow(now)
        if len(self._body):
            self._lines.GetPoints().Modified()

    def follow(self, now: Snapshot) -> None:
        """Lead the trails on to where the bodies are; a clock that went back begins them anew."""
        if len(self._body) == 0:
            return
        bodies, time = now.bodies, now.time
        arm = (self._place @ bodies.basis[self._body])[:, 0]
        head = arm + bodies.position[self._body]
        if time < self._time:
            self._trails[:] = head[:, None]
            self._leave(head, self._velocities(bodies, arm), time)
        way = head - self._left
        count = int(np.sqrt(np.einsum("ni,ni->n", way, way).max()) / self._step)
        if count > 0 and time > self._time:
            count, velocity = min(count, MOST), self._velocities(bodies, arm)
            past = time - self._time
            curve = head[:, None]  # a single point of a curve is its end
            if count > 1:
                curve = between(self._left, head, past * self._velocity, past * velocity, count)
            self._trails[:, : -1 - count] = self._trails[:, count:-1]
            self._trails[:, -1 - count : -1] = curve
            self._leave(head, velocity, time)
        self._trails[:, -1] = head

    def _velocities(self, bodies: Bodies, arm: np.ndarray) -> np.ndarray:
        """(bodies, 3) [m/s] of the points that are followed."""
        spin = bodies.angular_velocity[self._body]
        return np.asarray(bodies.velocity[self._body] + np.einsum("ijk,nj,nk->ni", CROSS, spin, arm))

    def set_visible(self, on: bool) -> None:
        self._actor.SetVisibility(on)

    def remove(self) -> None:
        """Take everything away."""
        self._renderer.RemoveActor(self._actor)

    def _leave(self, head: np.ndarray, velocity: np.ndarray, time: float) -> None:
        """Remember the last points that stay."""
        self._left, self._velocity, self._time = head, velocity, time


def between(start: np.ndarray, end: np.ndarray, leaving: np.ndarray, coming: np.ndarray, count: int) -> np.ndarray:
    """(n, count, 3) points of cubics from start to end (n, 3), whose tangents there are leaving and coming (n, 3).

    Frames are few while things are fast: the cubic is round where a chord would have corners.
    """
    ways = np.stack([end - start, leaving, coming], axis=1)  # (n, 3, 3)
    chord, *lengths = np.sqrt(np.einsum("nwi,nwi->wn", ways, ways))
    for way, length in zip((1, 2), lengths, strict=True):
        ways[:, way] *= np.minimum(1, BEND * chord / (length + 1e-300))[:, None]
    return start[:, None] + HERMITE[count] @ ways


def followed(solid: Solid) -> np.ndarray:
    """(3,) [m] the magnet that is farthest from the support, or else the end of the body there."""
    far = max((np.array(dipole.position) for dipole in solid.body.dipole), key=np.linalg.norm, default=np.zeros(3))
    if np.linalg.norm(far) > 0.1 * solid.reach:
        return far
    distance = np.linalg.norm(solid.points, axis=1)
    # The middle of the farthest vertices is on the axis of a round body, and does not whirl about it.
    end = solid.points[distance > 0.98 * solid.reach].mean(axis=0)
    if distance.min() > 0.98 * solid.reach:  # a ball: its middle
        return np.zeros(3)
    return np.array(end if np.linalg.norm(end) > 0.8 * solid.reach else solid.points[distance.argmax()], dtype=float)


def _bright(solid: Solid, number: int) -> RGB:
    """Colour of a body's trail: that of its first colourful shape, or the palette's."""
    stated = [shape_color(shape.color, number) for shape in solid.body.shape if shape.color is not None]
    colors = [part.color for part in solid.parts if part.color is not None] + stated  # a ball is of two colours
    return next((color for color in colors if max(color) - min(color) > COLORFUL), shape_color(None, number))
