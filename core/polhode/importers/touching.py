"""Largest stable steps of contacts that may close, and of strings that may become taut, before a model is compiled.

As core/polhode/analysis/steps judges them: bodies count as free, so that a foot yields more than the leg allows. A
contact with the stiffness k and the damping d of two bodies whose faces yield by G1 and G2 is

    x'' = -k (G1 + G2) x - d (G1 + G2) x'

with the harmonic means of both constants; of two solids the corners of both press.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from types import SimpleNamespace
from typing import get_args

import numpy as np

from polhode.importers.kinematics import MassOf, Tables
from polhode.importers.links import Link
from polhode.importers.masses import mass_of_link, pose_of_shape
from polhode.physics.contact.corners import CORNERS, Corner
from polhode.physics.contact.yielding import Corners, yielding_of

SAFE = 0.9
"""Step in parts of the largest stable one: corners are those of shapes without the rounding of their edges."""
BY_KIND = {get_args(shape.model_fields["kind"].annotation)[0]: corners for shape, corners in CORNERS.items()}
DIGITS = 4  # in which bodies differ that are evaluated separately
SCAN = np.linspace(0.02, 3.0, 150)  # |lambda| times the step
ALLOWED = 1 + 1e-9  # growth per step that rounding may cause


@dataclass(frozen=True)
class Item:
    """A body that presses."""

    stiffness: float  # [N/m]
    damping: float  # [N s/m]
    on_walls: float  # [1/kg] yield of its face
    on_others: float  # [1/kg]
    is_solid: bool  # and no sphere


def longest_stable(squares: np.ndarray, rates: np.ndarray) -> float:
    """Largest step [s] with which rk4 amplifies none of x'' = -s x - r x', s (n,) [1/s^2], r (n,) [1/s]; inf of none.

    rk4 multiplies a mode per step by 1 + z + z^2/2 + z^3/6 + z^4/24 with z = lambda dt.
    """
    moves = (squares > 0) | (rates > 0)
    if not moves.any():
        return inf
    squares, rates = squares[moves], rates[moves]
    root = np.sqrt((rates**2 / 4 - squares).astype(complex))
    both = np.stack([-rates / 2 + root, -rates / 2 - root])
    fastest = np.abs(both).max(axis=0)
    z = (both / fastest)[..., None] * SCAN
    is_stable = (np.abs(1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4)))) <= ALLOWED).all(axis=0)
    last = np.where(is_stable.all(axis=1), len(SCAN), is_stable.argmin(axis=1)) - 1
    return float((SCAN[np.maximum(last, 0)] / fastest).min())


def contact_step(
    bodies: Sequence[Tables],
    links: Sequence[Link],
    moves: Sequence[bool],
    walls: Iterable[Tables],
    joints: Iterable[Tables],
) -> float:
    """Largest step [s] for all contacts that may close; inf without any.

    bodies: tables with their contacts; links: of these; moves: which of these a force moves; joints: tables
    """
    known: dict[tuple[object, ...], tuple[float, float, bool]] = {}
    items: dict[str, Item] = {}
    for table, link, moving in zip(bodies, links, moves, strict=True):
        if "contact" in table:
            contact = table["contact"]
            key = _key(link) if moving else ()
            if key not in known:
                known[key] = _yields(link) if moving else (0.0, 0.0, True)
            items[table["name"]] = Item(contact["stiffness"], contact["damping"], *known[key])
    found = [longest_stable(*_on_walls(items.values(), wall)) for wall in walls]
    return SAFE * min([*found, longest_stable(*_on_others(items, _separate(bodies, joints)))], default=inf)


def string_step(springs: Iterable[Tables], masses: Mapping[str, MassOf]) -> float:
    """Largest step [s] for all strings that may become taut. masses: of bodies that move, by name, in their frames"""
    numbers = [
        (spring["stiffness"] * inverse, spring.get("damping", 0.0) * inverse)
        for spring in springs
        if spring.get("pull_only") and "stiffness" in spring
        for inverse in [_yield_along(spring, masses)]
    ]
    return SAFE * longest_stable(*np.array(numbers).reshape(-1, 2).T)


def _yield_along(spring: Tables, masses: Mapping[str, MassOf]) -> float:
    """1/m [1/kg] of a string by its ends and pulleys, each with the strands that pull at it together."""
    over = spring.get("over", [])
    names = spring.get("over_bodies", [""] * len(over))
    between = [{"body": name, "point": point} for name, point in zip(names, over, strict=True)]
    strands = [0.0, *spring.get("strands", [1.0] * (len(over) + 1)), 0.0]
    places = [spring["from"], *between, spring["to"]]
    return sum((strands[i] + strands[i + 1]) ** 2 * _inverse_mass(place, masses) for i, place in enumerate(places))


def _inverse_mass(end: object, masses: Mapping[str, MassOf]) -> float:
    """1/m [1/kg] of a spring's end in its most mobile direction; 0 where no force moves it."""
    mass = masses.get(end["body"]) if isinstance(end, dict) else None
    if mass is None or not mass.mass > 0:
        return 0.0
    arm = np.cross(np.eye(3), np.array(end["point"]) - mass.center)  # type: ignore[index]
    return 1 / mass.mass + float(np.linalg.eigvalsh(arm @ np.linalg.pinv(mass.tensor) @ arm.T).max())


