"""Coils: their turns as rings of copper wire, with a limit to their number, in the colour of the current, with an arrow
and a number.
"""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer, vtkTextActor

from polhode.physics.coils.description import Coil, LoopWinding, OpenSource, PolygonWinding, ThickWinding
from polhode.scene.scene import Scene
from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.glyph_arrows import with_prefix
from polhode_app.viewport.base.palette import COPPER, PALETTE, rgb
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.base.text_actor import Symbols
from polhode_app.viewport.geometry.tubes import Tubes
from polhode_app.viewport.record import ViewBase
from polhode_app.viewport.things.instances import BodyPoses
from polhode_app.viewport.things.supports import metal

MOST, LAYERS = 24, 6  # rings along a winding, and layers
STOUTEST = 0.12  # radius of the wire that is drawn, in radii of the winding
FILLED = 0.92  # of the distance of two turns
POINTS, SIDES = 49, 10  # of a ring, and around its wire
ON_WIRE = 5.0  # length of an arrow on a straight piece of wire, in radii of the wire
PARTS = 8  # of a straight piece of wire, for picking
CURRENT = {1: PALETTE[4], -1: PALETTE[0]}  # colours of currents by the right-hand rule about the axis, and of others
FADING = 0.35  # exponent of the colour as a function of the current
ARROW, LEAST = 0.35, 0.02  # size of an arrow in radii of the winding, and share of the largest current that has one
NO_CURRENT = 1e-12  # [A]


