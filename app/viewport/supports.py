"""Supports: the ball of a pivot, the bar of an axle, the thread to what hangs away, the post below what stands."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from app.viewport.palette import rgb
from app.viewport.solids import arc, lathe
from app.viewport.stage import Solid, Stage, hangs
from core.snapshot import Bodies

BALL = 0.014  # radius of a pivot's ball, in radii of the stage; for a small body in the reach of that
OWN_BALL = 0.06
THREAD = 0.0032  # radius of a thread
AXLE = 0.4  # longest bar of an axle
GAP = 0.04  # a thread is drawn when the body is farther from the pivot than this


class SupportView:
    """One actor for what stands still, and one thread for each body that hangs."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._still = _actor()
        self._threads: list[tuple[int, vtkActor, vtkMatrix4x4]] = []
        self._on = True
        renderer.AddActor(self._still)

    def show(self, stage: Stage) -> None:
        for _, actor, _ in self._threads:
            self._renderer.RemoveActor(actor)
        self._threads = []
        pieces = [pv.PolyData()]
        for i in stage.moving:
            solid, pivot = stage.solids[i], stage.bodies.position[i]
            if solid.body.support not in ("pivot", "axle"):
                continue
            if solid.body.support == "axle":
                pieces.append(_axle(stage, solid).translate(pivot))
            else:
                pieces += [piece.translate(pivot) for piece in _stand(stage, solid, float(pivot[2]))]
            near = _nearest(solid)
            if np.linalg.norm(near) > GAP * stage.radius:
                self._threads.append(self._hung(i, near, stage))
        self._still.GetMapper().SetInputData(pv.merge(pieces) if len(pieces) > 1 else pieces[0])
        self._still.GetProperty().SetColor(*rgb(stage.theme.support))
        self.switch(self._on)

    def move(self, bodies: Bodies, time: float) -> None:
        for number, _, matrix in self._threads:
            turn = np.eye(4)
            turn[:3, :3] = bodies.basis[number].T
            turn[:3, 3] = bodies.position[number]
            matrix.DeepCopy(turn.ravel().tolist())

    def switch(self, on: bool) -> None:
        self._on = on
        self._still.SetVisibility(on)
        for _, actor, _ in self._threads:
            actor.SetVisibility(on)

    def _hung(self, number: int, near: np.ndarray, stage: Stage) -> tuple[int, vtkActor, vtkMatrix4x4]:
        thread = pv.Tube(pointa=(0, 0, 0), pointb=near, radius=THREAD * stage.radius, n_sides=12)
        actor, matrix = _actor(), vtkMatrix4x4()
        actor.GetMapper().SetInputData(thread)
        actor.SetUserMatrix(matrix)
        actor.GetProperty().SetColor(*rgb(stage.theme.support))
        self._renderer.AddActor(actor)
        return number, actor, matrix


def _stand(stage: Stage, solid: Solid, height: float) -> list[pv.PolyData]:
    """What holds a pivot at the given height [m], about the pivot: a cap over a hanging body, a post under another."""
    ball = min(BALL * stage.radius, OWN_BALL * solid.reach)
    pieces = [lathe(arc(ball, -np.pi / 2, np.pi / 2))]
    if not any(stage.scene.world.gravity):
        return pieces
    if hangs(stage.scene, solid, stage.bodies.basis[stage.solids.index(solid)]):
        cap = np.array([(0, 0.3), (1.2, 0.5), (2.6, 2.0), (2.6, 2.5), (0, 2.5)])
        return [*pieces, lathe(ball * cap).compute_normals(feature_angle=35)]
    foot = stage.ground - height
    radius = 0.8 * ball
    outline = [
        (0, foot),
        (6 * radius, foot),
        (6 * radius, foot + radius),
        (radius, foot + 2.5 * radius),
        (0.7 * ball, 0),
        (0, 0),
    ]
    return [*pieces, lathe(np.array(outline)).compute_normals(feature_angle=35)]


def _axle(stage: Stage, solid: Solid) -> pv.PolyData:
    """The bar that a body turns on, about its origin."""
    axis = np.array(solid.body.axis) / np.linalg.norm(solid.body.axis)
    half = 0.6 * min(solid.size, AXLE * stage.radius) * axis
    return pv.Tube(pointa=-half, pointb=half, radius=2 * THREAD * stage.radius, n_sides=16)


def _nearest(solid: Solid) -> np.ndarray:
    """(3,) [m] the body's point that is nearest to the pivot, body frame."""
    points = solid.points
    return np.array(points[np.linalg.norm(points, axis=1).argmin()], dtype=float)


def _actor() -> vtkActor:
    mapper = vtkPolyDataMapper()
    mapper.ScalarVisibilityOff()
    mapper.StaticOn()
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetAmbient(0.3)
    actor.GetProperty().SetDiffuse(0.8)
    actor.GetProperty().SetSpecular(0.35)
    actor.GetProperty().SetSpecularPower(40)
    return actor
