"""Springs: those of soft bodies as lines, others as coils. All springs are one actor."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from app.viewport.base.palette import rgb
from app.viewport.base.stage import Stage
from app.viewport.things.point_appearance import cloud
from core.formulas.parser import parse
from core.simulation.snapshot import Bodies, Snapshot

WIDTH = 1.4  # [pixel]
COILS = 200  # coils at most; in scenes with more springs all are lines
TURNS, PIECES = 9, 14  # turns of a coil, and segments of a turn
END = 0.12  # fraction of a coil that is straight, at either end
THICK = 0.07  # radius of a coil, in its rest length
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
        self._formulas = {
            count - coils + k: parse(spring.force, ("l", "v"))
            for k, spring in enumerate(stage.scene.spring)
            if spring.force is not None
        }
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
        wide = np.array([spring.look == "coil" for spring in stage.scene.spring[: len(self._coils)]], dtype=bool)
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
            self._places[self._anchors.size + len(points) :] = self._wound(start, along).reshape(-1, 3)
        self.lines.GetPoints().Modified()
        return True

    def lengths(self) -> np.ndarray:
        """(s,) [m] current lengths of all springs."""
        along = np.take(self._places, self._last, axis=0)
        along -= np.take(self._places, self._first, axis=0)
        return np.sqrt(np.einsum("ij,ij->i", along, along))

    def tension(self) -> np.ndarray:
        """(s,) [N] current pulling forces of all springs, without their dampers."""
        lengths = self.lengths()
        tension = np.asarray(self.springs.stiffness * (lengths - self.springs.rest))
        for k, force in self._formulas.items():
            tension[k] = float(force({"l": lengths[k], "v": 0.0}))
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


class SpringView:
    """All springs in one colour."""

    def __init__(self, renderer: vtkRenderer):
        self._mapper = vtkPolyDataMapper()
        self._mapper.ScalarVisibilityOff()
        self._actor = line_actor(self._mapper, WIDTH)
        renderer.AddActor(self._actor)
        self._lines: SpringLines | None = None
        self._stage: Stage | None = None
        self._covers = True
        self._on = True

    def rebuild(self, stage: Stage) -> None:
        """Build the lines, if the scene is compiled."""
        self._stage = stage
        self._lines = SpringLines(stage, self._covers) if stage.built is not None else None
        self._mapper.SetInputData(self._lines.lines if self._lines else pv.PolyData())
        self._actor.GetProperty().SetColor(*rgb(stage.theme.support))

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


def line_actor(mapper: vtkPolyDataMapper, width: float) -> vtkActor:
    """An actor of unshaded lines of a width [pixel]."""
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.PickableOff()
    actor.GetProperty().LightingOff()
    actor.GetProperty().SetLineWidth(width)
    return actor
