"""Potential energy of a scene over one or two of its coordinates.

    from polhode import potential_landscape, read_scene

    map = potential_landscape(read_scene("scenes/magnet_pendulum.toml"), ("bob.tilt.x", "bob.tilt.y"))
    print(map.values[0], map.values[1], map.energy)  # [rad], [rad], [J]

All else is as at the start of the scene. Forces without a potential, such as motors and formulas without a stated
energy, are ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from polhode.engine.compile import build
from polhode.engine.compiled_scene import CompiledScene
from polhode.equilibria.coordinates import Coordinate, coordinates_of, states_at, values_in
from polhode.equilibria.freedoms import Freedoms
from polhode.equilibria.pose import Pose
from polhode.equilibria.suitable import prepared
from polhode.mesh.mesh import Meshes
from polhode.scene.checks.arguments import Pair, checked
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem, did_you_mean
from polhode.scene.scene import Scene

COUNT = 101
MOST = 4_000_000  # values of one landscape
BLOCK = 4096  # states that are evaluated at once


@dataclass(frozen=True, eq=False)
class Landscape:
    """Potential energy on a grid."""

    axes: tuple[Coordinate, ...]  # one or two
    values: tuple[np.ndarray, ...]  # (a,) and (b,) of each coordinate
    energy: np.ndarray  # (a,) or (a, b) [J]; nan where the scene has none


class Potential:
    """The potential energy of a scene over coordinates. It compiles the scene once; for one thread."""

    def __init__(self, scene: Scene, axes: Sequence[str], meshes: Meshes | None = None):
        """`axes`: one or two names of coordinates. Raises InputError for others, and for a scene that is invalid."""
        self.compiled = build(prepared(scene), meshes or Meshes())
        self.axes = chosen_axes(self.compiled, axes)
        self._freedoms = Freedoms(self.compiled)
        self._base = self._freedoms.at_rest(self.compiled.start)
        self._freedoms.place(self._base)

    def at(self, values: np.ndarray) -> np.ndarray:
        """(m,) [J] potential energies at `values` (m, axes) of the coordinates; nan where these are not finite."""
        found = np.empty(len(values))
        for first in range(0, len(values), BLOCK):
            block = values[first : first + BLOCK]
            found[first : first + BLOCK] = self._freedoms.potentials(
                states_at(self.compiled, self.axes, self._base, block)
            )
        return np.where(np.isfinite(found), found, np.nan)

    def grid(self, *values: np.ndarray) -> Landscape:
        """The landscape at all combinations of the values of each coordinate."""
        mesh = np.stack(np.meshgrid(*values, indexing="ij"), axis=-1)
        energy = self.at(mesh.reshape(-1, len(self.axes))).reshape(mesh.shape[:-1])
        return Landscape(self.axes, values, energy)

    def place(self, pose: Pose) -> tuple[float, ...]:
        """Values of the coordinates in a pose of the scene."""
        return values_in(self.axes, pose)

    def hides(self, pose: Pose, energy: float, tolerance: float) -> bool:
        """Whether a pose of this potential energy [J] is off the landscape, in coordinates that are held."""
        here = self.at(np.array([self.place(pose)]))[0]
        return not abs(here - energy) <= tolerance


@checked
def potential_landscape(
    scene: Scene,
    axes: Sequence[str],
    counts: int | Sequence[int] = COUNT,
    ranges: Sequence[Pair] | None = None,
    meshes: Meshes | None = None,
) -> Landscape:
    """Potential energy over one or two coordinates: `NAME.tilt.x`, `NAME.angle`, `NAME.position.x` or `NAME.q`.

    counts: number of values of each; ranges: first and last one [SI], else all angles, the whole path, the surroundings
    of the scene. Raises InputError.
    """
    potential = Potential(scene, axes, meshes)
    sizes = [counts] * len(potential.axes) if isinstance(counts, int) else list(counts)
    spans = [(axis.low, axis.high) for axis in potential.axes] if ranges is None else list(ranges)
    _check(scene, len(potential.axes), sizes, spans)
    return potential.grid(*(np.linspace(low, high, size) for (low, high), size in zip(spans, sizes, strict=True)))


def chosen_axes(compiled: CompiledScene, names: Sequence[str]) -> tuple[Coordinate, ...]:
    """The coordinates with these names. Raises InputError where there are others, none, or more than two."""
    known, problems = {axis.name: axis for axis in coordinates_of(compiled)}, []
    if len(names) not in (1, 2) or len(set(names)) < len(names):
        rule = Message("a landscape has one or two different coordinates, but these are {count}", count=len(set(names)))
        problems.append(Problem("axes", rule, Message("name one or two, such as bob.tilt.x")))
    for number, name in enumerate(names):
        if name not in known:
            rule = Message("'{name}' is no coordinate of the scene", name=name)
            remedy = did_you_mean(name, known, Message("use one of {known}", known=", ".join(known) or "-"))
            problems.append(Problem(f"axes[{number}]", rule, remedy))
    if problems:
        raise InputError(compiled.scene.title or "scene", problems)
    return tuple(known[name] for name in names)


def _check(scene: Scene, axes: int, sizes: Sequence[int], spans: Sequence[tuple[float, float]]) -> None:
    """Raise InputError for grids that are empty, too large, or not finite."""
    problems = []
    if len(sizes) != axes or len(spans) != axes:
        rule = Message(
            "there are {count} coordinates, but {sizes} counts and {spans} ranges",
            count=axes,
            sizes=len(sizes),
            spans=len(spans),
        )
        problems.append(Problem("counts", rule, Message("give one for each coordinate")))
    elif min(sizes) < 2 or float(np.prod(np.array(sizes, dtype=float))) > MOST:
        rule = Message("must be from 2 values of each coordinate to {most} in all", most=MOST)
        problems.append(Problem("counts", rule, Message("give other numbers")))
    if not all(np.isfinite(span).all() and span[0] < span[1] for span in spans):
        rule = Message("a range must rise from its first value to its last, and be finite")
        problems.append(Problem("ranges", rule, Message("give other numbers")))
    if problems:
        raise InputError(scene.title or "scene", problems)
