"""Joints that close loops, and gears, as equality constraints."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import numpy as np

from polhode.exporters.mjcf.mobility import ENDS
from polhode.exporters.mjcf.numbers import add, body_name
from polhode.physics.bodies.shapes import unit
from polhode.physics.joints.description import BallJoint, GearJoint, HingeJoint, Joint, WeldJoint
from polhode.physics.joints.ends import Ends

WRITTEN: dict[type, tuple[str, ...]] = {
    BallJoint: ENDS,
    WeldJoint: ENDS,
    HingeJoint: (*ENDS, "axis", "angle"),
    GearJoint: ("kind", "name", "first", "second", "ratio"),
}


def add_tie(equality: Element, joint: Joint, ends: Ends, size: float) -> bool:
    """Add a joint that closes a loop; of a hinge two points of its axis are connected, `size` [m] apart.

    Returns False, and adds nothing, for a kind that no equality states.
    """
    bodies = {"body1": body_name(joint.first), "body2": joint.second and body_name(joint.second)}
    anchor = ends.anchors[0]
    match joint:
        case BallJoint():
            add(equality, "connect", name=joint.name, **bodies, anchor=anchor)
        case WeldJoint():
            add(equality, "weld", name=joint.name, **bodies, anchor=(0, 0, 0))
        case HingeJoint():
            along = anchor + size * unit(joint.axis)
            add(equality, "connect", name=joint.name, **bodies, anchor=anchor)
            add(equality, "connect", name=f"{joint.name}.second", **bodies, anchor=np.asarray(along))
        case _:
            return False
    return True


def add_gear(equality: Element, gear: GearJoint) -> None:
    """Add the tie of two hinges, whose angles are counted from the start."""
    polynomial = (0, gear.ratio, 0, 0, 0)
    add(equality, "joint", name=gear.name, joint1=gear.second, joint2=gear.first, polycoef=polynomial)
