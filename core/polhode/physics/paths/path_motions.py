"""How paths themselves are moved, as wholes: descriptions only. Formulas count in SI."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from polhode.formulas.curve_checks import Texts, derivatives
from polhode.formulas.parser import FormulaError
from polhode.physics.bodies.shapes import kind_or, unit
from polhode.physics.paths.description import InT, written
from polhode.physics.sensor.description import ROUND, BodyFollows
from polhode.scene.message import Message
from polhode.scene.part import ScenePart
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import Direction, Name, Number, Positive, Quantity, Vector


class StillPath(ScenePart):
    """At rest."""

    kind: Literal["still"] = "still"

    def formulas(self) -> Texts | None:
        """x, y and z [m] of t [s] by which the path is moved; None where it is not."""
        return None


class PathFormulaMotion(ScenePart):
    """Moved as a whole by formulas in t, in metres and seconds."""

    kind: Literal["formula"] = Field(default=...)
    x: InT = "0"
    """x [m] of t [s], such as '0.1*sin(2*pi*t)'."""
    y: InT = "0"
    """y [m] of t."""
    z: InT = "0"
    """z [m] of t."""

    @model_validator(mode="after")
    def _can_start(self) -> PathFormulaMotion:
        for name, text in zip("xyz", self.formulas(), strict=True):
            try:
                values = [float(part({"t": 0.0})) for part in derivatives(text, "t")]
            except FormulaError:
                return self  # its own field says so
            if not np.isfinite(values).all():
                raise InvalidValue(
                    Message("{name} or its derivatives are not finite at t = 0", name=name),
                    Message("change the formula"),
                )
        return self

    def formulas(self) -> Texts:
        return self.x, self.y, self.z


class PathSineMotion(ScenePart):
    """Swings as a whole: amplitude sin(2 pi t/period) along a direction."""

    kind: Literal["sine"] = Field(default=...)
    direction: Direction
    """Direction; need not be a unit vector."""
    amplitude: Annotated[Number, Quantity("m")]
    """Amplitude."""
    period: Annotated[Positive, Quantity("s")]
    """Period."""

    def formulas(self) -> Texts:
        amplitudes = written(*(self.amplitude * unit(self.direction)).tolist())
        x, y, z = (f"{amplitude}*sin(tau*t/({self.period!r}))" for amplitude in amplitudes)
        return x, y, z


class SpinMotion(ScenePart):
    """Turns as a whole about a fixed axis, at a constant rate: a spinning hoop."""

    kind: Literal["spin"] = Field(default=...)
    axis: Direction = (0.0, 0.0, 1.0)
    """Direction of the axis; need not be a unit vector."""
    point: Annotated[Vector, Quantity("m")] = (0.0, 0.0, 0.0)
    """A point of the axis."""
    angular_velocity: Annotated[Number, Quantity("rad/s")] = 5.0
    """Angular velocity about the axis, right-handed."""

    def formulas(self) -> Texts | None:
        """None: it is no displacement."""
        return None


class PathFollows(BodyFollows):
    """Follows the hand over the sensor, as a whole and gently: it is slowed down before a limit, and never jumps."""

    def formulas(self) -> Texts | None:
        """None: the motion is not known in advance."""
        return None

    def gentle_ways(self, distances: np.ndarray) -> np.ndarray:
        """(n,) [m] smoothed displacement along the axis, with the sensor's target at distances (n,) [m]."""
        displacements, w = self.scale * distances + self.offset, ROUND * (self.highest - self.lowest)
        above, below = (
            np.clip(displacements - self.highest + w, 0, 2 * w),
            np.clip(self.lowest + w - displacements, 0, 2 * w),
        )
        inside = np.clip(displacements, self.lowest - w, self.highest + w)
        return np.asarray(inside - (above * above - below * below) / (4 * w))


class CarriedPath(ScenePart):
    """Moves with a rigid body, in whose frame the path is given; the beads act back on the body."""

    kind: Literal["body"] = Field(default=...)
    body: Name
    """Name of the body."""

    def formulas(self) -> Texts | None:
        """None: the motion is not known in advance."""
        return None


PathMotion = Annotated[
    StillPath | PathFormulaMotion | PathSineMotion | SpinMotion | PathFollows | CarriedPath,
    Field(discriminator="kind"),
    kind_or("still"),
]
