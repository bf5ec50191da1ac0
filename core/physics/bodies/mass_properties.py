"""Mass, centre of mass and inertia tensor of shapes and of bodies made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np

from core.mesh.mesh import Mesh, Meshes
from core.mesh.volume_integrals import enclosed
from core.physics.bodies import shapes
from core.scene.message import Message
from core.scene.problem import InputError, Problem
from core.scene.scene import Body, Inertia, Scene

ROUNDED = 1e-6  # of the largest moment: what a file's digits may cost a tensor


@dataclass(frozen=True, eq=False)
class MassProperties:
    """Mass properties of a rigid object in some frame."""

    mass: float  # [kg]
    center: np.ndarray  # (3,) [m] of mass
    inertia: np.ndarray  # (3, 3) [kg m^2] about the centre of mass

    def moved(self, rotation: np.ndarray, position: np.ndarray | Sequence[float]) -> MassProperties:
        """The same object in the outer frame; `rotation` (3, 3) has the local axes as columns, `position` (3,) [m]."""
        return MassProperties(self.mass, rotation @ self.center + position, rotation @ self.inertia @ rotation.T)

    def about(self, point: np.ndarray | Sequence[float]) -> np.ndarray:
        """(3, 3) [kg m^2] inertia tensor about another point (3,) [m], by Steiner's theorem: I + M (s^2 1 - ss)."""
        return self.inertia + self.mass * steiner(self.center - np.asarray(point))

    def principal(self) -> tuple[np.ndarray, np.ndarray]:
        """Principal moments (3,) [kg m^2], ascending, and their axes as columns of a rotation (3, 3)."""
        moments, axes = np.linalg.eigh(self.inertia)
        if np.linalg.det(axes) < 0:
            axes[:, 2] *= -1
        return moments, axes


def steiner(s: np.ndarray) -> np.ndarray:
    """(3, 3) [m^2] s^2 1 - ss of a shift s (3,) [m]."""
    squared: np.ndarray = np.eye(3) * (s @ s)
    return squared - np.outer(s, s)


def combine(parts: Sequence[MassProperties]) -> MassProperties:
    """Mass properties of several parts given in one frame."""
    mass = sum(part.mass for part in parts)
    if mass == 0:
        return MassProperties(0.0, np.zeros(3), np.zeros((3, 3)))
    center = sum((part.mass * part.center for part in parts), np.zeros(3)) / mass
    return MassProperties(mass, center, sum((part.about(center) for part in parts), np.zeros((3, 3))))


# Each solid: its volume [m^3] and its principal moments per mass about the centre of mass, local x, y, z [m^2].
Solid = tuple[float, tuple[float, float, float]]


def sphere(shape: shapes.Sphere) -> Solid:
    a = shape.radius
    return 4 / 3 * pi * a**3, (0.4 * a**2,) * 3


def cylinder(shape: shapes.Cylinder) -> Solid:
    a, h = shape.radius, shape.length
    across = a**2 / 4 + h**2 / 12
    return pi * a**2 * h, (across, across, a**2 / 2)


def capsule(shape: shapes.Capsule) -> Solid:
    a, h = shape.radius, shape.length
    tube, ends = pi * a**2 * h, 4 / 3 * pi * a**3
    # a half sphere has its centre of mass 3a/8 from its flat side
    across = tube * (a**2 / 4 + h**2 / 12) + ends * (0.4 * a**2 + h**2 / 4 + 3 / 8 * a * h)
    along = tube * a**2 / 2 + ends * 0.4 * a**2
    volume = tube + ends
    return volume, (across / volume, across / volume, along / volume)


def cone(shape: shapes.Cone) -> Solid:
    a, h = shape.radius, shape.length
    across = 3 / 20 * a**2 + 3 / 80 * h**2
    return pi * a**2 * h / 3, (across, across, 0.3 * a**2)


def ellipsoid(shape: shapes.Ellipsoid) -> Solid:
    a, b, c = shape.semi_axes
    return 4 / 3 * pi * a * b * c, ((b**2 + c**2) / 5, (a**2 + c**2) / 5, (a**2 + b**2) / 5)


def cuboid(shape: shapes.Cuboid) -> Solid:
    a, b, c = shape.size
    return a * b * c, ((b**2 + c**2) / 12, (a**2 + c**2) / 12, (a**2 + b**2) / 12)


def torus(shape: shapes.Torus) -> Solid:
    a, r = shape.radius, shape.tube_radius
    across = a**2 / 2 + 5 / 8 * r**2
    return 2 * pi**2 * a * r**2, (across, across, a**2 + 3 / 4 * r**2)


def rod(shape: shapes.Rod) -> Solid:
    across = shape.length**2 / 12
    return 0.0, (across, across, 0.0)


def point(_: shapes.Point) -> Solid:
    return 0.0, (0.0, 0.0, 0.0)


