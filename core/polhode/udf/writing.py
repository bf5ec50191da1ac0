"""Conversion of scenes to PEM files. Unsupported features are refused, all in one message.

The inverse of core/polhode/udf/reading.py. Numbers are written with all digits, in the scene's own units. A PEM file
states things that a scene has not: the length of a run (RUN, REPORT), the drawn box, and an analysis of each body.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.mass.mass_properties import MassProperties, body_properties, shape_properties
from polhode.physics.bodies.shapes import Cuboid, Cylinder, Ellipsoid, MeshShape, Orientation, Rod, Shape, Sphere
from polhode.scene.checks.arguments import checked
from polhode.scene.checks.changed_parts import validated
from polhode.scene.display.colors import opacity, rgb
from polhode.scene.files.file_writing import replace_file
from polhode.scene.formula_vector import at_the_start
from polhode.scene.problem import InputError
from polhode.scene.quantity import Quantity
from polhode.scene.scene import Body, EllipseMotion, RotatingField, Scene, UniformField, UniformMotion
from polhode.scene.toml_edit import divided
from polhode.scene.units import sizes
from polhode.udf.reading import METHODS
from polhode.udf.schema import DATA, HEADER, NUMBER, TEXT, WHOLE, Kind
from polhode.udf.support_rules import what_no_udf_holds

Tables = dict[str, Any]
SCHEMA = "pem1_3_def.udf"
RUN, REPORT = 10.0, 0.01  # [s] length of the run and interval of its reports, which a scene does not state
UNCOLORED = (0.8, 0.8, 0.8, 1.0)


@checked
def write_udf(scene: Scene, path: Path | str, meshes: Meshes | None = None) -> None:
    """Write a scene to a file of PEM 1.3, in the scene's own units. Names get lost, and pendulums come first.

    meshes: cache of mesh files; their triangles are written into the file

        write_udf(read_scene("pendulum.toml"), "pendulum.udf")

    Raises InputError with everything in the scene that such a file can't hold, or where it cannot be written; then no
    file is changed.
    """
    scene, meshes = validated(scene), meshes or Meshes()
    problems = what_no_udf_holds(scene)
    if problems:
        raise InputError(str(path), problems)
    header = {"EngineType": "pem", "EngineVersion": "1.3", "IOType": "IN"}
    header |= {"ProjectName": scene.title, "Comment": scene.description}
    data = _Tables(scene, meshes).data()
    lines = [f'\\include {{"{SCHEMA}"}}', "", "\\begin{header}", "\\begin{data}"]
    lines += [f"{name}:{_text(kind, header.get(name))}" for name, kind in HEADER.items()]
    lines += ["\\end{data}", "\\end{header}", "", "\\begin{data}"]
    lines += [f"{name}{'[]' * isinstance(kind, list)}:{_text(kind, data[name])}" for name, kind in DATA.items()]
    replace_file(Path(path), "\n".join([*lines, "\\end{data}", ""]))


def in_pem_order(scene: Scene) -> list[Body]:
    """The bodies of a scene, pendulums first, else in their order."""
    return sorted(scene.body, key=lambda body: body.support not in ("pivot", "axle"))


def _text(kind: Kind, value: Any, indent: str = "") -> str:
    """A value as its file states it, by the Kind of the schema.

    None was never set: it is written as 0, an empty text, or the first of the choices.

    A vector is {0.0,0.0,-0.1}, and a comma follows numbers and texts only, as PEM writes them. Structs and arrays with
    parts of several lines are indented; `indent` is that of the line where the value begins. Quotes and backslashes in
    texts are escaped.
    """
    if isinstance(kind, dict):
        values = [value.get(name) for name in kind] if isinstance(value, dict) else value or [None] * len(kind)
        parts = [_text(inner, each, indent + " ") for inner, each in zip(kind.values(), values, strict=True)]
        ended = [part if part[-1] in "]}" else part + "," for part in parts[:-1]]  # a comma follows a number or a text
        if any("\n" in part for part in parts):
            return "{\n" + "\n".join(f"{indent} {part}" for part in (*ended, parts[-1])) + f"\n{indent}}}"
        return "{" + "".join((*ended, parts[-1])) + "}"
    if isinstance(kind, list):
        parts = [_text(kind[0], each, indent + " ") for each in value or ()]
        return "[\n" + "\n".join(f"{indent} {part}" for part in parts) + f"\n{indent}]" if parts else "[]"
    if kind in (NUMBER, WHOLE):
        return repr(float(value or 0)) if kind == NUMBER else str(int(value or 0))
    text = str(value) if value is not None else "" if kind == TEXT else kind[0]
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


class _Tables:
    """The values of a file, by the names of its schema, in the units of the scene's file.

    They are dicts, lists and numbers; `_text` brings them into the order of the schema, and names that are missing are
    written as never set.
    """

    def __init__(self, scene: Scene, meshes: Meshes):
        self._scene = scene
        self._meshes = meshes
        self._units = sizes(scene.units)

    def data(self) -> Tables:
        """The data of the file. Bodies that are made of the same things are described once, and share an id."""
        bodies = in_pem_order(self._scene)
        kinds: list[Body] = []  # one body for each description
        for body in bodies:
            if not any(_alike(body, other) for other in kinds):
                kinds.append(body)
        units = self._scene.units
        return {
            "unitParameter": {
                "length": units.length,
                "mass": units.mass,
                "time": units.time,
                "ampere": units.current,
            },
            "body": [self._make(number, body) for number, body in enumerate(kinds)],
            "simulation": self._simulation(bodies, kinds),
        }

    def _in(self, unit: str, value: Any) -> Any:
        """A number or an array [SI] in the units of the file, by the unit of a quantity; arrays become lists."""
        factor = Quantity(unit).factor(self._units)
        if isinstance(value, int | float):
            return divided(float(value), factor)
        return [self._in(unit, inner) for inner in np.asarray(value).tolist()]

    def _simulation(self, bodies: list[Body], kinds: list[Body]) -> Tables:
        """The struct `simulation`; `kinds` are the descriptions, whose indices are the ids."""
        world, step = self._scene.world, self._scene.solver.time_step
        ids = {body.name: next(i for i, kind in enumerate(kinds) if _alike(body, kind)) for body in bodies}
        pendulums = [body for body in bodies if body.support in ("pivot", "axle")]
        friction = max((body.friction for body in pendulums), default=0.0)
        integrators = {method: integrator for integrator, method in METHODS.items()}
        low, high = self._box(bodies)
        return {
            "time": {
                "simulationSteps": max(1, round(RUN / step)),
                "reportSteps": max(1, round(REPORT / step)),
                "dt": self._in("s", step),
            },
            "systemSize": {"min": low, "max": high},
            "integrator": integrators[self._scene.solver.method],
            "pendulum": [{"body": ids[body.name], **self._pendulum(body)} for body in pendulums],
            "body": [{"body": ids[body.name], **self._other(body)} for body in bodies[len(pendulums) :]],
            "gravity": self._in("m/s^2", at_the_start(world.gravity)),
            "magnetiField": self._field(),
            "freeSpacePermeability": self._in("T m/A", world.permeability),
            "PseudoFrictionTorque": {
                "flag": "true" if friction else "false",
                "coefficient": self._in("N m s", friction),
            },
        }

    def _field(self) -> Tables:
        """The world's field: none where it is zero."""
        field = self._scene.world.magnetic_field
        if isinstance(field, RotatingField):
            turning = {
                "angularVelocity": self._in("rad/s", field.angular_frequency),
                "B1": self._in("T", field.cosine),
                "B2": self._in("T", field.sine),
            }
            return {"fieldType": "ellipticRotationField", "ellipticRotationField": turning}
        if isinstance(field, UniformField) and any(field.value):
            return {"fieldType": "constantField", "constantField": {"B": self._in("T", field.value)}}
        return {"fieldType": "false"}

    def _pendulum(self, body: Body) -> Tables:
        """A body on a pivot or axle, at its start."""
        axle = body.support == "axle"
        return {
            "position": self._in("m", body.position),
            "orientation": _basis(body.orientation),
            "angularVelocity": self._in("rad/s", body.angular_velocity),
            "constraint": {"flag": "true" if axle else "false", "rotationAxis": body.axis or (0.0, 0.0, 1.0)},
        }

    def _other(self, body: Body) -> Tables:
        """A fixed or driven body; the centre of an ellipse is its position."""
        motion = body.motion if body.support == "driven" else None
        tables: Tables = {
            "position": self._in("m", body.position),
            "orientation": _basis(body.orientation),
            "type": "fixed",
        }
        if isinstance(motion, UniformMotion):
            moving = {"velocity": self._in("m/s", motion.velocity)}
            return tables | {"type": "constantVelocity", "constantVelocity": moving}
        if isinstance(motion, EllipseMotion):
            round_ = {
                "center": tables["position"],
                "initialPhase": motion.phase,
                "angularVelocity": self._in("rad/s", motion.angular_frequency),
                "r1": self._in("m", motion.r1),
                "r2": self._in("m", motion.r2),
            }
            return tables | {"type": "ellipticRotation", "ellipticRotation": round_}
        return tables

    def _make(self, number: int, body: Body) -> Tables:
        """The parts of a body, with `number` as its id; shapes without a colour are grey."""
        colors = [(*rgb(shape.color), opacity(shape.color)) if shape.color else UNCOLORED for shape in body.shape]
        return {
            "id": number,
            "shape": [self._shape(shape) for shape in body.shape],
            "magnet": [
                {"position": self._in("m", dipole.position), "dipole": self._in("A m^2", dipole.moment)}
                for dipole in body.dipole
            ],
            "color": colors,
            "analysis": self._analysis(body),
        }

    def _analysis(self, body: Body) -> Tables:
        """The inertia of the body as the scene states it, or else that of its shapes.

        The tensor is about the body's origin, body frame; of the symmetric tensor xx, yy, zz, yx, zx and zy are
        written.
        """
        if body.inertia is None:
            p = body_properties(self._scene, body, self._meshes)
            mass, center, tensor = p.mass, p.center, p.about(np.zeros(3))
        else:
            mass, center = body.inertia.mass, np.array(body.inertia.center)
            tensor = np.array(body.inertia.tensor)
        (xx, _, _), (yx, yy, _), (zx, zy, zz) = self._in("kg m^2", tensor)
        return {
            "mass": self._in("kg", mass),
            "massCenter": self._in("m", center),
            "inertiaMoment": (xx, yy, zz, yx, zx, zy),
        }

    def _shape(self, shape: Shape) -> Tables:
        """A shape with its mass, also if the scene states its density; with half lengths as in PEM."""
        u1, u2, u3 = _basis(shape.orientation)
        mesh = self._meshes.of(shape, self._scene.folder) if isinstance(shape, MeshShape) else None
        properties: MassProperties = shape_properties(shape, mesh)
        tables = {
            "center": self._in("m", shape.position),
            "mass": self._in("kg", properties.mass),
            "shape": "line" if shape.kind == "rod" else shape.kind,
        }
        match shape:
            case Sphere():
                tables["sphere"] = {"radius": self._in("m", shape.radius)}
            case Cylinder():
                half = self._in("m", shape.length) / 2
                tables["cylinder"] = {"radius": self._in("m", shape.radius), "length": half, "d": u3}
            case Rod():
                tables["line"] = {"l": self._in("m", shape.length) / 2, "d": u3}
            case Ellipsoid():
                tables["ellipsoid"] = (*self._in("m", shape.semi_axes), u1, u2)
            case Cuboid():
                tables["cuboid"] = (*(side / 2 for side in self._in("m", shape.size)), u1, u2)
            case MeshShape():
                assert mesh is not None
                tables["mesh"] = self._triangles(shape, mesh.vertices, mesh.faces)
        return tables

    def _triangles(self, shape: MeshShape, vertices: np.ndarray, faces: np.ndarray) -> Tables:
        """The triangles of a mesh, turned and scaled as by the shape, at its position."""
        scale = self._in("m", shape.scale)
        if shape.orientation != Orientation():
            vertices = vertices @ shape.orientation.matrix().T
        placed = vertices if scale == 1.0 else vertices * scale
        return {
            "vertex": [{"id": i, "position": vertex} for i, vertex in enumerate(placed.tolist())],
            "face": [{"id": i, "vertex": face} for i, face in enumerate(faces.tolist())],
        }

    def _box(self, bodies: list[Body]) -> tuple[list[float], list[float]]:
        """Corners of a box around all bodies at the start, however they turn; PEM draws it.

        Their extent is bounded by the largest number among the sizes and the position of each shape.
        """
        corners = [np.zeros(3)]
        for body in bodies:
            for shape in body.shape:
                size = max(map(_largest, shape.model_dump(exclude={"mass", "density", "orientation"}).values()))
                at, reach = np.array(body.position), np.linalg.norm(shape.position) + size
                corners += [at - reach, at + reach]
        return self._in("m", np.min(corners, axis=0)), self._in("m", np.max(corners, axis=0))


def _largest(value: object) -> float:
    """Largest size of a number in nested tuples, or 0."""
    if isinstance(value, tuple):
        return max(map(_largest, value), default=0.0)
    return abs(value) if isinstance(value, float) else 0.0


def _basis(orientation: Orientation) -> list[list[float]]:
    """Rows u1, u2, u3, digit by digit those of the scene where it states them."""
    return [list(u) for u in orientation.basis] if orientation.basis else orientation.matrix().T.tolist()


def _alike(one: Body, other: Body) -> bool:
    """Whether two bodies have the same shapes, dipoles and inertia, so that PEM needs one description."""
    parts: list[tuple[object, ...]] = [(body.shape, body.dipole, body.inertia) for body in (one, other)]
    return parts[0] == parts[1]
