"""Convex hulls of meshes that press on other bodies with them: translucent, over the mesh."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkProperty, vtkRenderer

from polhode.scene.scene import Body, Scene
from polhode_app.viewport.base.palette import PALETTE, rgb
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.things.instances import CopiesView, Instances

OPACITY = 0.3


def has_hulls(scene: Scene) -> bool:
    """Whether a scene has a mesh that presses on others with its hull."""
    return any(
        _presses_by_hull(scene, body) and any(shape.kind == "mesh" for shape in body.shape) for body in scene.body
    )


def _presses_by_hull(scene: Scene, body: Body) -> bool:
    return body.contact is not None and scene.contact_shape(body.contact) == "hull"


class HullView(CopiesView):
    """One actor for each mesh of a body with a contact; made when the view is first shown."""

    def __init__(self, renderer: vtkRenderer):
        super().__init__(renderer)
        self._stage: Stage | None = None
        self._on = False

    def rebuild(self, stage: Stage) -> None:
        """Remove the hulls of the previous scene."""
        self._stage = stage
        self._replace(self._made(stage) if self._on else ())

    def set_visible(self, on: bool) -> None:
        """Show or hide the hulls; their computation takes a while for large meshes."""
        if on and not self.copies and self._stage is not None:
            self.copies = [*self._made(self._stage)]
        super().set_visible(on)
        self._on = on

    def _made(self, stage: Stage) -> Iterator[Instances]:
        """The hulls of all bodies that are drawn."""
        for number, body in enumerate(stage.scene.body):
            if not _presses_by_hull(stage.scene, body) or number in stage.unseen:
                continue
            for shape, part in zip(body.shape, stage.solids[number].parts, strict=True):
                if shape.kind == "mesh":
                    yield Instances(self._renderer, hull_of(part.points), [number], rgb(PALETTE[5]), _translucent)


def hull_of(points: np.ndarray) -> pv.PolyData:
    """The convex hull of points (n, 3) [m], with only its own vertices."""
    # the first frame does not wait for numba
    from polhode.mesh.mesh import Mesh, convex_hull  # noqa: PLC0415

    made = convex_hull(Mesh(points, np.zeros((0, 3))), "hull")
    return pv.PolyData.from_regular_faces(made.vertices, made.faces)


def _translucent(look: vtkProperty) -> None:
    """Set the properties of a hull."""
    look.SetOpacity(OPACITY)
    look.SetAmbient(0.5)
    look.SetDiffuse(0.5)
