"""Contacts between links: their laws, and the pairs that do not press on each other.

Two press where a bit of the kinds of one is among the partners of the other. Links that are fixed to each other, and
those that hang on each other by a joint, do not, but for those that hang on the laboratory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, product
from math import inf, sqrt

import numpy as np

from polhode.importers.kinematics import Tables
from polhode.importers.links import Link, Pressing, RobotModel
from polhode.importers.masses import mass_of_link
from polhode.importers.swings import FINE, STABLE
from polhode.scene.message import Message

# Contact of MuJoCo's default solref 0.02 1 and solimp 0.9 0.95: frequency squared and rate of its damper.
HARDNESS = 1 / (0.95 * 0.02) ** 2  # [1/s^2] stiffness of a plane or a string over the mass that it holds
RATE = 2 / (0.95 * 0.02)  # [1/s] damping, likewise
FEW = 4  # points of one body that press, each with the full stiffness; those of a finer one share it
CARRIED = 0.1  # part of all that hangs together which a contact moves at least
MOST_APART = 5000  # pairs of bodies that are listed


class Contacts:
    """The contacts of one model."""

    def __init__(
        self, links: list[Link], model: RobotModel, carrier: Callable[[Link], Link | None], static: Mapping[int, bool]
    ):
        """links: that are bodies; carrier: the body of a link, None for the laboratory; static: by id of links"""
        self._links, self._model, self._carrier, self._static = links, model, carrier, static
        self._pressing = [number for number, link in enumerate(links) if link.pressing]
        self._whole: dict[int, float] = {}
        self._group = {id(link): self._group_of(link) for link in links}

    def tables(self, names: Mapping[int, str], notes: list[Message]) -> dict[int, Tables]:
        """The contact of each body that presses on another, by its number. names: of bodies by id of links"""
        moving = [n for n in self._pressing if not self._static[id(self._links[n])]]
        if not moving or (len(self._pressing) < 2 and not self._model.walls):
            return {}
        self._whole = self._masses()
        found = {n: self._law(self._links[n]) for n in self._pressing}
        apart = self._apart()
        if len(apart) > MOST_APART:
            rule = Message("{count} pairs of bodies that would not press on each other do so here", count=len(apart))
            notes.append(rule)
            return found
        for one, other in apart:
            found[one].setdefault("ignores", []).append(names[id(self._links[other])])
        return found

    def time_step(self) -> float:
        """Largest step [s] that resolves the contacts of all bodies; infinite without any."""
        moving = [self._links[n] for n in self._pressing if not self._static[id(self._links[n])]]
        return min(map(self._step, moving), default=inf) if self._whole else inf

    def _step(self, link: Link) -> float:
        """Largest step [s] for a body on its contacts: it moves a part of all that hangs together with it."""
        whole = self._whole[id(link)]
        carried = max(mass_of_link(link).mass, CARRIED * whole)
        if not (carried > 0 and whole > 0):
            return inf
        points = min(max(each.points for each in link.pressing), FEW)
        swinging = sqrt(max(each.hardness for each in link.pressing) * points * whole / carried)
        braking = 2 * points * 2 * max(_rate(each) for each in link.pressing)  # points and dampers of both sides
        return min(FINE / swinging, STABLE / max(braking, 1e-9))

    def _masses(self) -> dict[int, float]:
        """Mass [kg] of all that hangs together with each link, by id; of what does not move that of everything."""
        roots: dict[int, int] = {}
        sums: dict[int, float] = {}
        for link in self._links:  # parents first
            above = None if link.parent is None else self._carrier(link.parent)
            hangs = above is not None and not self._static[id(above)]
            root = roots[id(link)] = roots[id(above)] if hangs else id(link)
            if not self._static[id(link)]:
                sums[root] = sums.get(root, 0.0) + mass_of_link(link).mass
        total = sum(sums.values())
        return {id(link): sums.get(roots[id(link)], total) for link in self._links}

    def _law(self, link: Link) -> Tables:
        """The contact of a link: as hard as all that hangs together needs it, divided among the points that press."""
        hardness = max(each.hardness for each in link.pressing) * self._whole[id(link)]
        points = max(each.points for each in link.pressing)
        part = min(1.0, FEW / points)
        own = 0.0 if self._static[id(link)] else mass_of_link(link).mass  # a step resolves a damper for the light ones
        rate = max(map(_rate, link.pressing))
        friction = max(each.friction for each in link.pressing)
        law = {"stiffness": part * hardness, "damping": part * rate * own, "kinetic_friction": friction}
        has_mesh = any(shape["kind"] == "mesh" for shape in link.shapes)
        return law | ({"shape": "hull"} if has_mesh else {})  # as meshes collide in MuJoCo

    def harden_walls(self) -> None:
        """Give walls a stiffness by the mass of everything, and a damping by the smallest mass."""
        links = [link for link in self._links if not self._static[id(link)] and not link.is_between]
        masses = [mass for mass in (mass_of_link(link).mass for link in links) if mass > 0] or [1.0]
        part = min(1.0, FEW / max((each.points for link in links for each in link.pressing), default=1))
        for wall, _ in self._model.walls:
            wall |= {"stiffness": part * HARDNESS * sum(masses), "damping": part * RATE * min(masses)}

    def _apart(self) -> list[tuple[int, int]]:
        """Pairs of bodies that press on others, but not on each other; not of two that don't move."""
        number = {id(self._links[n]): n for n in self._pressing}
        pairs = [(self._carrier(one), self._carrier(other)) for one, other in self._model.apart]
        found = {(number[id(a)], number[id(b)]) for a, b in pairs if id(a) in number and id(b) in number}
        found |= set(self._strangers()) | set(self._hanging(number))
        still = {n for n in self._pressing if self._static[id(self._links[n])]}
        return sorted({(max(pair), min(pair)) for pair in found if len(set(pair)) == 2 and not still.issuperset(pair)})

    def _strangers(self) -> Iterator[tuple[int, int]]:
        """Pairs of bodies of which no shape of one is a partner of a shape of the other."""
        masks = [[(each.kinds, each.partners) for each in self._links[n].pressing] for n in self._pressing]
        sets: dict[frozenset[tuple[int, int]], int] = {}
        which: list[int] = []
        for of_body in masks:  # few different ones
            which.append(sets.setdefault(frozenset(of_body), len(sets)))
        kinds = list(sets)
        numbers = np.array(which)
        for i, one in enumerate(kinds):
            for j, other in enumerate(kinds[: i + 1]):
                if not any((a & q) | (p & b) for a, p in one for b, q in other):
                    for first in np.flatnonzero(numbers == i).tolist():
                        for second in np.flatnonzero(numbers == j).tolist():
                            yield self._pressing[first], self._pressing[second]

    def _hanging(self, number: Mapping[int, int]) -> Iterator[tuple[int, int]]:
        """Pairs of bodies that are fixed to each other, or of which one hangs on the other."""
        members: dict[int, list[int]] = {}
        for link in (self._links[n] for n in self._pressing):
            members.setdefault(id(self._group[id(link)]), []).append(number[id(link)])
        groups = {id(group): group for group in self._group.values() if group is not None}
        for key, group in groups.items():
            own = members.get(key, [])
            yield from combinations(own, 2)
            above = self._above(group)
            if above is not group and not self._model.parents_press:
                yield from product(own, members.get(id(above), []))

    def _group_of(self, link: Link) -> Link | None:
        """The first one of the bodies that are fixed to each other; None for those of the laboratory."""
        while not self._static[id(link)]:
            if link.motion.kind != "fixed" or link.parent is None:
                return link
            above = self._carrier(link.parent)
            if above is None:
                return link
            link = above
        return None

    def _above(self, group: Link | None) -> Link | None:
        """The group that holds another one, beyond bodies between two joints; itself where the laboratory does."""
        link = group
        while link is not None and link.parent is not None:
            above = self._carrier(link.parent)
            if above is None or self._static[id(above)]:
                return group
            if not above.is_between:
                return self._group[id(above)]
            link = above
        return group


def _rate(pressing: Pressing) -> float:
    """Rate [1/s] of the damper of a contact: damping over mass."""
    return 2.0 * pressing.damping_ratio * sqrt(pressing.hardness)
