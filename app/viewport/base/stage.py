"""The Stage: what every view is built from. It says where things are, how far they can move and where the ground is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from app.viewport.base.background_worker import Worker
from app.viewport.base.bounds import room_and_ground
from app.viewport.base.mesh_preview_loader import MeshSource
from app.viewport.base.motion_range import start_of
from app.viewport.base.palette import Theme
from app.viewport.base.polydata import box
from app.viewport.base.solid import Solid
from core.physics.points.description import Chain, Lattice, Soft
from core.physics.points.lattice import chain_points, lattice_points
from core.scene.scene import Scene
from core.simulation.snapshot import Bodies, Energy, Ledger, Points, Snapshot

if TYPE_CHECKING:
    from core.engine.compile import CompiledScene  # it brings the compiler, which the first frame does not wait for

CELLS = 3.0  # cells that a radius of the stage has, about


@dataclass(frozen=True)
class Stage:
    scene: Scene
    start: Snapshot  # where the scene says that everything starts
    where: Mapping[str, slice]  # the points of every soft body and particle, as far as they are known
    solids: tuple[Solid, ...]  # one per body, in scene order
    room: np.ndarray  # (n, 3) [m] points that span everything that can be reached
    ground: float  # [m] height of the ground
    theme: Theme
    meshes: MeshSource
    worker: Worker  # for what a view computes and no frame may wait for
    built: CompiledScene | None = None  # what the physics made of the scene; None before it is there
    sizes: Mapping[str, float] = field(default_factory=dict)  # of arrows, by view, in the usual ones

    def long(self, share: float, view: str) -> float:
        """[m] an arrow of a view that is usually so long, in radii."""
        return share * self.radius * self.sizes.get(view, 1.0)

    @property
    def bodies(self) -> Bodies:
        """Where the bodies start."""
        return self.start.bodies

    @property
    def moving(self) -> list[int]:
        """Numbers of the bodies that are seen and not fixed."""
        return [i for i, body in enumerate(self.scene.bodies) if body.support != "fixed" and i not in self.unseen]

    @cached_property
    def unseen(self) -> frozenset[int]:
        """Numbers of the bodies that the scene hides."""
        hide = set(self.scene.view.hide)
        hide |= {name for sphere in self.scene.sphere if sphere.name in hide for name in sphere.names}
        return frozenset(i for i, body in enumerate(self.scene.bodies) if body.name in hide)

    @cached_property
    def _box(self) -> tuple[np.ndarray, np.ndarray]:
        return box(self.room)

    @cached_property
    def center(self) -> np.ndarray:
        """(3,) [m] middle of the room."""
        low, high = self._box
        return np.asarray(low + high) / 2

    @cached_property
    def radius(self) -> float:
        """Half the diagonal of the room [m]."""
        low, high = self._box
        return float(np.linalg.norm(high - low)) / 2

    @cached_property
    def cell(self) -> float:
        """Length [m] of a cell of the ground's grid: 1, 2 or 5 times a power of ten."""
        wanted = self.radius / CELLS
        power = 10.0 ** np.floor(np.log10(wanted))
        return float(max(step * power for step in (1.0, 2.0, 5.0) if step * power <= wanted * (1 + 1e-9)))


def placed(scene: Scene, built: CompiledScene | None = None) -> Snapshot:
    """Where a scene says that everything is, at rest.

    What fills a mesh is known when the physics has `built` it; before that, such a body has no points.
    """
    count = len(scene.bodies)
    still = np.zeros((count, 3))
    position = np.array([body.position for body in scene.bodies]).reshape(count, 3)
    basis = np.array([body.orientation.matrix().T for body in scene.bodies]).reshape(count, 3, 3)
    bodies = Bodies(position, still, basis, still, still)
    points = built.start_points if built else np.vstack([np.zeros((0, 3)), *_described(scene).values()])
    resting = Points(points, np.zeros_like(points))
    walls = np.array([start_of(wall, scene.sensor) for wall in scene.wall])
    zero = np.zeros(3)
    return Snapshot(0.0, 0, bodies, resting, Energy(0, 0, 0, 0), Ledger(), zero, zero, 0.0, walls=walls)


def _described(scene: Scene) -> dict[str, np.ndarray]:
    """Points (n, 3) [m] of every soft body and particle, as far as the scene alone says."""
    softs = {soft.name: _points(soft) for soft in scene.soft}
    return softs | {particle.name: np.array([particle.position]) for particle in scene.particle}


def _points(soft: Soft) -> np.ndarray:
    if isinstance(soft, Lattice):
        return lattice_points(soft)
    return chain_points(soft) if isinstance(soft, Chain) else np.zeros((0, 3))


def _where(scene: Scene) -> dict[str, slice]:
    described = _described(scene)
    ends = np.cumsum([0, *map(len, described.values())]).tolist()
    return {name: slice(start, end) for name, start, end in zip(described, ends, ends[1:], strict=False)}


def set_stage(
    scene: Scene,
    solids: tuple[Solid, ...],
    theme: Theme,
    meshes: MeshSource,
    worker: Worker,
    built: CompiledScene | None = None,
) -> Stage:
    """The stage of a scene whose bodies look like `solids`."""
    start = placed(scene, built)
    where = built.points if built else _where(scene)
    room, ground = room_and_ground(scene, start.bodies, solids, where, start.points.position)
    return Stage(scene, start, where, solids, room, ground, theme, meshes, worker, built)