class CoilView(ViewBase):
    """One actor for each coil, in the colour of its current, and an arrow along it; its number if there are few."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._numbers = Symbols(renderer, "I")
        self._drawn: list[_DrawnCoil] = []
        self._on = True

    def rebuild(self, stage: Stage) -> None:
        """Make the windings of all coils that are not hidden."""
        for drawn in self._drawn:
            for actor in drawn.actors:
                self._renderer.RemoveActor(actor)
        numbers = {body.name: number for number, body in enumerate(stage.scene.bodies)}
        self._drawn = [
            _DrawnCoil(coil, number, numbers.get(coil.body or ""))
            for number, coil in enumerate(stage.scene.coil)
            if coil.name not in stage.scene.view.hide
        ]
        for drawn in self._drawn:
            for actor in drawn.actors:
                self._renderer.AddActor(actor)
        self.set_visible(self._on)

    def update(self, now: Snapshot) -> None:
        """Write poses and currents."""
        poses = BodyPoses(now.bodies)
        for drawn in self._drawn:
            drawn.update(poses, now.currents, self._on)
        shown = [drawn for drawn in self._drawn if drawn.shows_current]
        at = np.array([drawn.number_place for drawn in shown]).reshape(-1, 3)
        colors = np.array([drawn.arrow_color for drawn in shown]).reshape(-1, 3)
        self._numbers.draw(at, colors, [with_prefix(float(f"{abs(drawn.current):.3g}"), "A") for drawn in shown])

    @property
    def symbols(self) -> list[vtkTextActor]:
        """The visible numbers."""
        return self._numbers.visible

    def set_visible(self, on: bool) -> None:
        """Show or hide all coils."""
        self._on = on
        for drawn in self._drawn:
            drawn.set_visible(on)
        for actor in self._numbers.actors:
            actor.VisibilityOff()

    @property
    def scenery(self) -> list[vtkActor]:
        """The coils of the laboratory without a current."""
        return [drawn.winding for drawn in self._drawn if drawn.is_still]


class _DrawnCoil:
    """The winding of a coil, and the arrows of both senses of its current, of which one is seen at most."""

    def __init__(self, coil: Coil, number: int, body: int | None):
        self._number, self._body = number, body
        self._matrix = vtkMatrix4x4()
        self._color = np.array(rgb(coil.color or COPPER))
        self._largest, self.current = 0.0, 0.0  # [A] of the currents so far; now
        self.shows_current = False
        self._number_at = beside(coil, 0.9)
        self.is_still = body is None and isinstance(coil.source, OpenSource)
        self.winding = self._actor(winding_of(coil), tuple(self._color))
        self._arrows = [self._actor(arrow_of(coil, sense), rgb(CURRENT[sense])) for sense in (1, -1)]
        for arrow in self._arrows:
            arrow.GetProperty().SetAmbient(0.5)
            arrow.GetProperty().SetDiffuse(0.6)
        self.actors = [self.winding, *self._arrows]
        metal(self.winding.GetProperty())

    def _actor(self, surface: pv.PolyData, color: tuple[float, ...]) -> vtkActor:
        mapper = vtkPolyDataMapper()
        mapper.SetInputData(surface)
        actor = vtkActor()
        actor.SetMapper(mapper)
        actor.GetProperty().SetColor(*color)
        if self._body is not None:
            actor.SetUserMatrix(self._matrix)
        return actor

    def set_visible(self, on: bool) -> None:
        """Show or hide the winding; arrows are shown by the next update."""
        self.winding.SetVisibility(on)
        for arrow in self._arrows:
            arrow.VisibilityOff()

    def update(self, poses: BodyPoses, currents: np.ndarray, on: bool) -> None:
        """Write the pose of the body, and the current among those (k,) [A] of all coils."""
        if self._body is not None:
            self._matrix.DeepCopy(poses.rows[self._body])
        self.current = current = float(currents[self._number]) if self._number < len(currents) else 0.0
        self._largest = max(self._largest, abs(current), NO_CURRENT)
        share = abs(current) / self._largest if abs(current) > NO_CURRENT else 0.0
        target = np.array(rgb(CURRENT[1 if current > 0.0 else -1]))
        self.winding.GetProperty().SetColor(*(self._color + share**FADING * (target - self._color)))
        for arrow, is_seen in zip(self._arrows, (current > 0.0, current < 0.0), strict=True):
            arrow.SetVisibility(on and is_seen and share > LEAST)
        self.shows_current = on and share > LEAST

    @property
    def number_place(self) -> np.ndarray:
        """(3,) [m] where its number begins, laboratory frame."""
        if self._body is None:
            return self._number_at
        return np.array(self._matrix.MultiplyPoint((*self._number_at, 1.0))[:3])

    @property
    def arrow_color(self) -> np.ndarray:
        """(3,) uint8 of the arrow that is seen."""
        return np.round(255 * np.array(rgb(CURRENT[1 if self.current > 0.0 else -1]))).astype(np.uint8)


def beside(coil: Coil, distance: float) -> np.ndarray:
    """(3,) [m] a place beside the upper end of a winding, or the first piece of a polygon, in the frame that it has.

    distance: from the winding, in sizes of the arrow
    """
    at = np.array([(1.0 + distance * ARROW) * coil.outer_radius, 0.0, coil.half_length])
    if isinstance(coil.winding, PolygonWinding):
        at = coil.winding.pieces[0].reshape(2, 3).mean(axis=0)
        at = at + distance * ON_WIRE * coil.winding.wire_radius * at / max(float(np.linalg.norm(at)), 1e-9)
    return np.asarray(at @ coil.orientation.matrix().T + coil.position)


def arrow_of(coil: Coil, sense: int) -> pv.PolyData:
    """An arrow at the upper end of a winding, outside of it: sense 1 by the right-hand rule about the axis.

    Of a polygon on its first piece, sense 1 in the order of the points.
    """
    size, direction = ARROW * coil.outer_radius, sense * coil.orientation.matrix()[:, 1]
    if isinstance(coil.winding, PolygonWinding):
        begin, end = np.split(coil.winding.pieces[0], 2)
        size = min(ON_WIRE * coil.winding.wire_radius, 0.5 * float(np.linalg.norm(end - begin)))
        direction = sense * coil.orientation.matrix() @ (end - begin)
        return pv.Cone(center=beside(coil, 0.0), direction=direction, height=size, radius=0.4 * size, resolution=24)
    return pv.Cone(center=beside(coil, 0.3), direction=direction, height=size, radius=0.4 * size, resolution=16)


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
    """(n, k, 3) [m] closed lines of the rings that are drawn, in the frame that the coil is placed in."""
    if isinstance(coil.winding, PolygonWinding):
        share = np.linspace(0.0, 1.0, PARTS, endpoint=False)[:, None]
        begin, end = np.split(coil.winding.pieces[:, None], 2, axis=2)
        corners = np.vstack([(begin + share * (end - begin)).reshape(-1, 3), begin[0]])
        return np.asarray(corners[None] @ coil.orientation.matrix().T + coil.position)
    rings, _ = drawn_rings(coil)
    angle = np.linspace(0.0, 2.0 * np.pi, POINTS)
    round_about = np.stack([np.cos(angle), np.sin(angle), np.zeros(POINTS)], axis=1)
    lines = rings[:, 0, None, None] * round_about
    lines[:, :, 2] = rings[:, 1, None]
    return np.asarray(lines @ coil.orientation.matrix().T + coil.position)


def winding_of(coil: Coil) -> pv.PolyData:
    """Surface of the wires, in the frame that the coil is placed in."""
    lines = ring_points(coil)
    if isinstance(coil.winding, PolygonWinding):
        middle = lines[0, PARTS // 2]  # of the first piece, so that no corner is at an end of the tube
        corners = np.vstack([middle, lines[0, PARTS:-1:PARTS], lines[0, 0], middle])
        return pv.lines_from_points(corners).tube(radius=coil.winding.wire_radius, n_sides=2 * SIDES)
    tubes = Tubes(len(lines), POINTS, SIDES)
    axis = coil.orientation.matrix()[:, 2]
    tubes.write(lines, np.array(drawn_rings(coil)[1]), np.broadcast_to(axis, lines.shape))
    return tubes.surface


def placed_rings(scene: Scene, now: Snapshot, number: int) -> np.ndarray:
    """(n, k, 3) [m] closed lines of the rings of a coil, laboratory frame."""
    coil = scene.coil[number]
    points = ring_points(coil)
    if coil.body is None:
        return points
    b = [body.name for body in scene.bodies].index(coil.body)
    return np.asarray(points @ now.bodies.basis[b] + now.bodies.position[b])
