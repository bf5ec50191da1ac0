"""The Scene: what a person edits and a file holds. Frozen, checked, SI units throughout."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, PrivateAttr, model_validator

from core.quantity import NotNegative, Number, Positive, Quantity, Vector
from core.shapes import Part, Placed, Shape

Size = Annotated[Number, Field(ge=1e-30, le=1e30)]  # their powers stay far from the ends of the numbers


class Units(Part):
    """Size of one unit of the file in SI. Inside the program everything is SI already."""

    length: Size = 1.0
    """Metres in one unit of length."""
    mass: Size = 1.0
    """Kilograms in one unit of mass."""
    time: Size = 1.0
    """Seconds in one unit of time."""
    current: Size = 1.0
    """Amperes in one unit of electric current."""


class UniformField(Part):
    """The same field everywhere and always."""

    kind: Literal["uniform"] = "uniform"
    value: Annotated[Vector, Quantity("T")] = (0.0, 0.0, 0.0)
    """Flux density."""


class World(Part):
    gravity: Annotated[Vector, Quantity("m/s^2")] = (0.0, 0.0, -9.80665)
    """Acceleration of free fall."""
    permeability: Annotated[Positive, Quantity("T m/A")] = 1.25663706127e-6
    """Magnetic permeability between the magnets."""
    magnetic_field: UniformField = UniformField()
    """Field that is there without the scene's own magnets."""


class Solver(Part):
    method: Literal["rk4"] = "rk4"
    """Integration method."""
    time_step: Annotated[Positive, Quantity("s")] = 1e-3
    """Length of one step."""


class Dipole(Part):
    """A point magnet that is fixed in its body."""

    position: Annotated[Vector, Quantity("m")] = (0.0, 0.0, 0.0)
    """Place in the body frame."""
    moment: Annotated[Vector, Quantity("A m^2")]
    """Magnetic moment in the body frame."""


class Body(Placed):
    """A rigid body: shapes and magnets that move as one."""

    name: Annotated[str, Field(pattern=r"^[^\s.,]+$")]
    """Name, unique in the scene; it heads the columns of a CSV file."""
    support: Literal["pivot", "fixed"] = "pivot"
    """How the body is held: turning about its origin, or not moving at all."""
    angular_velocity: Annotated[Vector, Quantity("rad/s")] = (0.0, 0.0, 0.0)
    """Angular velocity at the start, laboratory frame."""
    friction: Annotated[NotNegative, Quantity("N m s")] = 0.0
    """Friction of the support: torque = -friction * angular velocity."""
    shape: Annotated[tuple[Shape, ...], Field(min_length=1)]
    """What the body is made of."""
    dipole: tuple[Dipole, ...] = ()
    """The body's magnets."""


class Scene(Part):
    """A whole experiment. To change it make a new one: `scene.model_copy(update=...)`."""

    format: Literal[1] = 1
    """Version of the scene format."""
    title: str = ""
    """One line that names the scene."""
    description: str = ""
    """What it shows and what to look for."""
    units: Units = Units()
    """Size of the file's units in SI."""
    world: World = World()
    solver: Solver = Solver()
    body: tuple[Body, ...] = ()
    """The rigid bodies."""

    _folder: Path = PrivateAttr(default=Path())

    @property
    def folder(self) -> Path:
        """The folder that the scene's mesh files are relative to."""
        return self._folder

    def in_folder(self, folder: Path) -> Scene:
        """The same scene with its files looked up in another folder."""
        scene = self.model_copy()
        scene._folder = folder  # noqa: SLF001  (private attributes are not frozen, and this copy is ours)
        return scene

    @model_validator(mode="after")
    def _names_are_unique(self) -> Scene:
        seen: set[str] = set()
        for body in self.body:
            if body.name in seen:
                raise ValueError(f"two parts are named '{body.name}'; rename one")
            seen.add(body.name)
        return self
