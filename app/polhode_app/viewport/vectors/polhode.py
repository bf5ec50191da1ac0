"""Poinsot's construction: inertia ellipsoid, polhode, angular velocity and angular momentum.

The ellipsoid x.I.x = c rotates with the body. The angular velocity, scaled such that it ends on the ellipsoid, traces
the polhode; the tangent plane at that point is perpendicular to the angular momentum. I is the tensor of the equations
of motion: about the centre of mass of a free body, about the pivot of a suspended one. The end of the angular momentum
traces a second path in the frame of the body, on a sphere; so does that of every ghost (PEM, figure 4.2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pyvista as pv
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.palette import PALETTE, RGB, rgb
from polhode_app.viewport.base.polydata import arrow
from polhode_app.viewport.base.solid import Solid
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.base.text_actor import Symbols
from polhode_app.viewport.record import Arrays, ViewBase, nested, part
from polhode_app.viewport.things.ghosts import ghost_color
from polhode_app.viewport.things.shape_surfaces import AROUND as FACETS
from polhode_app.viewport.things.shape_surfaces import ball
from polhode_app.viewport.things.trails import MOST, between

BODIES = 3  # bodies at most
TURNING = ("free", "pivot")  # supports that allow rotation about any axis
AROUND = 1.0  # size of the ellipsoid, relative to the smallest one that encloses the body
LARGEST = 1.6  # limit of the semi-axes, in sizes of the body
FLATTEST = 0.03  # least semi-axis, in lengths of the longest; a rod has no moment of inertia about its axis
POINTS = 1500  # points of a polhode
STEP = 0.02  # distance between them, in longest semi-axes
SLOW = 1e-9  # [rad/s] slower rotation has no defined direction
MOMENTUM = 1.12  # length of the arrow of angular momentum, in longest semi-axes
ARROW = {"tip_length": 0.12, "tip_radius": 0.035, "tip_resolution": 24, "shaft_radius": 0.011, "shaft_resolution": 16}
OPACITY = 0.25


@dataclass(frozen=True, eq=False)
class Poinsot:
    """Inertia ellipsoid of one body, body frame."""

    number: int  # index of the body
    center: np.ndarray  # (3,) [m] centre of mass
    inertia: np.ndarray  # (3, 3) [kg m^2] about the reference point of the body
    half_axes: np.ndarray  # (3,) [m] semi-axes
    axes: np.ndarray  # (3, 3) their directions, in columns
    scale: float  # c [kg m^4]: the ellipsoid is x.I.x = c

    def touched(self, spin: np.ndarray) -> np.ndarray:
        """(n, 3) [m] points of the ellipsoid, from its centre, in the directions of vectors (n, 3), body frame."""
        energy = np.einsum("ni,ij,nj->n", spin, self.inertia, spin)
        return np.asarray(spin * np.sqrt(self.scale / np.maximum(energy, 1e-300))[:, None])

    @property
    def longest(self) -> float:
        """Longest semi-axis [m]."""
        return float(self.half_axes.max())


class PolhodeView(ViewBase):
    """Ellipsoid, polhode and arrows of the first few bodies that rotate freely.

    Created when the view is first shown.
    """

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._stage: Stage | None = None
        self._shown: list[_PolhodeDrawing] = []
        self._on = False

    def rebuild(self, stage: Stage) -> None:
        """Remove the actors of the previous scene."""
        for drawing in self._shown:
            drawing.leave(self._renderer)
        self._stage, self._shown = stage, []
        self.set_visible(self._on)

    @property
    def curves(self) -> list[np.ndarray]:
        """(n, 3) [m] points of the polhode of each body, oldest first, body frame, about the centre of mass."""
        return [drawing.polhode.points for drawing in self._shown]

    @property
    def momentum_curves(self) -> list[list[np.ndarray]]:
        """(n, 3) [m] points of the path of the angular momentum of each body, then those of its ghosts, as `curves`."""
        return [drawing.momentum_points for drawing in self._shown]

    def update(self, now: Snapshot) -> None:
        """Draw a snapshot."""
        if self._on:
            for drawing in self._shown:
                drawing.update(now)

    def follow(self, now: Snapshot) -> None:
        """Extend the paths to a snapshot that is not drawn."""
        if self._on:
            for drawing in self._shown:
                drawing.follow(now)

    def memory(self) -> Arrays:
        """Paths of all bodies."""
        return nested({str(number): drawing.memory() for number, drawing in enumerate(self._shown)})

    def recall(self, memory: Arrays) -> None:
        """Take over paths."""
        for number, drawing in enumerate(self._shown if memory else []):
            drawing.recall(part(memory, str(number)))

    def follow_ghosts(self, snapshots: Sequence[Snapshot | None]) -> None:
        """Extend the paths of the ghosts to their snapshots; those that diverged are None."""
        if self._on:
            for drawing in self._shown:
                drawing.follow_ghosts(snapshots)

    def set_visible(self, on: bool) -> None:
        """Show or hide the actors."""
        self._on = on
        if on and not self._shown and self._stage is not None and self._stage.compiled is not None:
            self._shown = [_PolhodeDrawing(figure, self._stage, self._renderer) for figure in figures(self._stage)]
        for drawing in self._shown:
            drawing.set_visible(on)


def figures(stage: Stage) -> list[Poinsot]:
    """Ellipsoids of the first BODIES bodies that rotate about any axis, free ones before suspended ones."""
    turning = [i for i, body in enumerate(stage.scene.bodies) if body.support in TURNING]
    turning.sort(key=lambda i: TURNING.index(stage.scene.bodies[i].support))
    return [poinsot(stage, i) for i in turning[:BODIES]]


def poinsot(stage: Stage, number: int) -> Poinsot:
    """The smallest ellipsoid that encloses a body."""
    assert stage.compiled is not None
    arrays, solid = stage.compiled.model.bodies, stage.solids[number]
    center = stage.compiled.properties[number].center
    inertia = arrays.inertia[number]
    moments, axes = np.linalg.eigh(inertia)
    moments = np.maximum(moments, FLATTEST**2 * moments[2])
    scale = _scale(solid, center, moments, axes)
    return Poinsot(number, center, axes @ np.diag(moments) @ axes.T, np.sqrt(scale / moments), axes, scale)


def _scale(solid: Solid, center: np.ndarray, moments: np.ndarray, axes: np.ndarray) -> float:
    """c of the smallest ellipsoid x.I.x = c that encloses the body, limited by its longest semi-axis."""
    along = (solid.points - center) @ axes
    enclosing = AROUND**2 * float((along**2 @ moments).max())
    return min(enclosing, float(moments[0]) * (LARGEST * solid.size) ** 2) or 1e-300


class _Curve:
    """Path of the end of a vector in the frame of a body, on a surface about the body's centre of mass.

    Between two snapshots it is the cubic that has the vectors and their rates at both: fast bodies turn far between two
    pictures.
    """

    def __init__(self, project: Callable[[np.ndarray], np.ndarray], step: float, matrix: vtkMatrix4x4, color: RGB):
        """`project` moves points (n, 3) [m] along rays from the centre to the surface; `step` [m] parts two points."""
        self._project, self._step = project, step
        self._trace = pv.PolyData(np.zeros((POINTS, 3), dtype=np.float32), lines=[POINTS, *range(POINTS)])
        self.points = np.asarray(self._trace.points)
        self.actor = _actor(self._trace, matrix, color)
        self.actor.GetProperty().SetLineWidth(3.5)
        self.actor.GetProperty().LightingOff()
        self._time = np.inf
        self._base = 0.0, np.zeros(3), np.zeros(3)  # time [s], vector and its rate at the last point but one

    def restart(self) -> None:
        """Begin again with the next point, because intermediate states are missing."""
        self._time = np.inf

    def memory(self) -> Arrays:
        """Points of the path, and what its next piece begins with."""
        time, vector, rate = self._base
        times = np.array([self._time, time])
        return {"points": self.points, "times": times, "vector": vector, "rate": rate}

    def recall(self, memory: Arrays) -> None:
        """Take over a path."""
        self.points[:] = memory["points"]
        self._time, time = memory["times"].tolist()
        self._base = time, memory["vector"], memory["rate"]

    def extend(self, time: float, vector: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """Extend the path to the end of a vector (3,), body frame, at a time [s]; returns that point (3,) [m].

        rate: (3,) derivative of the vector in this frame [1/s]. If the time has decreased the path restarts.
        """
        head = self._project(vector[None])[0] if np.linalg.norm(vector) > 0.0 else np.zeros(3)
        if time < self._time:
            self.points[:] = head
            self._base = time, vector, rate
        else:
            self._lead(time, vector, rate, head)
        self._time = time
        self._trace.GetPoints().Modified()
        return head

    def _lead(self, time: float, vector: np.ndarray, rate: np.ndarray, head: np.ndarray) -> None:
        """Extend the path to `head` (3,) [m], which is always the last point."""
        begun, before, rate_before = self._base
        span = time - begun
        length = max(float(np.linalg.norm(head - self.points[-2])), self._turned(span))
        count = min(int(length / self._step), MOST)
        if count > 0:
            tangents = (span * rate_before)[None], (span * rate)[None]
            self.points[: -1 - count] = self.points[count:-1].copy()
            self.points[-1 - count : -1] = self._project(between(before[None], vector[None], *tangents, count)[0])
            self._base = time, vector, rate
        self.points[-1] = head

    def _turned(self, span: float) -> float:
        """Length [m] of the path in a time `span` [s] at the rate of the last point but one."""
        _, vector, rate = self._base
        size = float(np.linalg.norm(vector))
        return float(np.linalg.norm(rate)) * span / size * float(np.linalg.norm(self.points[-2])) if size else 0.0


class _PolhodeDrawing:
    """Actors of one body and, in its frame, the paths of its ghosts."""

    def __init__(self, figure: Poinsot, stage: Stage, renderer: vtkRenderer):
        self._figure = figure
        theme, step = stage.theme, STEP * figure.longest
        self._body, self._spin_arrow, self._momentum_arrow = vtkMatrix4x4(), vtkMatrix4x4(), vtkMatrix4x4()
        along_z = arrow(np.zeros(3), np.array([0.0, 0.0, 1.0]), 1.0, **ARROW)
        self._ellipsoid = _actor(_surface(figure), self._body, rgb(PALETTE[0]))
        self.polhode = _Curve(figure.touched, step, self._body, rgb(theme.arrow))
        self._momentum_curve = _Curve(self._on_sphere, step, self._body, rgb(theme.momentum))
        colors = [ghost_color(ghost, number) for number, ghost in enumerate(stage.scene.ghost)]
        self._of_ghosts = [_Curve(self._on_sphere, step, self._body, color[:3]) for color in colors]
        self._spin = _actor(along_z, self._spin_arrow, rgb(theme.arrow))
        self._momentum = _actor(along_z, self._momentum_arrow, rgb(theme.momentum))
        self._ellipsoid.GetProperty().SetOpacity(OPACITY)
        self._ellipsoid.GetProperty().SetSpecular(0.5)
        self._ellipsoid.GetProperty().SetSpecularPower(30)
        self._ellipsoid.GetProperty().BackfaceCullingOn()  # halves the cost, and shows the inside
        self.symbols = Symbols(renderer, "ω"), Symbols(renderer, "L")
        self._colors = [np.round(255 * np.array([rgb(color)])) for color in (theme.arrow, theme.momentum)]
        self._curves = [self.polhode, self._momentum_curve, *self._of_ghosts]
        self._actors = [self._ellipsoid, self._spin, self._momentum, *(curve.actor for curve in self._curves)]
        for actor in self._actors:
            renderer.AddActor(actor)

    def _on_sphere(self, vectors: np.ndarray) -> np.ndarray:
        """(n, 3) [m] points in the directions of vectors (n, 3), where the arrow of the angular momentum ends."""
        lengths = np.maximum(np.linalg.norm(vectors, axis=1), 1e-300)
        return np.asarray(MOMENTUM * self._figure.longest * vectors / lengths[:, None])

    @property
    def momentum_points(self) -> list[np.ndarray]:
        """Paths of the angular momentum of the body and of its ghosts."""
        return [curve.points for curve in (self._momentum_curve, *self._of_ghosts)]

    def memory(self) -> Arrays:
        """All paths."""
        return nested({str(number): curve.memory() for number, curve in enumerate(self._curves)})

    def recall(self, memory: Arrays) -> None:
        """Take over paths."""
        for number, curve in enumerate(self._curves):
            curve.recall(part(memory, str(number)))

    def leave(self, renderer: vtkRenderer) -> None:
        """Remove the actors."""
        for actor in (*self._actors, *(actor for symbol in self.symbols for actor in symbol.actors)):
            renderer.RemoveActor(actor)

    def set_visible(self, on: bool) -> None:
        """Show or hide the actors."""
        for actor in self._actors:
            actor.SetVisibility(on)
        for symbol in self.symbols:
            symbol.draw(np.zeros((0, 3)), np.zeros((0, 3)))  # the next update shows them
        for curve in self._curves:
            curve.restart()

    def follow(self, now: Snapshot) -> np.ndarray:
        """Extend the paths of the body; returns the end of the scaled angular velocity (3,) [m], body frame."""
        momentum, rate, spin = self._in_body(now)
        self._momentum_curve.extend(now.time, momentum, rate)
        if np.linalg.norm(spin) <= SLOW:
            return self.polhode.extend(now.time, np.zeros(3), np.zeros(3))
        return self.polhode.extend(now.time, spin, np.linalg.solve(self._figure.inertia, rate))

    def _in_body(self, now: Snapshot) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Angular momentum (3,) [kg m^2/s], its rate without torques, -w x L, and w (3,) [rad/s], body frame."""
        number, bodies = self._figure.number, now.bodies
        basis = bodies.basis[number]
        momentum, spin = basis @ bodies.angular_momentum[number], basis @ bodies.angular_velocity[number]
        return momentum, np.cross(momentum, spin), spin

    def follow_ghosts(self, snapshots: Sequence[Snapshot | None]) -> None:
        """Extend the paths of the ghosts, in the frames of their own bodies, drawn in that of this one."""
        for curve, now in zip(self._of_ghosts, snapshots, strict=False):
            if now is not None:
                momentum, rate, _ = self._in_body(now)
                curve.extend(now.time, momentum, rate)

    def update(self, now: Snapshot) -> None:
        """Draw a snapshot."""
        figure, number, bodies = self._figure, self._figure.number, now.bodies
        basis = bodies.basis[number]
        middle = figure.center @ basis + bodies.position[number]
        head = self.follow(now)
        _write(self._body, basis.T, middle)
        _write(self._spin_arrow, _along(head @ basis), middle)
        momentum = MOMENTUM * figure.longest * _unit(bodies.angular_momentum[number])
        _write(self._momentum_arrow, _along(momentum), middle)
        for symbol, arrow_, color in zip(self.symbols, (head @ basis, momentum), self._colors, strict=True):
            symbol.draw(np.array([middle + arrow_] if arrow_.any() else np.zeros((0, 3))), color)


