"""Contacts: planes, who touches whom, friction, and the stiffness of soft contacts.

A contact of MuJoCo accelerates bodies apart by hardness times overlap, less rate times speed, whatever their masses: a
stiffness is written as that of the mass that it carries. Bodies without a contact touch planes only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from polhode.exporters.mjcf.numbers import add, position_or_none
from polhode.exporters.mjcf.unwritten import unwritten
from polhode.physics.bodies.shapes import unit
from polhode.physics.contact.description import Contact, PointContact, Wall
from polhode.scene.message import Message

MATERIAL = ("stiffness", "damping", "restitution", "kinetic_friction")
WRITTEN = {Wall: ("name", "point", "normal", *MATERIAL), Contact: MATERIAL, PointContact: MATERIAL}
PLANE, PRESSING = 1, 2  # bits of contype and conaffinity
NOTHING = {"contype": "0", "conaffinity": "0"}
IMPEDANCE = 0.95  # largest of MuJoCo's default solimp, by which it divides these numbers


def touching(contact: PointContact | None, mass: float, has_walls: bool) -> dict[str, Any]:
    """The attributes of the geoms of a body of a mass [kg]."""
    if contact is None:
        return NOTHING if not has_walls else {"contype": "0", "conaffinity": str(PLANE)}
    bits = {"contype": str(PRESSING), "conaffinity": str(PLANE | PRESSING)}
    return bits | _material(contact, mass, mass)


def add_walls(world: Element, walls: Sequence[Wall], masses: Sequence[float]) -> Iterator[Message]:
    """Add the planes of walls, which press on bodies of these masses [kg]; notes on fields that are left out."""
    moving = [mass for mass in masses if mass > 0] or [1.0]
    for number, wall in enumerate(walls):
        material = _material(wall, sum(moving), min(moving))
        bits = {"contype": str(PLANE), "conaffinity": "0", "priority": "1"}
        normal, point = unit(wall.normal), position_or_none(np.array(wall.point))
        turned = _quaternion_to(normal)
        add(world, "geom", name=wall.name, type="plane", size=(0, 0, 1), pos=point, quat=turned, **bits, **material)
        yield from unwritten(wall, f"wall[{number}]", WRITTEN[Wall])


def _quaternion_to(normal: np.ndarray) -> np.ndarray | None:
    """The smallest rotation from the z axis to a unit vector (3,); None for the z axis itself."""
    half = np.array([1 + normal[2], -normal[1], normal[0], 0.0])
    if half[0] < 1e-12:
        return np.array([0.0, 1.0, 0.0, 0.0])
    return None if half[0] == 2.0 else half / np.linalg.norm(half)


def _material(law: Wall | PointContact, carried: float, lightest: float) -> dict[str, Any]:
    """Friction, and solref from stiffness and damping, with the masses [kg] that they carry."""
    found: dict[str, Any] = {"friction": (law.kinetic_friction, 0.005, 0.0001)}
    if law.stiffness is None:
        return found
    hardness = law.stiffness / carried
    rate = law.damping / lightest or 2 * law.damping_ratio * float(np.sqrt(hardness))
    return found | {"solref": (-hardness * IMPEDANCE**2, -max(rate, 1e-6) * IMPEDANCE)}
