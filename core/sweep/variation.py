"""What a sweep varies: the values of its axes, and the scene of each cell.

Cells are numbered in the order of a numpy array whose dimensions are the axes: the last axis varies fastest. Axes with
draws vary together and are one dimension, the last one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from itertools import islice
from math import prod

import numpy as np

from core.physics.bodies.shapes import Orientation, unit
from core.scene.drivable_parameters import MOST
from core.scene.fields import Place, at, form_at, numbers, place_in, with_value, written
from core.scene.message import Message
from core.scene.problem import InputError, InvalidValue, Problem
from core.scene.scene import Scene
from core.scene.variants.sweep import Axis, SweepSettings

REMOVED = re.compile(
    r"(\w+)\[([^\d\]][^\]]*)\](.*)"
)  # the item has a name in place of an index: it is not there any more
TILT = re.compile(r"body\[(\d+)\]\.tilt\[([012])\]")
MOST_CELLS = 100_000_000


@dataclass(frozen=True)
class Variation:
    """The cells of a sweep over a scene; `resolve` makes it."""

    scene: Scene
    sweep: SweepSettings
    places: tuple[Place, ...]  # of each axis; ("body", k, "tilt", i) of a tilt
    units: tuple[str, ...]  # of the values of each axis

    @cached_property
    def axis_values(self) -> tuple[np.ndarray, ...]:
        """(count,) values [SI] of each axis."""
        return tuple(
            _values(axis, number, self._stated(place))
            for number, (axis, place) in enumerate(zip(self.sweep.axes, self.places, strict=True))
        )

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """Number of values of each dimension."""
        return shape_of(self.sweep)

    @property
    def count(self) -> int:
        """Number of cells."""
        return prod(self.shape)

    def values(self, cells: np.ndarray) -> np.ndarray:
        """(n, axes) values [SI] of the axes in the cells (n,)."""
        indices = np.unravel_index(cells, self.shape)
        ranges = iter(indices)
        found = []
        for axis, values in zip(self.sweep.axes, self.axis_values, strict=True):
            found.append(values[indices[-1] if axis.draws is not None else next(ranges)])
        return np.stack(found, axis=1)

    def scene_with(self, values: np.ndarray) -> Scene:
        """The scene with values (axes,) [SI] of the axes, without its sweeps. Raises InputError where it has none."""
        return scene_with(self.scene.model_copy(update={"sweep": (), "ghost": ()}), self.places, values)

    @cached_property
    def stated(self) -> np.ndarray:
        """(axes,) values [SI] that the scene itself has; 0 of tilts."""
        return np.array([self._stated(place) for place in self.places])

    def _stated(self, place: Place) -> float:
        """The value that the scene states [SI]; 0 of a tilt."""
        return 0.0 if "tilt" in place else float(at(self.scene, place))


def resolve(scene: Scene, sweep: SweepSettings, where: str = "sweep[0]") -> Variation:
    """The variation of a sweep. Raises InputError with all axes that name no number, and for too many cells."""
    places, units, problems = [], [], []
    for number, axis in enumerate(sweep.axes):
        try:
            place, of_values = number_at(scene, axis.parameter)
            places.append(place)
            units.append(of_values)
        except InvalidValue as error:
            problems.append(error.problem.at(f"{where}.axes[{number}].parameter"))
    if (count := prod(shape_of(sweep))) > MOST_CELLS:
        rule = Message("has {count} cells, more than {most}", count=count, most=MOST_CELLS)
        problems.append(Problem(f"{where}.axes", rule, Message("take fewer values")))
    if problems:
        raise InputError(scene.title or "scene", problems)
    return Variation(scene, sweep, tuple(places), tuple(units))


def scene_with(scene: Scene, places: tuple[Place, ...], values: np.ndarray) -> Scene:
    """The scene with values (n,) [SI] at n places, tilts among them, as `number_at` gives them. Raises InputError."""
    tilts: dict[int, np.ndarray] = {}
    for place, value in zip(places, values.tolist(), strict=True):
        if "tilt" in place:
            tilts.setdefault(int(place[1]), np.zeros(3))[int(place[3])] = value
            continue
        is_whole = isinstance(at(scene, place), int)
        scene = with_value(scene, place, round(value) if is_whole else value)
    for number, tilt in tilts.items():
        scene = with_value(scene, ("body", number, "orientation"), tilted(scene, number, tilt))
    return scene


def shape_of(sweep: SweepSettings) -> tuple[int, ...]:
    """Number of values of each dimension: those of axes with a range, then that of all draws."""
    ranges = [axis.count for axis in sweep.axes if axis.count is not None]
    draws = [axis.draws.count for axis in sweep.axes if axis.draws is not None]
    return (*ranges, *draws[:1])


def tilted(scene: Scene, number: int, tilt: np.ndarray) -> Orientation:
    """Orientation of a body turned by the rotation vector `tilt` (3,) [rad], laboratory frame.

    Of a body on an axle only the component along the axle turns it.
    """
    body = scene.body[number]
    if body.support == "axle" and body.axis is not None:
        axis = unit(body.axis)
        tilt = (tilt @ axis) * axis
    turn = rotation(tilt) @ body.orientation.matrix()
    u1, u2, u3 = (tuple(turn[:, k].tolist()) for k in range(3))
    return Orientation(basis=(u1, u2, u3))


def rotation(vectors: np.ndarray) -> np.ndarray:
    """(..., 3, 3) rotation matrices of rotation vectors (..., 3) [rad], by Rodrigues' formula.

    R = 1 + sin(a)/a K + (1 - cos(a))/a^2 K^2 with a the length of the vector and K its cross product matrix.
    """
    angle = np.linalg.norm(vectors, axis=-1)[..., None, None]
    x, y, z = np.moveaxis(vectors, -1, 0)
    zero = np.zeros_like(x)
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(*x.shape, 3, 3)
    half = np.sinc(angle / (2 * np.pi))  # sin(a/2)/(a/2), also for 0
    return np.eye(3) + np.sinc(angle / np.pi) * cross + 0.5 * half**2 * (cross @ cross)


def _values(axis: Axis, number: int, stated: float) -> np.ndarray:
    """(count,) values [SI] of an axis; draws are about the stated value, from a generator of the axis's own."""
    if axis.draws is None:
        assert axis.range is not None
        assert axis.count is not None
        return np.linspace(*axis.range, axis.count)
    random = np.random.default_rng((axis.draws.seed, number))
    if axis.draws.distribution == "normal":
        return stated + axis.draws.deviation * random.standard_normal(axis.draws.count)
    return stated + axis.draws.deviation * random.uniform(-1.0, 1.0, axis.draws.count)


