"""Columns of joints in tables and plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.physics.joints.description import SLIDES, TURNS
from core.scene.column_names import Columns, vectors

if TYPE_CHECKING:
    from core.engine.compile import CompiledScene

COLUMNS = {"force": "N", "torque": "N m"}
"""What the joint exerts on its second body, laboratory frame; the torque is about the anchor."""
COORDINATES = {TURNS: ("angle", "rad"), SLIDES: ("slide", "m")}
WIDTH = 3 * len(COLUMNS)


def columns(built: CompiledScene) -> Columns:
    """For each joint force and torque, then the angle or the displacement along its axis where it has one."""
    for joint in built.scene.joint:
        names = [*vectors([joint.name], COLUMNS)]
        if joint.coordinate in COORDINATES:
            name, unit = COORDINATES[joint.coordinate]
            names.append((f"{joint.name}.{name}", unit))
        yield joint.name, len(names), names
