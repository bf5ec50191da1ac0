"""Whether a scene states anything that takes energy out of its motion, without which no run comes to rest."""

from __future__ import annotations

from pydantic import BaseModel

from polhode.scene.scene import Scene

LOSSES = ("friction", "damping", "drag", "resistance")  # endings of the names of fields
ELASTIC = 1.0  # coefficient of restitution without a loss


def loses_energy(scene: Scene) -> bool:
    """Whether friction, damping, drag, a plate, a resistance or an inelastic impact is stated that is not zero."""
    return (
        bool(scene.plate)
        or any(coil.ohms > 0.0 for coil in scene.coil)
        or any(circuit.resistance > 0.0 for circuit in scene.circuit)
        or any(_loses(part) for part in (scene.world, *_items(scene)))
    )


def _items(scene: Scene) -> tuple[BaseModel, ...]:
    """All items of the scene that take part in the motion."""
    moving = scene.body, scene.sphere, scene.bead, scene.soft, scene.particle, scene.spring, scene.joint
    return tuple(item for items in (*moving, scene.wall, scene.surface) for item in items)


def _loses(part: BaseModel) -> bool:
    """Whether a part, or a part of it, states a loss."""
    for name in type(part).model_fields:
        value = getattr(part, name)
        if name.endswith(LOSSES) and not isinstance(value, BaseModel) and _is_positive(value):
            return True
        if name == "restitution" and value is not None and value < ELASTIC:
            return True
        inside = value if isinstance(value, tuple) else (value,)
        if any(_loses(each) for each in inside if isinstance(each, BaseModel)):
            return True
    return False


def _is_positive(value: object) -> bool:
    """Whether a number or a list has a positive number; a formula may be positive."""
    if isinstance(value, tuple):
        return any(map(_is_positive, value))
    return isinstance(value, str) or (isinstance(value, int | float) and value > 0)
