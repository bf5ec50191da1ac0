"""Quantities that can be compared with data, by name: columns of the table of a run, and functions of them.

"bob.angular_velocity.y" is a column; names.py has the names of points and of the magnetic field, angles.py those of
angles; "sensor.distance" is the distance of the hand over the sensor. The table of `polhode run` has none of these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from re import Match
from typing import TYPE_CHECKING

import numpy as np

from polhode.analysis.columns import columns
from polhode.analysis.followers import has_followers
from polhode.fitting.quantities.angles import angles
from polhode.fitting.quantities.field import field_quantity
from polhode.fitting.quantities.names import field_name, point_in_frame_name, point_name
from polhode.fitting.quantities.points import point_quantity
from polhode.fitting.quantities.quantity import ObservedQuantity, column
from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene

FAR = 1e-6  # [m] least distance of a centre of mass from the origin, to be offered
FEW = 4  # largest number of bodies that are offered in the frames of others
HAND = "sensor.distance"


@dataclass(frozen=True, eq=False)
class Observed:
    """Several quantities of one table."""

    quantities: tuple[ObservedQuantity, ...]
    chosen: np.ndarray  # (c,) indices of the needed columns
    indices: tuple[np.ndarray, ...]  # indices of the columns of each quantity among these

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the quantities."""
        return tuple(each.name for each in self.quantities)

    @property
    def units(self) -> tuple[str, ...]:
        """Units of the quantities."""
        return tuple(each.unit for each in self.quantities)

    @property
    def periods(self) -> np.ndarray:
        """(m,) differences of values that are one; 0 for none."""
        return np.array([each.period for each in self.quantities])

    def of_columns(self, table: np.ndarray, compiled: CompiledScene) -> np.ndarray:
        """(n, m) values of the quantities, from columns (n, c) of a run of `compiled`."""
        pairs = zip(self.quantities, self.indices, strict=True)
        return np.stack([each.law(table[:, indices], compiled) for each, indices in pairs], axis=1)


def observe(names: Sequence[str], compiled: CompiledScene) -> Observed:
    """Quantities of a scene by name. Raises InvalidValue for the first unknown name."""
    quantities = tuple(quantity_of(name, compiled) for name in names)
    chosen = list(dict.fromkeys(name for each in quantities for name in each.columns))
    number, index = {name: k for k, name in enumerate(chosen)}, {name: k for k, name in enumerate(columns(compiled))}
    indices = tuple(np.array([number[name] for name in each.columns]) for each in quantities)
    return Observed(quantities, np.array([index[name] for name in chosen], dtype=np.int64), indices)


def quantity_of(name: str, compiled: CompiledScene) -> ObservedQuantity:
    """The quantity of a name. Raises InvalidValue with the most similar name."""
    known = columns(compiled)
    if name in known:
        return column(name, known[name])
    if name == HAND and has_followers(compiled.scene):
        return _hand()
    if (angle := angles(compiled).get(name)) is not None:
        return angle

    def has(found: Match[str], group: str, part: str) -> None:
        """Raise InvalidValue if the item in a group of the name has no such column."""
        if f"{found[group]}.{part}" not in known:
            items = [each.removesuffix(f".{part}") for each in known if each.endswith(f".{part}")]
            near = get_close_matches(found[group], items, 1) or items[:1] or [found[group]]
            raise _unknown(name, f"{name[: found.start(group)]}{near[0]}{name[found.end(group) :]}")

    found = field_quantity(name, compiled, has) or point_quantity(name, has)
    if found is None:
        offers = offered(compiled)
        raise _unknown(name, (get_close_matches(name, offers, 1) or list(offers))[0])
    return found


def _unknown(name: str, near: str) -> InvalidValue:
    rule = Message("the scene has no quantity '{name}'", name=name)
    return InvalidValue(rule, Message("did you mean '{near}'?", near=near))


def offered(compiled: CompiledScene) -> dict[str, str]:
    """Units by name of the quantities of a scene that are offered; points can be arbitrary."""
    known: dict[str, str] = {}
    names = [body.name for body in compiled.scene.bodies]
    for name, mass in zip(names, compiled.properties, strict=False):
        center = mass.center.tolist()
        if float(np.linalg.norm(center)) > FAR:
            known |= {point_name(name, center, axis): "m" for axis in "xyz"}
        frames = [other for other in names if other != name and len(names) <= FEW]
        known |= {point_in_frame_name(name, center, frame, axis): "m" for frame in frames for axis in "xyz"}
    known |= dict.fromkeys(angles(compiled), "rad")
    if has_followers(compiled.scene):
        known[HAND] = "m"
    known |= _fields(compiled, names)
    table = dict(columns(compiled))
    del table["time"]
    return known | table


def _fields(compiled: CompiledScene, names: Sequence[str]) -> Mapping[str, str]:
    """Components of the field at the origin and at the origins of bodies, if there is a field."""
    world, counts = compiled.inputs.field, np.diff(compiled.model.dipoles.first)
    is_in_field = bool(world.cosine.any() or world.sine.any() or world.value.address != 0)
    names_of_bodies = [
        "",
        *(name for name, own in zip(names, counts, strict=True) if is_in_field or counts.sum() > own),
    ]
    is_there = is_in_field or counts.any()
    return (
        {field_name(name, (0.0, 0.0, 0.0), axis): "T" for name in names_of_bodies for axis in "xyz"} if is_there else {}
    )


def _hand() -> ObservedQuantity:
    """The simulated distance of the sensor's target."""
    return ObservedQuantity(HAND, "m", ("time",), lambda values, ran: ran.scene.sensor.distances(values[:, 0]))