SOLIDS: dict[type[shapes.ShapeBase], Callable[[Any], Solid]] = {
    shapes.Sphere: sphere,
    shapes.Cylinder: cylinder,
    shapes.Capsule: capsule,
    shapes.Cone: cone,
    shapes.Ellipsoid: ellipsoid,
    shapes.Cuboid: cuboid,
    shapes.Torus: torus,
    shapes.Rod: rod,
    shapes.Point: point,
}


def mesh_properties(
    mesh: Mesh, scale: float = 1.0, density: float | None = None, mass: float | None = None
) -> MassProperties:
    """Mass properties of a uniform solid bounded by a closed mesh, by density [kg/m^3] or mass [kg].

    `scale` [m] is the unit of the mesh.
    """
    volume, center, second = enclosed(mesh.vertices, mesh.faces)
    if mass is None:
        mass = (1.0 if density is None else density) * volume * scale**3
    per_mass = (np.trace(second) * np.eye(3) - second) / volume * scale**2
    return MassProperties(mass, center * scale, mass * per_mass)


def shape_properties(shape: shapes.ShapeBase, mesh: Mesh | None = None) -> MassProperties:
    """Mass properties of one shape in its own frame; a mesh shape needs its unscaled mesh."""
    if isinstance(shape, shapes.MeshShape):
        if mesh is None:
            raise ValueError(Message("the mesh of '{file}' is needed", file=shape.file))
        return mesh_properties(mesh, shape.scale, shape.density, shape.mass)
    volume, per_mass = SOLIDS[type(shape)](shape)
    mass = shape.mass if shape.mass is not None else (shape.density or 0.0) * volume
    return MassProperties(mass, np.zeros(3), np.diag([mass * moment for moment in per_mass]))


def stated_properties(body: Body, stated: Inertia) -> MassProperties:
    """Mass properties stated for a body. Raises InputError where no solid has such an inertia."""
    center, tensor = np.array(stated.center), np.array(stated.tensor)
    with np.errstate(over="ignore", invalid="ignore"):
        whole = MassProperties(stated.mass, center, (tensor + tensor.T) / 2 - stated.mass * steiner(center))
    if not np.isfinite(whole.inertia).all():
        rule = Message("the mass and the centre of '{name}' are beyond the largest number", name=body.name)
        raise InputError(
            body.name, [Problem("inertia", rule, Message('correct them, or take solver.inertia = "shapes"'))]
        )
    if body.support in ("fixed", "driven"):
        return whole  # it does not turn
    problems = []
    if stated.mass == 0:
        problems.append(
            Problem(
                "inertia.mass",
                Message("the mass of '{name}' is 0", name=body.name),
                Message('state it, or take solver.inertia = "shapes"'),
            )
        )
    moments = np.linalg.eigvalsh(whole.about(center if body.support == "free" else np.zeros(3)))
    slack = ROUNDED * np.abs(tensor).max()
    if moments[0] < -slack:
        rule = Message("is not positive: its smallest principal moment is {moment:g} kg m^2", moment=moments[0])
        problems.append(Problem("inertia.tensor", rule, Message('correct it, or take solver.inertia = "shapes"')))
    elif moments[2] > moments[0] + moments[1] + slack:
        rule = Message(
            "belongs to no body: its principal moment {moment:g} kg m^2 is more than the other two together",
            moment=moments[2],
        )
        problems.append(Problem("inertia.tensor", rule, Message('correct it, or take solver.inertia = "shapes"')))
    if problems:
        raise InputError(body.name, problems)
    return whole


def parts_of(scene: Scene, body: Body, meshes: Meshes) -> list[MassProperties]:
    """Mass properties of each shape of a body, body frame. Raises InputError with places such as shape[0].file."""
    parts: list[MassProperties] = []
    problems: list[Problem] = []
    for index, shape in enumerate(body.shape):
        try:
            mesh = meshes.of(shape, scene.folder) if isinstance(shape, shapes.MeshShape) else None
            part = shape_properties(shape, mesh)
            if not np.isfinite([part.mass, *part.center, *part.inertia.flat]).all():
                raise OverflowError
            parts.append(part.moved(shape.orientation.matrix(), shape.position))
        except InputError as error:
            problems += [problem.at(f"shape[{index}].file") for problem in error.problems]
        except OverflowError:
            rule = Message("the mass or inertia of this {kind} is beyond the largest number", kind=shape.kind)
            problems.append(Problem(f"shape[{index}]", rule, Message("make it smaller, or check [units] and scale")))
    if problems:
        raise InputError(body.name, problems)
    return parts


def body_properties(scene: Scene, body: Body, meshes: Meshes) -> MassProperties:
    """Mass properties of a body in its own frame. Raises InputError with places such as shape[0].file."""
    if body.inertia is not None and scene.solver.inertia == "file":
        return stated_properties(body, body.inertia)
    whole = combine(parts_of(scene, body, meshes))
    if not whole.mass > 0 and body.support not in ("fixed", "driven"):
        problem = Problem(
            "shape",
            Message("the masses of '{name}' add up to 0", name=body.name),
            Message("give one of its shapes a mass"),
        )
        raise InputError(body.name, [problem])
    return whole
