"""Solid spheres that roll, spin and collide, one by one or many at once. Descriptions only."""

from __future__ import annotations

from math import prod
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from polhode.physics.bodies.shapes import cross, unit
from polhode.physics.contact.description import Contact
from polhode.scene.message import Message
from polhode.scene.part import ScenePart
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import Colors, Count, Direction, Name, NotNegative, Positive, Quantity, Vector

MOST = 100_000  # spheres of one arrangement


class Triangle(ScenePart):
    """Rows of 1, 2, 3 ... that touch, as balls are racked: the first is at the position."""

    kind: Literal["triangle"] = Field(default=...)
    rows: Annotated[int, Field(ge=1, le=400, strict=True)]
    """Number of rows; five rows have fifteen spheres."""
    forward: Direction = (1.0, 0.0, 0.0)
    """Direction from the first sphere to the centre of the next row; need not be a unit vector."""
    normal: Direction = (0.0, 0.0, 1.0)
    """Normal of the plane of the arrangement; need not be a unit vector."""
    gap: Annotated[NotNegative, Quantity("m")] = 0.0
    """Gap between neighbours."""

    @model_validator(mode="after")
    def _spans_a_plane(self) -> Triangle:
        if np.linalg.norm(cross(unit(self.forward), unit(self.normal))) < 1e-6:
            raise InvalidValue(
                Message("forward and normal are parallel"), Message("give two directions at right angles")
            )
        return self

    @property
    def count(self) -> int:
        """How many spheres they are."""
        return self.rows * (self.rows + 1) // 2

    def centers(self, radius: float) -> np.ndarray:
        """(n, 3) [m] middles, as seen from the first."""
        normal = unit(self.normal)
        aside = np.cross(normal, unit(self.forward))
        aside /= np.linalg.norm(aside)
        forward = np.cross(aside, normal)
        distance = 2 * radius + self.gap
        rows = [(row, k - row / 2) for row in range(self.rows) for k in range(row + 1)]
        return np.array([distance * (np.sqrt(0.75) * row * forward + k * aside) for row, k in rows])


class Grid(ScenePart):
    """Rows, layers or a block of them: the position is their middle."""

    kind: Literal["grid"] = Field(default=...)
    counts: tuple[Count, Count, Count]
    """Number along x, y and z."""
    spacing: Annotated[tuple[Positive, Positive, Positive], Quantity("m")]
    """Distance of neighbouring centres along x, y and z."""
    scatter: Annotated[NotNegative, Quantity("m")] = 0.0
    """Largest random displacement along each axis; the same in every run."""

    @model_validator(mode="after")
    def _not_too_many(self) -> Grid:
        if self.count > MOST:
            raise InvalidValue(
                Message(
                    "counts {counts} make {count} spheres, more than {most}",
                    counts=list(self.counts),
                    count=self.count,
                    most=MOST,
                ),
                Message("take fewer"),
            )
        return self

    @property
    def count(self) -> int:
        """How many spheres they are."""
        return prod(self.counts)

    def centers(self, _: float) -> np.ndarray:
        """(n, 3) [m] middles, as seen from the middle of all; the first along x are neighbours."""
        z, y, x = (grid.ravel() for grid in np.meshgrid(*map(np.arange, self.counts[::-1]), indexing="ij"))
        whole = np.column_stack([x, y, z]) - (np.array(self.counts) - 1) / 2
        return whole * self.spacing + self.scatter * np.random.default_rng(1).uniform(-1, 1, whole.shape)


class SolidSphere(ScenePart):
    """A solid sphere, or with an arrangement many alike: NAME0, NAME1 and so on. It rolls, spins and collides."""

    name: Name
    """Name, unique in the scene; it heads the columns of a CSV file."""
    mass: Annotated[Positive, Quantity("kg")]
    """Mass."""
    radius: Annotated[Positive, Quantity("m")]
    """Radius."""
    position: Annotated[Vector, Quantity("m")] = (0.0, 0.0, 0.0)
    """Initial position of the centre, or of the arrangement."""
    velocity: Annotated[Vector, Quantity("m/s")] = (0.0, 0.0, 0.0)
    """Initial velocity."""
    angular_velocity: Annotated[Vector, Quantity("rad/s")] = (0.0, 0.0, 0.0)
    """Initial angular velocity."""
    fixed: bool = False
    """Whether it neither moves nor rotates."""
    contact: Contact | None = None
    """Contact law with everything else that has a contact; walls and surfaces have laws of their own."""
    drag: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Linear coefficient of air drag: force per speed."""
    quadratic_drag: Annotated[NotNegative, Quantity("kg/m")] = 0.0
    """Quadratic coefficient of air drag: force per speed squared."""
    arrangement: Annotated[Triangle | Grid, Field(discriminator="kind")] | None = None
    """Makes many copies, arranged in a triangle or a grid."""
    color: Colors | None = None
    """Colour by name, #rrggbb or #rrggbbaa, or a list that is used in turn; none: the next colour of the palette."""

    @property
    def names(self) -> list[str]:
        """Of all of them."""
        return [self.name] if self.arrangement is None else [f"{self.name}{k}" for k in range(self.arrangement.count)]

    @property
    def centers(self) -> np.ndarray:
        """(n, 3) [m] middle of each at the start."""
        return self.position + (np.zeros((1, 3)) if self.arrangement is None else self.arrangement.centers(self.radius))

    def color_of(self, number: int) -> str | None:
        """Colour of the number-th of them."""
        if self.color is None or isinstance(self.color, str):
            return self.color
        return self.color[number % len(self.color)] if self.color else None
