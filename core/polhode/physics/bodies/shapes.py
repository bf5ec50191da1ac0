"""The shapes that bodies are made of: descriptions only. Inertia: mass_properties.py; drawing: the viewport.

Lengths are full lengths; the axis of symmetry is the local z axis. A primitive's position is its centre of mass,
a mesh's position is the origin of the mesh file's own coordinates.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import numpy as np
from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from polhode.mesh.frame import LengthUnit, UpAxis
from polhode.physics.conductors.description import Conductor
from polhode.physics.iron.description import Iron
from polhode.scene.display.colors import known_color
from polhode.scene.message import Message
from polhode.scene.part import ScenePart
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import Direction, Index, NotNegative, Number, Positive, Quantity, Vector


def unit(vector: Vector | np.ndarray) -> np.ndarray:
    """(3,) the same direction at length 1; squares of the largest and the smallest numbers would be none."""
    scaled = np.array(vector) / np.abs(vector).max()
    return np.asarray(scaled / np.linalg.norm(scaled))


def cross(a: Vector | np.ndarray, b: Vector | np.ndarray) -> np.ndarray:
    """(3,) a x b. Raises ValueError for vectors of other lengths, which numpy takes as well."""
    (a1, a2, a3), (b1, b2, b3) = a, b
    return np.array([a2 * b3 - a3 * b2, a3 * b1 - a1 * b3, a1 * b2 - a2 * b1])


def kind_or(usual: str) -> BeforeValidator:
    """A table that names no kind is of the usual one."""
    return BeforeValidator(lambda data: {"kind": usual, **data} if isinstance(data, dict) else data)


class Orientation(ScenePart):
    """A rotation, by axis and angle or by the three basis vectors; neither means not turned."""

    axis: Direction | None = None
    """Axis of the rotation; need not be a unit vector."""
    angle: Annotated[Number, Quantity("rad")] | None = None
    """Angle of the rotation about the axis, right-handed."""
    basis: tuple[Vector, Vector, Vector] | None = None
    """Unit vectors u1, u2, u3 of the rotated frame, in components of the parent frame."""

    @model_validator(mode="after")
    def _one_of_two_forms(self) -> Orientation:
        if self.basis is not None:
            if self.axis is not None or self.angle is not None:
                raise InvalidValue(Message("has both a basis and an axis with angle"), Message("keep one of them"))
            rows = np.array(self.basis)
            if np.abs(rows).max() > 2 or np.abs(rows @ rows.T - np.eye(3)).max() > 1e-3 or np.linalg.det(rows) < 0:
                raise InvalidValue(
                    Message("basis {basis} is not right-handed and orthonormal", basis=rows.tolist()),
                    Message("give unit vectors, u3 = u1 x u2"),
                )
        elif (self.axis is None) != (self.angle is None):
            raise InvalidValue(Message("needs both axis and angle"), Message("add the other one"))
        return self

    def matrix(self) -> np.ndarray:
        """(3, 3) rotation whose columns are u1, u2, u3: it turns local components into outer ones."""
        if self.basis is not None:
            u, _, vt = np.linalg.svd(np.array(self.basis).T)  # the nearest rotation: files round their digits
            return np.asarray(u @ vt)
        if self.axis is None or self.angle is None:
            return np.eye(3)
        n = unit(self.axis)
        cross = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
        return np.asarray(np.eye(3) + np.sin(self.angle) * cross + (1 - np.cos(self.angle)) * (cross @ cross))


class Placed(ScenePart):
    """Something with a position and a direction. `basis = [...]` is short for `orientation = { basis = [...] }`."""

    position: Annotated[Vector, Quantity("m")] = (0.0, 0.0, 0.0)
    """Position of the item's origin in the parent frame."""
    orientation: Orientation = Orientation()
    """Orientation of the item's axes in the parent frame."""

    @model_validator(mode="before")
    @classmethod
    def _basis_is_an_orientation(cls, data: object) -> object:
        if isinstance(data, dict) and "basis" in data and "orientation" not in data:
            data = dict(data)
            data["orientation"] = {"basis": data.pop("basis")}
        return data


class Magnet(ScenePart):
    """Makes a shape a magnet, uniformly magnetised: a cloud of point dipoles that fills it, or closed forms."""

    remanence: Annotated[Vector, Quantity("T")] | None = None
    """Remanence Br in the shape's frame, magnetisation Br/mu0; give either remanence or moment."""
    moment: Annotated[Vector, Quantity("A m^2")] | None = None
    """Magnetic moment of the whole shape, in the shape's frame; give either remanence or moment."""
    dipoles: Annotated[int, Field(strict=True, ge=1, le=4096)] = 64
    """Approximate number of dipoles of the cloud, and of points on a face of an exact one; a sphere needs one only."""
    field: Literal["dipoles", "exact"] = "dipoles"
    """Forces between magnets: by the dipoles, or exact, by closed forms of the field of cuboids, cylinders and tubes,
    which hold close by as well."""

    @model_validator(mode="after")
    def _remanence_or_moment(self) -> Magnet:
        if (self.remanence is None) == (self.moment is None):
            remedy = Message("add one") if self.moment is None else Message("remove one")
            raise InvalidValue(Message("needs exactly one of remanence and moment"), remedy)
        return self


