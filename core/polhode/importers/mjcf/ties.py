"""MJCF: equality constraints as joints that close loops, as gears, and as joints that do not move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from polhode.importers.kinematics import RigidTransform, of_quaternion
from polhode.importers.links import Gear, JointMotion, Link, RobotModel, Tie
from polhode.importers.mjcf.styles import YES_OR_NO
from polhode.importers.notes import left_out_here
from polhode.scene.files.xml_tree import Element
from polhode.scene.message import Message

T = TypeVar("T")
READ = ("connect", "weld", "joint", "tendon")


@dataclass(frozen=True)
class Named:
    """The things that constraints may name."""

    links: Mapping[str, Link]
    motions: Mapping[str, JointMotion]
    sites: Mapping[str, tuple[Link, RigidTransform]]
    tendons: Mapping[str, Sequence[tuple[JointMotion, float]]]  # fixed ones


def add_ties(root: Element, model: RobotModel, named: Named, notes: list[Message]) -> None:
    """Add the ties of <equality>, with notes on ignored ones. Raises InputError."""
    for equality in root.all("equality"):
        for element in (each for each in equality.children if each.tag in READ):  # the notes have the others
            if element.choice("active", YES_OR_NO, "true") == "false":
                notes.append(left_out_here(element, Message("is not active")))
                continue
            reason = (
                _coupled(element, model, named)
                if element.tag in ("joint", "tendon")
                else _tied(element, model, named, notes)
            )
            if reason is not None:
                notes.append(left_out_here(element, reason))


def _tied(element: Element, model: RobotModel, named: Named, notes: list[Message]) -> Message | None:
    """Add the tie of two bodies, of one and the world, or of two sites; the reason where it is left out."""
    name = element.attributes.get("name", "").strip() or f"{element.tag}{len(model.ties)}"
    kind = "ball" if element.tag == "connect" else "weld"
    if element.has("site1"):
        (first, own), (second, other) = (_named(element, key, named.sites) for key in ("site1", "site2"))
        if kind == "weld":
            return _welded(element, name, model, (first, second), own @ other.inverse(), notes)
        model.ties.append(Tie("ball", name, element, first, second, own.position, other.position))
        return None
    if not element.has("body1"):
        return Message("names no body1")
    bodies = [_link(element, key, named.links) for key in ("body1", "body2")]
    anchor = element.numbers("anchor", (3,)) if kind == "ball" else np.zeros(3)
    if kind == "weld" and element.has("relpose") and np.any(element.numbers("relpose", (7,))[3:]):
        ends = [model.links[0] if each is None else each for each in bodies]  # the first link is the world
        return _welded(element, name, model, (ends[0], ends[1]), _stated_pose(element), notes)
    model.ties.append(Tie(kind, name, element, bodies[0], bodies[1], anchor))  # type: ignore[arg-type]
    return None


def _stated_pose(weld: Element) -> RigidTransform:
    """The pose of the second body in the first one that a weld states: its anchor is at the position of relpose."""
    numbers = weld.numbers("relpose", (7,))
    turn = of_quaternion(weld.unit("relpose", numbers[3:]))
    return RigidTransform(turn, numbers[:3] - turn @ weld.vector("anchor"))


def _welded(
    element: Element, name: str, model: RobotModel, ends: tuple[Link, Link], pose: RigidTransform, notes: list[Message]
) -> Message | None:
    """Add the weld that holds the second link at a pose in the first one; the reason where it is left out.

    A free link that starts elsewhere is placed there, the first one of both if the second is not free.
    """
    first, second = ends
    now = first.at_start.inverse() @ second.at_start
    if not (np.allclose(now.turn, pose.turn, atol=SAME) and np.allclose(now.position, pose.position, atol=SAME)):
        if second.motion.kind == "free":
            second.place(first.at_start @ pose)
        elif first.motion.kind == "free":
            first.place(second.at_start @ pose.inverse())
        else:
            return Message("holds a pose in which the bodies do not start")
        notes.append(Message("{place}: its free body starts where it is held", place=element.place))
    model.ties.append(Tie("weld", name, element, first, second, pose.position, np.zeros(3)))
    return None


SAME = 1e-6  # [m] and of axes, by which a start may differ from the pose of a weld


def _lock(model: RobotModel, motion: JointMotion, coordinate: float) -> None:
    """Fix the link of a motion at a coordinate [rad or m]."""
    link = next(each for each in model.links if each.motion is motion)
    link.pose = link.pose @ motion.displaced(coordinate)
    motion.kind, motion.fields, motion.start = "fixed", {}, coordinate


def _link(element: Element, key: str, links: Mapping[str, Link]) -> Link | None:
    """The link that an attribute names; None for the world. Raises InputError."""
    if element.attributes.get(key, "world").strip() == "world":
        return None
    return _named(element, key, links)


def _named(element: Element, key: str, things: Mapping[str, T]) -> T:
    """The thing that an attribute names. Raises InputError."""
    name = element.text(key)
    if name not in things:
        rule = Message("{key} is '{name}', which is not there", key=key, name=name)
        raise element.fault(rule, Message("correct the name"))
    return things[name]


def _coupled(element: Element, model: RobotModel, named: Named) -> Message | None:
    """Add the gear y - y0 = c0 + c1 (x - x0) of two coordinates, or let one joint not move: y = y0 + c0. The reason
    where it is left out. Raises InputError.

    A tendon of two joints that keeps its length is a gear of these.
    """
    constants = np.append(element.numbers("polycoef", (1, 2, 3, 4, 5), [0, 1, 0, 0, 0]), np.zeros(5))[:5]
    if np.any(constants[2:]):
        return Message("is not linear")
    element.text(f"{element.tag}1")  # must be there
    coupled = [
        [(_named(element, key, named.motions), 1.0)] if element.tag == "joint" else _named(element, key, named.tendons)
        for key in (f"{element.tag}1", f"{element.tag}2")
        if element.attributes.get(key, "").strip()
    ]
    targets = [target for each in coupled for target in each]
    if any(motion.kind not in ("hinge", "slider") for motion, _ in targets) or not targets:
        return Message("ties other joints than hinges and sliders")
    if len(targets) > 2 or (len(coupled) == 2 and len(targets) != 2):
        return Message("ties more than two joints")
    (dependent, scale), change = targets[0], float(constants[0])
    if scale == 0.0:
        return Message("has a coefficient 0")
    if len(targets) == 1:
        _lock(model, dependent, dependent.reference + change / scale)
        return None
    leading, other = targets[1]
    ratio = float(constants[1]) * other / scale if len(coupled) == 2 else -other / scale
    if ratio == 0.0 or dependent is leading:
        return Message("does not tie two joints")
    dependent.start = dependent.reference + change / scale + ratio * (leading.start - leading.reference)
    name = element.attributes.get("name", "").strip() or f"gear{len(model.gears)}"
    model.gears.append(Gear(name, element, leading, dependent, ratio))
    return None
