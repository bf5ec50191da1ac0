"""MJCF: the joints of a body as one motion against its parent.

Two hinges at a right angle in one point are a universal joint, a slide and a hinge along one axis a cylindrical one.
Positions and axes are in the frame of the body.
"""

from __future__ import annotations

import numpy as np

from polhode.importers.kinematics import Tables
from polhode.importers.links import JointMotion
from polhode.importers.mjcf_styles import YES_OR_NO, CompilerSettings
from polhode.importers.reading import Element
from polhode.scene.message import Message

TYPES = ("hinge", "slide", "ball", "free")
ROUNDED = 1e-5
"""Sine of the angle between axes that count as parallel, cosine of those that count as being at a right angle, and
distance of points that count as one, in parts of that from the origin: six digits in a file leave 2e-6."""
OF_JOINTS = ("damping", "stiffness", "frictionloss", "range")


def motion_of(body: Element, joints: list[Element], settings: CompilerSettings, notes: list[Message]) -> JointMotion:
    """The motion that joints allow, each with the attributes of its class; ignored attributes are added to `notes`.
    Raises InputError for several joints that are no universal or cylindrical joint.
    """
    if not joints:
        return JointMotion("fixed", body)
    if len(joints) == 1:
        return _one(joints[0], settings, notes)
    kinds = sorted(_type(joint) for joint in joints)
    if kinds == ["hinge", "hinge"]:
        found = _universal(joints[0], joints[1], notes)
    elif kinds == ["hinge", "slide"]:
        hinge, slide = sorted(joints, key=_type)
        found = _cylindrical(hinge, slide, notes)
    else:
        found = None
    if found is not None:
        return found
    rule = Message("has {count} joints, of the types {types}", count=len(joints), types=", ".join(map(_type, joints)))
    remedy = Message(
        "divide it into bodies with one joint and a mass each; two are possible as hinges at a right angle in one "
        "point, or as a slide and a hinge along one axis"
    )
    raise body.fault(rule, remedy)


def _type(joint: Element) -> str:
    return "free" if joint.tag == "freejoint" else joint.choice("type", TYPES, "hinge")


def _one(joint: Element, settings: CompilerSettings, notes: list[Message]) -> JointMotion:
    """The motion of a single joint."""
    kind, name, anchor = _type(joint), joint.attributes.get("name", ""), joint.vector("pos")
    match kind:
        case "free":
            _tell(joint, OF_JOINTS, notes)
            return JointMotion("free", joint, name)
        case "ball":
            _tell(joint, ("stiffness", "frictionloss", "range"), notes)
            return JointMotion("ball", joint, name, anchor, fields=_friction(joint))
    unit = settings.angle if kind == "hinge" else 1.0
    motion = JointMotion(
        "hinge" if kind == "hinge" else "slider", joint, name, anchor, joint.direction("axis", (0, 0, 1))
    )
    motion.fields = _friction(joint)
    if loss := _not_negative(joint, "frictionloss"):
        motion.fields["dry_friction"] = loss
    if stiffness := _not_negative(joint, "stiffness"):
        motion.fields["spring"] = {"stiffness": stiffness, "rest": joint.number("springref", 0.0) * unit}
    motion.reference = motion.start = joint.number("ref", 0.0) * unit
    if _is_limited(joint, settings):
        lower, upper = (float(each) * unit for each in joint.numbers("range", (2,)))
        motion.fields["limits"] = {"lower": lower, "upper": upper}
        motion.start = min(max(motion.reference, lower), upper)
        if motion.start != motion.reference and lower < upper:
            rule = Message("{place} starts at {start:.6g}, within its range", place=joint.place, start=motion.start)
            notes.append(rule)
    return motion


def _is_limited(joint: Element, settings: CompilerSettings) -> bool:
    limited = joint.choice("limited", (*YES_OR_NO, "auto"), "auto")
    return limited == "true" or (limited == "auto" and settings.autolimits and joint.has("range"))


def _friction(joint: Element) -> Tables:
    """Viscous friction of a joint, if any."""
    damping = _not_negative(joint, "damping")
    return {"friction": damping} if damping else {}


def _not_negative(joint: Element, name: str) -> float:
    number = joint.number(name, 0.0)
    if number < 0:
        rule = Message("{name} is {value:g}, less than 0", name=name, value=number)
        raise joint.fault(rule, Message("correct it"))
    return number


def _universal(first: Element, second: Element, notes: list[Message]) -> JointMotion | None:
    """Two hinges as a universal joint; the first axis is fixed in the parent. None for others."""
    axes = [joint.direction("axis", (0, 0, 1)) for joint in (first, second)]
    positions = [joint.vector("pos") for joint in (first, second)]
    cosine, distance = axes[0] @ axes[1], np.linalg.norm(positions[1] - positions[0])
    if abs(cosine) > ROUNDED or distance > ROUNDED * np.linalg.norm(positions[0]):
        return None
    axes[1] = axes[1] - cosine * axes[0]
    frictions = [_not_negative(joint, "damping") for joint in (first, second)]
    same = frictions[0] == frictions[1]
    for joint in (first, second):
        _tell(joint, OF_JOINTS[1:] if same else OF_JOINTS, notes)
    name = first.attributes.get("name", "")
    motion = JointMotion("universal", first, name, positions[0], axes[0], axes[1])
    if same and frictions[0]:
        motion.fields["friction"] = frictions[0]
    return motion


def _cylindrical(hinge: Element, slide: Element, notes: list[Message]) -> JointMotion | None:
    """A slide and a hinge along one axis as a cylindrical joint. None where the axes differ."""
    ahead, along = (joint.direction("axis", (0, 0, 1)) for joint in (hinge, slide))
    if np.linalg.norm(np.cross(ahead, along)) > ROUNDED:
        return None
    for joint in (hinge, slide):
        _tell(joint, OF_JOINTS, notes)
    return JointMotion("cylindrical", hinge, hinge.attributes.get("name", ""), hinge.vector("pos"), ahead)


def _tell(joint: Element, names: tuple[str, ...], notes: list[Message]) -> None:
    """Add a note on each of these attributes that is stated and not zero: the kind of joint here has no such thing."""
    for name in names:
        if joint.has(name) and np.any(joint.numbers(name, (1, 2))):
            notes.append(Message("{place}: {name} is not used for this kind of joint", place=joint.place, name=name))