class ShapeBase(Placed):
    """Fields of all shapes."""

    mass: Annotated[NotNegative, Quantity("kg")] | None = None
    """Mass; give either mass or density."""
    density: Annotated[Positive, Quantity("kg/m^3")] | None = None
    """Density of the material; give either mass or density."""
    color: Annotated[str, AfterValidator(known_color)] | None = None
    """Colour by name, #rrggbb, or #rrggbbaa with its opacity; none: the next colour of the palette."""
    magnet: Magnet | None = None
    """Uniform magnetisation of the shape."""
    conductor: Conductor | None = None
    """Currents that magnets induce in the shape."""
    iron: Iron | None = None
    """Makes the shape soft iron."""
    presses: bool = True
    """Whether the shape presses on walls, and on other things where its body has a contact."""

    @model_validator(mode="after")
    def _mass_or_density(self) -> ShapeBase:
        if (self.mass is None) == (self.density is None):
            remedy = Message("add one") if self.mass is None else Message("remove one")
            raise InvalidValue(Message("needs exactly one of mass and density"), remedy)
        return self

    @model_validator(mode="after")
    def _magnet_or_iron(self) -> ShapeBase:
        if self.magnet is not None and self.iron is not None:
            rule = Message("is a magnet and soft iron at once")
            raise InvalidValue(rule, Message("remove one, or divide the shape into two"), "iron")
        return self


Radius = Annotated[Positive, Quantity("m")]


class Sphere(ShapeBase):
    """A solid sphere."""

    kind: Literal["sphere"] = Field(default=...)
    radius: Radius
    """Radius."""


class Cylinder(ShapeBase):
    """A solid cylinder; its axis is z."""

    kind: Literal["cylinder"] = Field(default=...)
    radius: Radius
    """Radius."""
    length: Radius
    """Length."""


class Tube(ShapeBase):
    """A hollow cylinder, open at both ends; its axis is z."""

    kind: Literal["tube"] = Field(default=...)
    radius: Radius
    """Radius of the outside."""
    inner_radius: Radius
    """Radius of the bore."""
    length: Radius
    """Length."""

    @model_validator(mode="after")
    def _has_a_wall(self) -> Tube:
        if self.inner_radius >= self.radius:
            rule = Message("is {value:g} m, not less than the radius of the outside", value=self.inner_radius)
            raise InvalidValue(rule, Message("make it smaller"), "inner_radius")
        return self


class Capsule(ShapeBase):
    """A cylinder with half spheres on both ends; length is the cylinder's, between the centres of the half spheres."""

    kind: Literal["capsule"] = Field(default=...)
    radius: Radius
    """Radius."""
    length: Radius
    """Length of the cylinder between the half spheres."""


class Cone(ShapeBase):
    """Apex towards +z; its centre of mass, and so its position, is a quarter of the length above the base."""

    kind: Literal["cone"] = Field(default=...)
    radius: Radius
    """Radius of the base."""
    length: Radius
    """Height from base to apex."""


class Ellipsoid(ShapeBase):
    """A solid ellipsoid."""

    kind: Literal["ellipsoid"] = Field(default=...)
    semi_axes: Annotated[tuple[Positive, Positive, Positive], Quantity("m")]
    """Semi-axes along x, y and z."""


class Cuboid(ShapeBase):
    """A solid cuboid."""

    kind: Literal["cuboid"] = Field(default=...)
    size: Annotated[tuple[Positive, Positive, Positive], Quantity("m")]
    """Full edge lengths along x, y and z."""


class Torus(ShapeBase):
    """A ring about z: radius to the middle of the tube, tube_radius of the tube."""

    kind: Literal["torus"] = Field(default=...)
    radius: Radius
    """Radius of the ring, to the centre of the tube."""
    tube_radius: Radius
    """Radius of the tube."""

    @model_validator(mode="after")
    def _has_a_hole(self) -> Torus:
        if self.tube_radius > self.radius:
            raise InvalidValue(
                Message(
                    "tube_radius {tube_radius:g} is larger than radius {radius:g}",
                    tube_radius=self.tube_radius,
                    radius=self.radius,
                ),
                Message("make it smaller"),
            )
        return self


