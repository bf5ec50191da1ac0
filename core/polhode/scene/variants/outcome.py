"""Outcomes of sweeps, as a scene file states them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, model_validator

from polhode.scene.message import Message
from polhode.scene.part import ScenePart
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import Number, Positive, Quantity

MOST_EXPONENTS = 48
MOST_FEATURES = 16
MOST_GRID_AXES = 6
MOST_CELLS_OF_AXIS = 1000
MOST_POINTS = 4096

Kind = Literal["attractor", "final", "extreme", "mean", "period", "settled", "lyapunov", "section", "joint_force"]
Criterion = Literal["rests", "near", "features", "grid"]


@dataclass(frozen=True)
class OutcomeRow:
    """One kind of outcome, or one criterion for attractors: fields, module and titles."""

    title: Callable[[Outcome, str], Message]
    """Name of its values with their unit; the second argument is the name of the quantity."""
    fields: tuple[str, ...] = ()
    """Fields of `Outcome` that it reads, in the order of forms; a quantity must be stated if it is one of them."""
    of: Literal["", "body", "column", "joint"] = ""
    """Kind of the name `Outcome.of`."""
    numbers: str = ""
    """Name in tables of the features of a cell."""
    module: str = ""
    """Module of polhode/sweep/outcomes that runs its cells; without one it is read from the end of a run and from the
    series of a column (polhode/sweep/measure.py)."""


class Feature(ScenePart):
    """A number that identifies attractors."""

    has_uncertain = False
    quantity: Annotated[str, Field(min_length=1)]
    """Column of the table, such as bob.angular_velocity.z."""
    of: Literal["mean", "maximum", "minimum", "deviation"] = "mean"
    """Statistic of its values after the transient: mean, maximum, minimum or standard deviation."""
    tolerance: Positive
    """Difference, in SI, within which two runs are on one attractor."""


class GridAxis(ScenePart):
    """An axis of the grid on which recurrences are counted."""

    has_uncertain = False
    quantity: Annotated[str, Field(min_length=1)]
    """Column of the table, such as bob.angular_velocity.z."""
    range: tuple[Number, Number]
    """Ends of the grid, in SI, ascending."""
    count: Annotated[int, Field(ge=2, le=MOST_CELLS_OF_AXIS, strict=True)]
    """Number of cells."""

    @model_validator(mode="after")
    def _ascends(self) -> GridAxis:
        if self.range[0] >= self.range[1]:
            rule = Message("range is from {low:g} to {high:g}", low=self.range[0], high=self.range[1])
            raise InvalidValue(rule, Message("state the smaller end first"))
        return self


class Outcome(ScenePart):
    """Outcome of each run."""

    has_uncertain = False
    kind: Kind = "attractor"
    """attractor: where it ends; final, extreme, mean: of a quantity; period: of a quantity's oscillation;
    settled: the time until it rests; lyapunov: Lyapunov exponents; section: values of a quantity, one in each period of
    the drive, or whenever another quantity passes a level; joint_force: the largest force in a joint."""
    near: tuple[str, ...] = ()
    """Names of bodies, one for each attractor: the label of a run is the nearest one at its end. Without names, rests
    are identified by their positions."""
    of: str = ""
    """Name of the body whose centre of mass is compared with these; by default that of the first axis, else the first
    moving body. For a section: the column of the table whose upward passages through the level take the points. For a
    joint force: the joint; by default the one with the largest force."""
    quantity: str = ""
    """Column of the table for the value, such as bob.position.x or energy.total."""
    extreme: Literal["maximum", "minimum"] = "maximum"
    """Which extreme value is taken."""
    after: Annotated[Number, Field(ge=0), Quantity("s")] = 0.0
    """Time from which the run counts, for extreme values, means, periods, exponents, sections and joint forces."""
    features: Annotated[tuple[Feature, ...], Field(max_length=MOST_FEATURES)] = ()
    """Numbers that identify attractors other than rests, such as cycles and rotations."""
    grid: Annotated[tuple[GridAxis, ...], Field(max_length=MOST_GRID_AXES)] = ()
    """Axes of a grid: a run is on its attractor when it repeatedly returns to cells that it has visited."""
    exponents: Annotated[int, Field(ge=1, le=MOST_EXPONENTS, strict=True)] | Literal["all"] = 1
    """Number of Lyapunov exponents, the largest first; all: as many as the motion has."""
    points: Annotated[int, Field(ge=1, le=MOST_POINTS, strict=True)] = 64
    """Number of points of a section that are kept for each run, the last ones."""
    period: Annotated[Positive, Quantity("s")] | None = None
    """Time between two points of a section, or two samples on a grid; a section without it and without of takes the
    period of the world's rotating field."""
    level: Number = 0.0
    """Level that the quantity of passes upwards, in SI."""

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> Outcome:
        if "quantity" in KINDS[self.kind].fields and not self.quantity:
            rule = Message("the outcome '{kind}' needs a quantity", kind=self.kind)
            raise InvalidValue(rule, Message("add quantity = ..., the name of a column of the table"))
        stated = [name for name in ("near", "features", "grid") if getattr(self, name)]
        if len(stated) > 1 or (stated and self.kind != "attractor"):
            rule = Message("{names} can't be given together", names=", ".join(stated))
            if len(stated) == 1:
                rule = Message("{name} is for attractors, not for the outcome '{kind}'", name=stated[0], kind=self.kind)
            raise InvalidValue(rule, Message("keep one of near, features and grid, for attractors alone"))
        if len(self.near) == 1 or len(set(self.near)) < len(self.near):
            raise InvalidValue(Message("near names fewer than two different bodies"), Message("name each attractor"))
        return self

    @property
    def criterion(self) -> Criterion:
        """Criterion for attractors: their positions, if nothing else is stated."""
        stated: tuple[Criterion, ...] = ("near", "features", "grid")
        return next((name for name in stated if getattr(self, name)), "rests")

    @property
    def row(self) -> OutcomeRow:
        """The row of its kind, or of its criterion for attractors."""
        return CRITERIA[self.criterion] if self.kind == "attractor" else KINDS[self.kind]


