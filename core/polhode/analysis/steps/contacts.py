"""Largest stable step of contacts that may close: of each body and point with walls, surfaces and others.

A contact with the stiffness k and the damping d between parts that yield by G is x'' = -k G x - d G x', and
x' = -f G x' along it with the viscous friction f (core/polhode/physics/contact/yielding.py). Any wall and any surface
counts for what is free; for what turns about a fixed point those that it reaches. Of two solids both faces count, as
the corners of both press.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from polhode.analysis.steps.faces import corners_of_fields, corners_of_hull, corners_of_solids
from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import NOTHING
from polhode.physics.bodies.arrays import AXLE, FIXED, FREE, ON_PATH, PIVOT
from polhode.physics.contact.description import PointContact, Wall
from polhode.physics.contact.yielding import Corners, Yielding, yielding_of
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import Body

MOST = 64  # different contacts that are evaluated; those with the fastest oscillation
SAME = 3  # significant digits in which contacts differ that are evaluated separately
WHOLE = 3**0.5  # times the stiffness of a shape that presses as it looks: with half of its surface, not a sixth
UNMOVED = Yielding(0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Touch:
    """A contact that may close."""

    eigenvalues: np.ndarray  # (3,) [1/s] of its normal motion and its sliding
    part: str  # name of an item that moves
    other: str  # name of its partner: a wall, a surface or another item

    @property
    def cause(self) -> Message:
        """Description of the cause, for the end of a sentence about the step."""
        return Message("the contact of '{part}' with '{other}'", part=self.part, other=self.other)

    def problem(self, step: float, longest: float) -> Problem:
        """Warning about a step [s] that is longer than its largest stable one."""
        rule = Message(
            "{step:g} s is longer than '{part}' allows while it presses on '{other}', {longest:.2g} s",
            step=step,
            part=self.part,
            other=self.other,
            longest=longest,
        )
        return Problem("solver.time_step", rule, Message("shorten it, or make the contact softer"))


@dataclass(frozen=True, eq=False)
class Item:
    """A body, or the lightest point of a soft body or a particle, as far as it can touch something."""

    name: str
    column: int  # of the tables of stiffness of walls and surfaces
    stiffness: float  # [N/m] of its own contact
    law: PointContact | None  # of its own contact
    on_walls: Yielding | None  # None where nothing of it can touch walls
    on_others: Yielding | None
    on_surfaces: Yielding | None
    position: np.ndarray  # (3,) [m] of its reference point at the start
    stays: bool  # the reference point is fixed
    is_solid: bool = False  # presses by the law of convex solids
    has_shape: bool = False  # is such a solid, or presses as it looks

    @property
    def moves(self) -> bool:
        """Whether a force moves any of its contact points."""
        return any(each is not None and each.face > 0 for each in (self.on_walls, self.on_others, self.on_surfaces))


def touches(compiled: CompiledScene) -> list[Touch]:
    """All contacts that may close; of those with the same eigenvalues one, of more than MOST the fastest."""
    items = list(_items(compiled))
    rows = [*_with_laws(compiled, items), *_with_each_other(compiled, items)]
    if not rows:
        return []
    numbers = np.array([numbers for numbers, _, _ in rows])
    scales = 10.0 ** (SAME - 1 - np.floor(np.log10(np.where(numbers > 0, numbers, 1.0))))
    _, first = np.unique(np.round(numbers * scales) / scales, axis=0, return_index=True)
    fastest = first[np.argsort(-numbers[first, 0] - numbers[first, 1] ** 2 - numbers[first, 2] ** 2)][:MOST]
    return [
        Touch(np.append(np.roots([1.0, numbers[i, 1], numbers[i, 0]]), -numbers[i, 2]), rows[i][1], rows[i][2])
        for i in fastest.tolist()
    ]


Row = tuple[tuple[float, float, float], str, str]
"""w^2 [1/s^2], decay rates of normal motion and sliding [1/s], and the names of both partners."""


def _row(
    stiffness: float, damping: float, ratio: float, friction: float, yielding: Yielding, part: str, other: str
) -> Row:
    """The row of a contact with these constants (sphere_contact.py)."""
    damper = damping + 2 * ratio * np.sqrt(stiffness / yielding.point)
    return (stiffness * yielding.face, damper * yielding.face, friction * yielding.slide), part, other


def _with_laws(compiled: CompiledScene, items: list[Item]) -> Iterator[Row]:
    """Contacts of all items with walls and surfaces."""
    for number, wall in enumerate(compiled.scene.wall):
        table = compiled.model.walls.stiffness[number]
        for item in items:
            if item.on_walls is not None and item.on_walls.face > 0 and _reaches(item, wall):
                yield _of_law(wall, table, item, item.on_walls)
    for number, surface in enumerate(compiled.scene.surface):
        table = compiled.model.surfaces.stiffness[number]
        for item in items:
            if item.on_surfaces is not None and item.on_surfaces.face > 0:
                yield _of_law(surface, table, item, item.on_surfaces)


def _of_law(law: Wall | PointContact, table: np.ndarray, item: Item, yielding: Yielding) -> Row:
    """Contact of an item with a wall or a surface. table: (n + p,) [N/m] its stiffness for each body and point"""
    name: str = law.name  # type: ignore[union-attr]
    stiffness = float(table[item.column])
    return _row(stiffness, law.damping, law.damping_ratio, law.friction, yielding, item.name, name)


def _reaches(item: Item, wall: Wall) -> bool:
    """Whether an item may touch a wall; a moving wall may reach it."""
    if not item.stays or wall.motion.kind != "still" or item.on_walls is None:
        return True
    normal = np.array(wall.normal) / np.linalg.norm(wall.normal)
    return float((item.position - wall.point) @ normal) <= item.on_walls.reach


def _with_each_other(compiled: CompiledScene, items: list[Item]) -> Iterator[Row]:
    """Contacts of all items that press on each other."""
    those = [item for item in items if item.law is not None and item.on_others is not None]
    if len(those) < 2:
        return

    def each(value: Callable[[Item], object]) -> np.ndarray:
        return np.array([value(item) for item in those], dtype=float)

    def mean(values: np.ndarray) -> np.ndarray:
        total = np.add.outer(values, values)
        return np.asarray(2 * np.multiply.outer(values, values) / np.where(total > 0, total, 1.0))

    face, point, slide, reach = (each(lambda item, k=k: item.on_others[k]) for k in range(4))  # type: ignore[misc]
    solid = np.where(np.multiply.outer(*[each(lambda item: item.is_solid)] * 2) > 0, 2.0, 1.0)
    stiffness = mean(each(lambda item: item.stiffness))
    ratio = np.add.outer(*[each(lambda item: item.law.damping_ratio) / 2] * 2)  # type: ignore[union-attr]
    faces, points, slides = (np.add.outer(values, values) for values in (face, point, slide))
    damper = mean(each(lambda item: item.law.damping))  # type: ignore[union-attr]
    damper = damper + 2 * ratio * np.sqrt(stiffness / np.where(points > 0, points, np.inf))
    numbers = np.stack(
        [
            solid * stiffness * faces,
            solid * damper * faces,
            mean(each(lambda item: item.law.friction)) * slides,  # type: ignore[union-attr]
        ],
        axis=-1,
    )
    possible = np.triu(faces > 0, k=1) & _meet(compiled, those, reach)
    for i, j in zip(*np.nonzero(possible), strict=True):
        first, second = (those[k] for k in ((i, j) if face[i] > 0 else (j, i)))
        yield tuple(numbers[i, j].tolist()), first.name, second.name


def _meet(compiled: CompiledScene, those: list[Item], reach: np.ndarray) -> np.ndarray:
    """(m, m) bool: items that may touch: within `reach` (m,) [m], not both fixed, and not tied by a joint."""
    positions, stays = np.array([item.position for item in those]), np.array([item.stays for item in those])
    separate = np.linalg.norm(positions[:, None] - positions[None], axis=2) > np.add.outer(reach, reach)
    found = ~(separate & np.logical_and.outer(stays, stays))
    row = {item.column: k for k, item in enumerate(those) if item.has_shape}
    solids = compiled.model.solids
    for b in row:
        for other in solids.separate[solids.first_separate[b] : solids.first_separate[b + 1]].tolist():
            if other in row:
                found[row[b], row[other]] = False
    return found


def _items(compiled: CompiledScene) -> Iterator[Item]:
    """Everything that can touch something."""
    model, scene = compiled.model, compiled.scene
    for b, body in enumerate(scene.bodies):
        yield _body(compiled, b, body)
    count = len(scene.bodies)
    for part in (*scene.soft, *scene.particle):
        where = compiled.points[part.name]
        p = where.start + int(np.argmax(np.where(compiled.inputs.held[where], -1.0, model.points.inverse_mass[where])))
        inverse = 0.0 if compiled.inputs.held[p] else float(model.points.inverse_mass[p])
        yields = Yielding(inverse, inverse, inverse, float(model.points.radius[p]))
        own = _own_stiffness(compiled, point=p)
        on_surfaces = yields if model.points.radius[p] > 0 else None
        position = compiled.start_points[p]
        stays = bool(compiled.inputs.held[where].all())
        on_others = yields if part.contact is not None else None
        yield Item(part.name, count + p, own, part.contact, yields, on_others, on_surfaces, position, stays)


def _body(compiled: CompiledScene, b: int, body: Body) -> Item:
    """A body, by its corners at walls, and its spheres and solids at others."""
    bodies, contacts, solids = compiled.model.bodies, compiled.model.contacts, compiled.model.solids
    free, turning = 0.0, np.zeros((3, 3))
    if bodies.support[b] in (FREE, ON_PATH):  # a bead may leave its path
        free, turning = 1 / float(bodies.mass[b]), bodies.inverse_inertia[b]
    elif bodies.support[b] in (PIVOT, AXLE):
        turning = bodies.inverse_inertia[b]
    spheres = slice(contacts.first[b], contacts.first[b + 1])
    centers, radii = contacts.position[spheres], contacts.radius[spheres]
    balls = Corners(centers, np.zeros((len(radii), 3, 3)), np.zeros((len(radii), 3)), radii) if len(radii) else None
    angular = corners_of_solids(solids, b)
    seen = corners_of_fields(compiled.model.fields, b)
    others = [
        _yields(each, free, turning, single=each is not angular) for each in (balls, angular, seen) if each is not None
    ]
    radius = float(bodies.radius[b])
    ball = Yielding(free, free, free + radius**2 * float(turning.max()), radius)
    hull = corners_of_hull(compiled.model.hulls, b)
    return Item(
        body.name,
        b,
        _own_stiffness(compiled, body=b),
        body.contact,
        None if hull is None else _yields(hull, free, turning),
        max(others, key=lambda each: each.face, default=None),
        ball if bodies.round[b] else None,
        np.array(body.position) - body.orientation.matrix() @ bodies.origin[b],
        bodies.support[b] in (FIXED, PIVOT, AXLE),
        angular is not None,
        angular is not None or seen is not None,
    )


def _yields(corners: Corners, inverse_mass: float, turning: np.ndarray, single: bool = False) -> Yielding:
    """As `yielding_of`; nothing to compute for fixed items."""
    if inverse_mass == 0.0 and not turning.any():
        return UNMOVED._replace(reach=corners.reach)
    return yielding_of(corners, inverse_mass, turning, single)


def _own_stiffness(compiled: CompiledScene, body: int | None = None, point: int | None = None) -> float:
    """[N/m] of the contact of a body or a point with others; 0 for items without one."""
    contacts, solids, fields = compiled.model.contacts, compiled.model.solids, compiled.model.fields
    spheres = contacts.stiffness[contacts.body == body if body is not None else contacts.point == point]
    angular = solids.material[solids.body == body, 0] if body is not None else np.zeros(0)
    shapes = (fields.body == body) & (fields.solid == NOTHING)
    seen = WHOLE * fields.material[shapes, 0] if body is not None else np.zeros(0)
    return float(np.concatenate([spheres, angular, seen]).max(initial=0.0))
