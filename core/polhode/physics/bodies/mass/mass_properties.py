"""Mass, centre of mass and inertia tensor of shapes and of bodies made of them (PEM section 3.2).

    I = rho integral (r^2 1 - rr) dV                      PEM eq. 3.6
    I' = I + M (s^2 1 - ss)                               Steiner, PEM eq. 3.7; s the shift from the centre of mass

Bodies are sums of their shapes' shifted tensors; shared volume counts twice (overlap.py). Each shape's formula is
checked against sampling of its volume, meshes against tetrahedra and trimesh.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from polhode.mesh.mesh import Mesh, Meshes
from polhode.mesh.volume_integrals import enclosed
from polhode.physics.bodies import shapes
from polhode.physics.bodies.mass.solids import SOLIDS
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Body, Inertia, Scene

ROUNDED = 1e-6  # relative to the largest moment: rounding of a tensor in a file


@dataclass(frozen=True, eq=False)
class MassProperties:
    """Mass properties of a rigid object in some frame: a shape's own, or the body frame from the body's origin."""

    mass: float  # [kg]
    center: np.ndarray  # (3,) [m] of mass
    inertia: np.ndarray  # (3, 3) [kg m^2] about the centre of mass

    def moved(self, rotation: np.ndarray, position: np.ndarray | Sequence[float]) -> MassProperties:
        """The same object in an outer frame, to which the local frame is rotated and shifted.

        rotation: (3, 3) local axes as columns; position: (3,) [m] of the local origin in the outer frame.
        """
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
    """(3, 3) [m^2] s^2 1 - ss of a shift s (3,) [m]; times M the change of an inertia tensor."""
    squared: np.ndarray = np.eye(3) * (s @ s)
    return squared - np.outer(s, s)


def combine(parts: Sequence[MassProperties]) -> MassProperties:
    """Mass properties of several parts given in one frame: masses, first moments and shifted tensors are added."""
    mass = sum(part.mass for part in parts)
    if mass == 0:
        return MassProperties(0.0, np.zeros(3), np.zeros((3, 3)))
    center = sum((part.mass * part.center for part in parts), np.zeros(3)) / mass
    return MassProperties(mass, center, sum((part.about(center) for part in parts), np.zeros((3, 3))))


def mesh_properties(
    mesh: Mesh, scale: float = 1.0, density: float | None = None, mass: float | None = None
) -> MassProperties:
    """Mass properties of a uniform solid bounded by a closed mesh, by surface integrals (PEM eqs. 3.13 to 3.15).

    scale: [m] unit of the mesh file.
    density: [kg/m^3], or mass: [kg], which takes precedence; density 1 if neither is given.
    """
    volume, center, second = enclosed(mesh.vertices, mesh.faces)
    if mass is None:
        mass = (1.0 if density is None else density) * volume * scale**3
    per_mass = (np.trace(second) * np.eye(3) - second) / volume * scale**2
    return MassProperties(mass, center * scale, mass * per_mass)


def shape_properties(shape: shapes.ShapeBase, mesh: Mesh | None = None) -> MassProperties:
    """Mass properties of one shape in its own frame; a mesh shape needs its unscaled mesh, else ValueError."""
    if isinstance(shape, shapes.MeshShape):
        if mesh is None:
            raise ValueError(Message("the mesh of '{file}' is needed", file=shape.file))
        return mesh_properties(mesh, shape.scale, shape.density, shape.mass)
    volume, per_mass = SOLIDS[type(shape)](shape)
    mass = shape.mass if shape.mass is not None else (shape.density or 0.0) * volume
    return MassProperties(mass, np.zeros(3), np.diag([mass * moment for moment in per_mass]))


def stated_properties(body: Body, stated: Inertia) -> MassProperties:
    """Mass properties that a scene states for a body, in the body frame; the tensor is given about the origin.

    Raises InputError where no solid has such properties: no mass, a number beyond the largest float, a negative moment,
    or one larger than the sum of the other two. Those of a fixed or driven body are taken as they are.
    """
    center, tensor = np.array(stated.center), np.array(stated.tensor)
    with np.errstate(over="ignore", invalid="ignore"):
        whole = MassProperties(stated.mass, center, (tensor + tensor.T) / 2 - stated.mass * steiner(center))
    if not np.isfinite(whole.inertia).all():
        rule = Message("the mass and the centre of '{name}' exceed the range of floating-point numbers", name=body.name)
        raise InputError(
            body.name, [Problem("inertia", rule, Message('correct them, or take solver.inertia = "shapes"'))]
        )
    if body.support in ("fixed", "driven"):
        return whole  # it does not turn
    problems = []
    if float(stated.mass) == 0.0:
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
            "is not the tensor of a body: its principal moment {moment:g} kg m^2 is more than the sum of the other two",
            moment=moments[2],
        )
        problems.append(Problem("inertia.tensor", rule, Message('correct it, or take solver.inertia = "shapes"')))
    if problems:
        raise InputError(body.name, problems)
    return whole


def parts_of(scene: Scene, body: Body, meshes: Meshes) -> list[MassProperties]:
    """Mass properties of each shape of a body, body frame, from its origin.

    Raises InputError with field paths such as shape[0].file.
    """
    parts: list[MassProperties] = []
    problems: list[Problem] = []
    for index, shape in enumerate(body.shape):
        try:
            mesh = meshes.of(shape, scene.folder) if isinstance(shape, shapes.MeshShape) else None
            part = shape_properties(shape, mesh)
            parts.append(part.moved(shape.orientation.matrix(), shape.position))
        except InputError as error:
            problems += [problem.at(f"shape[{index}].file") for problem in error.problems]
    if problems:
        raise InputError(body.name, problems)
    return parts


def body_properties(scene: Scene, body: Body, meshes: Meshes) -> MassProperties:
    """Mass properties of a body in its own frame, of its shapes or as stated (solver.inertia).

    Raises InputError with field paths such as shape[0].file, or if a body that moves has no mass.
    """
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
