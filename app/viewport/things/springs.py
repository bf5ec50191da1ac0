"""Springs: those of soft bodies as lines, others as coils or strings. All springs are one actor, pulleys another."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from app.viewport.base.palette import rgb
from app.viewport.base.stage import Stage
from app.viewport.things.point_appearance import cloud
from core.physics.points.tension_formula import tension_of
from core.scene.formula_vector import at_the_start
from core.simulation.snapshot import Bodies, Snapshot

WIDTH = 1.4  # [pixel]
COILS = 200  # coils at most; in scenes with more springs all are lines
TURNS, PIECES = 9, 14  # turns of a coil, and segments of a turn
END = 0.12  # fraction of a coil that is straight, at either end
THICK = 0.07  # radius of a coil, in its rest length
FLAT = 0.866  # sag of a nearly straight parabola, relative to that of two straight pieces of the same length
PULLEY = 0.008  # radius of a pulley, in radii of the stage
THICKEST = 0.03  # limit of the radius, in radii of the stage


class SpringLines:
    """Lines of all springs of a stage, updated in place."""

    def __init__(self, stage: Stage, covers: bool):
        """Build the lines of a compiled scene; with `covers`, springs inside of skins are reduced to points."""
        built = stage.built
        assert built is not None
        self.model = built.model
        self.springs = springs = built.springs
        coils = len(stage.scene.spring)
        count, points = len(springs.rest), len(self.model.points.mass)
        # Springs of soft bodies come first.
        straight = count - coils if coils <= COILS else count
        self._coils = np.arange(straight, count)
        self._anchors = points + np.arange(len(self.model.anchors.body))
        first = points + len(self._anchors)
        self._single = count - coils  # springs of soft bodies before the single ones
        self._curves = StringCurves(stage, springs.rest[self._single :])
        steps = TURNS * PIECES + 1
        ends = springs.first[:straight], springs.second[:straight]
        points_seen = cloud(stage)
        away = points_seen.hidden | (points_seen.covered & covers)
        hidden = np.append(away, np.zeros(len(self._anchors), dtype=bool))[ends[0]]
        unseen = np.array([spring.hidden for spring in stage.scene.spring], dtype=bool)
        hidden[count - coils :] |= unseen[: straight - (count - coils)]
        pairs = np.column_stack([np.full(straight, 2), ends[0], np.where(hidden, *ends)])
        wound = first + np.arange(len(self._coils) * steps).reshape(-1, steps)
        wound[unseen[: len(wound)]] = first  # a degenerate line
        cells = np.concatenate([pairs.ravel(), np.insert(wound, 0, steps, axis=1).ravel()])
        self.lines = pv.PolyData(np.zeros((first + wound.size, 3), dtype=np.float32), lines=cells)
        self._places = np.asarray(self.lines.points)
        self._first, self._last = springs.first, springs.second
        rest = np.maximum(springs.rest[self._coils], 1e-3 * stage.radius)
        wound_up = [spring.look == "coil" and not spring.is_string for spring in stage.scene.spring]
        wide = np.array(wound_up[: len(self._coils)], dtype=bool)
        self._radius = np.where(wide, np.minimum(THICK * rest, THICKEST * stage.radius), 0.0)[:, None, None]
        self._across = _across(self._ends(stage.start))

    @property
    def count(self) -> int:
        """Number of springs."""
        return len(self._first)

    def update(self, now: Snapshot) -> bool:
        """Write the positions of all springs; False for a snapshot of an earlier scene."""
        points = now.points.position
        if len(points) != len(self.model.points.mass) or len(now.bodies.position) != len(self.model.bodies.mass):
            return False
        self._places[: len(points)] = points
        if len(self._anchors):
            self._places[self._anchors] = self._anchored(now.bodies)
        if len(self._coils):
            start, along = self._ends(now)
            wound = self._wound(start, along)
            for k in self._curves.strings:
                wound[k] = self._curves.curve(k, start[k], start[k] + along[k], wound.shape[1])
            self._places[self._anchors.size + len(points) :] = wound.reshape(-1, 3)
        self.lines.GetPoints().Modified()
        return True

    def lengths(self) -> np.ndarray:
        """(s,) [m] current lengths of all springs."""
        along = np.take(self._places, self._last, axis=0)
        along -= np.take(self._places, self._first, axis=0)
        lengths = np.sqrt(np.einsum("ij,ij->i", along, along))
        for k in self._curves.strings:
            ends = self._places[self._first[self._single + k]], self._places[self._last[self._single + k]]
            lengths[self._single + k] = self._curves.length(k, *ends)
        return lengths

    def tension(self) -> np.ndarray:
        """(s,) [N] current pulling forces of all springs, without their dampers."""
        lengths = self.lengths()
        tension = np.asarray(self.springs.stiffness * (lengths - self.springs.rest))
        for k in self._curves.laws:
            tension[self._single + k] = self._curves.tension(k, float(lengths[self._single + k]))
        return tension

    def _anchored(self, bodies: Bodies) -> np.ndarray:
        """(q, 3) [m] positions of the anchors, laboratory frame."""
        anchors = self.model.anchors
        inside = np.flatnonzero(anchors.body >= 0)
        places = anchors.position.copy()
        body = anchors.body[inside]
        arms = places[inside] - self.model.bodies.origin[body]
        places[inside] = bodies.position[body] + np.einsum("ni,nij->nj", arms, bodies.basis[body])
        return places

    def _ends(self, now: Snapshot) -> tuple[np.ndarray, np.ndarray]:
        """(c, 3) [m] starts of the coils, and (c, 3) [m] vectors from there to their ends."""
        places = np.vstack([now.points.position, self._anchored(now.bodies)])
        start = places[self._first[self._coils]]
        return start, places[self._last[self._coils]] - start

    def _wound(self, start: np.ndarray, along: np.ndarray) -> np.ndarray:
        """(c, n, 3) [m] points of the coils.

        The transverse direction is derived from a fixed one, so that coils do not rotate between frames.
        """
        length = np.linalg.norm(along, axis=1, keepdims=True)
        unit = along / np.maximum(length, 1e-300)
        u = self._across - np.einsum("ni,ni->n", self._across, unit)[:, None] * unit
        u /= np.maximum(np.linalg.norm(u, axis=1, keepdims=True), 1e-300)
        v = np.cross(unit, u)
        share = np.linspace(0, 1, TURNS * PIECES + 1)
        angle = 2 * np.pi * TURNS * share
        wide = self._radius * np.clip(np.minimum(share, 1 - share) / END - 0.5, 0, 1)[None, :, None]
        around = np.cos(angle)[None, :, None] * u[:, None] + np.sin(angle)[None, :, None] * v[:, None]
        return start[:, None] + share[None, :, None] * along[:, None] + wide * around


def _across(ends: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """(c, 3) for each vector the coordinate axis with the smallest component."""
    return np.eye(3)[np.abs(ends[1]).argmin(axis=1)]


class StringCurves:
    """Strings of a stage, and springs with a force by formula: their courses, lengths and tensions.

    A string is straight from pulley to pulley where it is taut, and hangs in its longest part where it is slack.
    """

    def __init__(self, stage: Stage, rest: np.ndarray):
        """`rest` (s,) [m] natural lengths of the single springs, in scene order."""
        springs = stage.scene.spring
        self._over = {k: np.array(spring.over).reshape(-1, 3) for k, spring in enumerate(springs) if spring.is_string}
        self._laws = {
            k: (tension_of(spring, float(rest[k])), spring.pull_only)
            for k, spring in enumerate(springs)
            if spring.has_tension_law
        }
        self._rest = rest
        gravity = np.array(at_the_start(stage.scene.world.gravity))
        size = float(np.linalg.norm(gravity))
        self._down = gravity / size if size else np.array([0.0, 0.0, -1.0])

    @property
    def strings(self) -> tuple[int, ...]:
        """Numbers of the strings among the single springs."""
        return tuple(self._over)

    @property
    def laws(self) -> tuple[int, ...]:
        """Numbers of the single springs with tension laws."""
        return tuple(self._laws)

    def length(self, k: int, start: np.ndarray, end: np.ndarray) -> float:
        """Length [m] of string k between its ends (3,) [m], over its pulleys."""
        return float(np.linalg.norm(np.diff(self._course(k, start, end), axis=0), axis=1).sum())

    def tension(self, k: int, length: float) -> float:
        """Pulling force [N] of a spring with a tension law at a length [m], at rest."""
        law, pull_only = self._laws[k]
        if pull_only and length <= self._rest[k]:
            return 0.0
        force = float(law({"l": length, "v": 0.0}))
        return max(force, 0.0) if pull_only else force

    def curve(self, k: int, start: np.ndarray, end: np.ndarray, count: int) -> np.ndarray:
        """(count, 3) [m] points of string k between its ends (3,) [m]."""
        course = self._course(k, start, end)
        parts = np.linalg.norm(np.diff(course, axis=0), axis=1)
        passed = np.concatenate([[0.0], np.cumsum(parts)])
        if passed[-1] == 0.0:
            passed = np.linspace(0.0, 1.0, len(course))
        at = np.linspace(0.0, passed[-1], count)
        at[np.rint(passed / passed[-1] * (count - 1)).astype(int)] = passed  # corners stay sharp
        points = np.column_stack([np.interp(at, passed, course[:, axis]) for axis in range(3)])
        slack = self._rest[k] - passed[-1]
        if slack > 0.0 and k in self._laws and self._laws[k][1]:
            longest = int(parts.argmax())
            share = (at - passed[longest]) / max(parts[longest], 1e-300)
            hanging = (share > 0.0) & (share < 1.0)
            depth = sag(float(parts[longest]), float(parts[longest] + slack))
            points[hanging] += np.outer(4 * depth * share[hanging] * (1 - share[hanging]), self._down)
        return points

    def _course(self, k: int, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        return np.vstack([start, self._over.get(k, np.zeros((0, 3))), end])


def sag(span: float, length: float) -> float:
    """Depth [m] of a string of a length [m] between two places at a distance `span` [m]: that of two straight pieces,
    and the smaller one of a parabola where it is nearly straight.
    """
    return 0.5 * float(np.sqrt(length**2 - span**2)) * (1.0 - (1.0 - FLAT) * span / length)


def pulleys(stage: Stage) -> pv.PolyData:
    """Small spheres at the pulleys of visible strings."""
    places = [place for spring in stage.scene.spring if not spring.hidden for place in spring.over]
    ball = pv.Sphere(radius=PULLEY * stage.radius, theta_resolution=16, phi_resolution=12)
    return pv.merge([ball.translate(place) for place in places]) if places else pv.PolyData()


class SpringView:
    """All springs in one colour, and the pulleys."""

    def __init__(self, renderer: vtkRenderer):
        self._mapper = vtkPolyDataMapper()
        self._mapper.ScalarVisibilityOff()
        self._actor = line_actor(self._mapper, WIDTH)
        self._balls = vtkPolyDataMapper()
        self._pulleys = vtkActor()
        self._pulleys.SetMapper(self._balls)
        self._pulleys.PickableOff()
        renderer.AddActor(self._actor)
        renderer.AddActor(self._pulleys)
        self._lines: SpringLines | None = None
        self._stage: Stage | None = None
        self._covers = True
        self._on = True

    def rebuild(self, stage: Stage) -> None:
        """Build the lines, if the scene is compiled."""
        self._stage = stage
        self._lines = SpringLines(stage, self._covers) if stage.built is not None else None
        self._mapper.SetInputData(self._lines.lines if self._lines else pv.PolyData())
        self._balls.SetInputData(pulleys(stage))
        for actor in (self._actor, self._pulleys):
            actor.GetProperty().SetColor(*rgb(stage.theme.support))

    def update(self, now: Snapshot) -> None:
        """Write the positions of the springs."""
        if self._on and self._lines is not None:
            self._lines.update(now)

    def exclude_covered(self, on: bool) -> None:
        """Leave out springs inside of skins, or draw them."""
        if on != self._covers:
            self._covers = on
            if self._stage is not None:
                self.rebuild(self._stage)

    def set_visible(self, on: bool) -> None:
        """Show or hide the springs."""
        self._on = on
        self._actor.SetVisibility(on)
        self._pulleys.SetVisibility(on)


def line_actor(mapper: vtkPolyDataMapper, width: float) -> vtkActor:
    """An actor of unshaded lines of a width [pixel]."""
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.PickableOff()
    actor.GetProperty().LightingOff()
    actor.GetProperty().SetLineWidth(width)
    return actor
