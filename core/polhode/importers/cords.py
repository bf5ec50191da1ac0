"""Springs and strings between points of links as tables of a scene."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Protocol

import numpy as np

from polhode.importers.contacts import HARDNESS, RATE
from polhode.importers.kinematics import HERE, Tables, listed
from polhode.importers.links import Cord, Link
from polhode.importers.masses import mass_of_link
from polhode.importers.swings import Coordinates, Stretch
from polhode.scene.files.xml_tree import Element
from polhode.scene.message import Message


class Scenery(Protocol):
    """The tree of a model, as far as cords need it."""

    notes: list[Message]

    def end(self, end: tuple[Link, np.ndarray]) -> tuple[str | None, np.ndarray, np.ndarray]:
        """Body of an end of a cord, None for the laboratory, the point there, and its place at the start."""

    def own_name(self, wanted: str, kind: str) -> str:
        """A name that no other item has."""


def roped(cord: Cord, tree: Scenery) -> list[tuple[Tables, Element]]:
    """The joint of a string straight between two bodies that is not longer than its length; none for others."""
    if "length" not in cord.fields or not cord.is_straight:
        return []
    ends = [tree.end(place) for place in cord.places]
    if all(name is None for name, _, _ in ends):
        return []
    ends.sort(key=lambda end: end[0] is None)
    table: Tables = {"name": tree.own_name(cord.name, "string"), "kind": "distance", "pull_only": True}
    table |= {"first": ends[0][0], "anchor_first": listed(ends[0][1]), "anchor_second": listed(ends[1][1])}
    table |= {"second": ends[1][0]} if ends[1][0] is not None else {}
    start = _length(cord, [place for _, _, place in ends])
    if start > cord.fields["length"]:
        tree.notes.append(Message("{place} is longer at the start and keeps that", place=cord.element.place))
    return [(table | {"length": max(start, cord.fields["length"])}, cord.element)]


def sprung(cord: Cord, tree: Scenery) -> list[Tables]:
    """The spring of a cord; none for a string straight between two bodies, and between fixed points."""
    course = [tree.end(place) for place in cord.places]
    if ("length" in cord.fields and cord.is_straight) or all(name is None for name, _, _ in course):
        return []
    fields = dict(cord.fields)
    if "length" in fields:
        moving = {id(link): link for (link, _), (name, _, _) in zip(cord.places, course, strict=True) if name}
        mass = sum(mass_of_link(link).mass for link in moving.values())
        fields = {"rest_length": fields["length"], "pull_only": True, "stiffness": HARDNESS * mass}
        fields["damping"] = RATE * mass
    elif "stiffness" in fields and "rest_length" not in fields:
        fields["rest_length"] = _reference_length(cord)
    first, *between, second = course
    ends = [{"body": name, "point": listed(own)} if name else listed(own) for name, own, _ in (first, second)]
    if between:
        fields["over"] = [listed(own) for _, own, _ in between]
    if any(name for name, _, _ in between):
        fields["over_bodies"] = [name or "" for name, _, _ in between]
    if set(cord.strands) != {1.0}:
        fields["strands"] = cord.strands
    return [{"from": ends[0], "to": ends[1], "look": "line", **fields}]


def stretches_of(cord: Cord, coordinates: Coordinates) -> Iterator[Stretch]:
    """How coordinates stretch the spring of a cord about the start; nothing for strings, which may be slack."""
    course = [coordinates.poses[id(link)].at(point) for link, point in cord.places]
    terms: list[tuple[int, float]] = []
    for part, strands in enumerate(cord.strands):
        along = course[part + 1] - course[part]
        length = float(np.linalg.norm(along))
        for sign, place in ((-1.0, part), (1.0, part + 1)):
            path, rows = coordinates.of_point(cord.places[place][0], course[place])
            if length > 0:
                terms += zip(path, (sign * strands / length * (along @ rows[:3])).tolist(), strict=True)
    if terms and any(cord.hardness):
        yield Stretch(*cord.hardness, tuple(terms))


def _length(cord: Cord, course: Sequence[np.ndarray]) -> float:
    """Length [m] of a cord over places (3,) [m] in the laboratory."""
    parts = (float(np.linalg.norm(other - one)) for one, other in pairwise(course))
    return sum(strands * part for strands, part in zip(cord.strands, parts, strict=True))


def _reference_length(cord: Cord) -> float:
    """Length [m] of a cord where the coordinates of all joints are those of their springs."""
    course = []
    for link, point in cord.places:
        pose = HERE
        for outer in _with_parents(link):
            pose = outer.pose @ outer.motion.displaced(outer.motion.spring_reference) @ pose
        course.append(pose.at(point))
    return _length(cord, course)


def _with_parents(link: Link) -> Iterator[Link]:
    """A link, its parent, and so on."""
    outer: Link | None = link
    while outer is not None:
        yield outer
        outer = outer.parent
