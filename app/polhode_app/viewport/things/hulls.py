"""Surfaces with which shapes press on other bodies, where these are not their own: translucent, over the bodies."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkProperty, vtkRenderer

from polhode.physics.bodies.description import PRESSING_AS_SEEN
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.variants.conversion import SAME
from polhode.simulation.snapshot import Snapshot
from polhode_app.jobs import CheckCancelled
from polhode_app.viewport.base.palette import PALETTE, rgb
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.things.instances import CopiesView, Instances

if TYPE_CHECKING:
    from polhode.physics.contact.shapes_in_contact import ShapeInContact

NAME = "hulls"
OPACITY = 0.3
IN_FRONT = (-4.0, -400.0)  # factor and units of the offset of polygons


def has_hulls(scene: Scene) -> bool:
    """Whether a scene has a shape that presses on others with another surface than its own."""
    kinds = set(PRESSING_AS_SEEN).difference(SAME)
    return any(body.contact is not None and any(shape.kind in kinds for shape in body.shape) for body in scene.body)


@dataclass(frozen=True, eq=False)
class ComputedHulls:
    """The surfaces of the bodies of a stage."""

    stage: Stage
    surfaces: list[tuple[int, pv.PolyData]]  # index of a body, and a surface [m] in its frame


class HullView(CopiesView):
    """One actor for each such shape. The surfaces are computed in the background when the view is first shown."""

    def __init__(self, renderer: vtkRenderer):
        super().__init__(renderer)
        self._stage: Stage | None = None
        self._asked: Stage | None = None  # whose surfaces are drawn or computed
        self._on = False

    def rebuild(self, stage: Stage) -> None:
        """Remove the surfaces of the previous scene."""
        self._stage, self._asked = stage, None
        self._replace(())

    def update(self, now: Snapshot) -> None:
        """Request the surfaces of this scene once, draw them when they are finished, and write the poses."""
        stage = self._stage
        if stage is None:
            return
        is_compiled = stage.compiled is not None  # fields are computed before that
        if self._on and is_compiled and self._asked is not stage:
            self._asked = stage
            stage.job.add(partial(computed, stage), NAME)
        ready = stage.job.poll(NAME)
        if isinstance(ready, ComputedHulls) and ready.stage is stage:
            self._replace(self._drawn(*each) for each in ready.surfaces)
        super().update(now)

    def _drawn(self, number: int, surface: pv.PolyData) -> Instances:
        """The actor of a surface of a body."""
        drawn = Instances(self._renderer, surface, [number], rgb(PALETTE[5]), _translucent)
        mapper = drawn.actor.GetMapper()  # it is nearly where the body is: drawn in front of it
        mapper.SetResolveCoincidentTopologyToPolygonOffset()
        mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(*IN_FRONT)
        return drawn


def computed(stage: Stage, check: CheckCancelled) -> ComputedHulls:
    """The surfaces of all bodies that are drawn. Runs in the background, and reports the part that is done."""
    # the first frame does not wait for numba
    from polhode.mesh.mesh import Meshes  # noqa: PLC0415
    from polhode.physics.contact.shapes_in_contact import shapes_in_contact  # noqa: PLC0415

    meshes, surfaces = Meshes(), []
    for number, body in enumerate(stage.scene.body):
        check.report(number / len(stage.scene.body))
        if number not in stage.unseen:
            with suppress(InputError):  # the session shows it
                found = shapes_in_contact(stage.scene, body, meshes)
                surfaces += [(number, surface_of(each)) for each in found]
    return ComputedHulls(stage, surfaces)


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
