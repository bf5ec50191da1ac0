"""Records of single actors, frame by frame, and the parts of the motion that follow from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import numpy as np
import pyvista as pv
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkGlyph3DMapper, vtkPolyDataMapper
from vtkmodules.vtkRenderingOpenGL2 import vtkOpenGLSphereMapper

from polhode_app.export.motion.actors import ActorMesh, Look, look_of, meshes_of
from polhode_app.export.motion.parts import Arrows, Deformed, MotionPart, Movement, Posed, Spheres, Still
from polhode_app.viewport.base.palette import RGB
from polhode_app.viewport.things.instances import quaternions
from polhode_app.viewport.things.points import OPAQUE, TRANSLUCENT

FindPoses = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Indices (n,) of poses with positions (f, n, 3) and quaternions (f, n, 4) in the table of all poses."""


class Record(Protocol):
    """The frames of one actor."""

    first: int  # index of the frame at which it was first seen

    def add(self) -> None:
        """Read the actor at the next frame."""

    def add_missing(self) -> None:
        """Note that the actor does not exist at the next frame any more."""

    @property
    def count(self) -> int:
        """How many numbers of the last frame differ from those of the first."""

    def parts(self, view: str, find_poses: FindPoses) -> list[MotionPart]:
        """The parts that it draws."""


def record_of(actor: vtkActor, twin: vtkActor | None, first: int, bodies: np.ndarray | None = None) -> Record | None:
    """A record of an actor, whose `twin` draws the same in the light theme; None for a mapper of another kind.

    `bodies` (n,) are indices of the bodies that it draws, None for an actor of something else.
    """
    mapper = actor.GetMapper()
    if isinstance(mapper, vtkOpenGLSphereMapper):
        return _SphereRecord(actor, twin, first)
    if isinstance(mapper, vtkGlyph3DMapper):
        return _GlyphRecord(actor, twin, first, bodies)
    return _MeshRecord(actor, twin, first, bodies) if isinstance(mapper, vtkPolyDataMapper) else None


class _Base:
    """Visibility, and the look of the actor in both themes."""

    def __init__(self, actor: vtkActor, twin: vtkActor | None, first: int, bodies: np.ndarray | None = None):
        self.first, self._actor, self._twin, self._bodies = first, actor, twin or actor, bodies
        self._look, self._light_look = look_of(actor), look_of(self._twin)
        self._shown = [False] * first
        self._values: list[np.ndarray] = []

    def add_missing(self) -> None:
        """See Record."""
        self._shown.append(False)
        self._values.append(self._values[-1])

    def _filled(self) -> np.ndarray:
        """(f, ...) values of all frames; before the first one they are those of that one."""
        return np.stack([self._values[0]] * self.first + self._values)

    def _part(
        self, view: str, mesh: ActorMesh, movement: Movement, colors: tuple[RGB | None, RGB | None] = (None, None)
    ) -> MotionPart:
        look, light_look = (
            look if color is None else _recolored(look, color)
            for look, color in zip((self._look, self._light_look), colors, strict=True)
        )
        return MotionPart(view, mesh, look, light_look, movement, np.array(self._shown))


class _MeshRecord(_Base):
    """An actor of one mesh, moved by its matrix or by its points."""

    def __init__(self, actor: vtkActor, twin: vtkActor | None, first: int, bodies: np.ndarray | None):
        super().__init__(actor, twin, first, bodies)
        self._data = pv.wrap(actor.GetMapper().GetInput())
        self._points: list[np.ndarray] = []
        self._changed = -1
        self._matrix = vtkMatrix4x4()
        self._pieces = meshes_of(self._data, actor.GetMapper())
        self._light_pieces = meshes_of(self._twin.GetMapper().GetInput(), self._twin.GetMapper())
        if len(self._light_pieces) != len(self._pieces):
            self._light_pieces = self._pieces

    def add(self) -> None:
        """See Record."""
        self._actor.GetMatrix(self._matrix)
        self._shown.append(bool(self._actor.GetVisibility()))
        self._values.append(np.array(self._matrix.GetData()).reshape(4, 4))
        changed = self._data.GetPoints().GetMTime() if self._data.GetPoints() is not None else -1
        if changed != self._changed or not self._points:
            self._points.append(np.array(self._data.points, np.float32))
            self._changed = changed
        else:
            self._points.append(self._points[-1])

    def add_missing(self) -> None:
        """See Record."""
        super().add_missing()
        self._points.append(self._points[-1])

    @property
    def count(self) -> int:
        """See Record."""
        moved = 0 if np.array_equal(self._points[0], self._points[-1]) else self._points[-1].size
        return moved + (0 if np.array_equal(self._values[0], self._values[-1]) else 7)

    def parts(self, view: str, find_poses: FindPoses) -> list[MotionPart]:
        """See Record."""
        if not any(self._shown) or not len(self._points[0]):
            return []
        moving = any(points is not self._points[0] for points in self._points[1:]) and any(
            not np.array_equal(points, self._points[0]) for points in self._points[1:]
        )
        if moving:
            mesh, _ = meshes_of(self._data)[0]
            filled = np.stack([self._points[0]] * self.first + self._points)
            arrays = self._data.field_data
            structure = {name: np.array(arrays[name]) for name in arrays}
            return [self._part(view, mesh, Deformed(filled, structure))]
        matrices = self._filled()
        scale = float(np.cbrt(abs(np.linalg.det(matrices[0, :3, :3]))))
        movement: Movement = Still()
        transform = matrices[0]
        known = self._bodies
        if np.ptp(matrices, axis=0).any():
            turns = quaternions(matrices[:, :3, :3].transpose(0, 2, 1) / scale)
            movement = Posed(find_poses(matrices[:, None, :3, 3], turns[:, None]) if known is None else known)
            transform = np.diag([scale, scale, scale, 1.0])
        made = []
        for (mesh, color), (light, light_color) in zip(self._pieces, self._light_pieces, strict=True):
            part = self._part(view, _moved(mesh, transform), movement, (color, light_color))
            body = int(known[0]) if known is not None else None
            made.append(replace(part, light_colors=light.colors, texture=_texture(self._actor), body=body))
        return made


