"""The curves that spheres move along, r(q): descriptions only.

Where nothing else is said z is up and the curve lies in its xz plane. All but the spline and the cycloid are formulas
with their numbers in them, so that one way of evaluating serves all and r' and r'' are exact. Formulas count in SI,
whatever the units of their file. A closed path has no ends: q runs on.
"""

from __future__ import annotations

from abc import abstractmethod
from math import gcd, tau
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, model_validator

from polhode.formulas.curve_checks import Closure, Ends, Texts, closure, fault
from polhode.formulas.parser import FormulaError, parse
from polhode.physics.bodies.shapes import Placed, unit
from polhode.scene.measured_input import FORMULA, OR_MEASURED, Measured
from polhode.scene.message import Message
from polhode.scene.part import ScenePart
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import Direction, Number, Positive, Quantity, Vector
from polhode.scene.uncertain import Uncertain

HORIZONTAL = 1e-9  # a plane that rises by less than this has no way up


TEXT_OR_NUMBER = WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "string"}]})


def _formula_text(value: object) -> object:
    """A number is a formula, too; an uncertain one keeps its text, which is refused."""
    if isinstance(value, Uncertain) and value.deviation > 0.0:
        return value.text
    return repr(value).removesuffix(".0") if isinstance(value, int | float) and not isinstance(value, bool) else value


def formula_in(*variables: str) -> AfterValidator:
    """The text of a formula in these variables; it stays a text. One that states an uncertainty is refused."""

    def checked(text: str) -> str:
        parse(text, variables)
        return text

    return AfterValidator(checked)


def _evaluated_end(value: object) -> object:
    """An end of a range that is written as a formula of numbers, such as '2*pi'."""
    return float(parse(value, ())({})) if isinstance(value, str) else value


Formula = Annotated[str, BeforeValidator(_formula_text), TEXT_OR_NUMBER]
InQ = Annotated[Formula, formula_in("q")]
InT = Annotated[Formula, formula_in("t")]
InTOrData = Annotated[Annotated[Formula, formula_in("t"), FORMULA] | Measured, OR_MEASURED]
End = Annotated[Number, BeforeValidator(_evaluated_end), TEXT_OR_NUMBER]
Lengths = tuple[Number, Number]
Frequency = Annotated[int, Field(strict=True, ge=0, le=1000)]


def written(*numbers: float) -> list[str]:
    """Numbers as parts of a formula."""
    return [f"({number!r})" for number in numbers]


def _is_range(ends: Ends) -> None:
    if not ends[0] < ends[1]:
        raise InvalidValue(
            Message("range [{low:g}, {high:g}] is empty", low=ends[0], high=ends[1]),
            Message("let it rise from its first end to its last"),
        )


def _is_sound(texts: Texts, ends: Ends) -> None:
    """Check the rules between the fields of a path; an invalid field is reported alone."""
    if not np.isfinite(ends).all():
        return
    _is_range(ends)
    try:
        said = fault(texts, ends)
    except FormulaError:
        return
    if said:
        raise InvalidValue(*said)


class PathBase(ScenePart):
    """Geometry of a path, from the fields of its file."""

    parameter_unit: ClassVar[str] = ""
    """Unit of q, as a Quantity has it."""

    def formulas(self) -> Texts | None:
        """x, y and z in q, in the path's own frame; None of a path that is no formula."""
        return None

    @abstractmethod
    def ends(self) -> Ends:
        """The first and the last q."""

    def closure(self) -> Closure:
        """Whether it has no ends, and after which q it has to be repeated; formulas of angles repeat themselves."""
        return Closure(False, 0.0)

    def frame(self) -> tuple[np.ndarray, np.ndarray]:
        """(3,) [m] origin and (3, 3) axes, as columns, of the path's own frame."""
        return np.zeros(3), np.eye(3)


class PlacedPath(PathBase, Placed):
    """In a frame of its own."""

    def frame(self) -> tuple[np.ndarray, np.ndarray]:
        return np.array(self.position), self.orientation.matrix()


class Line(PathBase):
    """Straight, q = distance from its start."""

    parameter_unit = "m"
    kind: Literal["line"] = Field(default=...)
    start: Annotated[Vector, Quantity("m")]
    """Position at q = 0."""
    end: Annotated[Vector, Quantity("m")]
    """Position of the end."""

    @model_validator(mode="after")
    def _has_a_length(self) -> Line:
        if self.start == self.end:
            raise InvalidValue(Message("ends where it starts"), Message("move one of its ends"))
        return self

    def formulas(self) -> Texts:
        along = unit(np.subtract(self.end, self.start))
        x, y, z = (f"{a} + {b}*q" for a, b in zip(written(*self.start), written(*along.tolist()), strict=True))
        return x, y, z

    def ends(self) -> Ends:
        return 0.0, float(np.linalg.norm(np.subtract(self.end, self.start)))


