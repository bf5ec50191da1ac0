"""Sweeps: many runs of one scene, over values of its numbers; what is varied, and what is asked of each run."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from polhode.physics.bodies.shapes import Part
from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import Number, Positive, Quantity

MOST_VALUES = 1_000_000  # of one axis
MOST_AXES = 3
MOST_EXPONENTS = 48
MOST_FEATURES = 16
MOST_GRID_AXES = 6
MOST_CELLS_OF_AXIS = 1000
MOST_POINTS = 4096


class Draws(Part):
    """Random values about the value that the scene states."""

    distribution: Literal["normal", "uniform"] = "normal"
    """Distribution of the values."""
    deviation: Positive
    """Standard deviation of normal values; half of the width of uniform ones, in SI."""
    count: Annotated[int, Field(ge=1, le=MOST_VALUES, strict=True)]
    """Number of values."""
    seed: Annotated[int, Field(ge=0, lt=2**32, strict=True)] = 0
    """Seed of the random numbers: the same seed gives the same values."""


class Axis(Part):
    """One number of the scene and its values: a range with a count, or random draws."""

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


class Feature(Part):
    """A number by which attractors are told apart."""

    quantity: Annotated[str, Field(min_length=1)]
    """Column of the table, such as bob.angular_velocity.z."""
    of: Literal["mean", "maximum", "minimum", "deviation"] = "mean"
    """What is taken of its values after the transient: mean, maximum, minimum or standard deviation."""
    tolerance: Positive
    """Difference, in SI, within which two runs are on one attractor."""


class GridAxis(Part):
    """An axis of the grid on which recurrences are counted."""

    quantity: Annotated[str, Field(min_length=1)]
    """Column of the table, such as bob.angular_velocity.z."""
    range: tuple[Number, Number]
    """Ends of the grid, in SI, ascending."""
    count: Annotated[int, Field(ge=2, le=MOST_CELLS_OF_AXIS, strict=True)]
    """Number of cells."""

    @model_validator(mode="after")
    def _ascends(self) -> GridAxis:
        if self.range[0] >= self.range[1]:
            rule = Message("range goes from {low:g} to {high:g}", low=self.range[0], high=self.range[1])
            raise InvalidValue(rule, Message("state the smaller end first"))
        return self


class Outcome(Part):
    """What is asked of each run."""

    kind: Literal["attractor", "final", "extreme", "mean", "period", "settled", "lyapunov", "section"] = "attractor"
    """attractor: where it ends; final, extreme, mean: of a quantity; period: of a quantity's oscillation;
    settled: the time until it rests; lyapunov: Lyapunov exponents; section: values of a quantity, one in each period of
    the drive, or whenever another quantity passes a level."""
    near: tuple[str, ...] = ()
    """Names of bodies, one for each attractor: the label of a run is the one that is nearest at its end. Without names,
    rests are told apart by their positions."""
    of: str = ""
    """Name of the body whose centre of mass is compared with these; without one, that of the first axis, else the first
    body that moves. Of a section: the column of the table whose upward passages through the level take the points."""
    quantity: str = ""
    """Column of the table that the value is taken of, such as bob.position.x or energy.total."""
    extreme: Literal["maximum", "minimum"] = "maximum"
    """Which extreme value is taken."""
    after: Annotated[Number, Field(ge=0), Quantity("s")] = 0.0
    """Time from which the run counts, for extreme values, means, periods, exponents and sections."""
    features: Annotated[tuple[Feature, ...], Field(max_length=MOST_FEATURES)] = ()
    """Numbers by which attractors are told apart that are no rests, such as cycles and rotations."""
    grid: Annotated[tuple[GridAxis, ...], Field(max_length=MOST_GRID_AXES)] = ()
    """Axes of a grid: a run is on its attractor when it falls again and again into cells that it has visited."""
    exponents: Annotated[int, Field(ge=1, le=MOST_EXPONENTS, strict=True)] | Literal["all"] = 1
    """Number of Lyapunov exponents, the largest first; all: as many as the motion has."""
    points: Annotated[int, Field(ge=1, le=MOST_POINTS, strict=True)] = 64
    """Number of points of a section that are kept of each run, the last ones."""
    period: Annotated[Positive, Quantity("s")] | None = None
    """Time between two points of a section, or two samples on a grid; a section without it and without of takes the
    period of the world's rotating field."""
    level: Number = 0.0
    """Level that the quantity of passes upwards, in SI."""

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> Outcome:
        if self.kind in ("final", "extreme", "mean", "period", "section") and not self.quantity:
            rule = Message("the outcome '{kind}' needs a quantity", kind=self.kind)
            raise InvalidValue(rule, Message("add quantity = ..., the name of a column of the table"))
        ways = [name for name in ("near", "features", "grid") if getattr(self, name)]
        if len(ways) > 1 or (ways and self.kind != "attractor"):
            rule = Message("{names} can't be given together", names=", ".join(ways))
            if len(ways) == 1:
                rule = Message("{name} is for attractors, not for the outcome '{kind}'", name=ways[0], kind=self.kind)
            raise InvalidValue(rule, Message("keep one of near, features and grid, for attractors alone"))
        if len(self.near) == 1 or len(set(self.near)) < len(self.near):
            raise InvalidValue(Message("near names fewer than two different bodies"), Message("name each attractor"))
        return self


class SweepSettings(Part):
    """Many runs of the scene over values of its numbers, and what is asked of each."""

    name: Annotated[str, Field(min_length=1)] = "sweep"
    """Name by which commands and the window find it."""
    until: Annotated[Positive, Quantity("s")]
    """Simulated time of each run; a run that rests ends earlier."""
    axes: Annotated[tuple[Axis, ...], Field(min_length=1, max_length=MOST_AXES)]
    """What is varied: one to three numbers."""
    outcome: Outcome = Outcome()
    """What is asked of each run."""
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
