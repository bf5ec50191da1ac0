"""Springs: those of large soft bodies as lines, others as coils, wires or strings; and the pulleys of strings."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from polhode.physics.points.description import Chain
from polhode.simulation.snapshot import BodyStates, Snapshot
from polhode_app.viewport.base.palette import rgb
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.geometry.soft_surfaces import has_surface
from polhode_app.viewport.geometry.spring_tubes import SpringTubes
from polhode_app.viewport.geometry.string_curves import StringCurves
from polhode_app.viewport.record import ViewBase
from polhode_app.viewport.things.point_appearance import cloud
from polhode_app.viewport.things.supports import metal

WIDTH = 1.4  # [pixel]
COILS = 100  # single springs that are drawn as tubes, at most; in scenes with more all are lines
PULLEY = 0.008  # radius of a pulley, in radii of the stage


class SpringLines:
    """Lines and tubes of all springs of a stage, updated in place; broken ones are contracted to a point."""

    def __init__(self, stage: Stage, covers: bool, thicker: float = 1.0):
        """Build the geometry for a compiled scene; with `covers`, springs of soft bodies with surfaces are left out.

        `thicker` is the relative thickness of the tubes.
        """
        compiled = stage.compiled
        assert compiled is not None
        self.model = compiled.model
        self.springs = springs = compiled.springs
        self._first, self._last = springs.first, springs.second
        points, single = len(self.model.points.mass), len(stage.scene.spring)
        self._anchors = points + np.arange(len(self.model.anchors.body))
        self._single = len(springs.rest) - single  # springs of soft bodies before the single ones
        rest = springs.rest[self._single :]
        self._curves = StringCurves(stage, rest)
        self._curves.place(np.vstack([stage.start.points.position, self._anchored(stage.start.bodies)]))
        is_line = np.ones(len(springs.rest), dtype=bool)
        looks = cloud(stage)
        away = looks.hidden | (looks.skinned & covers)
        is_line[: self._single] = ~away[self._first[: self._single]]
        is_line[self._single :] = [not spring.hidden for spring in stage.scene.spring]
        self.tubes: SpringTubes | None = None
        few = np.flatnonzero(is_line[: self._single] & _between_few(stage)[self._first[: self._single]])
        self.tubed = np.concatenate([np.arange(self._single, len(springs.rest)), few])  # springs that are tubes
        if 0 < len(self.tubed) <= COILS:
            is_line[self.tubed] = False
            stated = [np.nan if spring.stiffness is None else spring.stiffness for spring in stage.scene.spring]
            stiffness = np.concatenate([stated, springs.stiffness[few]])
            ends = self._ends(stage.start)
            self.tubes = SpringTubes(stage, self._curves, springs.rest[self.tubed], stiffness, ends, thicker)
        self.drawn = np.flatnonzero(is_line)  # springs that are lines, in the order of the cells
        self._whole = np.ones(len(springs.rest), dtype=bool)
        ends = np.column_stack([self._first[self.drawn], self._last[self.drawn]])
        self._can_break = len(self.model.breaking.spring) > 0
        if self._can_break:  # then lines share no points
            ends = np.arange(2 * len(self.drawn)).reshape(-1, 2)
        pairs = np.column_stack([np.full(len(self.drawn), 2), ends])
        size = 2 * len(self.drawn) if self._can_break else points + len(self._anchors)
        self.lines = pv.PolyData(np.zeros((size, 3), dtype=np.float32), lines=pairs.ravel())
        shared = np.zeros((points + len(self._anchors), 3), dtype=np.float32)
        self._positions = shared if self._can_break else np.asarray(self.lines.points)

    @property
    def count(self) -> int:
        """Number of springs."""
        return len(self._first)

    def update(self, now: Snapshot) -> bool:
        """Write the positions of all springs; False for a snapshot of an earlier scene."""
        points = now.points.position
        if len(points) != len(self.model.points.mass) or len(now.bodies.position) != len(self.model.bodies.mass):
            return False
        self._positions[: len(points)] = points
        if len(self._anchors):
            self._positions[self._anchors] = self._anchored(now.bodies)
            self._curves.place(self._positions)
        if self._can_break:
            self._contract(now.broken_springs)
        if self.tubes is not None:
            self.tubes.write(self._ends(now), self._whole[self.tubed])
        self.lines.GetPoints().Modified()
        return True

    def _contract(self, broken: np.ndarray) -> None:
        """Write the ends of all lines, those of broken springs at one place. broken: (b,) bool as of a snapshot"""
        self._whole[self.model.breaking.spring] = ~broken
        ends = np.asarray(self.lines.points).reshape(-1, 2, 3)
        ends[:, 0] = self._positions[self._first[self.drawn]]
        whole = self._whole[self.drawn]
        ends[:, 1] = self._positions[np.where(whole, self._last[self.drawn], self._first[self.drawn])]

    def lengths(self) -> np.ndarray:
        """(s,) [m] current lengths of all springs; of springs with an axis they have a sign."""
        along = np.take(self._positions, self._last, axis=0)
        along -= np.take(self._positions, self._first, axis=0)
        lengths = np.sqrt(np.einsum("ij,ij->i", along, along))
        for k in self._curves.strings:
            ends = self._positions[self._first[self._single + k]], self._positions[self._last[self._single + k]]
            lengths[self._single + k] = self._curves.length(k, *ends)
        for k, axis in self._curves.axes.items():
            lengths[self._single + k] = along[self._single + k] @ axis
        return lengths

    def tension(self) -> np.ndarray:
        """(s,) [N] current pulling forces of all springs, without their dampers."""
        lengths = self.lengths()
        tension = np.asarray(self.springs.stiffness * (lengths - self.springs.rest))
        for k in self._curves.laws:
            tension[self._single + k] = self._curves.tension(k, float(lengths[self._single + k]))
        tension[~self._whole] = 0.0
        return tension

    def _anchored(self, bodies: BodyStates) -> np.ndarray:
        """(q, 3) [m] positions of the anchors, laboratory frame."""
        anchors = self.model.anchors
        inside = np.flatnonzero(anchors.body >= 0)
        positions = anchors.position.copy()
        body = anchors.body[inside]
        arms = positions[inside] - self.model.bodies.origin[body]
        positions[inside] = bodies.position[body] + np.einsum("ni,nij->nj", arms, bodies.basis[body])
        return positions

    def _ends(self, now: Snapshot) -> np.ndarray:
        """(s, 2, 3) [m] ends of the springs that are tubes."""
        positions = np.vstack([now.points.position, self._anchored(now.bodies)])
        return np.stack([positions[self._first[self.tubed]], positions[self._last[self.tubed]]], axis=1)


def _between_few(stage: Stage) -> np.ndarray:
    """(p,) whether points belong to a row of a few masses, whose springs are drawn one by one."""
    found = np.zeros(len(stage.start.points.position), dtype=bool)
    for soft in stage.scene.soft:
        found[stage.where[soft.name]] = isinstance(soft, Chain) and not has_surface(soft)
    return found


def pulleys(stage: Stage) -> pv.PolyData:
    """Small spheres at the pulleys of visible strings that do not move."""
    positions = [
        point for spring in stage.scene.spring if not spring.hidden for name, point in spring.course if not name
    ]
    ball = pv.Sphere(radius=PULLEY * stage.radius, theta_resolution=16, phi_resolution=12)
    return pv.merge([ball.translate(point) for point in positions]) if positions else pv.PolyData()


class SpringView(ViewBase):
    """All springs in one colour, and the pulleys."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._mapper = vtkPolyDataMapper()
        self._mapper.ScalarVisibilityOff()
        self._actor = line_actor(self._mapper, WIDTH)
        self._balls = vtkPolyDataMapper()
        self._pulleys = vtkActor()
        self._pulleys.SetMapper(self._balls)
        self._pulleys.PickableOff()
        renderer.AddActor(self._actor)
        renderer.AddActor(self._pulleys)
        self._tubes: list[vtkActor] = []
        self._lines: SpringLines | None = None
        self._stage: Stage | None = None
        self._covers = True
        self._on = True

    def rebuild(self, stage: Stage) -> None:
        """Build lines and tubes, if the scene is compiled."""
        self._stage = stage
        self._lines = SpringLines(stage, self._covers) if stage.compiled is not None else None
        self._mapper.SetInputData(self._lines.lines if self._lines else pv.PolyData())
        self._balls.SetInputData(pulleys(stage))
        for actor in self._tubes:
            self._renderer.RemoveActor(actor)
        self._tubes = tube_actors(self._lines)
        for actor in self._tubes:
            self._renderer.AddActor(actor)
        for actor in (self._actor, self._pulleys, *self._tubes):
            actor.GetProperty().SetColor(*rgb(stage.theme.support))
        self.set_visible(self._on)

    def update(self, now: Snapshot) -> None:
        """Write the positions of the springs."""
        if self._on and self._lines is not None:
            self._lines.update(now)

    def other_switched(self, on: bool) -> None:
        """Leave out springs inside of skins while these are on."""
        if on != self._covers:
            self._covers = on
            if self._stage is not None:
                self.rebuild(self._stage)

    def set_visible(self, on: bool) -> None:
        """Show or hide the springs."""
        self._on = on
        self._actor.SetVisibility(on and self._lines is not None and len(self._lines.drawn) > 0)
        for actor in (self._pulleys, *self._tubes):
            actor.SetVisibility(on)


def tube_actors(lines: SpringLines | None) -> list[vtkActor]:
    """Metallic actors of the tubes of springs."""
    actors = []
    for surface in lines.tubes.surfaces if lines is not None and lines.tubes is not None else ():
        mapper, actor = vtkPolyDataMapper(), vtkActor()
        mapper.SetInputData(surface)
        mapper.ScalarVisibilityOff()
        actor.SetMapper(mapper)
        actor.PickableOff()
        metal(actor.GetProperty())
        actors.append(actor)
    return actors


def line_actor(mapper: vtkPolyDataMapper, width: float) -> vtkActor:
    """An actor of unshaded lines of a width [pixel]."""
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.PickableOff()
    actor.GetProperty().LightingOff()
    actor.GetProperty().SetLineWidth(width)
    return actor
