"""Curved surfaces that spheres roll on: z = f(x, y) by a formula, or a mesh. Descriptions only."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from polhode.formulas.expression import Expression
from polhode.formulas.parser import parse
from polhode.physics.bodies.shapes import MeshFile, Placed
from polhode.physics.contact.description import PointContact
from polhode.physics.paths.description import Formula, formula_in
from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import Color, Name, NotNegative, Number, Positive, Quantity, Vector

GRID = 129  # points along each side where a formula is tried

InXY = Annotated[Formula, formula_in("x", "y")]
Range = Annotated[tuple[Number, Number], Quantity("m")]


class SurfaceLaw(PointContact):
    """A surface that presses on what touches it, at the nearest point: bodies of one free sphere, and particles."""

    name: Name
    """Name, unique in the scene."""
    stiffness: Annotated[Positive, Quantity("N/m")] | None = None
    """Force per penetration depth; none: the surface is rigid, and what presses on it gives way by the stiffness of its
    own contact.
    """
    damping: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Damping: force per speed along the normal; it never pulls."""
    friction: Annotated[NotNegative, Quantity("N s/m")] = 0.0
    """Viscous friction: force per speed along the surface."""
    rolling_resistance: NotNegative = 0.0
    """Coefficient of rolling resistance of spheres: torque over normal force and radius, at any speed."""
    spinning_friction: Annotated[NotNegative, Quantity("m")] = 0.0
    """Spinning friction: largest torque about the normal over the normal force."""
    color: Color | None = None
    """Colour by name, #rrggbb, or #rrggbbaa with its opacity; none: the colour of walls."""


class FormulaSurface(SurfaceLaw):
    """z = f(x, y) over a rectangle; spheres are above it."""

    kind: Literal["formula"] = Field(default=...)
    z: InXY
    """Height as a formula of x and y, all in metres, such as "0.5*(x^2 + y^2)"."""
    x_range: Range
    """Limits of the rectangle along x."""
    y_range: Range
    """Limits of the rectangle along y."""
    position: Annotated[Vector, Quantity("m")] = (0.0, 0.0, 0.0)
    """Position of x = y = z = 0."""

    @model_validator(mode="after")
    def _has_an_area(self) -> FormulaSurface:
        for axis, (low, high) in (("x", self.x_range), ("y", self.y_range)):
            if not low < high:
                rule = Message("{axis}_range [{low:g}, {high:g}] is empty", axis=axis, low=low, high=high)
                raise InvalidValue(rule, Message("give the smaller end first"))
        return self

    @model_validator(mode="after")
    def _is_a_surface(self) -> FormulaSurface:
        points = dict(zip("xy", self.grid(GRID), strict=True))
        with np.errstate(all="ignore"):
            values = [np.broadcast_to(part(points), (GRID, GRID)) for part in derivatives(self.z)]
        lost = ~np.isfinite(values).all(axis=0)
        if lost.any():
            x, y = (points[axis][lost][0] for axis in "xy")
            raise InvalidValue(
                Message("z or its slope is no number at x = {x:g}, y = {y:g}", x=x, y=y),
                Message("choose ranges without this point"),
            )
        return self

    def grid(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """x and y (count, count) [m] of points spread over the rectangle, as the formula takes them."""
        x, y = np.meshgrid(np.linspace(*self.x_range, count), np.linspace(*self.y_range, count), indexing="ij")
        return x, y

    def heights(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """z [m] by the formula at `x` and `y` (n, m) [m], of their shape."""
        return np.broadcast_to(parse(self.z, ("x", "y"))({"x": x, "y": y}), x.shape)


class MeshSurface(SurfaceLaw, Placed, MeshFile):
    """The triangles of a file, open or closed; spheres may be on either side."""

    kind: Literal["mesh"] = Field(default=...)

    def placed(self, vertices: np.ndarray) -> np.ndarray:
        """(n, 3) [m] vertices of the mesh (`read_mesh`) where they are in the laboratory."""
        return np.asarray(self.position + self.scale * vertices @ self.orientation.matrix().T)


Surface = Annotated[FormulaSurface | MeshSurface, Field(discriminator="kind")]


def derivatives(z: str) -> list[Expression]:
    """Expressions f, f_x, f_y, f_xx, f_xy, f_yy of a formula z = f(x, y)."""
    whole = parse(z, ("x", "y"))
    x, y = whole.derivative("x"), whole.derivative("y")
    return [whole, x, y, x.derivative("x"), x.derivative("y"), y.derivative("y")]
