"""Soft bodies and single springs that break, by the names of their columns."""

from __future__ import annotations

from polhode.physics.points.description import Soft, Spring
from polhode.scene.scene import Scene


def items_of(scene: Scene) -> dict[str, Soft | Spring]:
    """Soft bodies, then single springs, that break, by the names of their columns."""
    soft = {soft.name: soft for soft in scene.soft if soft.can_break}
    return soft | {f"spring[{k}]": spring for k, spring in enumerate(scene.spring) if spring.can_break}
