"""Surfaces with which shapes press on other bodies, where these are not their own: translucent, over the bodies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkProperty, vtkRenderer

from polhode.physics.bodies.description import PRESSING_AS_SEEN
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.variants.conversion import SAME
from polhode_app.viewport.base.palette import PALETTE, rgb
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.things.instances import CopiesView, Instances

if TYPE_CHECKING:
    from polhode.physics.contact.shapes_in_contact import ShapeInContact

OPACITY = 0.3
IN_FRONT = (-4.0, -400.0)  # factor and units of the offset of polygons


def has_hulls(scene: Scene) -> bool:
    """Whether a scene has a shape that presses on others with another surface than its own."""
    kinds = set(PRESSING_AS_SEEN).difference(SAME)
    return any(body.contact is not None and any(shape.kind in kinds for shape in body.shape) for body in scene.body)


class HullView(CopiesView):
    """One actor for each such shape; made when the view is first shown."""

    def __init__(self, renderer: vtkRenderer):
        super().__init__(renderer)
        self._stage: Stage | None = None
        self._on = False

    def rebuild(self, stage: Stage) -> None:
        """Remove the surfaces of the previous scene."""
        self._stage = stage
        self._replace(self._made(stage) if self._on else ())

    def set_visible(self, on: bool) -> None:
        """Show or hide the surfaces; their computation takes a while for large meshes."""
        if on and not self.copies and self._stage is not None:
            self.copies = [*self._made(self._stage)]
        super().set_visible(on)
        self._on = on

    def _made(self, stage: Stage) -> Iterator[Instances]:
        """The surfaces of all bodies that are drawn."""
        # the first frame does not wait for numba
        from polhode.mesh.mesh import Meshes  # noqa: PLC0415
        from polhode.physics.contact.shapes_in_contact import shapes_in_contact  # noqa: PLC0415

        meshes = Meshes()
        for number, body in enumerate(stage.scene.body):
            if number not in stage.unseen:
                with suppress(InputError):  # the session shows it
                    for found in shapes_in_contact(stage.scene, body, meshes):
                        surface = surface_of(found)
                        drawn = Instances(self._renderer, surface, [number], rgb(PALETTE[5]), _translucent)
                        mapper = drawn.actor.GetMapper()  # it is nearly where the body is: drawn in front of it
                        mapper.SetResolveCoincidentTopologyToPolygonOffset()
                        mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(*IN_FRONT)
                        yield drawn


def surface_of(found: ShapeInContact) -> pv.PolyData:
    """All surfaces of a shape, in the frame of its body [m]."""
    turn = found.shape.orientation.matrix()
    points = [vertices @ turn.T + found.shape.position for vertices, _ in found.surfaces]
    firsts = np.cumsum([0, *(len(each) for each in points)])
    faces = [faces + first for (_, faces), first in zip(found.surfaces, firsts[:-1], strict=True)]
    return pv.PolyData.from_regular_faces(np.concatenate(points), np.concatenate(faces))


def _translucent(look: vtkProperty) -> None:
    """Set the properties of a surface."""
    look.SetOpacity(OPACITY)
    look.SetAmbient(0.5)
    look.SetDiffuse(0.5)
