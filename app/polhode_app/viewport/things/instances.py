"""Instancing: one surface drawn in one actor, for one body or for hundreds of equal ones."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

import numpy as np
import pyvista as pv
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import (
    vtkActor,
    vtkGlyph3DMapper,
    vtkMapper,
    vtkPolyDataMapper,
    vtkProperty,
    vtkRenderer,
)

from polhode.simulation.snapshot import BodyStates, Snapshot
from polhode_app.viewport.base.palette import RGB
from polhode_app.viewport.record import ViewBase

MANY = 17  # number of equal bodies from which on they are drawn as glyphs
COLORS = "pole"  # name of the cell array with colours

Look = Callable[[vtkProperty], None]


class Instances:
    """One surface, body frame, drawn at the poses of some bodies: by a matrix for one body, as glyphs for several.

    Glyphs have a single colour; `colored` splits surfaces of several colours.
    """

    def __init__(
        self, renderer: vtkRenderer, surface: pv.PolyData, numbers: Sequence[int], color: RGB | None, look: Look
    ):
        """Draw `surface` at the bodies with indices `numbers`.

        `color` None means colours in the cells of the surface; `look` sets further properties of the actor.
        """
        self.numbers = np.array(numbers, dtype=int)
        self._renderer = renderer
        self._points: pv.PolyData | None = None
        self._matrix = vtkMatrix4x4()
        self.actor = vtkActor()
        self.actor.SetMapper(
            self._mapper_of_one(surface, color) if len(numbers) == 1 else self._mapper_of_many(surface)
        )
        seen = self.actor.GetProperty()
        look(seen)
        seen.SetColor(color or (1.0, 1.0, 1.0))
        if len(numbers) > 1:  # the glyph mapper of VTK multiplies by the opacity twice
            seen.SetOpacity(seen.GetOpacity() ** 0.5)
        renderer.AddActor(self.actor)

    def _mapper_of_one(self, surface: pv.PolyData, color: RGB | None) -> vtkMapper:
        """Mapper of a single body."""
        mapper = vtkPolyDataMapper()
        mapper.SetInputData(surface)
        mapper.SetScalarVisibility(color is None)
        if color is None:
            mapper.SetScalarModeToUseCellFieldData()
            mapper.SelectColorArray(COLORS)
            mapper.SetColorModeToDirectScalars()
        mapper.StaticOn()  # no upstream pipeline to be checked every frame
        self.actor.SetUserMatrix(self._matrix)
        return mapper

    def _mapper_of_many(self, surface: pv.PolyData) -> vtkMapper:
        """Glyph mapper of several bodies."""
        points = pv.PolyData(np.zeros((len(self.numbers), 3), dtype=np.float32))
        points.point_data["turn"] = np.tile(np.float32([1, 0, 0, 0]), (len(self.numbers), 1))
        self._positions, self._turns = np.asarray(points.points), np.asarray(points.point_data["turn"])
        mapper = vtkGlyph3DMapper()
        mapper.SetSourceData(surface)
        mapper.SetInputData(points)
        mapper.ScalarVisibilityOff()
        mapper.ScalingOff()
        mapper.SetOrientationModeToQuaternion()
        mapper.SetOrientationArray("turn")
        self._points = points
        return mapper

    def update(self, poses: BodyPoses) -> None:
        """Write the poses of the bodies."""
        if self._points is None:
            self._matrix.DeepCopy(poses.rows[self.numbers[0]])
            return
        self._positions[:] = poses.position[self.numbers]
        self._turns[:] = poses.quaternions[self.numbers]
        self._points.GetPoints().Modified()
        self._points.GetPointData().GetArray("turn").Modified()
        self._points.Modified()

    def shift_depth(self, offset: float) -> None:
        """Draw the surface behind others at equal depth, or in front of them if `offset` is negative."""
        mapper = self.actor.GetMapper()
        mapper.SetResolveCoincidentTopologyToPolygonOffset()
        mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(offset, offset)

    def set_visible(self, on: bool) -> None:
        """Show or hide the actor."""
        self.actor.SetVisibility(on)

    def remove(self) -> None:
        """Remove the actor."""
        self._renderer.RemoveActor(self.actor)


class BodyPoses:
    """Poses of all bodies in a snapshot in the forms that actors need, computed on demand."""

    def __init__(self, bodies: BodyStates):
        self._bodies = bodies
        self.position = bodies.position
        self._rows: list[list[float]] | None = None
        self._quaternions: np.ndarray | None = None

    @property
    def rows(self) -> list[list[float]]:
        """(n, 16) transformation matrix of each body, row by row."""
        if self._rows is None:
            rows = np.zeros((len(self.position), 4, 4))
            rows[:, 3, 3] = 1
            rows[:, :3, :3] = self._bodies.basis.transpose(0, 2, 1)
            rows[:, :3, 3] = self.position
            self._rows = rows.reshape(-1, 16).tolist()
        return self._rows

    @property
    def quaternions(self) -> np.ndarray:
        """(n, 4) unit quaternions of the rotations, scalar first."""
        if self._quaternions is None:
            self._quaternions = quaternions(self._bodies.basis)
        return self._quaternions


def quaternions(basis: np.ndarray) -> np.ndarray:
    """(n, 4) unit quaternions q, scalar first, of bases (n, 3, 3) with rows u1, u2, u3.

    All products 4 q_i q_j follow from the matrix; the row of the largest q_i, divided by its length, is q or -q.
    """
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = basis.transpose(2, 1, 0)  # components of the lab by those of the body
    products = np.array(
        [
            [1 + xx + yy + zz, zy - yz, xz - zx, yx - xy],
            [zy - yz, 1 + xx - yy - zz, xy + yx, xz + zx],
            [xz - zx, xy + yx, 1 - xx + yy - zz, yz + zy],
            [yx - xy, xz + zx, yz + zy, 1 - xx - yy + zz],
        ]
    )
    largest = np.diagonal(products).argmax(axis=1)
    rows = products[largest, :, np.arange(len(basis))]
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def groups(looks: Iterable[tuple[int, Hashable]]) -> Iterator[list[int]]:
    """Indices of bodies that are drawn together: equal ones if they are MANY, otherwise each by itself."""
    alike: dict[Hashable, list[int]] = {}
    for number, look in looks:
        alike.setdefault(look, []).append(number)
    for numbers in alike.values():
        yield from [numbers] if len(numbers) >= MANY else [[number] for number in numbers]


def colored(surface: pv.PolyData, color: RGB | None) -> list[tuple[pv.PolyData, RGB]]:
    """Split a surface into parts of one colour; `color` None means colours in its cells."""
    if color is not None:
        return [(surface, color)]
    colors, kinds = np.unique(np.asarray(surface.cell_data[COLORS]), axis=0, return_inverse=True)
    pieces = [
        surface.extract_cells(kinds.ravel() == kind).extract_surface(algorithm=None) for kind in range(len(colors))
    ]
    return [(piece, (r / 255, g / 255, b / 255)) for piece, (r, g, b) in zip(pieces, colors.tolist(), strict=True)]


class CopiesView(ViewBase):
    """A view of what is fixed to bodies: a snapshot writes poses only."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self.copies: list[Instances] = []
        self._on = True

    def _replace(self, copies: Iterable[Instances]) -> None:
        """Remove all copies, and make others."""
        for old in self.copies:
            old.remove()
        self.copies = [*copies]
        self.set_visible(self._on)

    def update(self, now: Snapshot) -> None:
        """Write the poses of the bodies."""
        poses = BodyPoses(now.bodies)
        for copies in self.copies:
            copies.update(poses)

    def set_visible(self, on: bool) -> None:
        """Show or hide all copies."""
        self._on = on
        for copies in self.copies:
            copies.set_visible(on)
