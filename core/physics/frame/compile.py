"""Rotation of a scene as kernel arrays.

Formulas of t are differentiated exactly and compiled; numbers are formulas too.
"""

from __future__ import annotations

from core.formulas.codegen import compile_expressions
from core.formulas.curve_checks import derivatives
from core.physics.frame.arrays import Rotation
from core.physics.frame.description import DRIVEN, STILL, texts
from core.physics.sensor.description import Sensor
from core.scene.scene import World


def build_rotation(world: World, sensor: Sensor) -> Rotation:
    """The rotation of a world as machine code.

    It may rotate if the scene says so, or if the sensor drives a component.
    """
    driven = any(DRIVEN.fullmatch(drive.parameter) for drive in sensor.drive)
    axes = [derivatives(text, "t") for text in texts(world.rotation)]
    made = compile_expressions([axes[axis][order] for order in range(3) for axis in range(3)], ["t"])
    return Rotation(driven or world.rotation != STILL, made.address, made.numbers)
