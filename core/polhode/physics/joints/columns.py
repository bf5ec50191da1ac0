"""Columns of joints in tables and plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polhode.physics.joints.description import SLIDES, TURNS, WINDS
from polhode.scene.column_names import Columns, vectors

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene

COLUMNS = {"force": "N", "torque": "N m"}
"""Force and torque on the second body, laboratory frame; the torque is about the anchor."""
COORDINATES = {TURNS: ("angle", "rad"), SLIDES: ("slide", "m"), WINDS: ("length", "m")}
LARGEST = {"largest_force": "N", "largest_torque": "N m"}
"""Largest sizes since the start, at the steps."""
STATUS = "status"
"""Of joints with limits or dry friction, strings, and joints that break; numbers of arrays.py."""


def columns(compiled: CompiledScene) -> Columns:
    """For each joint force and torque, their largest sizes, the coordinate along the axis and the status, if any."""
    for joint in compiled.scene.joint:
        names = [*vectors([joint.name], COLUMNS), *((f"{joint.name}.{key}", unit) for key, unit in LARGEST.items())]
        if joint.coordinate in COORDINATES:
            name, unit = COORDINATES[joint.coordinate]
            names.append((f"{joint.name}.{name}", unit))
        if joint.has_status:
            names.append((f"{joint.name}.{STATUS}", ""))
        yield joint.name, len(names), names