class _GlyphRecord(_Base):
    """An actor of glyphs: equal bodies by their rotations, or arrows by their vectors."""

    def __init__(self, actor: vtkActor, twin: vtkActor | None, first: int, bodies: np.ndarray | None):
        super().__init__(actor, twin, first, bodies)
        mapper = actor.GetMapper()
        self._meshes = meshes_of(mapper.GetSource(0))
        self._data = pv.wrap(mapper.GetInput())
        self._names = ("turn",) if "turn" in self._data.point_data else ("vector", "color")

    def add(self) -> None:
        """See Record."""
        self._shown.append(bool(self._actor.GetVisibility()))
        arrays = [np.asarray(self._data.points)] + [np.asarray(self._data.point_data[name]) for name in self._names]
        self._values.append(np.concatenate(arrays, axis=1, dtype=np.float32, casting="unsafe"))

    @property
    def count(self) -> int:
        """See Record."""
        if self._names == ("turn",):
            return 0 if np.array_equal(self._values[0], self._values[-1]) else self._values[-1].size
        return 6 * int((np.abs(self._values[-1][:, 3:6]).max(axis=1) > 0).sum())

    def parts(self, view: str, find_poses: FindPoses) -> list[MotionPart]:
        """See Record."""
        if not any(self._shown):
            return []
        values = self._filled()
        if self._names == ("turn",):
            known = self._bodies
            poses = Posed(find_poses(values[:, :, :3], values[:, :, 3:]) if known is None else known)
            return [self._part(view, mesh, poses) for mesh, _ in self._meshes]
        used = int((np.abs(values[:, :, 3:6]).max(axis=2) > 0).sum(axis=1).max())
        arrows = Arrows(values[:, :used, :3], values[:, :used, 3:6], values[:, :used, 6:].astype(np.uint8))
        return [self._part(view, mesh, arrows) for mesh, _ in self._meshes if used]


class _SphereRecord(_Base):
    """An actor of spheres at points."""

    def __init__(self, actor: vtkActor, twin: vtkActor | None, first: int):
        super().__init__(actor, twin, first)
        self._data = pv.wrap(actor.GetMapper().GetInput())
        radius, colors = _spheres(actor)
        self._used = np.flatnonzero(radius > 0)
        self._radius, self._colors = radius[self._used], colors[self._used]
        self._light_colors = _spheres(self._twin)[1][self._used]

    def add(self) -> None:
        """See Record."""
        self._shown.append(bool(self._actor.GetVisibility()))
        self._values.append(np.asarray(self._data.points, np.float32)[self._used])

    @property
    def count(self) -> int:
        """See Record."""
        return 0 if np.array_equal(self._values[0], self._values[-1]) else self._values[-1].size

    def parts(self, view: str, find_poses: FindPoses) -> list[MotionPart]:
        """See Record."""
        if not any(self._shown) or not len(self._used):
            return []
        none = np.zeros((0, 3), np.float32)
        mesh = ActorMesh(none, none, np.zeros((0, 3), np.int32), np.zeros((0, 2), np.int32))
        return [self._part(view, mesh, Spheres(self._filled(), self._radius, self._colors, self._light_colors))]


def _spheres(actor: vtkActor) -> tuple[np.ndarray, np.ndarray]:
    """(n,) [m] radii and (n, 4) uint8 colours of the spheres of an actor."""
    mapper = actor.GetMapper()
    data, name = pv.wrap(mapper.GetInput()), OPAQUE if actor.GetForceOpaque() else TRANSLUCENT
    count = data.n_points
    radius = np.array(data.point_data[name]) if name in data.point_data else np.full(count, mapper.GetRadius())
    if mapper.GetScalarVisibility():
        return radius, vtk_to_numpy(data.GetPointData().GetArray(mapper.GetArrayName()))
    color = np.round(255 * np.array([*actor.GetProperty().GetColor(), 1.0]))
    return radius, np.tile(color.astype(np.uint8), (count, 1))


def _recolored(look: Look, color: RGB) -> Look:
    return replace(look, color=color)


def _texture(actor: vtkActor) -> np.ndarray | None:
    """(h, w) uint8 grey picture on an actor; None without one."""
    if actor.GetTexture() is None:
        return None
    image = actor.GetTexture().GetInput()
    width, height, _ = image.GetDimensions()
    return vtk_to_numpy(image.GetPointData().GetScalars())[:, 0].reshape(height, width).copy()


def _moved(mesh: ActorMesh, matrix: np.ndarray) -> ActorMesh:
    """A mesh in the frame that a matrix (4, 4) leads to."""
    if np.array_equal(matrix, np.eye(4)):
        return mesh
    points = (mesh.points @ matrix[:3, :3].T + matrix[:3, 3]).astype(np.float32)
    normals = mesh.normals
    if normals is not None:
        normals = (normals @ np.linalg.inv(matrix[:3, :3])).astype(np.float32)
        normals /= np.linalg.norm(normals, axis=1, keepdims=True).clip(min=1e-30)
    return ActorMesh(points, normals, mesh.triangles, mesh.lines, mesh.colors, mesh.texture)
