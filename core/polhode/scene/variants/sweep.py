"""Sweeps: many runs of one scene over values of its numbers, with an outcome of each."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from polhode.scene.message import Message
from polhode.scene.part import ScenePart
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import Number, Positive, Quantity
from polhode.scene.variants.outcome import Outcome

MOST_VALUES = 1_000_000  # of one axis
MOST_AXES = 3


class Draws(ScenePart):
    """Random values about the value that the scene states."""

    has_uncertain = False
    distribution: Literal["normal", "uniform"] = "normal"
    """Distribution of the values."""
    deviation: Positive | None = None
    """Standard deviation of normal values; half of the width of uniform ones, in SI; default: the uncertainty that the
    scene states for the number, with its distribution."""
    count: Annotated[int, Field(ge=1, le=MOST_VALUES, strict=True)]
    """Number of values."""
    seed: Annotated[int, Field(ge=0, lt=2**32, strict=True)] = 0
    """Seed of the random numbers: the same seed gives the same values."""


class Axis(ScenePart):
    """One number of the scene and its values: a range with a count, or random draws."""

    has_uncertain = False
    parameter: Annotated[str, Field(min_length=1)]
    """Path of the number, such as world.gravity[2], body[0].angular_velocity[2] or bead[0].parameter;
    body[0].tilt[0] turns the start about the laboratory's axis 0 through the body's origin."""
    range: tuple[Number, Number] | None = None
    """First and last value, in SI."""
    count: Annotated[int, Field(ge=2, le=MOST_VALUES, strict=True)] | None = None
    """Number of equidistant values in the range."""
    draws: Draws | None = None
    """Random values in place of a range; axes with draws vary together."""

    @model_validator(mode="after")
    def _range_or_draws(self) -> Axis:
        if self.draws is not None and (self.range is not None or self.count is not None):
            raise InvalidValue(Message("has a range and draws"), Message("keep one of the two"))
        if self.draws is None and (self.range is None or self.count is None):
            raise InvalidValue(Message("has no values"), Message("state range and count, or draws"))
        if self.range is not None and self.range[0] == self.range[1]:
            rule = Message("range has one value only, {value:g}", value=self.range[0])
            raise InvalidValue(rule, Message("state two different ends"))
        return self


class SweepSettings(ScenePart):
    """Many runs of the scene over values of its numbers, with an outcome of each."""

    has_uncertain = False
    name: Annotated[str, Field(min_length=1)] = "sweep"
    """Name by which commands and the window find it."""
    until: Annotated[Positive, Quantity("s")]
    """Simulated time of each run; a run that rests ends earlier."""
    axes: Annotated[tuple[Axis, ...], Field(min_length=1, max_length=MOST_AXES)]
    """Varied numbers: one to three."""
    outcome: Outcome = Outcome()
    """Outcome of each run."""
    check: Literal["auto", "half_step", "perturbation", "none"] = "auto"
    """Repeats each run: a cell whose label changes is uncertain. half_step: with half of the time step; perturbation:
    twice, from displaced starts; auto: with half of the step for attractors."""
    perturbation: Positive = 1e-3
    """Displacement of the start for check = "perturbation": of angles in radians, of positions in parts of the size of
    the scene, of velocities as much in a second."""

    @model_validator(mode="after")
    def _can_be_checked(self) -> SweepSettings:
        if self.check in ("half_step", "perturbation") and self.outcome.kind != "attractor":
            rule = Message("labels are compared, and the outcome '{kind}' has none", kind=self.outcome.kind)
            raise InvalidValue(rule, Message("leave check out, or ask for attractors"))
        after = self.outcome.after
        if after >= self.until:
            rule = Message("counts from {after:g} s on, and runs end at {until:g} s", after=after, until=self.until)
            raise InvalidValue(rule, Message("give a smaller after, or a larger until"))
        return self

    @model_validator(mode="after")
    def _draws_agree(self) -> SweepSettings:
        counts = {axis.draws.count for axis in self.axes if axis.draws is not None}
        if len(counts) > 1:
            rule = Message("axes with draws vary together, but their counts differ")
            raise InvalidValue(rule, Message("give all draws the same count"))
        if len({axis.parameter for axis in self.axes}) < len(self.axes):
            raise InvalidValue(Message("two axes vary the same number"), Message("remove one of the axes"))
        return self
