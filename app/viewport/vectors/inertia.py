"""How bodies weigh: centre of mass, principal axes of inertia, the uniform ellipsoid of the same mass and moments."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from app.viewport.base.palette import PALETTE, rgb
from app.viewport.base.stage import Stage
from app.viewport.things.shape_surfaces import ball
from app.viewport.vectors.axes import triad
from core.physics.bodies.equivalent_ellipsoid import equivalent_ellipsoid
from core.simulation.snapshot import Snapshot

MOST = 60  # bodies
FLATTEST = 0.02  # shortest half axis that is drawn, in longest ones: a rod is as thin as a line
AXES = 0.7  # length of the axes, in longest half axes
CENTER = 0.07  # radius of the ball at the centre of mass, in longest half axes
AROUND = 32  # facets of an ellipsoid
OPACITY = 0.3
NEAREST = -66_000.0  # in VTK's units of depth: nearer than all there is


class InertiaView:
    """Three actors for each of the first bodies that have a mass; made when somebody wants to see them."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._stage: Stage | None = None
        self._bodies: list[int] = []
        self._frames = np.zeros((0, 3, 4, 4))  # of ellipsoid, axes and ball, in the body's
        self._shown: list[tuple[vtkActor, vtkMatrix4x4]] = []  # three of each body
        self._mappers = [_mapper(mesh) for mesh in (ball(1.0, AROUND), triad(), ball(1.0, AROUND // 2))]
        self._mappers[1].SetScalarModeToUseCellData()
        self._mappers[1].SetColorModeToDirectScalars()
        for mapper in self._mappers[1:]:
            before_all(mapper)
        self._on = False

    def rebuild(self, stage: Stage) -> None:
        for actor, _ in self._shown:
            self._renderer.RemoveActor(actor)
        self._stage, self._shown = stage, []
        self.set_visible(self._on)

    def update(self, now: Snapshot) -> None:
        if not self._on or not self._shown:
            return
        poses = np.tile(np.eye(4), (len(self._bodies), 1, 1))
        poses[:, :3, :3] = now.bodies.basis[self._bodies].transpose(0, 2, 1)
        poses[:, :3, 3] = now.bodies.position[self._bodies]
        rows = (poses[:, None] @ self._frames).reshape(-1, 16).tolist()
        for (_, matrix), row in zip(self._shown, rows, strict=True):
            matrix.DeepCopy(row)

    def set_visible(self, on: bool) -> None:
        self._on = on
        if on and not self._shown and self._stage is not None:
            self._raise(self._stage)
        for actor, _ in self._shown:
            actor.SetVisibility(on)

    def _raise(self, stage: Stage) -> None:
        if stage.built is None:
            return
        heavy = [i for i, part in enumerate(stage.built.properties) if part.mass > 0 and part.inertia.any()]
        self._bodies = heavy[:MOST]
        self._frames = np.array([frames(stage, i) for i in self._bodies]).reshape(-1, 3, 4, 4)
        looks = (rgb(PALETTE[0]), OPACITY), ((1.0, 1.0, 1.0), 1.0), (rgb(stage.theme.arrow), 1.0)
        for _ in self._bodies:
            for mapper, (color, opacity) in zip(self._mappers, looks, strict=True):
                self._shown.append(self._actor(mapper, color, opacity))

    def _actor(
        self, mapper: vtkPolyDataMapper, color: tuple[float, float, float], opacity: float
    ) -> tuple[vtkActor, vtkMatrix4x4]:
        actor, matrix = vtkActor(), vtkMatrix4x4()
        actor.SetMapper(mapper)
        actor.SetUserMatrix(matrix)
        actor.PickableOff()
        look = actor.GetProperty()
        look.SetColor(*color)
        look.SetOpacity(opacity)
        look.SetAmbient(0.45)
        look.SetDiffuse(0.6)
        self._renderer.AddActor(actor)
        return actor, matrix


def frames(stage: Stage, number: int) -> np.ndarray:
    """(3, 4, 4) of a body's ellipsoid, axes and centre of mass, which lead from a unit ball or triad to its frame."""
    assert stage.built is not None
    properties = stage.built.properties[number]
    moments, axes = properties.principal()
    half = equivalent_ellipsoid(properties.mass, moments)
    longest = float(half.max()) or stage.solids[number].size
    half = np.maximum(half, FLATTEST * longest)
    made = np.tile(np.eye(4), (3, 1, 1))
    made[:, :3, 3] = properties.center
    made[0, :3, :3] = axes * half
    made[1, :3, :3] = axes * (AXES * longest)
    made[2, :3, :3] *= CENTER * longest
    return made


def before_all(mapper: vtkPolyDataMapper) -> None:
    """Draw it before everything else in the picture: it stands inside of bodies."""
    mapper.SetResolveCoincidentTopologyToPolygonOffset()
    mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(0.0, NEAREST)


def _mapper(mesh: pv.PolyData) -> vtkPolyDataMapper:
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(mesh)
    mapper.StaticOn()
    return mapper
