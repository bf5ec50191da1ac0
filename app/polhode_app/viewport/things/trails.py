"""Trails: the path of a point of each moving body, fading with age. All trails are one actor."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from polhode.simulation.snapshot import BodyStates, Snapshot
from polhode_app.viewport.base.palette import RGB, RGBA, shape_color
from polhode_app.viewport.base.solid import Solid
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.geometry.trail_bands import Prediction, TrailBands
from polhode_app.viewport.record import Arrays, ViewBase, nested, part

LENGTH = 360  # points of a trail
ALL = 8_000  # points of all trails together
COLORFUL = 0.4  # difference of colour components above which a colour counts as saturated
MOST = 12  # points added to a trail per frame at most
BEND = 1.5  # limit of a tangent, in lengths of the chord: after a large rotation it carries no information
CROSS = np.cross(np.eye(3)[:, None], np.eye(3)).transpose(2, 0, 1)  # (3, 3, 3) Levi-Civita symbol
STEP = 0.012  # distance between points, in radii of the stage


def _hermite(count: int) -> np.ndarray:
    """(count, 3) weights of the chord and both tangents at points of a Hermite cubic, the last one at its end."""
    s = np.linspace(0, 1, count + 1)[1:]
    return np.column_stack([s**2 * (3 - 2 * s), s * (1 - s) ** 2, -(s**2) * (1 - s)])


HERMITE = [_hermite(count) for count in range(MOST + 1)]


class TrailView(ViewBase):
    """Trails of all moving bodies."""

    def __init__(self, renderer: vtkRenderer, color: RGBA | None = None):
        """`color` is that of all trails; None for the colours of the bodies."""
        self._renderer = renderer
        self._color = color
        self._mapper = vtkPolyDataMapper()
        self._mapper.SetColorModeToDirectScalars()
        self._mapper.StaticOn()  # no upstream pipeline to be checked every frame
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
        self._point = np.zeros((0, 1, 3))  # (bodies, 1, 3) [m] the traced point, body frame
        self._step = 1.0  # [m]
        self._what: object = None  # identifies what is traced, to keep trails across unrelated edits
        self._left = np.zeros((0, 3))  # (bodies, 3) [m] last permanent points, laboratory frame
        self._velocity = np.zeros((0, 3))  # (bodies, 3) [m/s] velocity there
        self._time = np.inf  # [s] time there
        self._times = np.zeros(LENGTH)  # (points,) [s] times of the points
        self._bands = TrailBands(renderer)

    def rebuild(self, stage: Stage) -> None:
        """Build the trails; those of unchanged bodies are kept."""
        moving = stage.moving
        self._body = np.array(moving, dtype=int)
        if not moving:
            self._what = None
            self._bands.show(None)
            self._mapper.SetInputData(pv.PolyData())
            return
        length = int(np.clip(ALL // len(moving), 20, LENGTH))
        point, step = np.array([followed(stage.solids[i]) for i in moving]).reshape(-1, 1, 3), STEP * stage.radius
        bodies = [stage.scene.bodies[i] for i in moving]
        what = moving, point.tolist(), step, [(body.name, body.position, body.orientation) for body in bodies]
        before = self._trails if what == self._what else None  # edits of other items keep the trails
        self._what, self._point, self._step = what, point, step
        count = len(moving) * length
        cells = np.column_stack([np.full(len(moving), length), np.arange(count).reshape(len(moving), length)])
        self._lines = pv.PolyData(np.zeros((count, 3), dtype=np.float32), lines=cells.ravel())
        fade = np.linspace(0, 1, length) ** 1.5
        color = np.empty((len(moving), length, 4))
        for row, i in enumerate(moving):
            color[row] = self._color or (*bright(stage.solids[i], i), 1.0)
            color[row, :, 3] *= 0.95 * fade
        self._lines.point_data.set_scalars(np.round(255 * color).astype(np.uint8).reshape(-1, 4), "color")
        self._mapper.SetInputData(self._lines)
        self._trails = np.asarray(self._lines.points).reshape(len(moving), length, 3)
        self._bands.rebuild(color, step, stage.radius, before is not None)
        if before is None:
            self._time, self._times = np.inf, np.zeros(length)  # the first snapshot starts the trails
        else:
            self._trails[:] = before

    def update(self, now: Snapshot) -> None:
        """Extend the trails to a snapshot and draw them."""
        self.follow(now)
        if len(self._body):
            self._lines.GetPoints().Modified()
            self._bands.draw(self._times, self._trails)

    def show_bands(self, prediction: Prediction | None) -> None:
        """Draw bands of uncertainty about the trails from the next update on; None for none."""
        self._bands.show(prediction)

    def follow(self, now: Snapshot) -> None:
        """Extend the trails to a snapshot; if the time has decreased they restart."""
        if len(self._body) == 0:
            return
        bodies, time = now.bodies, now.time
        arm = (self._point @ bodies.basis[self._body])[:, 0]
        head = arm + bodies.position[self._body]
        if time < self._time:
            self._trails[:], self._times[:] = head[:, None], time
            self._leave(head, self._velocities(bodies, arm), time)
        displacement = head - self._left
        count = int(np.sqrt(np.einsum("ni,ni->n", displacement, displacement).max()) / self._step)
        if count > 0 and time > self._time:
            count, velocity = min(count, MOST), self._velocities(bodies, arm)
            past = time - self._time
            curve = head[:, None]  # a single point is the end of the curve
            if count > 1:
                curve = between(self._left, head, past * self._velocity, past * velocity, count)
            self._trails[:, : -1 - count] = self._trails[:, count:-1]
            self._trails[:, -1 - count : -1] = curve
            self._times[: -1 - count] = self._times[count:-1]
            self._times[-1 - count : -1] = self._time + past * np.linspace(0, 1, count + 1)[1:]
            self._leave(head, velocity, time)
        self._trails[:, -1], self._times[-1] = head, time

    def _velocities(self, bodies: BodyStates, arm: np.ndarray) -> np.ndarray:
        """(bodies, 3) [m/s] velocities of the traced points, laboratory frame.

        `arm` (bodies, 3) [m] are the vectors from the origins of the bodies to these points.
        """
        spin = bodies.angular_velocity[self._body]
        return np.asarray(bodies.velocity[self._body] + np.einsum("ijk,nj,nk->ni", CROSS, spin, arm))

    def memory(self) -> Arrays:
        """Points of the trails, and the last permanent ones."""
        traced = {"points": self._trails, "times": self._times, "time": np.array(self._time)}
        bands = nested({"bands": self._bands.memory()})
        return {**traced, "left": self._left, "velocity": self._velocity, **bands}

    def recall(self, memory: Arrays) -> None:
        """Take over trails."""
        self._trails[:], self._times[:] = memory["points"], memory["times"]
        self._bands.recall(part(memory, "bands"))
        self._leave(memory["left"], memory["velocity"], float(memory["time"]))

    def set_visible(self, on: bool) -> None:
        """Show or hide the trails."""
        self._actor.SetVisibility(on)
        self._bands.set_visible(on)

    def remove(self) -> None:
        """Remove the actor."""
        self._renderer.RemoveActor(self._actor)
        self._bands.remove()

    def _leave(self, head: np.ndarray, velocity: np.ndarray, time: float) -> None:
        """Store the last permanent points (bodies, 3), their velocities and time."""
        self._left, self._velocity, self._time = head, velocity, time


def between(start: np.ndarray, end: np.ndarray, leaving: np.ndarray, coming: np.ndarray, count: int) -> np.ndarray:
    """(n, count, 3) points of Hermite cubics from `start` to `end` (n, 3), with tangents `leaving` and `coming` (n, 3).

    Cubics stay smooth where chords between few frames of a fast motion would show corners.
    """
    tangents = np.stack([end - start, leaving, coming], axis=1)  # (n, 3, 3)
    chord, *lengths = np.sqrt(np.einsum("nwi,nwi->wn", tangents, tangents))
    for tangent, length in zip((1, 2), lengths, strict=True):
        tangents[:, tangent] *= np.minimum(1, BEND * chord / (length + 1e-300))[:, None]
    return start[:, None] + HERMITE[count] @ tangents


def followed(solid: Solid) -> np.ndarray:
    """(3,) [m] the traced point of a body, body frame.

    It is the magnet farthest from the support, if there is one, or the far end of the body.
    """
    far = max((np.array(dipole.position) for dipole in solid.body.dipole), key=np.linalg.norm, default=np.zeros(3))
    if np.linalg.norm(far) > 0.1 * solid.reach:
        return far
    distance = np.linalg.norm(solid.points, axis=1)
    # The mean of the farthest vertices is on the axis of a body of revolution, and does not rotate about it.
    end = solid.points[distance > 0.98 * solid.reach].mean(axis=0)
    if distance.min() > 0.98 * solid.reach:  # a ball: its centre
        return np.zeros(3)
    return np.array(end if np.linalg.norm(end) > 0.8 * solid.reach else solid.points[distance.argmax()], dtype=float)


def bright(solid: Solid, number: int) -> RGB:
    """Colour of a trail: that of the first shape with a saturated colour, or the palette's."""
    stated = [shape_color(shape.color, number) for shape in solid.body.shape if shape.color is not None]
    colors = [part.color for part in solid.parts if part.color is not None] + stated  # balls have two colours
    return next((color for color in colors if max(color) - min(color) > COLORFUL), shape_color(None, number))
