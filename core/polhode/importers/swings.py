"""Time step that resolves the springs and dampers of joints and cords, from the linear motion about the start.

With the mass matrix M of all coordinates, by the Jacobians of the links' centres, and the stiffness K and damping D of
springs and dampers, the modes of M q'' = -K q - D q' have the eigenvalues lambda. MuJoCo treats the dampers of joints
implicitly, so that its steps may be longer. (Featherstone, Rigid Body Dynamics Algorithms, chapter 6)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, sqrt

import numpy as np

from polhode.importers.kinematics import IDENTITY, RigidTransform
from polhode.importers.links import Gear, JointMotion, Link, Winding
from polhode.importers.masses import mass_of_link

FINE = 0.4  # time step in parts of the inverse angular frequency of a mode
STABLE = 2.0  # time step in parts of the inverse rate of a mode: the limit of rk4 is 2.8
MOST_EXACT = 150  # coordinates up to which damped modes are found exactly; above, each has the largest K and D of all
SHORTEST = 1e-6  # [s]


@dataclass(frozen=True)
class Stretch:
    """Something with a stiffness and a damping whose length or angle changes by the rates of coordinates."""

    stiffness: float
    damping: float
    terms: tuple[tuple[int, float], ...]  # coordinate and change of the length per its change


@dataclass(eq=False)
class Coordinates:
    """The coordinates of all links that move, in order, each with the screw of its motion."""

    links: Sequence[Link]  # parents first
    poses: Mapping[int, RigidTransform]  # in the laboratory at the start, by id of links
    first: dict[int, int] = field(default_factory=dict)  # first coordinate, by id of motions
    _screws: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)  # (3,) omega and velocity at the origin
    _path: dict[int, tuple[int, ...]] = field(default_factory=dict)  # coordinates that move a link, by its id

    def __post_init__(self) -> None:
        for link in self.links:
            outer = () if link.parent is None else self._path[id(link.parent)]
            self.first[id(link.motion)] = len(self._screws)
            own = list(_screws(link.motion, self.poses[id(link)]))
            self._path[id(link)] = (*outer, *range(len(self._screws), len(self._screws) + len(own)))
            self._screws += own

    def __len__(self) -> int:
        return len(self._screws)

    def of_point(self, link: Link, point: np.ndarray) -> tuple[tuple[int, ...], np.ndarray]:
        """The coordinates that move a link, and (6, n) velocity of a point (3,) in the laboratory, then the angular
        velocity, per rate of each of them.
        """
        path = self._path[id(link)]
        rows = [
            np.concatenate([linear + np.cross(turn, point), turn])
            for turn, linear in map(self._screws.__getitem__, path)
        ]
        return path, np.array(rows).reshape(-1, 6).T

    def of_winding(self, winding: Winding) -> Iterator[Stretch]:
        """How coordinates stretch the spring of a tendon over hinges and sliders."""
        spring = winding.fields.get("spring", {})
        terms = [(self.first[id(motion)], factor) for motion, factor in winding.terms if motion.kind != "fixed"]
        if spring and terms:
            yield Stretch(spring["stiffness"], spring["damping"], tuple(terms))


def _screws(motion: JointMotion, pose: RigidTransform) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Angular velocity and velocity at the origin of the laboratory per rate of each coordinate of a motion."""
    anchor = pose.at(motion.anchor) if motion.kind != "free" else pose.position
    if motion.kind == "free":
        yield from ((np.zeros(3), axis) for axis in IDENTITY)
    if motion.kind == "slider":
        yield np.zeros(3), pose.turn @ motion.axis
    for axis in [motion.axis] if motion.kind == "hinge" else IDENTITY if motion.kind in ("ball", "free") else []:
        turn = pose.turn @ axis
        yield turn, np.cross(anchor, turn)


def resolving_step(
    coordinates: Coordinates, bodies: Iterable[Link], stretches: Sequence[Stretch], gears: Sequence[Gear]
) -> float:
    """Largest step [s] that resolves all springs and dampers; inf without any. bodies: links that have mass"""
    whole = [*_of_joints(coordinates), *stretches]
    if not whole or not len(coordinates):
        return inf
    group = _groups(coordinates, whole, gears)
    stretched = {group(number) for stretch in whole for number, _ in stretch.terms}
    members: dict[int, list[int]] = {}
    for number in range(len(coordinates)):
        members.setdefault(group(number), []).append(number)
    heavy: dict[int, list[Link]] = {}
    for link in bodies:
        path, _ = coordinates.of_point(link, np.zeros(3))
        if path:
            heavy.setdefault(group(path[0]), []).append(link)
    steps = [_of_group(coordinates, members[root], heavy.get(root, []), whole, gears) for root in stretched]
    return max(min(steps, default=inf), SHORTEST)