class Round(PathBase):
    """Closed, in a plane. q counts from its horizontal, on the side of +x or else of +y, upward.

    In a horizontal plane it counts from x to y.
    """

    parameter_unit = "rad"
    center: Annotated[Vector, Quantity("m")] = (0.0, 0.0, 0.0)
    """Centre."""
    normal: Direction = (0.0, 1.0, 0.0)
    """Normal of its plane; need not be a unit vector, and its sign has no effect."""

    def ends(self) -> Ends:
        return 0.0, tau

    def closure(self) -> Closure:
        return Closure(True, 0.0)

    def frame(self) -> tuple[np.ndarray, np.ndarray]:
        n = unit(self.normal)
        up = np.array([0.0, 0.0, 1.0]) - n[2] * n
        if np.linalg.norm(up) < HORIZONTAL:
            across, up = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
        else:
            up = unit(up)
            across = np.cross(n, up)
            backward = across[1] < 0 if abs(across[0]) < HORIZONTAL else across[0] < 0
            across = -across if backward else across
        return np.array(self.center), np.column_stack([across, np.cross(up, across), up])


class Circle(Round):
    """q = angle."""

    kind: Literal["circle"] = Field(default=...)
    radius: Annotated[Positive, Quantity("m")]
    """Radius."""

    def formulas(self) -> Texts:
        (radius,) = written(self.radius)
        return f"{radius}*cos(q)", "0", f"{radius}*sin(q)"


class Ellipse(Round):
    """(a cos q, b sin q) along its horizontal and upward."""

    kind: Literal["ellipse"] = Field(default=...)
    semi_axes: Annotated[tuple[Positive, Positive], Quantity("m")]
    """Horizontal semi-axis a and the other semi-axis b."""

    def formulas(self) -> Texts:
        a, b = written(*self.semi_axes)
        return f"{a}*cos(q)", "0", f"{b}*sin(q)"


class Parabola(PlacedPath):
    """z = coefficient * x^2, q = x."""

    parameter_unit = "m"
    kind: Literal["parabola"] = Field(default=...)
    coefficient: Annotated[Number, Quantity("1/m")]
    """Half the curvature at the bottom; negative for a hill."""
    range: Annotated[Lengths, Quantity("m")] | None = None
    """First and last q; none: 2/coefficient to both sides."""

    @model_validator(mode="after")
    def _is_curved(self) -> Parabola:
        if float(self.coefficient) == 0.0:
            raise InvalidValue(
                Message("coefficient 0 makes it straight"), Message('use kind = "line", or give another number')
            )
        _is_range(self.ends())
        return self

    def formulas(self) -> Texts:
        (coefficient,) = written(self.coefficient)
        return "q", "0", f"{coefficient}*q^2"

    def ends(self) -> Ends:
        return self.range or (-2 / abs(self.coefficient), 2 / abs(self.coefficient))


class Catenary(PlacedPath):
    """z = a (cosh(x/a) - 1), as a chain hangs, q = x."""

    parameter_unit = "m"
    kind: Literal["catenary"] = Field(default=...)
    a: Annotated[Positive, Quantity("m")]
    """Radius of curvature at the bottom."""
    range: Annotated[Lengths, Quantity("m")] | None = None
    """First and last q; none: 2 a to both sides."""

    @model_validator(mode="after")
    def _has_a_range(self) -> Catenary:
        _is_range(self.ends())
        return self

    def formulas(self) -> Texts:
        (a,) = written(self.a)
        return "q", "0", f"{a}*(cosh(q/{a}) - 1)"

    def ends(self) -> Ends:
        return self.range or (-2 * self.a, 2 * self.a)


class Cycloid(PlacedPath):
    """x = a (q - sin q), z = a (1 + cos q), q = angle that the circle has rolled: cusps at 0 and 2 pi, bottom at pi."""

    parameter_unit = "rad"
    kind: Literal["cycloid"] = Field(default=...)
    radius: Annotated[Positive, Quantity("m")]
    """Radius a of the circle."""
    arches: Annotated[int, Field(strict=True, ge=1, le=1000)] = 1
    """Number of arches side by side; a sphere passes the cusps between them."""

    def ends(self) -> Ends:
        return 0.0, tau * self.arches


