"""Springs and strings between points of links as tables of a scene."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Protocol

import numpy as np

from polhode.importers.contacts import HARDNESS, RATE
from polhode.importers.kinematics import HERE, Tables, listed
from polhode.importers.links import Cord, Link
from polhode.importers.masses import mass_of_link
from polhode.importers.reading import Element
from polhode.importers.swings import Coordinates, Stretch
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
    ends = [tree.end(end) for end in (cord.first, cord.second)]
    if "length" not in cord.fields or cord.over or all(name is None for name, _, _ in ends):
        return []
    ends.sort(key=lambda end: end[0] is None)
    table: Tables = {"name": tree.own_name(cord.name, "string"), "kind": "distance", "pull_only": True}
    table |= {"first": ends[0][0], "anchor_first": listed(ends[0][1]), "anchor_second": listed(ends[1][1])}
    table |= {"second": ends[1][0]} if ends[1][0] is not None else {}
    start = _way(cord, tree)
    if start > cord.fields["length"]:
        tree.notes.append(Message("{place} is longer at the start and keeps that", place=cord.element.place))
    return [(table | {"length": max(start, cord.fields["length"])}, cord.element)]


def sprung(cord: Cord, tree: Scenery) -> list[Tables]:
    """The spring of a cord; none for a string straight between two bodies, and between fixed points."""
    ends = [tree.end(end) for end in (cord.first, cord.second)]
    if ("length" in cord.fields and not cord.over) or all(name is None for name, _, _ in ends):
        return []
    fields = dict(cord.fields)
    if "length" in fields:
        mass = sum(mass_of_link(link).mass for link, _ in (cord.first, cord.second))
        fields = {"rest_length": fields["length"], "pull_only": True, "stiffness": HARDNESS * mass}
        fields["damping"] = RATE * mass
    elif "stiffness" in fields and "rest_length" not in fields:
        fields["rest_length"] = _reference_length(cord)
    points = [{"body": name, "point": listed(own)} if name else listed(own) for name, own, _ in ends]
    fields |= {"over": cord.over} if cord.over else {}
    return [{"from": points[0], "to": points[1], "look": "line", **fields}]


def stretches_of(cord: Cord, coordinates: Coordinates) -> Iterator[Stretch]:
    """How coordinates stretch the spring of a cord about the start; nothing for strings, which may be slack."""
    places = [coordinates.poses[id(link)].at(point) for link, point in (cord.first, cord.second)]
    course = [places[0], *map(np.array, cord.over), places[1]]
    terms: list[tuple[int, float]] = []
    for (link, _), place, near in ((cord.first, places[0], course[1]), (cord.second, places[1], course[-2])):
        away = place - near
        length = float(np.linalg.norm(away))
        path, rows = coordinates.of_point(link, place)
        terms += zip(path, (away @ rows[:3] / length if length else np.zeros(len(path))).tolist(), strict=True)
    if terms and any(cord.hardness):
        yield Stretch(*cord.hardness, tuple(terms))


def _way(cord: Cord, tree: Scenery) -> float:
    """Length [m] of a cord at the start."""
    places = [tree.end(cord.first)[2], *map(np.array, cord.over), tree.end(cord.second)[2]]
    return float(sum(np.linalg.norm(other - one) for one, other in pairwise(places)))


def _reference_length(cord: Cord) -> float:
    """Length [m] of a cord where the coordinates of all joints are those of their springs."""
    places = [*map(np.array, cord.over)]
    for index, (link, point) in ((0, cord.first), (len(places) + 1, cord.second)):
        pose = HERE
        for outer in _with_parents(link):
            pose = outer.pose @ outer.motion.displaced(outer.motion.spring_reference) @ pose
        places.insert(index, pose.at(point))
    return float(sum(np.linalg.norm(other - one) for one, other in pairwise(places)))


def _with_parents(link: Link) -> Iterator[Link]:
    """A link, its parent, and so on."""
    outer: Link | None = link
    while outer is not None:
        yield outer
        outer = outer.parent
