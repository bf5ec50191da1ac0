"""What the outside world does before anybody changes it: gravity, field, wind, rotation, hand over the sensor."""

from __future__ import annotations

import numpy as np

from core.engine.model import NOTHING, Inputs
from core.physics.frame.compile import build_rotation
from core.physics.grab.arrays import Pull
from core.physics.sensor.description import Sensor
from core.physics.sensor.sensor_motion import AMPLITUDE, FREQUENCY, HAND_SIZE, PLACE
from core.scene.scene import RotatingField, World


def inputs_at_start(world: World, sensor: Sensor, fixed: np.ndarray) -> Inputs:
    """The inputs of a scene; `fixed` (p,) says which points no force moves."""
    field = world.magnetic_field
    if isinstance(field, RotatingField):
        turning = np.array(field.cosine), np.array(field.sine), field.angular_frequency
    else:
        turning = np.array(field.value), np.zeros(3), 0.0
    wind = world.wind
    swing = 2 * np.pi / wind.period if wind.period > 0 else 0.0
    nothing = Pull(NOTHING, NOTHING, np.zeros(3), np.zeros(3), 0.0, 0.0, np.zeros(3), 0.0)
    hand = np.zeros(HAND_SIZE)
    hand[PLACE], hand[AMPLITUDE], hand[FREQUENCY] = sensor.centre, sensor.swing, 2 * np.pi / sensor.period
    air, rotation = (np.array(wind.velocity), swing, wind.drag), build_rotation(world, sensor)
    return Inputs(np.array(world.gravity), *turning, *air, fixed, nothing, rotation, hand)
