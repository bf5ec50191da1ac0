"""A run as moving parts: meshes with looks, and their motion at the times of the kept frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from polhode.simulation.diverged import Diverged
from polhode_app.export.motion.actors import ActorMesh, Look
from polhode_app.viewport.base.palette import RGB
from polhode_app.viewport.base.stage import Stage


@dataclass(frozen=True, eq=False)
class Still:
    """A mesh that does not move, in the laboratory frame."""


@dataclass(frozen=True, eq=False)
class Posed:
    """A mesh, drawn once for each of some poses of `RunMotion.poses`, in whose frames its points are."""

    poses: np.ndarray  # (n,) int


@dataclass(frozen=True, eq=False)
class Deformed:
    """A mesh whose points move, laboratory frame."""

    points: np.ndarray  # (f, v, 3) float32 [m]
    structure: Mapping[str, np.ndarray]  # how they follow from fewer numbers: field data of the mesh, by name


@dataclass(frozen=True, eq=False)
class Arrows:
    """A mesh of length 1 along x, drawn along vectors."""

    at: np.ndarray  # (f, n, 3) float32 [m] tails
    vectors: np.ndarray  # (f, n, 3) float32 [m]; 0 for one that is not drawn
    colors: np.ndarray  # (f, n, 3) uint8


@dataclass(frozen=True, eq=False)
class Spheres:
    """Spheres at moving points."""

    points: np.ndarray  # (f, n, 3) float32 [m]
    radius: np.ndarray  # (n,) [m]
    colors: np.ndarray  # (n, 4) uint8
    light_colors: np.ndarray  # (n, 4) uint8 in the light theme


Movement = Still | Posed | Deformed | Arrows | Spheres


@dataclass(frozen=True, eq=False)
class MotionPart:
    """Surfaces and lines of one actor in one colour."""

    view: str  # name of its view
    mesh: ActorMesh
    look: Look  # in the dark theme
    light_look: Look
    movement: Movement
    shown: np.ndarray  # (f,) bool
    light_colors: np.ndarray | None = None  # (n, 4) uint8 of the points in the light theme, where the mesh has colours
    texture: np.ndarray | None = None  # (h, w) uint8 grey picture that repeats
    body: int | None = None  # index of the body that it is fixed to, as far as it is known


@dataclass(frozen=True, eq=False)
class Poses:
    """Positions and rotations of rigid parts: first those of all bodies, in the order of the scene."""

    position: np.ndarray  # (f, n, 3) [m]
    quaternion: np.ndarray  # (f, n, 4) unit quaternions, scalar first
    swept: np.ndarray  # (f, n, 3) [rad] integral of the angular velocity, laboratory frame; 0 where it is unknown


@dataclass(frozen=True, eq=False)
class Trail:
    """A point of a body whose path is drawn."""

    pose: int  # index of the body
    point: np.ndarray  # (3,) [m] body frame
    color: tuple[float, float, float]


@dataclass(frozen=True)
class Legend:
    """Lines of text that a view shows at the edge of the picture, from some frame on."""

    view: str
    time: float  # [s] of the first frame at which they are shown
    colors: tuple[RGB, ...]  # of the lines, in the dark theme
    lines: Mapping[str, tuple[str, ...]]  # by language, from top to bottom


@dataclass(frozen=True, eq=False)
class RunMotion:
    """A run, or a part of it, as it is drawn."""

    times: np.ndarray  # (f,) [s]
    poses: Poses
    parts: tuple[MotionPart, ...]
    trails: tuple[Trail, ...]
    columns: Mapping[str, tuple[str, np.ndarray]]  # units, and values (f,) at these times, by name
    legends: tuple[Legend, ...]  # in the order of their times
    stages: Mapping[str, Stage]  # by theme, at the first frame
    shown: frozenset[str]  # views that are on at the start
    available: int  # number of frames of the source, of which `times` are a part
    stopped: Diverged | None = None  # why the source ended before its last frame

    def thinned(self, keep: np.ndarray) -> RunMotion:
        """The motion at the frames with indices `keep` (k,), increasing."""
        poses = Poses(*(array[keep] for array in (self.poses.position, self.poses.quaternion, self.poses.swept)))
        columns = {name: (unit, values[keep]) for name, (unit, values) in self.columns.items()}
        parts = tuple(
            replace(part, movement=_thinned(part.movement, keep), shown=part.shown[keep]) for part in self.parts
        )
        return replace(self, times=self.times[keep], poses=poses, parts=parts, columns=columns)


def _thinned(movement: Movement, keep: np.ndarray) -> Movement:
    """A movement at the moments with indices `keep`."""
    if isinstance(movement, Deformed | Spheres):
        return replace(movement, points=movement.points[keep])
    if isinstance(movement, Arrows):
        return Arrows(movement.at[keep], movement.vectors[keep], movement.colors[keep])
    return movement