def _of_joints(coordinates: Coordinates) -> Iterator[Stretch]:
    """Springs, dampers and friction of joints."""
    for motion in (link.motion for link in coordinates.links):
        spring, count = motion.fields.get("spring", {}), 3 if motion.kind == "ball" else 1
        stiffness = spring.get("stiffness", 0.0)
        damping = spring.get("damping", 0.0) + motion.fields.get("friction", 0.0)
        if stiffness or damping:
            start = coordinates.first[id(motion)]
            yield from (Stretch(stiffness, damping, ((start + k, 1.0),)) for k in range(count))


def _groups(coordinates: Coordinates, stretches: Sequence[Stretch], gears: Sequence[Gear]) -> Callable[[int], int]:
    """The group of each coordinate: those that move a body, a stretch or a gear together are of one."""
    above = list(range(len(coordinates)))

    def root(number: int) -> int:
        while above[number] != number:
            above[number] = number = above[above[number]]
        return number

    sets = [coordinates.of_point(link, np.zeros(3))[0] for link in coordinates.links]
    sets += [tuple(number for number, _ in stretch.terms) for stretch in stretches]
    sets += [(coordinates.first[id(gear.first)], coordinates.first[id(gear.second)]) for gear in gears]
    for together in sets:
        for number in together[1:]:
            above[root(number)] = root(together[0])
    return root


def _of_group(
    coordinates: Coordinates,
    members: Sequence[int],
    bodies: Sequence[Link],
    stretches: Sequence[Stretch],
    gears: Sequence[Gear],
) -> float:
    """Largest step [s] for the coordinates of one group."""
    place = {number: k for k, number in enumerate(members)}
    inertia, stiffness, damping = (np.zeros((len(members), len(members))) for _ in range(3))
    for link in bodies:
        mass, pose = mass_of_link(link), coordinates.poses[id(link)]
        path, rows = coordinates.of_point(link, pose.at(mass.center))
        own = np.array([place[number] for number in path])
        turned = rows[3:].T @ (pose.turn @ mass.tensor @ pose.turn.T) @ rows[3:]
        inertia[np.ix_(own, own)] += mass.mass * rows[:3].T @ rows[:3] + turned
    for motion in (link.motion for link in coordinates.links):
        number = coordinates.first[id(motion)]
        if "armature" in motion.fields and number in place:
            inertia[place[number], place[number]] += motion.fields["armature"]
    for stretch in stretches:
        if stretch.terms[0][0] in place:
            row = np.zeros(len(members))
            for number, factor in stretch.terms:
                row[place[number]] += factor
            stiffness += stretch.stiffness * np.outer(row, row)
            damping += stretch.damping * np.outer(row, row)
    free = _without_gears(coordinates, place, gears)
    return _resolved(*(free.T @ matrix @ free for matrix in (inertia, stiffness, damping)))


def _without_gears(coordinates: Coordinates, place: Mapping[int, int], gears: Sequence[Gear]) -> np.ndarray:
    """(n, m) changes of the coordinates of a group per change of those on which gears let the others depend."""
    free, dependent = np.eye(len(place)), []
    for gear in gears:
        first, second = (coordinates.first[id(motion)] for motion in (gear.first, gear.second))
        if first in place:
            free[place[second]] = gear.ratio * free[place[first]]
            dependent.append(place[second])
    return np.delete(free, dependent, axis=1)


def _resolved(inertia: np.ndarray, stiffness: np.ndarray, damping: np.ndarray) -> float:
    """Largest step [s] for the modes of M q'' = -K q - D q'; inf where nothing is stretched."""
    values, vectors = np.linalg.eigh(inertia)
    if not len(values) or not values[-1] > 0:
        return inf
    scale = vectors / np.sqrt(np.maximum(values, 1e-14 * values[-1]))
    stiffness, damping = (scale.T @ matrix @ scale for matrix in (stiffness, damping))
    count = len(values)
    if count <= MOST_EXACT:
        zero, one = np.zeros((count, count)), np.eye(count)
        found = np.linalg.eigvals(np.block([[zero, one], [-stiffness, -damping]]))
        rate, frequency = np.abs(found.real).max(), np.abs(found.imag).max()
    else:
        rate, frequency = np.linalg.eigvalsh(damping)[-1], sqrt(max(np.linalg.eigvalsh(stiffness)[-1], 0.0))
    return float(min(FINE / max(frequency, 1e-9), STABLE / max(rate, 1e-9)))
