"""Supports: the ball of a pivot, the bar of an axle, threads to hanging bodies, and posts below standing ones."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkProperty, vtkRenderer

from polhode.scene.formula_vector import at_the_start
from polhode.scene.scene import FormulaMotion
from polhode_app.viewport.base.bounds import hangs
from polhode_app.viewport.base.palette import rgb
from polhode_app.viewport.base.polydata import bar, joined, placed, repeated, smooth
from polhode_app.viewport.base.solid import Solid
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.things.appearance_cache import facets
from polhode_app.viewport.things.instances import CopiesView, Instances, groups
from polhode_app.viewport.things.shape_surfaces import lathe, unit_ball

BALL = 0.014  # radius of the ball of a pivot, in radii of the stage
OWN_BALL = 0.06  # limit of this radius, in the reach of the body
THREAD = 0.0032  # radius of a thread, in radii of the stage
AXLE = 0.4  # half length of an axle at most, in the same
CAP = np.array([(0, 0.3), (1.2, 0.5), (2.6, 2.0), (2.6, 2.5), (0, 2.5)])  # profile of a mount, in radii of its ball
GAP = 0.04  # distance of a body from its pivot above which a thread is drawn, in radii of the stage


class SupportView(CopiesView):
    """One actor for all fixed supports, and threads that move with hanging bodies."""

    def __init__(self, renderer: vtkRenderer):
        super().__init__(renderer)
        self._still = vtkActor()
        self._still.SetMapper(vtkPolyDataMapper())
        self._still.GetMapper().ScalarVisibilityOff()
        self._still.GetMapper().StaticOn()
        metal(self._still.GetProperty())
        renderer.AddActor(self._still)

    def rebuild(self, stage: Stage) -> None:
        """Build all supports."""
        color = rgb(stage.theme.support)
        held = [i for i in stage.moving if stage.solids[i].body.support in ("pivot", "axle")]
        still = [i for i in held if not isinstance(stage.solids[i].body.motion, FormulaMotion)]
        self._still.GetMapper().SetInputData(joined(_stands(stage, still)))
        self._still.GetProperty().SetColor(*color)
        far = {id(stage.solids[i].parts): _nearest(stage.solids[i]) for i in held}
        hung = [(i, id(stage.solids[i].parts)) for i in held]
        self._replace(
            Instances(self._renderer, _thread(far[id(stage.solids[numbers[0]].parts)], stage), numbers, color, metal)
            for numbers in groups(hung)
            if np.linalg.norm(far[id(stage.solids[numbers[0]].parts)]) > GAP * stage.radius
        )

    def set_visible(self, on: bool) -> None:
        """Show or hide the supports."""
        super().set_visible(on)
        self._still.SetVisibility(on)


def _thread(near: np.ndarray, stage: Stage) -> pv.PolyData:
    """A thread from the origin to a point (3,) [m], body frame."""
    return bar(np.zeros(3), near, THREAD * stage.radius, 12)


def _stands(stage: Stage, numbers: list[int]) -> list[pv.PolyData]:
    """Fixed supports of some bodies; equal bodies share a mesh."""
    alike: dict[object, list[int]] = {}
    for i in numbers:
        solid, pivot = stage.solids[i], stage.bodies.position[i]
        hanging = hangs(stage.scene, solid, stage.bodies.basis[i])
        key = (id(solid.parts), solid.body.axis, hanging, float(pivot[2]))
        alike.setdefault(key, []).append(i)
    return [repeated(_stand(stage, of_kind[0]), stage.bodies.position[of_kind]) for of_kind in alike.values()]


def _stand(stage: Stage, number: int) -> pv.PolyData:
    """Support of a body about its pivot: an axle, a mount above a hanging body, or a post below another one."""
    solid = stage.solids[number]
    if solid.body.support == "axle":
        return _axle(stage, solid)
    radius, around = min(BALL * stage.radius, OWN_BALL * solid.reach), facets(len(stage.solids))
    pivot = placed(unit_ball(around), np.eye(3), np.zeros(3), radius)
    if not any(at_the_start(stage.scene.world.gravity)):
        return pivot
    height = float(stage.bodies.position[number][2])
    if hangs(stage.scene, solid, stage.bodies.basis[number]):
        return joined([pivot, placed(_unit_cap(around), np.eye(3), np.zeros(3), radius)])
    outline = _post(stage.ground - height, 0.8 * radius, radius)
    return joined([pivot, smooth(lathe(outline, around))])


@lru_cache(maxsize=16)
def _unit_cap(around: int) -> pv.PolyData:
    """Mount for a pivot of radius 1. Cached: callers must not modify it."""
    return smooth(lathe(CAP, around))


def _post(foot: float, radius: float, top: float) -> np.ndarray:
    """(6, 2) [m] profile of a post on a round foot, from the height `foot` up to the pivot."""
    steps = [(0, 0), (6, 0), (6, 1), (1, 2.5)]
    return np.array([*((radius * x, foot + radius * z) for x, z in steps), (0.7 * top, 0), (0, 0)])


def _axle(stage: Stage, solid: Solid) -> pv.PolyData:
    """Bar along the axis of a body, about its origin."""
    axis = np.array(solid.body.axis) / np.linalg.norm(solid.body.axis)
    along = np.abs(solid.points @ (solid.body.orientation.matrix().T @ axis)).max()  # extent of the body along its axis
    half = min(max(1.3 * along, 0.15 * solid.size), AXLE * stage.radius) * axis
    return bar(-half, half, 2 * THREAD * stage.radius, 16)


def _nearest(solid: Solid) -> np.ndarray:
    """(3,) [m] vertex of a body nearest to its pivot, body frame."""
    points = solid.points
    return np.array(points[np.linalg.norm(points, axis=1).argmin()], dtype=float)


def metal(look: vtkProperty) -> None:
    """Set the properties of a closed metallic surface, or of a tube; its far side is hidden."""
    look.BackfaceCullingOn()
    look.SetAmbient(0.3)
    look.SetDiffuse(0.8)
    look.SetSpecular(0.35)
    look.SetMetallic(1.0)  # from the medium quality on: environment/quality.py
    look.SetRoughness(0.38)
    look.SetSpecularPower(40)
