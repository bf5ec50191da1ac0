"""Draws the place of a scene: a bench of boards, a felt table, or a panel on a wall, with what holds things there.

Its faces are flat colours that contain light and shade: textures and lights would cost software OpenGL a third of a
frame.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.palette import rgb
from polhode_app.viewport.base.polydata import joined, set_normals
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.geometry.boards import BOARDS
from polhode_app.viewport.geometry.finishes import unlit
from polhode_app.viewport.places.holders import holders
from polhode_app.viewport.places.place import THICK, Place, place_of
from polhode_app.viewport.record import StillView
from polhode_app.viewport.things.supports import metal
from polhode_app.viewport.things.walls import RIM, lit

BOARDS_ACROSS = 6  # of a bench
GAP = 0.004  # between two boards, in radii of the stage
SHADES = np.array([0.97, 1.03, 0.95, 1.0, 1.05, 0.98])  # brightness of the boards
RAIL, HIGH = 0.07, 0.04  # width and height over the felt of the rim of a table, in radii of the stage
SUNK = 0.02  # depth below the board at which a thing is seen through it, in the same
PANEL = {"dark": "#454c56", "light": "#ebe7df"}


class PlaceView(StillView):
    """Two actors: the place, and what holds things there."""

    def rebuild(self, stage: Stage) -> None:
        """Build the place of a scene."""
        self._place, self._sunk, self._is_sunk = place_of(stage), SUNK * stage.radius, False
        super().rebuild(stage)

    def update(self, now: Snapshot) -> None:
        """Leave out what would hide things that have come behind it."""
        place = self._place
        if place is None or not self._actors:
            return
        heights = [place.height(points) for points in (now.bodies.position, now.points.position) if len(points)]
        is_sunk = any(bool((height < -self._sunk).any()) for height in heights)
        if is_sunk != self._is_sunk:
            self._is_sunk = is_sunk
            self._actors[0].SetVisibility(self._on and not is_sunk)

    def _made(self, stage: Stage) -> Iterator[vtkActor]:
        place = self._place
        if place is None:
            return
        faces, colors = zip(*_FACES[place.name](place, stage), strict=True)
        yield _flat_actor(np.array(faces), np.array(colors))
        if pieces := holders(stage, place):
            yield _metal_actor(joined(pieces), stage)


Face = tuple[np.ndarray, np.ndarray]  # (4, 3) [m] corners and (3,) colour of a flat face


def _bench(place: Place, stage: Stage) -> Iterator[Face]:
    """A top of boards along its longer side, and its narrow sides."""
    wood, size = np.array(BOARDS["wood"].color(stage.theme)), place.high - place.low
    along = int(size[0] < size[1])
    edges = np.linspace(place.low[1 - along], place.high[1 - along], BOARDS_ACROSS + 1)
    gap = GAP * stage.radius
    dark = lit(0.72 * wood, place.axes[2])
    for number, (left, right) in enumerate(pairwise(edges)):
        shade = lit(SHADES[number % len(SHADES)] * wood, place.axes[2])
        yield _strip(place, along, left, right - gap if number < BOARDS_ACROSS - 1 else right), shade
        if number < BOARDS_ACROSS - 1:
            yield _strip(place, along, right - gap, right), dark
    yield from _sides(place.corners, THICK * stage.radius, place.axes[2], wood)


def _strip(place: Place, along: int, left: float, right: float) -> np.ndarray:
    """(4, 3) [m] corners of a part of the top between two coordinates across the boards."""
    flat = np.zeros((4, 2))
    ends = place.low[along], place.high[along]
    flat[:, along] = (ends[0], ends[1], ends[1], ends[0])
    flat[:, 1 - along] = (left, left, right, right)
    return place.at(flat if along == 0 else flat[::-1])


def _felt(place: Place, stage: Stage) -> Iterator[Face]:
    """Felt in a raised rim of wood."""
    felt, wood = (np.array(BOARDS[name].color(stage.theme)) for name in ("felt", "wood"))
    up, rail, high = place.axes[2], RAIL * stage.radius, HIGH * stage.radius
    inner, outer = place.corners, _grown(place, rail)
    yield inner, lit(felt, up)
    yield from _frame(inner + high * up, outer + high * up, lit(0.95 * wood, up))
    yield from (
        (np.array([top[0], top[1], top[1] - high * up, top[0] - high * up]), shade)
        for top, shade in _edges(inner + high * up, 0.8 * wood, inwards=True)
    )
    yield from _sides(outer + high * up, high + THICK * stage.radius, up, wood)


def _panel(place: Place, stage: Stage) -> Iterator[Face]:
    """A painted panel , brightly lit."""
    color, normal = np.array(rgb(PANEL["dark" if stage.theme.is_dark else "light"])), place.axes[2]
    yield place.corners, color
    yield from _sides(place.corners, THICK * stage.radius, normal, color)


_FACES = {"bench": _bench, "felt": _felt, "wall": _panel}


def _grown(place: Place, by: float) -> np.ndarray:
    """(4, 3) [m] corners of a place that is wider by a length [m] at each side."""
    return Place(place.name, place.origin, place.axes, place.low - by, place.high + by).corners


def _frame(inner: np.ndarray, outer: np.ndarray, color: np.ndarray) -> Iterator[Face]:
    """The four mitred faces between two rectangles (4, 3) [m]."""
    for k in range(4):
        n = (k + 1) % 4
        yield np.array([outer[k], outer[n], inner[n], inner[k]]), color


def _edges(corners: np.ndarray, color: np.ndarray, inwards: bool = False) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Ends (2, 3) [m] of each edge of a rectangle (4, 3) [m], with the colour of a face there."""
    middle = corners.mean(axis=0)
    for k in range(4):
        ends = corners[[k, (k + 1) % 4]]
        outwards = ends.mean(axis=0) - middle
        outwards = outwards / np.linalg.norm(outwards)
        yield ends, lit(color, -outwards if inwards else outwards)


