"""The bodies of a scene as a tree of MJCF: each hangs on another one, or on the world, by at most one joint.

Supports come first, then joints in the order of the scene, breadth first from the world; what no joint reaches is free.
Joints that would close a loop are left over.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from polhode.physics.joints.description import (
    AnyJoint,
    BallJoint,
    CylindricalJoint,
    HingeJoint,
    Joint,
    SliderJoint,
    UniversalJoint,
    WeldJoint,
)
from polhode.scene.scene import Body

HOLDING = (BallJoint, HingeJoint, SliderJoint, CylindricalJoint, UniversalJoint, WeldJoint)
"""Joints by which a body can hang on another one."""
STILL = ("fixed", "driven")


@dataclass(eq=False)
class Node:
    """A body in the tree."""

    body: int  # of the bodies of the scene
    parent: Node | None  # None: the world
    joint: int | None = None  # by which it hangs; None: by its support, or free
    children: list[Node] = field(default_factory=list)


@dataclass(eq=False)
class KinematicTree:
    """All bodies of a scene, and the joints that are not part of the tree."""

    roots: list[Node]
    nodes: dict[int, Node]  # by body
    left_over: list[int]  # joints, by index

    @classmethod
    def of(cls, bodies: Sequence[Body], joints: Sequence[AnyJoint]) -> KinematicTree:
        """The tree of bodies, in the order of the scene as far as joints allow."""
        tree = cls([], {}, [])
        rows = {body.name: b for b, body in enumerate(bodies)}
        beside: dict[int | None, list[tuple[int, int | None]]] = {}  # joints and other ends, by body; None: the world
        for number, joint in enumerate(joints):
            if isinstance(joint, Joint) and isinstance(joint, HOLDING):
                first, second = rows.get(joint.first), None if joint.second is None else rows.get(joint.second)
                if first is None or (joint.second is not None and second is None):
                    continue  # the end is a bead
                beside.setdefault(first, []).append((number, second))
                beside.setdefault(second, []).append((number, first))
        used: set[int] = set()
        for b, body in enumerate(bodies):
            if body.support != "free":
                tree._add(b, None, None)
        tree._grow(deque([None, *tree.nodes]), beside, used)
        for b in range(len(bodies)):
            if b not in tree.nodes:
                tree._add(b, None, None)
                tree._grow(deque([b]), beside, used)
        tree.left_over = [number for number in range(len(joints)) if number not in used]
        return tree

    def _add(self, body: int, parent: int | None, joint: int | None) -> None:
        above = None if parent is None else self.nodes[parent]
        node = self.nodes[body] = Node(body, above, joint)
        (self.roots if above is None else above.children).append(node)

    def _grow(
        self, waiting: deque[int | None], beside: dict[int | None, list[tuple[int, int | None]]], used: set[int]
    ) -> None:
        """Hang on what waits all bodies that joints reach from there; these joints are added to `used`."""
        while waiting:
            here = waiting.popleft()
            for number, other in beside.get(here, []):
                if other is not None and other not in self.nodes:
                    self._add(other, here, number)
                    used.add(number)
                    waiting.append(other)
