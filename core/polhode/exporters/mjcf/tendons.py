"""Springs, strings, and rods of constant length as spatial tendons between sites, over fixed pulleys; tendons over
hinges and sliders as fixed ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from polhode.exporters.mjcf.mobility import limited_range
from polhode.exporters.mjcf.numbers import add, position_or_none
from polhode.physics.joints.description import DistanceJoint, TendonJoint
from polhode.physics.joints.ends import Ends
from polhode.physics.points.description import BodyPoint, Spring
from polhode.scene.quantity import Vector

LOOKS = ("look", "hidden")
WRITTEN: dict[type, tuple[str, ...]] = {
    Spring: (
        "from_",
        "to",
        "rest_length",
        "stiffness",
        "damping",
        "pull_only",
        "over",
        "over_bodies",
        "strands",
        *LOOKS,
    ),
    DistanceJoint: (
        "name",
        "kind",
        "first",
        "second",
        "anchor",
        "anchor_first",
        "anchor_second",
        "length",
        "pull_only",
    ),
}
WINDING = ("name", "kind", "joints", "coefficients", "spring", "dry_friction", "armature", "limits")
WIDTH = 0.003  # [m] of the line that is drawn


class Tendons:
    """Adds tendons and their sites to one document."""

    def __init__(self, elements: dict[str, Element], world: Element, tendon: Element, equality: Element):
        """elements: of the bodies and particles, by name"""
        self._elements, self._world = elements, world
        self._tendon, self._equality = tendon, equality

    def add_spring(self, number: int, spring: Spring, rest: float) -> bool:
        """Add a spring of a natural length [m]. Returns False, and adds nothing, for one that MJCF can't state."""
        between = [self._place(BodyPoint(body=name, point=at) if name else at) for name, at in spring.course]
        places = [self._place(spring.from_), *between, self._place(spring.to)]
        if spring.stiffness is None or spring.axis is not None or any(place is None for place in places):
            return False
        length = (0.0, rest) if spring.pull_only else rest
        attributes = {"stiffness": spring.stiffness, "damping": spring.damping or None, "springlength": length}
        self._add(f"spring.{number}", places, attributes, spring.strands)
        return True

    def add_distance(self, joint: DistanceJoint, ends: Ends) -> bool:
        """Add a rod, held by an equality, or a string, held by a limit. Returns False if an end is no body here."""
        owners = [self._elements.get(joint.first), self._elements.get(joint.second or "") or self._world]
        if owners[0] is None or (joint.second is not None and joint.second not in self._elements):
            return False
        distance = float(np.linalg.norm(ends.positions[1] - ends.positions[0]))
        length = joint.length or distance
        stretch = {"limited": "true", "range": (0.0, length)} if joint.pull_only else {}
        places = [(owner, tuple(anchor)) for owner, anchor in zip(owners, ends.anchors.tolist(), strict=True)]
        self._add(joint.name, places, stretch)
        if not joint.pull_only:
            add(self._equality, "tendon", tendon1=joint.name, polycoef=(length - distance, 0, 0, 0, 0))
        return True

    def add_winding(self, joint: TendonJoint) -> None:
        """Add a tendon over hinges and sliders with its spring, friction, rotor and limits."""
        spring = joint.spring
        stretch = {"frictionloss": joint.dry_friction or None, "armature": joint.armature or None}
        if spring is not None:
            stretch |= {"stiffness": spring.stiffness or None, "damping": spring.damping or None}
            stretch |= {"springlength": spring.rest}
        fixed = add(self._tendon, "fixed", name=joint.name, **stretch, **limited_range(joint.limits))
        for name, coefficient in zip(joint.joints, joint.coefficients, strict=True):
            add(fixed, "joint", joint=name, coef=coefficient)

    def _place(self, end: str | BodyPoint | Vector) -> tuple[Element, Vector] | None:
        """The element in which an end lies, and its position there; None for what is not written."""
        if isinstance(end, BodyPoint):
            owner = self._elements.get(end.body)
            return None if owner is None else (owner, end.point)
        if isinstance(end, str):
            owner = self._elements.get(end)
            return None if owner is None else (owner, (0.0, 0.0, 0.0))
        return self._world, end

    def _add(self, name: str, places: Sequence[Any], attributes: dict[str, Any], strands: Sequence[float] = ()) -> None:
        """Add a tendon over places. strands: of its parts; a pulley is written where their number changes."""
        spatial = add(self._tendon, "spatial", name=name, width=WIDTH, **attributes)
        for number, (owner, position) in enumerate(places):
            add(owner, "site", name=f"{name}.{number}", size=WIDTH, pos=position_or_none(np.array(position)))
        for strand, parts in groupby(range(len(places) - 1), lambda part: strands[part] if strands else 1.0):
            if strand == 0.0:
                continue
            if len(spatial) or strand != 1.0:
                add(spatial, "pulley", divisor=1.0 / strand)
            first, *more = parts
            for number in range(first, first + len(more) + 2):
                add(spatial, "site", site=f"{name}.{number}")
