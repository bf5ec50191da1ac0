"""MJCF: the joints of a body as motions against its parent. Positions and axes are in the frame of the body."""

from __future__ import annotations

import numpy as np

from polhode.importers.kinematics import Tables
from polhode.importers.links import JointMotion
from polhode.scene.files.xml_tree import Element
from polhode.scene.message import Message

TYPES = ("hinge", "slide", "ball", "free")
OF_AXES = ("stiffness", "frictionloss", "range", "armature")  # of hinges and sliders alone


def motions_of(joints: list[Element], notes: list[Message]) -> list[JointMotion]:
    """The motions that joints allow, one after the other.

    Ignored attributes are added to `notes`. Raises InputError for a free joint beside others.
    """
    kinds = [_type(joint) for joint in joints]
    if len(joints) > 1 and "free" in kinds:
        rule = Message("is free, but not the only joint of its body")
        raise joints[kinds.index("free")].fault(rule, Message("remove the others"))
    return [_one(joint, notes) for joint in joints]


def _type(joint: Element) -> str:
    return "free" if joint.tag == "freejoint" else joint.choice("type", TYPES, "hinge")


def _one(joint: Element, notes: list[Message]) -> JointMotion:
    """The motion of a single joint."""
    kind, name, anchor = _type(joint), joint.attributes.get("name", ""), joint.vector("pos")
    match kind:
        case "free":
            _tell(joint, ("damping", *OF_AXES), notes)
            return JointMotion("free", joint, name)
        case "ball":
            _tell(joint, OF_AXES, notes)
            return JointMotion("ball", joint, name, anchor, fields=_coefficients(joint, {"friction": "damping"}, notes))
    motion = JointMotion(
        "hinge" if kind == "hinge" else "slider", joint, name, anchor, joint.direction("axis", (0, 0, 1))
    )
    named = {"friction": "damping", "dry_friction": "frictionloss", "armature": "armature"}
    motion.fields = _coefficients(joint, named, notes)
    if spring := _coefficients(joint, {"stiffness": "stiffness"}, notes):
        motion.fields["spring"] = spring | {"rest": joint.number("springref", 0.0)}
    motion.reference = motion.start = joint.number("ref", 0.0)
    motion.spring_reference = joint.number("springref", 0.0)
    if joint.attributes.get("limited") == "true":
        lower, upper = (float(each) for each in joint.numbers("range", (2,)))
        motion.fields["limits"] = {"lower": lower, "upper": upper}
        motion.start = min(max(motion.reference, lower), upper)
        if motion.start != motion.reference and lower < upper:
            rule = Message("{place} starts at {start:.6g}, within its range", place=joint.place, start=motion.start)
            notes.append(rule)
    return motion


def _coefficients(joint: Element, named: dict[str, str], notes: list[Message]) -> Tables:
    """The fields of a joint by the names of its attributes, those that are not 0; a note on terms of higher orders.

    Raises InputError for negative ones.
    """
    found: Tables = {}
    for field, name in named.items():
        numbers = joint.numbers(name, (1, 2, 3), [0.0])
        if numbers[0] < 0:
            rule = Message("{name} is {value:g}, less than 0", name=name, value=numbers[0])
            raise joint.fault(rule, Message("correct it"))
        if np.any(numbers[1:]):
            notes.append(Message("{place}: of {name} the linear term alone is used", place=joint.place, name=name))
        if numbers[0]:
            found[field] = float(numbers[0])
    return found


def _tell(joint: Element, names: tuple[str, ...], notes: list[Message]) -> None:
    """Add a note on each of these attributes that is stated and not zero: the kind of joint here has no such thing."""
    for name in names:
        if joint.has(name) and np.any(joint.numbers(name, (1, 2))):
            notes.append(Message("{place}: {name} is not used for this kind of joint", place=joint.place, name=name))