def _key(link: Link) -> tuple[object, ...]:
    """Equal for bodies with the same shapes and masses."""
    mass = mass_of_link(link)
    extents = tuple(each.extent.tobytes() for each in link.pressing if each.extent is not None)
    return mass.mass, mass.center.tobytes(), mass.tensor.tobytes(), repr(link.shapes), extents


def _yields(link: Link) -> tuple[float, float, bool]:
    """Yield [1/kg] of a body at walls and at other bodies, and whether it is more than spheres."""
    mass = mass_of_link(link)
    if not mass.mass > 0:
        return 0.0, 0.0, False
    shapes = [shape for shape in link.shapes if shape.get("presses", True)]
    balls = [shape for shape in shapes if shape["kind"] == "sphere"]
    others = [shape for shape in shapes if shape["kind"] != "sphere"]
    turning = np.linalg.pinv((mass.tensor + mass.tensor.T) / 2)
    extents = [each.extent for each in link.pressing if each.extent is not None]
    parts = [
        _corners(chosen, more, mass.center) for chosen, more in ((shapes, extents), (balls, []), (others, extents))
    ]
    on_walls, single, angular = (
        0.0 if part is None else yielding_of(part, 1 / mass.mass, turning, single=number == 1).face
        for number, part in enumerate(parts)
    )
    return on_walls, max(single, angular), parts[2] is not None


def _corners(shapes: Iterable[Tables], extents: Iterable[np.ndarray], center: np.ndarray) -> Corners | None:
    """Contact points of shapes, and of meshes the corners (8, 3) of boxes around them, from the centre of mass."""
    found = [(at, np.zeros((3, 3)), np.zeros(3), 0.0) for box in extents for at in box]
    for shape in shapes:
        pose = pose_of_shape(shape)
        made: list[Corner] = BY_KIND[shape["kind"]](SimpleNamespace(**shape)) if shape["kind"] in BY_KIND else []
        for corner in made:
            is_disc = corner.semi_axes[0] > 0 and corner.semi_axes[2] == 0
            square = pose.turn @ np.diag(np.square(corner.semi_axes)) @ pose.turn.T
            axis = pose.turn[:, 2] if is_disc else np.zeros(3)
            found.append((pose.at(np.array(corner.position)), square, axis, corner.radius))
    if not found:
        return None
    position, square, axis, radius = (np.array(each) for each in zip(*found, strict=True))
    return Corners(position - center, square, axis, radius)


def _on_walls(items: Iterable[Item], wall: Tables) -> tuple[np.ndarray, np.ndarray]:
    """Squares [1/s^2] and rates [1/s] of all items on a wall."""
    yields = np.array([item.on_walls for item in items])
    return wall["stiffness"] * yields, wall["damping"] * yields


def _on_others(items: Mapping[str, Item], separate: set[frozenset[str]]) -> tuple[np.ndarray, np.ndarray]:
    """Squares [1/s^2] and rates [1/s] of all items on each other, of equal pairs one."""
    kinds: dict[tuple[float, ...], int] = {}
    kind_of = {name: kinds.setdefault(_rounded(item), len(kinds)) for name, item in items.items()}
    counts = np.bincount(np.array(list(kind_of.values()), dtype=int), minlength=len(kinds))
    pairs = np.outer(counts, counts) - np.diag(counts)
    for one, other in (tuple(pair) for pair in separate if len(pair) == 2):
        if one in kind_of and other in kind_of:
            a, b = kind_of[one], kind_of[other]
            pairs[a, b] -= 1
            pairs[b, a] -= 1
    stiffness, damping, _, yields, is_solid = np.array(list(kinds)).reshape(-1, 5).T
    first, second = np.nonzero(pairs > 0)
    face = (yields[first] + yields[second]) * np.where(is_solid[first] * is_solid[second] > 0, 2.0, 1.0)
    return face * _harmonic(stiffness[first], stiffness[second]), face * _harmonic(damping[first], damping[second])


def _rounded(item: Item) -> tuple[float, ...]:
    numbers = item.stiffness, item.damping, item.on_walls, item.on_others, float(item.is_solid)
    return tuple(float(f"{number:.{DIGITS - 1}e}") for number in numbers)


def _harmonic(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    total = one + other
    return np.asarray(2 * one * other / np.where(total > 0, total, 1.0))


def _separate(bodies: Iterable[Tables], joints: Iterable[Tables]) -> set[frozenset[str]]:
    """Names of the pairs of bodies that do not press on each other."""
    found = {
        frozenset((table["name"], other)) for table in bodies for other in table.get("contact", {}).get("ignores", ())
    }
    return found | {frozenset((joint["first"], joint["second"])) for joint in joints if "second" in joint}