def _attractor(_outcome: Outcome, _quantity: str) -> Message:
    return Message("attractor")


KINDS: dict[Kind, OutcomeRow] = {
    "attractor": OutcomeRow(_attractor),
    "final": OutcomeRow(lambda _, quantity: Message("{quantity} at the end", quantity=quantity), ("quantity",)),
    "extreme": OutcomeRow(
        lambda outcome, quantity: Message(
            "{extreme} of {quantity}", extreme=Message(outcome.extreme), quantity=quantity
        ),
        ("extreme", "quantity", "after"),
    ),
    "mean": OutcomeRow(lambda _, quantity: Message("mean of {quantity}", quantity=quantity), ("quantity", "after")),
    "period": OutcomeRow(
        lambda _, quantity: Message("period of {quantity} [s]", quantity=quantity), ("quantity", "after")
    ),
    "settled": OutcomeRow(lambda _outcome, _quantity: Message("time until it rests [s]")),
    "lyapunov": OutcomeRow(
        lambda _outcome, _quantity: Message("largest Lyapunov exponent [1/s]"),
        ("exponents", "after"),
        numbers="exponent",
        module="lyapunov",
    ),
    "section": OutcomeRow(
        lambda _, quantity: Message("points after which the section of {quantity} repeats", quantity=quantity),
        ("quantity", "of", "level", "period", "points", "after"),
        of="column",
        numbers="point",
        module="section",
    ),
    "joint_force": OutcomeRow(
        lambda outcome, _: (
            Message("largest force in {joint} [N]", joint=outcome.of)
            if outcome.of
            else Message("largest force in a joint [N]")
        ),
        ("of", "after"),
        of="joint",
        module="joint_force",
    ),
}
CRITERIA: dict[Criterion, OutcomeRow] = {
    "rests": OutcomeRow(_attractor),
    "near": OutcomeRow(_attractor, ("near", "of"), of="body"),
    "features": OutcomeRow(_attractor, ("features", "after"), module="grouped"),
    "grid": OutcomeRow(_attractor, ("grid", "period"), module="recurrence"),
}
"""Criteria by which attractors are identified."""
