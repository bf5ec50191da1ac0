"""Pairs of rough surfaces that can touch, and the stiffness of their tangential springs relative to the normal one."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from polhode.engine.model import NOTHING
from polhode.physics.bodies.arrays import Bodies
from polhode.physics.contact.arrays import Contacts, TangentialSprings
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene

MOST = 5000  # springs: each is evaluated in every step, in contact or not


def build_tangential(scene: Scene, bodies: Bodies, contacts: Contacts) -> TangentialSprings:
    """Springs of every two rough spheres of which one moves, and of every free sphere with every rough wall.

    Raises InputError where there are more than MOST.
    """
    described = scene.bodies
    rough = [i for i, b in enumerate(contacts.body) if b != NOTHING and described[b].contact.rough]
    walls = [w for w, wall in enumerate(scene.wall) if wall.rough]
    balls = np.flatnonzero(bodies.round) if walls else ()
    count = len(rough) * (len(rough) - 1) // 2 + len(walls) * len(balls)
    if count > MOST:
        rule = Message(
            "{spheres} rough spheres and {walls} rough walls make {count} pairs, more than {most}",
            spheres=len(rough),
            walls=len(walls),
            count=count,
            most=MOST,
        )
        remedy = Message("let fewer be rough, or use kinetic_friction, which needs no pairs")
        raise InputError(scene.title or "scene", [Problem("contact.rough", rule, remedy)])
    rows = [_pair(contacts, i, j) for i, j in combinations(rough, 2) if contacts.owner[i] != contacts.owner[j]]
    rows = [row for row in rows if row[-1] > 0]
    rows += [_on_wall(bodies, int(b), w, described[b].shape[0].radius) for b in balls for w in walls]  # type: ignore[union-attr]
    first, second, is_wall, one, other, radius, share = zip(*rows, strict=True) if rows else ((),) * 7
    return TangentialSprings(
        first=np.array(first, dtype=np.int64),
        second=np.array(second, dtype=np.int64),
        is_wall=np.array(is_wall, dtype=np.bool_),
        body=np.array([one, other], dtype=np.int64).T.reshape(-1, 2).copy(),
        radius=np.array(radius, dtype=float),
        share=np.array(share, dtype=float),
    )


Row = tuple[int, int, bool, int, int, float, float]


def _pair(contacts: Contacts, i: int, j: int) -> Row:
    """A spring between spheres i and j: share = m_t/m_n = (1/m_n)/(1/m_t) of their mobilities; 0 if neither moves."""
    along, across = contacts.mobility[i] + contacts.mobility[j]
    share = float(along / across) if across > 0 else 0.0
    return i, j, False, int(contacts.body[i]), int(contacts.body[j]), float(contacts.radius[i]), share


def _on_wall(bodies: Bodies, b: int, wall: int, radius: float) -> Row:
    """A spring between the sphere of body b and a wall: share 1/(1 + m r^2/I), 2/7 of a solid sphere."""
    across = 1 + bodies.mass[b] * radius**2 * bodies.inverse_moments[b, 0]
    return NOTHING, wall, True, b, NOTHING, radius, float(1 / across)
