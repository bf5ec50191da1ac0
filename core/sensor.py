"""A hand over a distance sensor, and what follows it: descriptions only."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import model_validator

from core.quantity import Number, Positive, Quantity, Vector
from core.shapes import Part

ROUND = 0.05  # part of the room between its limits in which a path is slowed down before a limit, on either side of it


class Sensor(Part):
    """A hand over a distance sensor. Until it is measured it moves as the simulated one does."""

    source: Literal["simulated", "serial", "recording"] = "simulated"
    """Who moves the hand: simulated, as centre + amplitude sin(2 pi t/period); or it waits there for others."""
    file: str = ""
    """Recording to play, CSV with columns time and raw, relative to the scene's file."""
    centre: Annotated[Number, Quantity("m")] = 0.3
    """Distance of the hand at the start."""
    amplitude: Annotated[Number, Quantity("m")] = 0.1
    """How far a simulated hand moves to either side."""
    period: Annotated[Positive, Quantity("s")] = 2.0
    """Time of one of its swings to and fro."""
    fastest: Annotated[Positive, Quantity("m/s")] = 2.0
    """Speed that what follows a measured hand is limited to: it never jumps."""

    @model_validator(mode="after")
    def _a_recording_has_a_file(self) -> Sensor:
        if self.source == "recording" and not self.file:
            raise ValueError("plays a recording, but names no file; add file = ...")
        return self

    def distances(self, times: np.ndarray) -> np.ndarray:
        """(n,) [m] of the hand at times (n,) [s] before it is measured."""
        return self.centre + self.swing * np.sin(2 * np.pi * times / self.period)

    @property
    def swing(self) -> float:
        """Amplitude [m] of the hand before it is measured."""
        return self.amplitude if self.source == "simulated" else 0.0


class WallFollows(Part):
    """Follows the hand over the sensor, along the normal: scale * distance + offset, within the limits."""

    kind: Literal["sensor"]
    scale: Number = 1.0
    """Way per way of the hand; negative: the other way."""
    offset: Annotated[Number, Quantity("m")] = 0.0
    """Way when the hand is at distance 0."""
    lowest: Annotated[Number, Quantity("m")] = -1e3
    """It goes no farther back."""
    highest: Annotated[Number, Quantity("m")] = 1e3
    """It goes no farther ahead."""

    @model_validator(mode="after")
    def _leads_somewhere(self) -> WallFollows:
        if self.scale == 0:
            raise ValueError("scale 0 leads nowhere; give a number that is not 0")
        if self.lowest >= self.highest:
            raise ValueError(f"lowest {self.lowest:g} m is not below highest {self.highest:g} m; exchange them")
        return self

    @property
    def numbers(self) -> tuple[float, float, float, float]:
        """What core.led reads."""
        return self.scale, self.offset, self.lowest, self.highest


class BodyFollows(WallFollows):
    """Follows the hand over the sensor, from its position along an axis."""

    axis: Vector = (0.0, 0.0, 1.0)
    """Direction, of any length but zero."""

    @model_validator(mode="after")
    def _has_a_direction(self) -> BodyFollows:
        if not any(self.axis):
            raise ValueError("axis [0, 0, 0] is no direction; give any other vector")
        return self


def ends(follows: WallFollows, sensor: Sensor) -> tuple[float, float]:
    """Farthest ways [m] back and ahead while the hand is simulated; where it is measured nobody knows."""
    low, high = sorted(follows.scale * (sensor.centre + sign * sensor.swing) + follows.offset for sign in (-1.0, 1.0))
    return max(low, follows.lowest), min(high, follows.highest)
