"""The loops of the metal of one body: sources of field, and resistances and inductances of their nodes."""

from __future__ import annotations

from math import pi
from typing import NamedTuple

import numpy as np

from polhode.engine.model import NOTHING
from polhode.physics.bodies.description import Body
from polhode.physics.bodies.shapes import Cylinder, Shape, Tube
from polhode.physics.coils.windings.inductance import coaxial_rings
from polhode.physics.conductors.description import Conductor
from polhode.physics.conductors.rings import rings_of
from polhode.physics.conductors.sheet import between, sheet_of, wall_of
from polhode.physics.iron.matrices import THIRDS

ON_AXIS = 1e-9  # distance of two axes, and sine of their angle, that count as none, relative to the radius


class Loops(NamedTuple):
    """Sources in the frame of a body, the nodes that they belong to, and the matrices of these."""

    position: np.ndarray  # (s, 3) [m]
    area: np.ndarray  # (s, 3) [m^2]
    across: np.ndarray  # (s, 3) [m]
    radius: np.ndarray  # (s,) [m]
    node: np.ndarray  # (s, 3) int64
    share: np.ndarray  # (s, 3)
    resistance: np.ndarray  # (n, n) [ohm]
    inductance: np.ndarray  # (n, n) [H]


def conducting(body: Body) -> list[tuple[int, Shape, Conductor]]:
    """The conducting shapes of a body, with their numbers."""
    return [(k, shape, shape.conductor) for k, shape in enumerate(body.shape) if shape.conductor is not None]


def loops_of_body(body: Body, permeability: float) -> Loops:
    """The loops of all conducting shapes of a body, all sheets, or rings about one axis; permeability [T m/A]."""
    shapes = conducting(body)
    made = [
        (_rings if conductor.currents == "rings" else _sheet)(shape, conductor, permeability)
        for _, shape, conductor in shapes
    ]
    at = np.cumsum([0, *(len(loops.resistance) for loops in made)])
    resistance, inductance = np.zeros((at[-1],) * 2), np.zeros((at[-1],) * 2)
    for k, one in enumerate(made):
        own = slice(at[k], at[k + 1])
        resistance[own, own], inductance[own, own] = one.resistance, one.inductance
        for j in range(k):
            there = slice(at[j], at[j + 1])
            if shapes[0][2].currents == "rings":
                mutual = _between(one, made[j], permeability)
            else:
                mutual = _between_sheets(shapes[k], shapes[j], permeability)
            inductance[own, there], inductance[there, own] = mutual, mutual.T
    return Loops(
        position=np.concatenate([loops.position for loops in made]),
        area=np.concatenate([loops.area for loops in made]),
        across=np.concatenate([loops.across for loops in made]),
        radius=np.concatenate([loops.radius for loops in made]),
        node=numbered([loops.node for loops in made], at),
        share=np.concatenate([loops.share for loops in made]),
        resistance=resistance,
        inductance=inductance,
    )


def numbered(nodes: list[np.ndarray], first: np.ndarray) -> np.ndarray:
    """(s, 3) int64 nodes of all parts (s, 3), each counted from its own first one; NOTHING stays."""
    rows = [np.where(node == NOTHING, NOTHING, node + at) for node, at in zip(nodes, first, strict=False)]
    return np.concatenate([np.zeros((0, 3), dtype=np.int64), *rows]).astype(np.int64)


def _rings(shape: Shape, conductor: Conductor, permeability: float) -> Loops:
    """Rings of a shape, in the frame of its body."""
    assert isinstance(shape, Tube | Cylinder)
    inner = shape.inner_radius if isinstance(shape, Tube) else 0.0
    rings = rings_of(inner, shape.radius, shape.length, conductor.conductivity, conductor.panels, permeability)
    e1, _, axis = shape.orientation.matrix().T
    return Loops(
        position=np.array(shape.position) + rings.height[:, None] * axis,
        area=pi * rings.radius[:, None] ** 2 * axis,
        across=rings.radius[:, None] * e1,
        radius=rings.radius,
        node=np.stack([np.arange(len(rings.radius)), *[np.full(len(rings.radius), NOTHING)] * 2], axis=1),
        share=np.tile([1.0, 0.0, 0.0], (len(rings.radius), 1)),
        resistance=np.diag(rings.resistance),
        inductance=rings.inductance,
    )


def _sheet(shape: Shape, conductor: Conductor, permeability: float) -> Loops:
    """The sheet of a shape, in the frame of its body; a third of each triangle is at each of three points."""
    wall = wall_of(shape, conductor)
    assert wall is not None
    sheet, turn = sheet_of(wall), shape.orientation.matrix()
    count = len(sheet.node)
    return Loops(
        position=np.array(shape.position) + sheet.panels.points(THIRDS).reshape(-1, 3) @ turn.T,
        area=np.repeat(sheet.panels.vector_areas @ turn.T / 3.0, 3, axis=0),
        across=np.zeros((3 * count, 3)),
        radius=np.zeros(3 * count),
        node=np.repeat(sheet.node, 3, axis=0),
        share=np.tile(THIRDS, (count, 1)),
        resistance=sheet.resistance / (conductor.conductivity * wall.thickness),
        inductance=permeability * sheet.inductance,
    )


def _between_sheets(
    one: tuple[int, Shape, Conductor], other: tuple[int, Shape, Conductor], permeability: float
) -> np.ndarray:
    """(n, m) [H] of the sheets of two shapes of a body."""
    walls = [wall_of(shape, conductor) for _, shape, conductor in (one, other)]
    assert walls[0] is not None
    assert walls[1] is not None
    turns = [shape.orientation.matrix() for _, shape, _ in (one, other)]
    moved = np.subtract(one[1].position, other[1].position) @ turns[1]
    return permeability * between(sheet_of(walls[0]), turns[1].T @ turns[0], moved, sheet_of(walls[1]))


def are_coaxial(one: Shape, other: Shape) -> bool:
    """Whether two shapes of a body are about one axis."""
    axis, along = one.orientation.matrix()[:, 2], other.orientation.matrix()[:, 2]
    apart = np.cross(np.subtract(other.position, one.position), axis)
    size = max(getattr(one, "radius", 0.0), getattr(other, "radius", 0.0))
    return bool(np.linalg.norm(np.cross(axis, along)) < ON_AXIS and np.linalg.norm(apart) < ON_AXIS * size)


def _between(one: Loops, other: Loops, permeability: float) -> np.ndarray:
    """(n, m) [H] of the rings of two shapes about one axis."""
    axis = one.area[0] / np.linalg.norm(one.area[0])
    height, z = (loops.position @ axis for loops in (one, other))
    sign = np.sign(one.area[0] @ other.area[0])
    rows = [
        coaxial_rings(a, other.radius, h - z, permeability) for a, h in zip(one.radius.tolist(), height, strict=True)
    ]
    return np.asarray(sign * np.array(rows))
