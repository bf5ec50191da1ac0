"""Materials that a wall or a surface may be made of, by the friction of what slides on it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from polhode.physics.contact.description import ContactMaterial, Wall
from polhode.scene.message import Message

SLIPPERY, STEEL_MOST, WOOD_MOST = 0.04, 0.12, 0.45  # largest coefficients of kinetic friction
ROLLS_BADLY = 0.005  # coefficient of rolling resistance from which on it is felt


class WallMaterial(NamedTuple):
    """A material of walls."""

    name: Message
    friction: float  # coefficient of kinetic friction of usual things on it


WALL_MATERIALS: Mapping[str, WallMaterial] = MappingProxyType(
    {
        "frictionless": WallMaterial(Message("frictionless"), 0.0),
        "ice": WallMaterial(Message("ice"), 0.03),
        "steel": WallMaterial(Message("steel, oiled"), 0.1),
        "wood": WallMaterial(Message("wood"), 0.3),
        "felt": WallMaterial(Message("felt"), 0.6),
    }
)
"""By key, in the order of friction. A wall uses its own coefficient against everything (docs/spheres.md)."""


def wall_material_of(contact: ContactMaterial) -> str | None:
    """Key of the material with the friction of a wall or a surface; None if it has another one."""
    is_rough, viscous = getattr(contact, "rough", False), getattr(contact, "friction", 0.0)
    if is_rough or viscous > 0 or contact.holding_friction != contact.kinetic_friction:
        return None
    return next((key for key, each in WALL_MATERIALS.items() if each.friction == contact.kinetic_friction), None)


def similar_material(contact: ContactMaterial) -> str:
    """Name of the material that a wall or a surface looks like, by its friction: ice, steel, wood or felt.

    Of viscous friction the ratio to the damping counts instead of a coefficient.
    """
    friction = contact.holding_friction
    if isinstance(contact, Wall):
        if contact.rough or contact.rolling_resistance >= ROLLS_BADLY:
            return "felt"
        if friction == 0 and contact.friction > 0:
            friction = contact.friction / contact.damping if contact.damping > 0 else WOOD_MOST
    if friction <= SLIPPERY:
        return "ice"
    if friction <= STEEL_MOST:
        return "steel"
    return "wood" if friction <= WOOD_MOST else "felt"
