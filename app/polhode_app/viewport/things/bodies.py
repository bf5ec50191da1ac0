"""Rigid bodies: one actor for each shape, or for each shape of equal bodies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pyvista as pv
from vtkmodules.vtkFiltersCore import vtkCellCenters
from vtkmodules.vtkRenderingCore import vtkProperty, vtkRenderer

from polhode.physics.bodies.shapes import MeshShape, Shape
from polhode.scene.scene import Body
from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.mesh_preview_loader import MeshSource
from polhode_app.viewport.base.palette import NORTH, RGB, RGBA, SOUTH, rgb, shape_color, shape_opacity
from polhode_app.viewport.base.polydata import corners, filtered
from polhode_app.viewport.base.solid import SolidPart, is_ball
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.geometry.finishes import DENSE, FINISHES, dense
from polhode_app.viewport.geometry.letters import letters_of
from polhode_app.viewport.record import ViewBase
from polhode_app.viewport.things.instances import COLORS, BodyPoses, Instances, colored, groups
from polhode_app.viewport.things.shape_surfaces import surface_of

TWO_COLORED = {"sphere", "cylinder", "capsule", "ellipsoid", "cuboid"}  # no cell crosses the plane z = 0

PALE = 0.35  # fraction of the colour in every second octant of a ball, which makes its rotation visible
LIGHT = 0.8  # mean colour component above which these octants are darker instead of lighter
IVORY = rgb("#f4efe2")  # the second colour of billiard balls
SPOT, STRIPE = 0.88, 0.52  # heights, in radii, above which they have it: full ones, and those with a stripe
SHADES = {"cuboid": (1.0, 0.84, 0.92), "cylinder": (1.0, 1.0, 0.88)}  # brightness of flat faces across x, y and z
FLAT = 0.9999  # component of the normal of such a face along its axis
LETTERS = rgb("#ffffff")
GHOSTLY = 0.38  # opacity of a ghost


def parts_of(
    body: Body, number: int, folder: Path, meshes: MeshSource, around: int, pattern: str = "octants"
) -> tuple[SolidPart, ...]:
    """Surfaces of the shapes of body `number`, with `around` facets to a full turn. Raises InputError.

    `pattern` is that of a ball: "octants", or "full" and "stripe" of billiard balls.
    """
    return tuple(_part(body, shape, number, folder, meshes, around, pattern) for shape in body.shape)


def _part(
    body: Body, shape: Shape, number: int, folder: Path, meshes: MeshSource, around: int, pattern: str
) -> SolidPart:
    """Surface of a shape with its colours: poles of a magnet, the pattern of a ball, or a single one."""
    mesh = meshes.of(shape, folder) if isinstance(shape, MeshShape) else None
    surface = surface_of(shape, mesh, around)
    north = north_of(body, shape)
    color = None if north is not None else shape_color(shape.color, number)
    finish = "polished" if is_ball(body) else finish_of(shape, surface, color)
    if north is not None:
        _color_cells(surface, _cells(surface, shape) @ north > 0, rgb(SOUTH), rgb(NORTH))
        letters = letters_of(shape, float(north @ shape.orientation.matrix()[:, 2]))
        return SolidPart(surface, None, shape_opacity(shape.color), finish, letters)
    if is_ball(body):
        first = np.array(color)
        toward = 1.0 if first.mean() < LIGHT else 0.35
        pale = PALE * first + (1 - PALE) * toward if pattern == "octants" else np.array(IVORY)
        _color_cells(surface, _in_pattern(_cells(surface, shape), pattern), tuple(first), tuple(pale))
    elif shape.kind in SHADES and color is not None and finish != "metal":  # that reflects its surroundings
        _shade(surface, shape, np.array(color))
    else:
        return SolidPart(surface, color, shape_opacity(shape.color), finish)
    return SolidPart(surface, None, shape_opacity(shape.color), finish)


def _shade(surface: pv.PolyData, shape: Shape, color: np.ndarray) -> None:
    """Set the colours of the faces of a shape: whatever the light, neighbouring ones differ."""
    turn = shape.orientation.matrix()
    normals = np.cross(*((corners(surface)[k] - corners(surface)[0]) for k in (1, 2))) @ turn
    along = np.abs(normals).argmax(axis=1)
    is_flat = np.abs(normals[np.arange(len(along)), along]) > FLAT * np.linalg.norm(normals, axis=1)
    shades = np.where(is_flat, np.array(SHADES[shape.kind])[along], 1.0)
    surface.cell_data[COLORS] = np.round(255 * shades[:, None] * color).astype(np.uint8)


def _cells(surface: pv.PolyData, shape: Shape) -> np.ndarray:
    """(n, 3) [m] centres of the cells of a shape, relative to the position of the shape."""
    return np.asarray(filtered(surface, vtkCellCenters()).points) - shape.position


def _in_pattern(points: np.ndarray, pattern: str) -> np.ndarray:
    """(n,) whether cells of a ball at points (n, 3) [m] from its centre have its second colour."""
    if pattern == "octants":
        return np.asarray(np.prod(points, axis=1) > 0)
    height = np.abs(points[:, 2]) / np.linalg.norm(points, axis=1)
    return np.asarray(height > (SPOT if pattern == "full" else STRIPE))


def _color_cells(surface: pv.PolyData, other: np.ndarray, color: tuple[float, ...], second: tuple[float, ...]) -> None:
    """Set the colours of all cells, `second` where `other` (n,) is True."""
    surface.cell_data[COLORS] = np.round(255 * np.array([color, second])[other.astype(int)]).astype(np.uint8)


def north_of(body: Body, shape: Shape) -> np.ndarray | None:
    """(3,) direction of the north pole of a shape, body frame.

    None unless the shape has no colour of its own and is magnetized along its axis.
    """
    if shape.color is not None or shape.kind not in TWO_COLORED:
        return None
    axis = shape.orientation.matrix()[:, 2]
    moments = [dipole.moment for dipole in body.dipole if np.allclose(dipole.position, shape.position, atol=1e-6)]
    if shape.magnet is not None:
        moments.append(tuple(shape.orientation.matrix() @ (shape.magnet.moment or shape.magnet.remanence)))
    for moment in map(np.array, moments):
        strength = np.linalg.norm(moment)
        if abs(moment @ axis) > 0.999 * strength > 0:
            return moment / strength
    return None


class BodyView(ViewBase):
    """All bodies of the stage; as a `ghost` translucent and in one colour."""

    def __init__(self, renderer: vtkRenderer, ghost: RGBA | None = None):
        self._renderer = renderer
        self._ghost = ghost
        self._shown: dict[tuple[object, ...], tuple[tuple[SolidPart, ...], list[Instances]]] = {}

    def rebuild(self, stage: Stage) -> None:
        """Create actors of new and changed bodies, and keep those of the others."""
        self.rebuild_some(stage, [i for i in range(len(stage.solids)) if i not in stage.unseen])

    def rebuild_some(self, stage: Stage, bodies: Sequence[int]) -> None:
        """As `rebuild`, for bodies with these indices alone."""
        old, self._shown = self._shown, {}
        for numbers in groups((i, id(stage.solids[i].parts)) for i in bodies):
            parts = stage.solids[numbers[0]].parts
            key = (id(parts), *numbers)
            self._shown[key] = old.pop(key, None) or (parts, self._raised(parts, numbers))  # holds the parts, and so id
        for _, gone in old.values():
            for copies in gone:
                copies.remove()

    @property
    def copies(self) -> list[Instances]:
        """The actors, each of some bodies."""
        return [copies for _, shown in self._shown.values() for copies in shown]

    def update(self, now: Snapshot) -> None:
        """Write the poses of all bodies."""
        poses = BodyPoses(now.bodies)
        for _, shown in self._shown.values():
            for copies in shown:
                copies.update(poses)

    def set_visible(self, on: bool) -> None:
        """Show or hide the bodies."""
        for _, shown in self._shown.values():
            for copies in shown:
                copies.set_visible(on)

    def remove(self) -> None:
        """Remove all actors."""
        for _, shown in self._shown.values():
            for copies in shown:
                copies.remove()
        self._shown = {}

    def _raised(self, parts: tuple[SolidPart, ...], numbers: list[int]) -> list[Instances]:
        """Actors of the shapes of some equal bodies."""
        raised = [copies for part in parts for copies in self._copies(part, numbers)]
        if self._ghost is not None:
            for copies in raised:
                copies.shift_depth(2.0)  # a body hides a ghost in the same position
        return raised

    def _copies(self, part: SolidPart, numbers: list[int]) -> list[Instances]:
        """Actors of a shape of some equal bodies; glyphs have one for each colour."""
        color = part.color if self._ghost is None else self._ghost[:3]
        pieces = colored(part.surface, color) if len(numbers) > 1 else [(part.surface, color)]
        opacity = part.opacity if self._ghost is None else GHOSTLY * self._ghost[3]
        look = partial(_flat, opacity) if self._ghost is not None else partial(_solid, part.finish, opacity)
        made = [Instances(self._renderer, surface, numbers, color, look) for surface, color in pieces]
        if part.letters is not None and self._ghost is None:
            made.append(Instances(self._renderer, part.letters, numbers, LETTERS, _lettering))
            made[-1].shift_depth(-2.0)
        return made


def finish_of(shape: Shape, surface: pv.PolyData, color: RGB | None) -> str:
    """Finish of a shape with a surface and a colour, None for more than one: that of metal if it is dense."""
    if shape.kind == "point":
        return "plastic"
    if shape.mass is None:
        is_dense = (shape.density or 0.0) >= DENSE
    else:
        is_dense = shape.mass >= DENSE * abs(surface.volume) > 0 and shape.kind != "rod"
    return dense(color) if is_dense else "plastic"


def _solid(finish: str, opacity: float, look: vtkProperty) -> None:
    """Set the properties of a body."""
    FINISHES[finish](look)
    closed_surface(opacity, look)


def _lettering(look: vtkProperty) -> None:
    """Set the properties of letters, which are bright on every side."""
    look.SetAmbient(0.7)
    look.SetDiffuse(0.3)


def _flat(opacity: float, look: vtkProperty) -> None:
    """Set the properties of a ghost."""
    look.SetAmbient(0.6)
    look.SetDiffuse(0.55)
    closed_surface(opacity, look)


def closed_surface(opacity: float, look: vtkProperty) -> None:
    """Set the opacity of a closed surface and leave out its far side.

    That would shine through a translucent surface; of an opaque one it is hidden, and costs as much as the near side.
    """
    look.SetOpacity(opacity)
    look.BackfaceCullingOn()


def surface_samples(part: SolidPart, count: int) -> np.ndarray:
    """(count, 3) [m] points distributed uniformly over a surface, body frame; the same ones at each call."""
    (a, b, c), upto = part.corners, np.cumsum(part.areas)
    # Even steps along the cumulated area, and a low-discrepancy sequence inside of each triangle.
    number = np.arange(count)
    chosen = np.searchsorted(upto, (number + 0.5) / count * upto[-1]).clip(max=len(upto) - 1)
    u, v = (number * 0.7548776662466927) % 1, (number * 0.5698402909980532) % 1
    over = u + v > 1
    u, v = np.where(over, 1 - u, u), np.where(over, 1 - v, v)
    return a[chosen] + u[:, None] * (b - a)[chosen] + v[:, None] * (c - a)[chosen]
