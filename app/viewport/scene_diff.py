"""What an edit leaves as it looks: those views are not raised again, and what leaves a trail goes on."""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import BaseModel

from app.viewport.base.stage import Stage
from core.scene.scene import Scene

UNSEEN = frozenset(
    {"title", "description", "mass", "density", "particle_mass", "inertia", "drag", "quadratic_drag", "modal_damping"}
    | {"friction", "damping", "damper", "stiffness", "kinetic_friction", "static_friction", "restitution", "sticky"}
    | {"rolling_resistance", "rough", "unstable_modes", "dipole_sum", "dipole_tolerance", "method", "time_step"}
)
"""Fields by which nothing looks otherwise, as a file calls them."""
WEIGHING = ("tension", "polhode", "inertia", "velocities", "torques", "field_slice", "field_lines")
"""Views that draw numbers which follow from such fields."""
OF_PARTS = frozenset(
    {"bodies", "points", "skins", "springs", "tension", "dipoles", "axes", "shadows", "walls", "surfaces", "trails"}
)
"""Views that draw the parts of a scene in its room, and nothing of its world."""
PARTS = ("body", "sphere", "bead", "soft", "particle", "spring", "wall", "surface", "view", "sensor")


def looks_alike(one: Any, other: Any) -> bool:
    """Whether two scenes, or parts, look the same in every frame but for how they move."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, Scene) and one.ghost is not other.ghost:
        return False  # they run anew
    if isinstance(one, BaseModel):
        fields = [name for name in type(one).model_fields if name not in UNSEEN]
        return all(looks_alike(getattr(one, name), getattr(other, name)) for name in fields)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(looks_alike, one, other))
    return bool(one == other)


def weighing(one: Scene, other: Scene) -> tuple[str, ...]:
    """The views to be raised again where another scene looks like one."""
    same = all(getattr(one, name) is getattr(other, name) for name in ("body", "sphere", "bead"))
    return WEIGHING if same else ("springs", *WEIGHING)  # these hold bodies by their centres of mass


def stands_alike(one: Stage, other: Stage) -> bool:
    """Whether all parts of two stages are the very same, in the same room."""
    return (
        all(getattr(one.scene, name) is getattr(other.scene, name) for name in PARTS)
        and (one.built is None) == (other.built is None)
        and one.theme is other.theme
        and one.ground == other.ground
        and np.array_equal(one.room, other.room)
    )
