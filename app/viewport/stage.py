"""The Stage: what every view is built from. It says where things are, how far they can move and where the ground is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyvista as pv

from app.viewport.palette import RGB, Theme
from app.viewport.worker import Worker
from core.scene import VACUUM, Body, Dipole, Scene
from core.snapshot import Bodies

if TYPE_CHECKING:
    from core.build import Built  # it brings the compiler, which the first frame does not wait for

DIRECTIONS = 400  # samples of a sphere of reach
CELLS = 3.0  # cells that a radius of the stage has, about
HANGS = 0.3  # a body whose middle is lower than this, in its reach, hangs
CLEARANCE = 0.06  # gap between a swinging thing and the ground, in reaches


@dataclass(frozen=True)
class Part:
    """One shape of a body, in the body frame."""

    surface: pv.PolyData
    color: RGB | None  # None: its cells carry their colours


@dataclass(frozen=True)
class Solid:
    """A body as it looks, in its own frame."""

    body: Body
    parts: tuple[Part, ...]

    @cached_property
    def magnets(self) -> tuple[Dipole, ...]:
        """The body's dipoles, and each of its shapes that is a magnet as one in the middle of it, body frame."""
        found = list(self.body.dipole)
        for shape, part in zip(self.body.shape, self.parts, strict=True):
            if shape.magnet is not None:
                # The drawn volume will do for what is drawn, and asks no compiler.
                strength = part.surface.volume / VACUUM if shape.magnet.moment is None else 1.0
                moment = shape.orientation.matrix() @ (shape.magnet.moment or shape.magnet.remanence) * strength
                found.append(Dipole(position=tuple(map(float, part.surface.center)), moment=tuple(map(float, moment))))
        return tuple(found)

    @cached_property
    def points(self) -> np.ndarray:
        """(n, 3) [m] vertices of all parts."""
        return np.vstack([part.surface.points for part in self.parts])

    @cached_property
    def reach(self) -> float:
        """Largest distance [m] of any vertex from the body's origin."""
        return float(np.linalg.norm(self.points, axis=1).max())

    @cached_property
    def middle(self) -> np.ndarray:
        """(3,) [m] middle of the bounding box."""
        points = self.points
        return (points.min(axis=0) + points.max(axis=0)) / 2

    @cached_property
    def size(self) -> float:
        """Half the diagonal [m] of the bounding box."""
        return float(np.linalg.norm(self.points.max(axis=0) - self.points.min(axis=0))) / 2


@dataclass(frozen=True)
class Stage:
    scene: Scene
    bodies: Bodies  # where everything is at the start of the show
    solids: tuple[Solid, ...]  # one per body, in scene order
    room: np.ndarray  # (n, 3) [m] points that span everything that can be reached
    ground: float  # [m] height of the ground
    theme: Theme
    worker: Worker  # for what a view computes and no frame may wait for
    built: Built | None = None  # what the physics made of the scene; None before it is there

    @property
    def moving(self) -> list[int]:
        """Numbers of the bodies that are not fixed."""
        return [i for i, body in enumerate(self.scene.body) if body.support != "fixed"]

    @cached_property
    def center(self) -> np.ndarray:
        """(3,) [m] middle of the room."""
        return (self.room.min(axis=0) + self.room.max(axis=0)) / 2

    @cached_property
    def radius(self) -> float:
        """Half the diagonal of the room [m]."""
        return float(np.linalg.norm(self.room.max(axis=0) - self.room.min(axis=0))) / 2

    @cached_property
    def cell(self) -> float:
        """Length [m] of a cell of the ground's grid: 1, 2 or 5 times a power of ten."""
        wanted = self.radius / CELLS
        power = 10.0 ** np.floor(np.log10(wanted))
        return float(max(step * power for step in (1.0, 2.0, 5.0) if step * power <= wanted * (1 + 1e-9)))


def placed(scene: Scene) -> Bodies:
    """Where a scene says that its bodies are, at rest."""
    count = len(scene.body)
    still = np.zeros((count, 3))
    position = np.array([body.position for body in scene.body]).reshape(count, 3)
    basis = np.array([body.orientation.matrix().T for body in scene.body]).reshape(count, 3, 3)
    return Bodies(position, still, basis, still, still)


def set_stage(
    scene: Scene,
    bodies: Bodies,
    solids: tuple[Solid, ...],
    theme: Theme,
    worker: Worker,
    built: Built | None = None,
) -> Stage:
    """The stage of a scene whose bodies look like `solids`."""
    rooms = [_room(scene, solid, bodies, i) for i, solid in enumerate(solids)]
    if not rooms:
        cube = np.array([[-0.1, -0.1, 0.0], [0.1, 0.1, 0.2]])
        return Stage(scene, bodies, solids, cube, 0.0, theme, worker, built)
    ground = _ground(scene, bodies, solids, rooms)
    room = np.vstack(rooms)
    room[:, 2] = room[:, 2].clip(min=ground)
    return Stage(scene, bodies, solids, room, ground, theme, worker, built)


def hangs(scene: Scene, solid: Solid, basis: np.ndarray) -> bool:
    """Whether a body's middle is well below its pivot; `basis` (3, 3) has its u1, u2, u3 as rows."""
    gravity = np.array(scene.world.gravity)
    return bool(solid.middle @ basis @ gravity > HANGS * solid.reach * np.linalg.norm(gravity))


def _ground(scene: Scene, bodies: Bodies, solids: tuple[Solid, ...], rooms: list[np.ndarray]) -> float:
    """Height [m] of the ground: under what is fixed and what hangs, else under all that the others might reach."""
    fixed = [room[:, 2].min() for room, solid in zip(rooms, solids, strict=True) if solid.body.support == "fixed"]
    swing = [i for i, solid in enumerate(solids) if solid.body.support != "fixed"]
    hanging = [i for i in swing if hangs(scene, solids[i], bodies.basis[i])]
    if not fixed and not hanging:
        hanging = swing
    return float(min([*fixed, *(rooms[i][:, 2].min() - CLEARANCE * solids[i].reach for i in hanging)]))


def _room(scene: Scene, solid: Solid, bodies: Bodies, number: int) -> np.ndarray:
    """(n, 3) [m] points that span what one body can reach, laboratory frame."""
    origin = bodies.position[number]
    here = solid.points @ bodies.basis[number]
    if solid.body.support == "fixed":
        return here + origin
    sphere = solid.reach * _directions()
    gravity = np.array(scene.world.gravity)
    strength = float(np.linalg.norm(gravity))
    if strength == 0:
        return sphere + origin
    # A body that hangs does not come higher than its energy lets it: keep the cap of the sphere below that.
    up = -gravity / strength
    speed = solid.reach * np.linalg.norm(solid.body.angular_velocity)
    highest = float((here @ up).max()) + speed**2 / (2 * strength)
    cap = sphere[sphere @ up <= highest]
    return np.vstack([cap, here, np.zeros(3)]) + origin


def _directions() -> np.ndarray:
    """(DIRECTIONS, 3) unit vectors, evenly over the sphere (Fibonacci lattice), poles of z included."""
    height = np.linspace(-1, 1, DIRECTIONS)
    angle = np.pi * (1 + 5**0.5) * np.arange(DIRECTIONS)
    across = np.sqrt(np.maximum(0.0, 1 - height**2))
    return np.column_stack([across * np.cos(angle), across * np.sin(angle), height])