def _surface(figure: Poinsot) -> pv.PolyData:
    """Mesh of the ellipsoid with normals, about its centre, body frame."""
    surface = ball(1.0, FACETS)
    axes = figure.axes * np.sign(np.linalg.det(figure.axes))  # a reflection would turn the normals inwards
    surface.point_data.active_normals = (np.asarray(surface.points) / figure.half_axes) @ axes.T
    surface.point_data.active_normals /= np.linalg.norm(surface.point_data.active_normals, axis=1, keepdims=True)
    surface.points = (np.asarray(surface.points) * figure.half_axes) @ axes.T
    return surface


def _unit(vector: np.ndarray) -> np.ndarray:
    """(3,) unit vector, zero for a zero vector."""
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-300))


def _along(vector: np.ndarray) -> np.ndarray:
    """(3, 3) rotation from z to a vector (3,), times its length."""
    length = float(np.linalg.norm(vector))
    if length == 0:
        return np.zeros((3, 3))
    third = vector / length
    first = _unit(np.cross(third, np.eye(3)[np.abs(third).argmin()]))
    return length * np.column_stack([first, np.cross(third, first), third])


def _write(matrix: vtkMatrix4x4, turn: np.ndarray, position: np.ndarray) -> None:
    """Set a matrix to a linear map (3, 3) and a translation (3,)."""
    rows = np.eye(4)
    rows[:3, :3], rows[:3, 3] = turn, position
    matrix.DeepCopy(rows.ravel().tolist())


def _actor(surface: pv.PolyData, matrix: vtkMatrix4x4, color: RGB) -> vtkActor:
    """An actor with its own matrix and colour."""
    mapper, actor = vtkPolyDataMapper(), vtkActor()
    mapper.SetInputData(surface)
    mapper.ScalarVisibilityOff()
    actor.SetMapper(mapper)
    actor.SetUserMatrix(matrix)
    actor.PickableOff()
    actor.GetProperty().SetColor(*color)
    actor.GetProperty().SetAmbient(0.4)
    actor.GetProperty().SetDiffuse(0.65)
    return actor