class MassOnly(ShapeBase):
    """A shape without a volume has no density."""

    @model_validator(mode="after")
    def _has_mass(self) -> MassOnly:
        if self.mass is None:
            raise InvalidValue(Message("has no volume, so a density says nothing"), Message("give mass"))
        return self

    @model_validator(mode="after")
    def _is_no_magnet(self) -> MassOnly:
        if self.magnet is not None:
            raise InvalidValue(
                Message("has no volume that a magnet could fill"), Message("give the body a dipole instead")
            )
        if self.iron is not None:
            raise InvalidValue(Message("has no volume that could be iron"), Message("leave iron out"), "iron")
        return self

    @model_validator(mode="after")
    def _is_no_conductor(self) -> MassOnly:
        if self.conductor is not None:
            raise InvalidValue(Message("has no volume in which a current could flow"), Message("remove conductor"))
        return self


ROD_THICKNESS = 0.015  # drawn radius of a rod, in its length


class Rod(MassOnly):
    """Along z, without thickness."""

    kind: Literal["rod"] = Field(default=...)
    length: Radius
    """Length."""

    @property
    def radius(self) -> float:
        """Radius [m] with which it is drawn, and presses on other bodies in scenes where shapes press as they look."""
        return ROD_THICKNESS * self.length


class Point(MassOnly):
    """A point mass."""

    kind: Literal["point"] = Field(default=...)


STATING = (".glb", ".gltf", ".3mf", ".dae")  # endings of formats that state the unit of their lengths
Repair = Literal["merge", "orient", "fill_holes", "union", "convex_hull"]
REPAIRS: tuple[Repair, ...] = get_args(Repair)


def each_once(steps: tuple[Repair, ...]) -> tuple[Repair, ...]:
    """The steps of a repair. Raises InvalidValue for one that occurs twice."""
    twice = [step for number, step in enumerate(steps) if step in steps[:number]]
    if twice:
        raise InvalidValue(Message("names '{step}' twice", step=twice[0]), Message("name each step once"))
    return steps


class MeshFile(ScenePart):
    """Fields of a mesh file."""

    file_field = "file"
    file: Annotated[str, Field(min_length=1)]
    """STL, OBJ, PLY, OFF, GLB, glTF, 3MF or DAE file, relative to the scene's folder."""
    scale: Annotated[Positive, Quantity("m", in_file_units=True)] = 1.0
    """Length of one unit of the mesh file (0.001 for millimetres); a factor where `unit` or the file states that."""
    unit: LengthUnit | None = None
    """Unit of length of the mesh file; none takes the one that the file states."""
    up: UpAxis | None = None
    """Axis of the mesh file that becomes z; none takes the one that the file states, else z."""

    @property
    def has_file(self) -> bool:
        """Whether the mesh is in a file, and not stated here."""
        return True

    @property
    def has_unit(self) -> bool:
        """Whether the unit of the file is known without `scale`, which then is a factor."""
        return self.unit is not None or self.file.lower().endswith(STATING)


class MeshShape(ShapeBase, MeshFile):
    """A closed triangle mesh from a file."""

    kind: Literal["mesh"] = Field(default=...)
    repair: Annotated[tuple[Repair, ...], AfterValidator(each_once)] = ()
    """Steps that repair the mesh, in this order: merge close vertices, orient triangles, fill holes, convex hull."""
    part: Annotated[int, Field(strict=True, ge=0)] | None = None
    """The one part of the mesh that is used, by number: the largest is 0, cavities go with what encloses them."""
    convex_hull: bool = False
    """Use the convex hull of the mesh; it is closed even if the mesh is not."""
    stretch: Vector = (1.0, 1.0, 1.0)
    """Factors of the lengths along x, y and z, besides `scale`; negative ones mirror."""
    vertices: tuple[Vector, ...] = ()
    """Vertices of the mesh, in place of a file; `file` is its name then."""
    faces: tuple[Index, ...] = ()
    """Indices of the vertices of each triangle, three after three, counterclockwise seen from outside."""

    @property
    def has_file(self) -> bool:
        """Whether the mesh is in a file, and not stated here."""
        return not self.vertices

    @model_validator(mode="after")
    def _stretches_and_is_stated_well(self) -> MeshShape:
        if not all(self.stretch):
            raise InvalidValue(Message("has a factor 0"), Message("give any other numbers"), "stretch")
        if bool(self.vertices) != bool(self.faces) or len(self.faces) % 3:
            rule = Message("must state triangles of the vertices")
            raise InvalidValue(rule, Message("give three indices for each triangle"), "faces")
        largest, count = max(self.faces, default=-1), len(self.vertices)
        if largest >= count:
            rule = Message("names vertex {index}, but there are {count}", index=largest, count=count)
            raise InvalidValue(rule, Message("correct it; the first vertex is 0"), "faces")
        return self


CLOSED_FORMS = (Sphere, Cylinder, Tube, Cuboid)
"""Shapes whose field as magnets has a closed form."""

Shape = Annotated[
    Sphere | Cylinder | Tube | Capsule | Cone | Ellipsoid | Cuboid | Torus | Rod | Point | MeshShape,
    Field(discriminator="kind"),
]
