"""Dipoles: an arrow that comes out of the north pole of every magnet, longer for a stronger one."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from app.viewport.palette import rgb
from app.viewport.stage import Solid, Stage
from core.scene import Dipole
from core.snapshot import Bodies

LENGTH = 0.15  # of the strongest dipole's arrow, in radii of the stage
OWN_LENGTH = 1.2  # no arrow is longer than this, in sizes of its body
SHAPE = {"tip_length": 0.42, "tip_radius": 0.13, "tip_resolution": 24, "shaft_radius": 0.045, "shaft_resolution": 16}


class DipoleView:
    """The arrows of a body are one actor, which its matrix moves: nothing is sent to the graphics card in a frame."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._shown: list[tuple[int, vtkActor, vtkMatrix4x4]] = []
        self._on = True

    def show(self, stage: Stage) -> None:
        for _, actor, _ in self._shown:
            self._renderer.RemoveActor(actor)
        strongest = max((norm(dipole) for body in stage.scene.body for dipole in body.dipole), default=0.0)
        self._shown = [
            self._raised(i, arrows(stage, i, strongest), stage)
            for i, body in enumerate(stage.scene.body)
            if body.dipole
        ]
        self.switch(self._on)

    def move(self, bodies: Bodies, time: float) -> None:
        turn = np.eye(4)
        for number, _, matrix in self._shown:
            turn[:3, :3] = bodies.basis[number].T
            turn[:3, 3] = bodies.position[number]
            matrix.DeepCopy(turn.ravel().tolist())

    def switch(self, on: bool) -> None:
        self._on = on
        for _, actor, _ in self._shown:
            actor.SetVisibility(on)

    def _raised(self, number: int, surface: pv.PolyData, stage: Stage) -> tuple[int, vtkActor, vtkMatrix4x4]:
        mapper, actor, matrix = vtkPolyDataMapper(), vtkActor(), vtkMatrix4x4()
        mapper.SetInputData(surface)
        mapper.StaticOn()
        actor.SetMapper(mapper)
        actor.SetUserMatrix(matrix)
        actor.GetProperty().SetAmbient(0.45)
        actor.GetProperty().SetDiffuse(0.6)
        actor.GetProperty().SetColor(*rgb(stage.theme.arrow))
        self._renderer.AddActor(actor)
        return number, actor, matrix


def norm(dipole: Dipole) -> float:
    """Strength of a dipole [A m^2]."""
    return float(np.linalg.norm(dipole.moment))


def arrows(stage: Stage, number: int, strongest: float) -> pv.PolyData:
    """The arrows of one body, body frame; `strongest` is the largest moment of the scene [A m^2]."""
    solid = stage.solids[number]
    longest = min(LENGTH * stage.radius, OWN_LENGTH * solid.size)
    pieces = [pv.PolyData()]
    for dipole in stage.scene.body[number].dipole:
        if norm(dipole) > 0:
            # The cube root is the size of a magnet of that strength: a weak dipole beside a strong one stays visible.
            length = longest * float(np.cbrt(norm(dipole) / strongest))
            pieces.append(pv.Arrow(start=north_pole(solid, dipole), direction=dipole.moment, scale=length, **SHAPE))
    return pv.merge(pieces) if len(pieces) > 1 else pieces[0]


def north_pole(solid: Solid, dipole: Dipole) -> np.ndarray:
    """(3,) [m] where a line from the dipole along its moment leaves the nearest shape, body frame."""
    start, moment = np.array(dipole.position), np.array(dipole.moment)
    strength = np.linalg.norm(moment)
    if strength == 0:
        return start
    nearest = min(solid.parts, key=lambda part: np.linalg.norm(np.array(part.surface.center) - start))
    crossed, _ = nearest.surface.ray_trace(start, start + moment / strength * 4 * solid.size)
    points = np.vstack([start, crossed])
    return np.array(points[np.linalg.norm(points - start, axis=1).argmax()])
