"""MJCF: keyframes as starts: coordinates and rates of joints, and controls of actuators.

Coordinates are in the order of the joints in the tree: position and quaternion of a free one, the quaternion of a
ball, an angle or a displacement. Rates likewise: velocity in the laboratory and angular velocity in the frame of the
body, then the latter alone, then numbers.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from polhode.importers.kinematics import RigidTransform, of_quaternion
from polhode.importers.links import JointMotion, Link
from polhode.scene.files.xml_tree import Element
from polhode.scene.message import Message

COORDINATES = {"free": 7, "ball": 4, "hinge": 1, "slider": 1, "fixed": 0}
RATES = {"free": 6, "ball": 3, "hinge": 1, "slider": 1, "fixed": 0}


def keyframes_of(root: Element) -> dict[str, Element]:
    """The keyframes of a document by their names, or by their numbers without one."""
    keys = [key for section in root.all("keyframe") for key in section.all("key")]
    return {key.attributes.get("name", "").strip() or str(number): key for number, key in enumerate(keys)}


def chosen(root: Element, keys: Mapping[str, Element], name: str) -> Element:
    """A keyframe by its name. Raises InputError for one that is not there."""
    if name not in keys:
        rule = Message("has no keyframe '{name}'", name=name)
        known = ", ".join(keys)
        raise root.fault(rule, Message("choose from {known}", known=known) if keys else Message("choose none"))
    return keys[name]


def start_at(key: Element, links: list[Link], notes: list[Message]) -> None:
    """Let the joints of all links start as a keyframe states. Raises InputError for another count of numbers."""
    motions = [(link, link.motion) for link in links]
    numbers = _numbers(key, "qpos", sum(COORDINATES[motion.kind] for _, motion in motions))
    rates = _numbers(key, "qvel", sum(RATES[motion.kind] for _, motion in motions))
    for link, motion in motions:
        own, numbers = np.split(numbers, [COORDINATES[motion.kind]]) if numbers is not None else (None, None)
        if own is not None:
            _place(key, link, motion, own, notes)
        if rates is not None:
            motion.rates, rates = np.split(rates, [RATES[motion.kind]])


def controls_of(key: Element, count: int) -> list[float]:
    """The controls of all actuators in a keyframe; 0 where it states none. Raises InputError for another count."""
    found = _numbers(key, "ctrl", count)
    return [0.0] * count if found is None else found.tolist()


def _numbers(key: Element, name: str, count: int) -> np.ndarray | None:
    """(count,) numbers of an attribute; None without it."""
    return key.numbers(name, (count,), longest=LONGEST) if key.has(name) else None


LONGEST = 2**20  # characters of an attribute


def _place(key: Element, link: Link, motion: JointMotion, numbers: np.ndarray, notes: list[Message]) -> None:
    """The start of one joint."""
    match motion.kind:
        case "free":
            pose = RigidTransform(of_quaternion(key.unit("qpos", numbers[3:])), numbers[:3])
            motion.change = link.pose.inverse() @ pose
        case "ball":
            turn = of_quaternion(key.unit("qpos", numbers))
            motion.change = RigidTransform(turn, motion.anchor - turn @ motion.anchor)
        case "hinge" | "slider":
            motion.start = float(numbers[0])
            limits = motion.fields.get("limits")
            if limits is not None and not limits["lower"] <= motion.start <= limits["upper"]:
                motion.start = min(max(motion.start, limits["lower"]), limits["upper"])
                rule = Message("{place} starts '{joint}' beyond its range", place=key.place, joint=motion.name)
                notes.append(rule)
