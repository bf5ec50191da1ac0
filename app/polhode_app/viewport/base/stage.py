"""The Stage: everything that views need to build their geometry. It is made once for each version of the scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from polhode.physics.points.description import Chain, Lattice, Soft
from polhode.physics.points.lattice import chain_points, lattice_points
from polhode.scene.scene import Scene
from polhode.simulation.snapshot import BodyStates, Energy, Ledger, PointStates, Snapshot
from polhode_app.jobs import Job
from polhode_app.viewport.base.bounds import SweptBox, extent_and_ground
from polhode_app.viewport.base.mesh_preview_loader import MeshSource
from polhode_app.viewport.base.motion_range import start_of
from polhode_app.viewport.base.palette import Theme
from polhode_app.viewport.base.polydata import box
from polhode_app.viewport.base.solid import Solid

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene  # imports numba, which the first frame does not wait for

CELLS = 3.0  # approximate number of grid cells per radius of the stage


@dataclass(frozen=True, eq=False)
class Stage:
    """A scene with its initial state, surfaces, extent and theme. Immutable but for `swept`; shared by all views."""

    scene: Scene
    start: Snapshot  # initial state
    where: Mapping[str, slice]  # points of each soft body and particle by name, as far as they are known
    solids: tuple[Solid, ...]  # one per body, in the order of the scene
    extent: np.ndarray  # (n, 3) [m] points that span everything objects may reach
    ground: float  # [m] height of the ground
    theme: Theme
    meshes: MeshSource
    job: Job  # for computations that take longer than a frame
    swept: SweptBox  # what walls reach as far as; it grows with what moves
    compiled: CompiledScene | None = None  # None until the scene is compiled
    generation: int = 0  # of the scene, as in app/polhode_app/messages.py
    sizes: Mapping[str, float] = field(default_factory=dict)  # lengths of arrows by view, relative to the default

    def long(self, share: float, view: str) -> float:
        """Length [m] of an arrow of a view with default length `share`, in radii of the stage."""
        return share * self.radius * self.sizes.get(view, 1.0)

    @property
    def bodies(self) -> BodyStates:
        """Initial state of the bodies."""
        return self.start.bodies

    @property
    def moving(self) -> list[int]:
        """Indices of the visible bodies that are not fixed."""
        return [i for i, body in enumerate(self.scene.bodies) if body.support != "fixed" and i not in self.unseen]

    @cached_property
    def unseen(self) -> frozenset[int]:
        """Indices of the hidden bodies."""
        hide = set(self.scene.view.hide)
        hide |= {name for sphere in self.scene.sphere if sphere.name in hide for name in sphere.names}
        return frozenset(i for i, body in enumerate(self.scene.bodies) if body.name in hide)

    @cached_property
    def centers(self) -> np.ndarray:
        """(n, 3) [m] centres of mass, body frame; zero until the scene is compiled."""
        if self.compiled is None:
            return np.zeros((len(self.scene.bodies), 3))
        return np.array([part.center for part in self.compiled.properties]).reshape(-1, 3)

    @cached_property
    def _box(self) -> tuple[np.ndarray, np.ndarray]:
        """(3,) and (3,) [m] lower and upper corner of the extent."""
        return box(self.extent)

    @cached_property
    def center(self) -> np.ndarray:
        """(3,) [m] centre of the extent."""
        low, high = self._box
        return np.asarray(low + high) / 2

    @cached_property
    def radius(self) -> float:
        """Half the diagonal of the extent [m]."""
        low, high = self._box
        return float(np.linalg.norm(high - low)) / 2

    @cached_property
    def cell(self) -> float:
        """Length [m] of a grid cell: 1, 2 or 5 times a power of ten."""
        wanted = self.radius / CELLS
        power = 10.0 ** np.floor(np.log10(wanted))
        return float(max(step * power for step in (1.0, 2.0, 5.0) if step * power <= wanted * (1 + 1e-9)))

    def is_set_like(self, other: Stage) -> bool:
        """Whether both have the same surfaces, extent and theme, so that views of unchanged items may be kept."""
        parts, others = ([solid.parts for solid in stage.solids] for stage in (self, other))
        return (
            len(parts) == len(others)
            and all(one is another for one, another in zip(parts, others, strict=True))
            and (self.compiled is None) == (other.compiled is None)
            and self.theme == other.theme
            and self.ground == other.ground
            and np.array_equal(self.extent, other.extent)
        )


def placed(scene: Scene, compiled: CompiledScene | None = None) -> Snapshot:
    """Snapshot of the initial positions of a scene, with zero velocities.

    The points of a soft mesh are known only from the compiled scene `compiled`; without it such a body has no points.
    """
    count = len(scene.bodies)
    still = np.zeros((count, 3))
    position = np.array([body.position for body in scene.bodies]).reshape(count, 3)
    basis = np.array([body.orientation.matrix().T for body in scene.bodies]).reshape(count, 3, 3)
    bodies = BodyStates(position, still, basis, still, still)
    points = compiled.start_points if compiled else np.vstack([np.zeros((0, 3)), *_described(scene).values()])
    resting = PointStates(points, np.zeros_like(points))
    walls = np.array([start_of(wall, scene) for wall in scene.wall])
    zero = np.zeros(3)
    return Snapshot(0.0, 0, bodies, resting, Energy(0, 0, 0, 0), Ledger(), zero, zero, 0.0, walls=walls)


def _described(scene: Scene) -> dict[str, np.ndarray]:
    """Points (n, 3) [m] of each soft body and particle, as far as they follow from the scene alone."""
    softs = {soft.name: _points(soft) for soft in scene.soft}
    return softs | {particle.name: np.array([particle.position]) for particle in scene.particle}


def _points(soft: Soft) -> np.ndarray:
    """(n, 3) [m] points of a soft body; none for a soft mesh."""
    if isinstance(soft, Lattice):
        return lattice_points(soft)
    return chain_points(soft) if isinstance(soft, Chain) else np.zeros((0, 3))


def _where(scene: Scene) -> dict[str, slice]:
    """Slices of the points of each soft body and particle, by name."""
    described = _described(scene)
    ends = np.cumsum([0, *map(len, described.values())]).tolist()
    return {name: slice(start, end) for name, start, end in zip(described, ends, ends[1:], strict=False)}


def set_stage(
    scene: Scene,
    solids: tuple[Solid, ...],
    theme: Theme,
    meshes: MeshSource,
    job: Job,
    compiled: CompiledScene | None = None,
) -> Stage:
    """Make the stage of a scene whose bodies have the surfaces `solids`."""
    start = placed(scene, compiled)
    where = compiled.points if compiled else _where(scene)
    extent, ground = extent_and_ground(scene, start.bodies, solids, where, start.points.position)
    return Stage(scene, start, where, solids, extent, ground, theme, meshes, job, SweptBox(extent), compiled)