def number_at(scene: Scene, text: str) -> tuple[Place, str]:
    """Path and unit of the number that `text` means. Raises InvalidValue with the most similar one as a remedy."""
    if (found := TILT.fullmatch(text)) is not None:
        if int(found[1]) < len(scene.body) and scene.body[int(found[1])].support not in ("fixed", "driven"):
            return ("body", int(found[1]), "tilt", int(found[2])), "rad"
        rule = Message("the scene has no body {number} that can be tilted", number=int(found[1]))
        raise InvalidValue(rule, Message("name a body on a pivot, on an axle or free"))
    if (gone := REMOVED.match(text)) is not None:
        rule = Message("'{name}', which this axis varied, is not in the scene any more", name=gone[2])
        raise InvalidValue(rule, Message("choose another number, or remove this axis"))
    try:
        place = place_in(text)
        value, form = at(scene, place), form_at(scene, place)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number and form.kind in ("number", "whole") and place[0] not in ("format", "units", "view", "sweep"):
            return place, form.unit
    except (LookupError, ValueError):
        pass
    known = [written(place) for place, _ in islice(numbers(scene), MOST)]
    near = get_close_matches(text, known, 1)
    remedy = (
        Message("did you mean '{near}'?", near=near[0])
        if near
        else Message("name one as messages do, such as world.gravity[2]")
    )
    raise InvalidValue(Message("'{text}' is no number of the scene", text=text), remedy)
