"""Pairs of bodies that do not press on each other: those that a joint ties, and those that a contact ignores."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from polhode.engine.part import Draft
from polhode.jit.kernel import kernel
from polhode.physics.bodies.description import Body
from polhode.physics.joints.description import Joint
from polhode.scene.checks.known_names import KnownNames
from polhode.scene.message import Message
from polhode.scene.problem import Problem
from polhode.scene.scene import Scene


def check_ignored(draft: Draft) -> None:
    """Add the problems of names of ignored bodies."""
    names = {body.name for body in draft.scene.bodies}
    known = KnownNames(sorted(names))
    for number, body in enumerate(draft.scene.body):
        for name in body.contact.ignores if body.contact is not None else ():
            if name not in names:
                rule = Message("there is no body named '{name}'", name=name)
                draft.problems.append(Problem(f"body[{number}].contact.ignores", rule, known.remedy(name)))


def separate_bodies(scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    """`first_separate` and `separate` of Contacts and Solids."""
    number = {body.name: b for b, body in enumerate(scene.bodies)}
    partners: list[set[int]] = [set() for _ in number]
    for one, other in (*_tied(scene), *_ignored(scene)):
        if one in number and other in number:
            partners[number[one]].add(number[other])
            partners[number[other]].add(number[one])
    first = np.concatenate([[0], np.cumsum([len(each) for each in partners], dtype=np.int64)]).astype(np.int64)
    return first, np.array([b for each in partners for b in sorted(each)], dtype=np.int64)


def _tied(scene: Scene) -> Iterator[tuple[str, str | None]]:
    """Bodies that a joint ties."""
    for joint in scene.joint:
        if isinstance(joint, Joint) and not joint.collide:
            yield joint.first, joint.second


def _ignored(scene: Scene) -> Iterator[tuple[str, str]]:
    """Bodies that a contact ignores."""
    for body in scene.bodies:
        if isinstance(body, Body) and body.contact is not None:
            yield from ((body.name, name) for name in body.contact.ignores)


@kernel
def are_separate(first: np.ndarray, separate: np.ndarray, a: int, b: int) -> bool:
    """Whether bodies a and b do not press on each other: they are the same, or separate.

    first (n + 1,), separate (k,): `first_separate` and `separate` of Contacts or Solids
    """
    if a == b:
        return True
    found = False
    for k in range(first[a], first[a + 1]):
        found = found or separate[k] == b
    return found