class Helix(PlacedPath):
    """(R cos q, R sin q, pitch q/(2 pi)) about z."""

    parameter_unit = "rad"
    kind: Literal["helix"] = Field(default=...)
    radius: Annotated[Positive, Quantity("m")]
    """Radius R."""
    pitch: Annotated[Number, Quantity("m")]
    """Rise per turn; a negative value makes it left-handed."""
    turns: Positive = 3.0
    """Number of turns."""

    def formulas(self) -> Texts:
        radius, pitch = written(self.radius, self.pitch)
        return f"{radius}*cos(q)", f"{radius}*sin(q)", f"{pitch}*q/tau"

    def ends(self) -> Ends:
        return 0.0, tau * self.turns


class Lissajous(PlacedPath):
    """amplitude sin(frequency q + phase) in each direction; closed."""

    parameter_unit = "rad"
    kind: Literal["lissajous"] = Field(default=...)
    amplitudes: Annotated[Vector, Quantity("m")]
    """Amplitudes along x, y, z."""
    frequencies: tuple[Frequency, Frequency, Frequency]
    """Number of oscillations in each direction until the curve closes; integers."""
    phases: Annotated[Vector, Quantity("rad")] = (0.0, 0.0, 0.0)
    """Phases at q = 0."""

    @model_validator(mode="after")
    def _is_a_curve(self) -> Lissajous:
        _is_sound(self.formulas(), self.ends())
        return self

    def formulas(self) -> Texts:
        numbers = zip(self.amplitudes, self.frequencies, self.phases, strict=True)
        x, y, z = ("{}*sin({}*q + {})".format(*written(*of_axis)) for of_axis in numbers)
        return x, y, z

    def ends(self) -> Ends:
        return 0.0, tau / (gcd(*self.frequencies) or 1)

    def closure(self) -> Closure:
        return Closure(True, 0.0)


class Spline(PathBase):
    """Through points, with a continuous curvature; q = sum of the straight distances between them."""

    parameter_unit = "m"
    kind: Literal["spline"] = Field(default=...)
    points: Annotated[tuple[Vector, ...], Quantity("m"), Field(min_length=2, max_length=10_000)]
    """Points of the curve, in order."""
    closed: bool = False
    """Whether the curve continues from the last point to the first."""

    @model_validator(mode="after")
    def _points_are_distinct(self) -> Spline:
        points = np.array(self.points)
        if self.closed and len(points) < 3:
            raise InvalidValue(Message("closes over two points"), Message("give a third"))
        distances = self.distances()
        near = np.flatnonzero(distances <= 1e-9 * np.ptp(points, axis=0).max())
        if len(near):
            one, other = near[0], (near[0] + 1) % len(points)
            rule = Message("points {one} and {other} coincide", one=one, other=other)
            remedy = Message("leave the last one out") if other == 0 else Message("move or remove one of them")
            raise InvalidValue(rule, remedy)
        return self

    def distances(self) -> np.ndarray:
        """(n - 1,), or (n,) of a closed one, [m] from each point to the next."""
        points = np.array([*self.points, self.points[0]] if self.closed else self.points)
        return np.asarray(np.linalg.norm(np.diff(points, axis=0), axis=1))

    def ends(self) -> Ends:
        return 0.0, float(self.distances().sum())

    def closure(self) -> Closure:
        return Closure(self.closed, self.ends()[1] if self.closed else 0.0)


class FormulaPath(PlacedPath):
    """Formulas in q, in metres."""

    kind: Literal["formula"] = Field(default=...)
    x: InQ = "0"
    """x [m] of q, such as 'cos(q)'."""
    y: InQ = "0"
    """y [m] of q."""
    z: InQ = "0"
    """z [m] of q."""
    range: tuple[End, End]
    """First and last q, numbers or formulas of numbers, such as [0, '2*pi']."""

    @model_validator(mode="after")
    def _is_a_curve(self) -> FormulaPath:
        _is_sound(self.formulas(), self.range)
        return self

    def formulas(self) -> Texts:
        return self.x, self.y, self.z

    def ends(self) -> Ends:
        return self.range

    def closure(self) -> Closure:
        return closure(self.formulas(), self.range)


Path = Annotated[
    Line | Circle | Ellipse | Parabola | Catenary | Cycloid | Helix | Lissajous | Spline | FormulaPath,
    Field(discriminator="kind"),
]
