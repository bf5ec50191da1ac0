"""Whether the events of a recording fit the scene that they are to be applied to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from polhode.physics.grab.interactions import Interaction, interaction_fault
from polhode.scene.message import Message

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene  # imports the compiler


def interaction_mismatch(interaction: Interaction, compiled: CompiledScene) -> Message | None:
    """Why an interaction does not fit a scene, such as a body or point beyond the last one, or None."""
    return interaction_fault(interaction, len(compiled.scene.bodies), len(compiled.model.points.mass))


def event_mismatch(name: str, arguments: Mapping[str, Any], compiled: CompiledScene) -> Message | None:
    """Why an event other than an interaction does not fit a scene; None where it does.

    Compares the number of driven parameters, and the number of points of an excited soft body. Muted modes are checked
    by the simulation itself.
    """
    if name == "drive" and len(arguments["values"]) != len(compiled.scene.sensor.drive):
        return Message(
            "{values} numbers are driven, and the scene has {drives}",
            values=len(arguments["values"]),
            drives=len(compiled.scene.sensor.drive),
        )
    if name == "excite":
        count = compiled.points[arguments["name"]] if arguments["name"] in compiled.points else slice(0, 0)
        points = count.stop - count.start
        if np.shape(arguments["shape"]) != (3, points):
            return Message(
                "'{name}' is pushed at {pushed} points, and has {points}",
                name=arguments["name"],
                pushed=len(arguments["shape"][0]),
                points=points,
            )
    return None
