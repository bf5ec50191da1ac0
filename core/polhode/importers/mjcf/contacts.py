"""MJCF: contact laws of geoms, and bodies that are excluded from contact with each other."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

import numpy as np

from polhode.importers.links import Link, Pressing
from polhode.scene.files.xml_tree import Element
from polhode.scene.message import Message

PRESSING = ("sphere", "cuboid", "cylinder", "capsule", "mesh")  # kinds of shapes that press on others
SHORTEST = 1e-6  # [s] time constant of a contact
WIDTH = 0.95  # largest impedance of MuJoCo's default solimp


def pressing_of(geom: Element, points: int, extent: np.ndarray | None) -> Pressing:
    """How a geom presses on others. Raises InputError for negative friction.

    points: at which it may press at the same time; extent: (8, 3) [m] corners of the box around a mesh, in the frame in
    which the geom is placed
    """
    friction = float(geom.numbers("friction", (1, 2, 3), [1.0])[0])
    if friction < 0:
        raise geom.fault(Message("friction is less than 0"), Message("correct it"))
    first, second = geom.numbers("solref", (2,), [0.02, 1.0]).tolist()
    if first <= 0:  # stiffness and damping
        hardness, ratio = -first / WIDTH**2, -second / (2.0 * sqrt(-first)) if first < 0 else 1.0
    else:  # time constant and damping ratio
        hardness, ratio = 1.0 / max(WIDTH * first * max(second, 0.1), SHORTEST) ** 2, second
    kinds, partners = (int(geom.number(key, 1.0)) for key in ("contype", "conaffinity"))
    return Pressing(kinds, partners, friction, max(hardness, 1.0), max(ratio, 0.0), points, extent)


def excluded(root: Element, links: Mapping[str, Link]) -> list[tuple[Link, Link]]:
    """The pairs of <exclude>. Raises InputError for names that are not there."""
    pairs = []
    for section in root.all("contact"):
        for element in section.all("exclude"):
            names = [element.text(key) for key in ("body1", "body2")]
            for name in names:
                if name not in links and name != "world":
                    rule = Message("names the body '{name}', which is not there", name=name)
                    raise element.fault(rule, Message("correct the name"))
            if "world" not in names:
                pairs.append((links[names[0]], links[names[1]]))
    return pairs
