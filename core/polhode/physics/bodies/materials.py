"""Materials that a shape may be made of: their densities, colours and friction.

Coefficients of kinetic friction are those of dry surfaces. Ice, rubber, glass, aluminium, copper and steel: R. A.
Serway and J. W. Jewett, Physics for Scientists and Engineers, table 5.1, on steel where it has no pair of the same. The
others, and nickel, with which magnets are plated: round values within the range of handbooks. All differ by tens of
percent between samples.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from polhode.physics.bodies.shapes import MassOnly, ShapeBase
from polhode.scene.message import Message


class Material(NamedTuple):
    """A material, at room temperature."""

    name: Message
    density: float  # [kg/m^3]
    friction: float  # coefficient of kinetic friction
    color: str | None = None  # as fields state it; None: the next colour of the palette


MATERIALS: Mapping[str, Material] = MappingProxyType(
    {
        "cork": Material(Message("cork"), 200.0, 0.4, "#c9a06c"),
        "wood": Material(Message("wood"), 700.0, 0.3, "#a9764a"),
        "ice": Material(Message("ice"), 917.0, 0.03, "#cfe8f3b0"),
        "plastic": Material(Message("plastic"), 1000.0, 0.3),
        "rubber": Material(Message("rubber"), 1100.0, 0.8, "#3a3b40"),
        "glass": Material(Message("glass"), 2500.0, 0.4, "#c4e6e499"),
        "aluminium": Material(Message("aluminium"), 2700.0, 0.47, "#c6cbd1"),
        "magnet": Material(Message("magnet (NdFeB)"), 7500.0, 0.5),
        "steel": Material(Message("steel"), 7850.0, 0.57, "#8f979f"),
        "iron": Material(Message("iron"), 7870.0, 0.57, "#7c838b"),
        "brass": Material(Message("brass"), 8500.0, 0.44, "#c8a24c"),
        "copper": Material(Message("copper"), 8960.0, 0.36, "#be8a4b"),
        "lead": Material(Message("lead"), 11340.0, 0.43, "#6d7178"),
    }
)
"""By key, in the order of densities, which differ by some percent between samples, of wood and cork by tens of it."""


def material_of(shape: ShapeBase) -> str | None:
    """Key of the material with the density of a shape; None if it states its mass, or another density."""
    return next((key for key, material in MATERIALS.items() if material.density == shape.density), None)


def has_material(part: object) -> bool:
    """Whether a part is a shape with a volume, so that it has a density."""
    return isinstance(part, ShapeBase) and not isinstance(part, MassOnly)
