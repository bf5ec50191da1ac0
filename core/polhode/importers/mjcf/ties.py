"""MJCF: equality constraints as joints that close loops, and as gears."""

from __future__ import annotations

import numpy as np

from polhode.importers.links import Gear, JointMotion, Link, RobotModel, Tie
from polhode.importers.mjcf.styles import YES_OR_NO
from polhode.importers.reading import Element
from polhode.scene.message import Message


def add_ties(root: Element, model: RobotModel, links: dict[str, Link], notes: list[Message]) -> None:
    """Add the ties of <equality> between `links` by name, with notes on ignored ones. Raises InputError."""
    motions = {link.motion.name: link.motion for link in model.links if link.motion.name}
    for equality in root.all("equality"):
        for element in equality.children:
            if element.tag not in ("connect", "weld", "joint"):
                continue  # the notes have it
            if element.choice("active", YES_OR_NO, "true") == "false":
                notes.append(Message("{place} is not active and is left out", place=element.place))
            elif element.tag == "joint":
                model.gears += _gear(element, motions, len(model.gears), notes)
            else:
                model.ties += _tie(element, links, len(model.ties), notes)


def _tie(element: Element, links: dict[str, Link], number: int, notes: list[Message]) -> list[Tie]:
    """The tie of two bodies, or of one and the world; none, with a note, between sites."""
    if not element.has("body1"):
        notes.append(Message("{place} names no body1 and is left out", place=element.place))
        return []
    first, second = (_link(element, key, links) for key in ("body1", "body2"))
    name = element.attributes.get("name", "").strip() or f"{element.tag}{number}"
    if element.tag == "connect":
        return [Tie("ball", name, element, first, second, element.numbers("anchor", (3,)))]
    if element.has("relpose"):
        notes.append(Message("{place}: relpose is not used: the bodies are tied as they stand", place=element.place))
    return [Tie("weld", name, element, first, second, np.zeros(3))]


def _link(element: Element, key: str, links: dict[str, Link]) -> Link | None:
    """The link that an attribute names; None for the world."""
    name = element.attributes.get(key, "world").strip()
    if name == "world":
        return None
    if name not in links:
        rule = Message("{key} is '{name}', which is no body", key=key, name=name)
        raise element.fault(rule, Message("correct the name"))
    return links[name]


def _gear(element: Element, motions: dict[str, JointMotion], number: int, notes: list[Message]) -> list[Gear]:
    """The gear of two hinges: q1 - r1 = c0 + c1 (q2 - r2), r the references; none, with a note, for anything else."""
    names = [element.text("joint1"), element.attributes.get("joint2", "").strip()]
    for key, name in zip(("joint1", "joint2"), names, strict=True):
        if name and name not in motions:
            rule = Message("{key} is '{name}', which is no joint", key=key, name=name)
            raise element.fault(rule, Message("correct the name"))
    constants = element.numbers("polycoef", (1, 2, 3, 4, 5), [0, 1, 0, 0, 0])
    ratio = float(constants[1]) if len(constants) > 1 else 0.0
    reason: Message | None = None
    if not names[1] or names[0] == names[1]:
        reason = Message("does not tie two joints")
    elif any(motions[name].kind != "hinge" for name in names):
        reason = Message("does not tie two hinges")
    elif ratio == 0.0 or np.any(constants[2:]):
        reason = Message("is not linear")
    if reason is not None:
        notes.append(Message("{place} {reason} and is left out", place=element.place, reason=reason))
        return []
    dependent, leading = motions[names[0]], motions[names[1]]
    change = float(constants[0]) + ratio * (leading.start - leading.reference)
    dependent.start = dependent.reference + change
    name = element.attributes.get("name", "").strip() or f"gear{number}"
    return [Gear(name, element, leading, dependent, ratio)]
