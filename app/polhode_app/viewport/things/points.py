"""Points: particles and points of soft bodies as spheres.

Opaque and translucent points are two actors with the same arrays. Spheres are impostors: the GPU draws one triangle
for each and computes the intersection with the sphere per pixel, so that ten thousand moving spheres cost a few floats
each.
"""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkRenderer
from vtkmodules.vtkRenderingOpenGL2 import vtkOpenGLSphereMapper

from polhode.physics.grab.interactions import Grab, PullPoint
from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.palette import HELD, RGBA, rgb, rgba
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.record import ViewBase
from polhode_app.viewport.things.bodies import GHOSTLY
from polhode_app.viewport.things.point_appearance import ANCHOR, PointAppearance, anchors, cloud

OPAQUE, TRANSLUCENT, COLOR = "opaque radius", "translucent radius", "color"
OPAQUE_ALPHA = 255


class PointView(ViewBase):
    """All points; as a `ghost` translucent and in one colour."""

    def __init__(self, renderer: vtkRenderer, ghost: RGBA | None = None):
        self._renderer = renderer
        self._ghost = ghost
        self._on = True
        self._spheres = pv.PolyData()
        self._positions = np.zeros((0, 3), dtype=np.float32)  # [m] points, anchors, and two corners of the bounding box
        self._count = 0  # number of points
        self._radius = np.zeros(0, dtype=np.float32)  # [m] of the drawn spheres, in the order of `_positions`
        self._looks: PointAppearance | None = None
        self._held: int | None = None  # index of the point that is drawn in the colour HELD
        self._covers = True
        self._largest = 0.0  # [m] radius
        self._actors = {radius: _actor(radius, ghost is not None) for radius in (OPAQUE, TRANSLUCENT)}
        self._actors[OPAQUE].ForceOpaqueOn()
        self._actors[TRANSLUCENT].ForceTranslucentOn()
        for actor in self._actors.values():
            renderer.AddActor(actor)

    @property
    def positions(self) -> np.ndarray:
        """(p, 3) [m] drawn positions of the points, as float32."""
        return self._positions[: self._count]

    @property
    def colors(self) -> np.ndarray:
        """(p, 4) uint8 drawn colours and opacities of the points."""
        return np.asarray(self._spheres.point_data[COLOR])[: self._count]

    def rebuild(self, stage: Stage) -> None:
        """Build the spheres of points and anchors."""
        looks = self._looks = cloud(stage)
        pins = anchors(stage)
        self._count, count = len(looks.radius), len(looks.radius) + len(pins)
        # The mapper ignores radii in its bounds: two spheres of radius 0 at the corners of the box correct them.
        self._spheres = pv.PolyData(np.zeros((count + 2, 3), np.float32), verts=[count + 2, *range(count + 2)])
        size = ANCHOR * stage.radius if self._ghost is None else 0.0
        self._spheres.point_data[COLOR] = self._colors_of(looks, rgba(stage.theme.support), count + 2)
        self._radius = np.zeros(count + 2, dtype=np.float32)
        self._radius[self._count : count] = size
        for array in self._actors:
            self._spheres.point_data[array] = np.zeros(count + 2, dtype=np.float32)
        self._held = None
        self._positions = np.asarray(self._spheres.points)
        self._positions[self._count : count] = pins
        self._largest = float(looks.radius.max(initial=size))
        self.other_switched(self._covers)
        for actor in self._actors.values():
            actor.GetMapper().SetInputData(self._spheres)
        self.update(stage.start)

    def _colors_of(self, looks: PointAppearance, anchor: RGBA, count: int) -> np.ndarray:
        """(count, 4) uint8 colours and opacities of points, anchors and corners; a ghost has a single one."""
        if self._ghost is not None:
            anchor = *self._ghost[:3], GHOSTLY * self._ghost[3]
        color = np.round(255 * np.tile(anchor, (count, 1))).astype(np.uint8)
        if self._ghost is None:
            color[: self._count] = looks.color
        return color

    def update(self, now: Snapshot) -> None:
        """Write the positions of the points."""
        points = now.points.position
        if len(points) == 0 or len(points) != self._count:  # a snapshot of an earlier scene
            return
        self._positions[: self._count] = points
        self._positions[-2] = self._positions[:-2].min(axis=0) - self._largest
        self._positions[-1] = self._positions[:-2].max(axis=0) + self._largest
        self._spheres.GetPoints().Modified()
        if self._ghost is None:
            self._color_held(held_point(now))

    def _color_held(self, point: int | None) -> None:
        """Draw a point in the colour HELD, and the one before in its own again; None: no point is held."""
        if point == self._held or self._looks is None:
            return
        colors = self._spheres.point_data[COLOR]
        if self._held is not None:
            colors[self._held] = self._looks.color[self._held]
        if point is not None:
            colors[point, :3] = np.round(255 * np.array(rgb(HELD)))
        self._held = point
        self._spheres.GetPointData().GetArray(COLOR).Modified()

    def other_switched(self, on: bool) -> None:
        """Leave out points inside of skins while these are on."""
        self._covers = on
        if self._looks is not None:
            self._radius[: self._count] = np.where(self._looks.covered & on, 0.0, self._looks.radius)
            opaque = np.asarray(self._spheres.point_data[COLOR])[:, 3] == OPAQUE_ALPHA
            for array, drawn in ((OPAQUE, opaque), (TRANSLUCENT, ~opaque)):
                self._spheres.point_data[array][:] = np.where(drawn, self._radius, 0.0)
                self._spheres.GetPointData().GetArray(array).Modified()
            self._spheres.GetPoints().Modified()
            self.set_visible(self._on)

    def set_visible(self, on: bool) -> None:
        """Show or hide the points."""
        self._on = on
        for array, actor in self._actors.items():
            actor.SetVisibility(on and len(self._positions) > 2 and bool(self._spheres.point_data[array].any()))

    def remove(self) -> None:
        """Remove the actor."""
        for actor in self._actors.values():
            self._renderer.RemoveActor(actor)


def _actor(radius: str, ghost: bool) -> vtkActor:
    """An actor of spheres whose radii [m] are in the point array `radius`."""
    mapper = vtkOpenGLSphereMapper()
    mapper.SetScaleArray(radius)
    mapper.SetScalarModeToUsePointFieldData()
    mapper.SelectColorArray(COLOR)
    mapper.SetColorModeToDirectScalars()
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.PickableOff()
    look = actor.GetProperty()
    look.SetAmbient(0.6 if ghost else 0.22)
    look.SetDiffuse(0.55 if ghost else 0.85)
    look.SetSpecular(0.0 if ghost else 0.28)
    look.SetSpecularPower(32)
    return actor


def held_point(now: Snapshot) -> int | None:
    """Index of the point that the interaction of a snapshot moves or pulls; None without one."""
    interaction = now.interaction_marker.interaction if now.interaction_marker is not None else None
    return interaction.point if isinstance(interaction, Grab | PullPoint) else None