def _sides(corners: np.ndarray, thick: float, normal: np.ndarray, color: np.ndarray) -> Iterator[Face]:
    """The narrow sides of a slab below a rectangle (4, 3) [m]."""
    for (one, other), shade in _edges(corners, RIM * color):
        yield np.array([other, one, one - thick * normal, other - thick * normal]), shade


def _flat_actor(faces: np.ndarray, colors: np.ndarray) -> vtkActor:
    """An actor of flat faces (n, 4, 3) [m] in colours (n, 3) 0 to 1, visible from the front."""
    cells = np.insert(np.arange(4 * len(faces)).reshape(-1, 4), 0, 4, axis=1)
    surface = pv.PolyData(faces.reshape(-1, 3), faces=cells.ravel())
    across = np.cross(faces[:, 1] - faces[:, 0], faces[:, 3] - faces[:, 0])
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    set_normals(surface, np.repeat(across, 4, axis=0))
    # Colours of points: those of cells are looked up for every pixel, which takes as long again.
    shades = np.repeat(np.round(255 * colors.clip(0, 1)).astype(np.uint8), 4, axis=0)
    surface.point_data.set_scalars(shades, "color")
    actor = _actor(surface)
    actor.GetMapper().SetColorModeToDirectScalars()
    unlit(actor.GetProperty())
    actor.GetProperty().BackfaceCullingOn()
    return actor


def _metal_actor(surface: pv.PolyData, stage: Stage) -> vtkActor:
    """An actor of arms and posts."""
    actor = _actor(surface)
    actor.GetMapper().ScalarVisibilityOff()
    metal(actor.GetProperty())
    actor.GetProperty().SetColor(*rgb(stage.theme.support))
    return actor


def _actor(surface: pv.PolyData) -> vtkActor:
    """An actor that is not picked."""
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(surface)
    mapper.StaticOn()
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.PickableOff()
    return actor
