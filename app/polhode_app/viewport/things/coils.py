"""Coils: their turns as rings of copper wire, with a limit to their number."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from polhode.physics.coils.description import Coil, LoopWinding, ThickWinding
from polhode.scene.scene import Scene
from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.palette import COPPER, rgb
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.geometry.tubes import Tubes
from polhode_app.viewport.things.instances import CopiesView, Instances
from polhode_app.viewport.things.supports import metal

MOST, LAYERS = 24, 6  # rings along a winding, and layers
STOUTEST = 0.12  # radius of the wire that is drawn, in radii of the winding
FILLED = 0.92  # of the distance of two turns
POINTS, SIDES = 49, 10  # of a ring, and around its wire


class CoilView(CopiesView):
    """One actor for each coil; those of the laboratory do not move."""

    def __init__(self, renderer: vtkRenderer):
        super().__init__(renderer)
        self._still: list[vtkActor] = []

    def rebuild(self, stage: Stage) -> None:
        """Make the windings of all coils that are not hidden."""
        for actor in self._still:
            self._renderer.RemoveActor(actor)
        shown = [coil for coil in stage.scene.coil if coil.name not in stage.scene.view.hide]
        self._still = [_still(coil) for coil in shown if coil.body is None]
        for actor in self._still:
            self._renderer.AddActor(actor)
        numbers = {body.name: number for number, body in enumerate(stage.scene.bodies)}
        self._replace(self._carried(shown, numbers))

    def _carried(self, shown: list[Coil], numbers: dict[str, int]) -> Iterator[Instances]:
        for coil in shown:
            if coil.body is not None:
                color = rgb(coil.color or COPPER)
                yield Instances(self._renderer, winding_of(coil), [numbers[coil.body]], color, metal)

    def set_visible(self, on: bool) -> None:
        """Show or hide all coils."""
        super().set_visible(on)
        for actor in self._still:
            actor.SetVisibility(on)

    @property
    def scenery(self) -> list[vtkActor]:
        """The coils of the laboratory."""
        return self._still


def drawn_rings(coil: Coil) -> tuple[np.ndarray, float]:
    """Radii and heights (n, 2) [m] of the rings that are drawn, and the radius [m] of their wire."""
    winding = coil.winding
    if isinstance(winding, LoopWinding):
        return np.array([[winding.radius, 0.0]]), winding.wire_radius
    thickness = winding.outer_radius - winding.inner_radius if isinstance(winding, ThickWinding) else 0.0
    along = int(np.clip(coil.turns, 2, MOST))
    if thickness > 0.0:  # wires with a square room each
        along = int(np.clip(np.sqrt(coil.turns * winding.length / thickness), 2, MOST))
    distance = winding.length / along
    wire = min(0.5 * FILLED * distance, STOUTEST * coil.mean_radius)
    layers = int(np.clip(thickness / distance, 1, LAYERS))
    heights = (np.arange(along) + 0.5) * distance - 0.5 * winding.length
    radii = coil.mean_radius + (np.arange(layers) - 0.5 * (layers - 1)) * (thickness / layers)
    return np.array([[radius, height] for radius in radii for height in heights]), wire


def ring_points(coil: Coil) -> np.ndarray:
    """(n, POINTS, 3) [m] closed lines of the rings that are drawn, in the frame that the coil is placed in."""
    rings, _ = drawn_rings(coil)
    angle = np.linspace(0.0, 2.0 * np.pi, POINTS)
    round_about = np.stack([np.cos(angle), np.sin(angle), np.zeros(POINTS)], axis=1)
    lines = rings[:, 0, None, None] * round_about
    lines[:, :, 2] = rings[:, 1, None]
    return np.asarray(lines @ coil.orientation.matrix().T + coil.position)


def winding_of(coil: Coil) -> pv.PolyData:
    """Surface of the wires, in the frame that the coil is placed in."""
    lines = ring_points(coil)
    tubes = Tubes(len(lines), POINTS, SIDES)
    axis = coil.orientation.matrix()[:, 2]
    tubes.write(lines, np.array(drawn_rings(coil)[1]), np.broadcast_to(axis, lines.shape))
    return tubes.surface


def placed_rings(scene: Scene, now: Snapshot, number: int) -> np.ndarray:
    """(n, POINTS, 3) [m] closed lines of the rings of a coil, laboratory frame."""
    coil = scene.coil[number]
    points = ring_points(coil)
    if coil.body is None:
        return points
    b = [body.name for body in scene.bodies].index(coil.body)
    return np.asarray(points @ now.bodies.basis[b] + now.bodies.position[b])


def _still(coil: Coil) -> vtkActor:
    """A coil of the laboratory."""
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(winding_of(coil))
    actor = vtkActor()
    actor.SetMapper(mapper)
    metal(actor.GetProperty())
    actor.GetProperty().SetColor(*rgb(coil.color or COPPER))
    return actor
