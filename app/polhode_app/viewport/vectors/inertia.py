"""Mass properties: centre of mass, principal axes, and the uniform ellipsoid of equal mass and moments of inertia."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from polhode.physics.bodies.geometry.equivalent_ellipsoid import equivalent_ellipsoid
from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.palette import PALETTE, rgb
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.record import ViewBase
from polhode_app.viewport.things.shape_surfaces import ball
from polhode_app.viewport.vectors.axes import triad

MOST = 60  # bodies at most
FLATTEST = 0.02  # least drawn semi-axis, in lengths of the longest; that of a thin rod would vanish
AXES = 0.7  # length of the axes, in longest semi-axes
CENTER = 0.07  # radius of the ball at the centre of mass, in longest semi-axes
AROUND = 32  # facets of an ellipsoid
OPACITY = 0.3
NEAREST = -66_000.0  # polygon offset in units of VTK, in front of every other surface


class InertiaView(ViewBase):
    """Three actors for each of the first MOST bodies with a mass; created when the view is first shown."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._stage: Stage | None = None
        self._bodies: list[int] = []
        self._frames = np.zeros((0, 3, 4, 4))  # poses of ellipsoid, axes and ball, body frame
        self.actors: list[vtkActor] = []  # ellipsoid, axes and ball of each body; their user matrices are the poses
        self._mappers = [_mapper(mesh) for mesh in (ball(1.0, AROUND), triad(), ball(1.0, AROUND // 2))]
        self._mappers[1].SetScalarModeToUseCellData()
        self._mappers[1].SetColorModeToDirectScalars()
        for mapper in self._mappers[1:]:
            before_all(mapper)
        self._on = False

    def rebuild(self, stage: Stage) -> None:
        """Remove the actors of the previous scene."""
        for actor in self.actors:
            self._renderer.RemoveActor(actor)
        self._stage, self.actors = stage, []
        self.set_visible(self._on)

    def update(self, now: Snapshot) -> None:
        """Write the poses of all bodies."""
        if not self._on or not self.actors:
            return
        poses = np.tile(np.eye(4), (len(self._bodies), 1, 1))
        poses[:, :3, :3] = now.bodies.basis[self._bodies].transpose(0, 2, 1)
        poses[:, :3, 3] = now.bodies.position[self._bodies]
        rows = (poses[:, None] @ self._frames).reshape(-1, 16).tolist()
        for actor, row in zip(self.actors, rows, strict=True):
            actor.GetUserMatrix().DeepCopy(row)

    def set_visible(self, on: bool) -> None:
        """Show or hide the actors."""
        self._on = on
        if on and not self.actors and self._stage is not None:
            self._raise(self._stage)
        for actor in self.actors:
            actor.SetVisibility(on)

    def _raise(self, stage: Stage) -> None:
        """Create the actors, if the scene is compiled."""
        if stage.compiled is None:
            return
        heavy = [i for i, part in enumerate(stage.compiled.properties) if part.mass > 0 and part.inertia.any()]
        self._bodies = heavy[:MOST]
        self._frames = np.array([frames(stage, i) for i in self._bodies]).reshape(-1, 3, 4, 4)
        looks = (rgb(PALETTE[0]), OPACITY), ((1.0, 1.0, 1.0), 1.0), (rgb(stage.theme.arrow), 1.0)
        for _ in self._bodies:
            for mapper, (color, opacity) in zip(self._mappers, looks, strict=True):
                self.actors.append(self._actor(mapper, color, opacity))

    def _actor(self, mapper: vtkPolyDataMapper, color: tuple[float, float, float], opacity: float) -> vtkActor:
        """A new actor with a user matrix."""
        actor = vtkActor()
        actor.SetMapper(mapper)
        actor.SetUserMatrix(vtkMatrix4x4())
        actor.PickableOff()
        look = actor.GetProperty()
        look.SetColor(*color)
        look.SetOpacity(opacity)
        look.SetAmbient(0.45)
        look.SetDiffuse(0.6)
        self._renderer.AddActor(actor)
        return actor


def frames(stage: Stage, number: int) -> np.ndarray:
    """(3, 4, 4) transforms of a unit ball or triad to ellipsoid, axes and centre of mass of a body, body frame."""
    assert stage.compiled is not None
    properties = stage.compiled.properties[number]
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
    """Draw a mapper in front of all others, as its geometry is inside of bodies."""
    mapper.SetResolveCoincidentTopologyToPolygonOffset()
    mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(0.0, NEAREST)


def _mapper(mesh: pv.PolyData) -> vtkPolyDataMapper:
    """A mapper of a constant mesh."""
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(mesh)
    mapper.StaticOn()
    return mapper
