"""A hand over a distance sensor, and what follows it: descriptions only."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from polhode.scene.message import Message
from polhode.scene.part import ScenePart
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import Direction, Number, Positive, Quantity

MOST_DRIVEN = 1000  # numbers of a scene
ROUND = 0.05  # half width of the smoothed corner of paths at a limit, relative to the distance of the limits


class Drive(ScenePart):
    """A number of the scene that follows the hand over the sensor: scale * distance + offset, within the limits.

    All of it in SI units, whatever the units of the file.
    """

    has_uncertain = False
    parameter: Annotated[str, Field(min_length=1)]
    """Path of the parameter in the scene, as in messages: world.gravity[2], spring[1].rest_length."""
    scale: Number = 1.0
    """Change per metre of the sensor's distance; a negative value reverses the direction."""
    offset: Number = 0.0
    """Value at distance 0."""
    lowest: Number | None = None
    """Lower limit; none: the smallest value that the parameter may have."""
    highest: Number | None = None
    """Upper limit; none: the largest value that the parameter may have."""

    @model_validator(mode="after")
    def _leads_somewhere(self) -> Drive:
        check_ends(self.scale, self.lowest, self.highest, "")
        return self

    def at(self, distance: float) -> float:
        """The number when the hand is at a distance [m]."""
        value = self.scale * distance + self.offset
        value = value if self.lowest is None else max(value, self.lowest)
        return value if self.highest is None else min(value, self.highest)


def check_ends(scale: float, lowest: float | None, highest: float | None, unit: str) -> None:
    """Raises ValueError where a scale and limits lead nowhere."""
    if scale == 0:
        raise InvalidValue(Message("scale 0 leads nowhere"), Message("give a number that is not 0"))
    if lowest is not None and highest is not None and lowest >= highest:
        raise InvalidValue(
            Message(
                "lowest {lowest:g}{unit} is not below highest {highest:g}{unit}",
                lowest=lowest,
                unit=unit,
                highest=highest,
            ),
            Message("exchange them"),
        )


class Sensor(ScenePart):
    """A hand over a distance sensor. Until it is measured it moves as the simulated one does."""

    has_uncertain = False
    file_field = "file"
    source: Literal["simulated", "serial", "recording"] = "simulated"
    """Motion of the target: simulated, centre + amplitude sin(2 pi t/period); a serial port; or a recording."""
    file: str = ""
    """Recording to play, CSV with columns time and raw, relative to the scene's file."""
    centre: Annotated[Number, Quantity("m")] = 0.3
    """Initial distance of the target."""
    amplitude: Annotated[Number, Quantity("m")] = 0.1
    """Amplitude of the simulated target's oscillation."""
    period: Annotated[Positive, Quantity("s")] = 2.0
    """Period of the simulated target's oscillation."""
    fastest: Annotated[Positive, Quantity("m/s")] = 2.0
    """Largest speed of items that follow a measured distance, so that they never jump."""
    drive: Annotated[tuple[Drive, ...], Field(max_length=MOST_DRIVEN)] = ()
    """Parameters of the scene that the sensor drives, besides the walls and bodies that follow it."""

    @model_validator(mode="after")
    def _a_recording_has_a_file(self) -> Sensor:
        if self.source == "recording" and not self.file:
            raise InvalidValue(Message("plays a recording, but names no file"), Message("add file = ..."))
        return self

    def distances(self, times: np.ndarray) -> np.ndarray:
        """(n,) [m] of the hand at times (n,) [s] before it is measured."""
        return self.centre + self.swing * np.sin(2 * np.pi * times / self.period)

    @property
    def swing(self) -> float:
        """Amplitude [m] of the hand before it is measured."""
        return self.amplitude if self.source == "simulated" else 0.0


class WallFollows(ScenePart):
    """Follows the hand over the sensor, along the normal: scale * distance + offset, within the limits."""

    kind: Literal["sensor"] = Field(default=...)
    scale: Number = 1.0
    """Displacement per change of the sensor's distance; a negative value reverses the direction."""
    offset: Annotated[Number, Quantity("m")] = 0.0
    """Displacement at distance 0."""
    lowest: Annotated[Number, Quantity("m")] = -1e3
    """Lower limit of the displacement."""
    highest: Annotated[Number, Quantity("m")] = 1e3
    """Upper limit of the displacement."""

    @model_validator(mode="after")
    def _leads_somewhere(self) -> WallFollows:
        check_ends(self.scale, self.lowest, self.highest, " m")
        return self

    @property
    def numbers(self) -> tuple[float, float, float, float]:
        """Numbers that polhode.physics.sensor.sensor_motion reads."""
        return self.scale, self.offset, self.lowest, self.highest


class BodyFollows(WallFollows):
    """Follows the hand over the sensor, from its position along an axis."""

    axis: Direction = (0.0, 0.0, 1.0)
    """Direction; need not be a unit vector."""


def ends(follows: WallFollows, sensor: Sensor) -> tuple[float, float]:
    """Limits of the displacement [m] for the simulated target; a measured one is unknown."""
    low, high = sorted(follows.scale * (sensor.centre + sign * sensor.swing) + follows.offset for sign in (-1.0, 1.0))
    return max(low, follows.lowest), min(high, follows.highest)
