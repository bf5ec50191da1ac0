"""Conversion of PEM files to scenes.

A pendulum turns about its `position`; `constraint` makes it an axle. The other bodies are fixed or driven; one on an
ellipse turns with its motion, about the normal of r1 and r2:

    x = center + r1 cos(w t + phase) + r2 sin(w t + phase)        omega = w (r1 x r2)/|r1 x r2|

The inertia in `analysis` is about the body's origin. Cylinders, lines and cuboids are given by half their lengths, and
ellipsoids by semi-axes. Vectors of orientation u1, u2, u3 are in the laboratory frame, positions in shapes and magnets
in the body frame. `freeSpacePermeability` and `PseudoFrictionTorque` hold for all bodies and all pendulums.

Values stay in the units of the file, which become those of the scene; core/polhode/scene/units.py brings both to SI.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from polhode.scene.checks.arguments import checked
from polhode.scene.display.colors import hexadecimal
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode.udf.document import UdfDocument, read_document
from polhode.udf.meshes import mesh_name
from polhode.udf.schema import Struct

METHODS = {"4thOrderRungeKutta": "rk4", "Euler": "euler_as_printed"}
"""Methods of the scene by PEM's names of its integrators."""
Tables = dict[str, Any]
Vector = tuple[float, float, float]


@checked
def read_udf(path: Path | str) -> Scene:
    """The scene of a PEM file, in SI. Raises InputError with the lines of its faults.

    It turns by its shapes; with `solver.inertia` = file it turns by the file's own `analysis`, as in PEM. Pendulums are
    called pendulum0, pendulum1 ..., the other bodies body0, body1 ..., pendulums first. Meshes stay in the file.

        from polhode import Simulation, read_udf

        simulation = Simulation(read_udf("magnetic_pendulum.udf"))
    """
    path = Path(path)
    return scene_from(read_document(path), path)


def scene_from(document: UdfDocument, path: Path) -> Scene:
    """The scene of a document that was read from `path`, in SI. Raises InputError, with lines for places."""
    meaning = _Meaning(document, path)
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # numbers that are not finite are refused
            tables = meaning.scene()
        return scene_of(tables, str(path)).in_folder(path.parent)
    except InputError as error:
        raise InputError(str(path), [meaning.located(problem) for problem in error.problems]) from error


class _Meaning:
    """Makes the tables of a scene from a document, and keeps the line of each of them.

    So later problems of the validation of the scene can name a line of the PEM file.
    """

    def __init__(self, document: UdfDocument, path: Path):
        self._document = document
        self._path = path
        self._lines: dict[str, int] = {}  # of places in the scene

    def located(self, problem: Problem) -> Problem:
        """The problem with the line of the innermost part that it is in, in front of its place in the scene."""
        if isinstance(problem.place, Message):  # a line
            return problem
        around = [path for path in self._lines if problem.place.startswith(path)]
        line = self._lines[max(around, key=len)] if around else 1
        return replace(problem, place=Message("line {line}: {field}", line=line, field=problem.place))

    def _fault(self, part: Struct, rule: Message, remedy: Message) -> InputError:
        """The error for a part of the document, with its line."""
        return InputError.of(str(self._path), rule, remedy, Message("line {line}", line=part.line))

    def scene(self) -> Tables:
        """The tables of a scene, in the units of the file.

        A unit that was never set, 0 or missing, is 1. Raises InputError, as for periodic magnets, which are not
        supported.
        """
        data, header = self._document.data, self._document.header
        simulation = data["simulation"]
        if simulation["periodicBoundaryCondition"] == "true":
            rule = Message("simulation.periodicBoundaryCondition is true, and there are no periodic magnets here")
            raise self._fault(simulation, rule, Message("set it to false, or run the file in PEM"))
        units = data.get("unitParameter", {"length": 1.0, "mass": 1.0, "time": 1.0, "ampere": 1.0})
        self._lines |= {"world": simulation.line, "solver": simulation["time"].line}
        self._lines["units"] = units.line if isinstance(units, Struct) else 1
        return {
            "title": header.get("ProjectName") or self._path.stem,
            "description": header.get("Comment", ""),
            "units": {name: units[unit] or 1.0 for name, unit in UNITS.items()},  # 0: never set
            "world": _world(simulation),
            "solver": {
                "method": METHODS[simulation["integrator"]],
                "time_step": simulation["time"]["dt"],
                "inertia": "shapes",
            },
            "body": self._bodies(data["body"], simulation),
        }

    def _bodies(self, described: list[Struct], simulation: Struct) -> list[Tables]:
        """The tables of the bodies: pendulums, then the others, each with the parts of the body of its id.

        described: the bodies of the file by their parts; several pendulums may share one
        """
        known: dict[int, Struct] = {}
        for body in described:
            if body["id"] in known:
                raise self._fault(
                    body,
                    Message("the id {id} of this body is already used", id=body["id"]),
                    Message("give it another"),
                )
            known[body["id"]] = body
        friction = simulation["PseudoFrictionTorque"]
        coefficient = friction["coefficient"] if friction["flag"] == "true" else 0.0
        tables: list[Tables] = []
        for kind, name in (("pendulum", "pendulum"), ("body", "body")):
            for number, held in enumerate(simulation[kind]):
                path = f"body[{len(tables)}]"
                self._lines[path] = held.line
                if held["body"] not in known:
                    raise self._fault(
                        held,
                        Message("there is no body with the id {id}", id=held["body"]),
                        Message("take one of {ids}", ids=", ".join(map(str, known)))
                        if known
                        else Message("take one of no body at all"),
                    )
                body = known[held["body"]]
                support = _pendulum(held, coefficient) if kind == "pendulum" else _other_body(held)
                tables.append({"name": f"{name}{number}", **support, **self._material(body, described, path)})
        return tables

    def _material(self, body: Struct, described: list[Struct], path: str) -> Tables:
        """Shapes, dipoles and inertia of a body; `path` is where the scene states it, for messages.

        body: the description, one of `described`, whose index names its meshes

        A body without shapes becomes a point with the mass and the centre of its analysis.
        """
        analysis = body["analysis"]
        number = next(index for index, other in enumerate(described) if other is body)
        shapes = []
        for index, shape in enumerate(body["shape"]):
            self._lines[f"{path}.shape[{index}]"] = shape.line
            color = self._color(body["color"][index]) if index < len(body["color"]) else {}
            if shape["shape"] == "mesh":
                form: Tables = {"file": mesh_name(self._path, number, index)}
            else:
                form = self._form(shape)
            kind = "rod" if shape["shape"] == "line" else shape["shape"]
            shapes.append({"kind": kind, **form, "mass": shape["mass"], "position": list(shape["center"]), **color})
        nothing = {"kind": "point", "mass": analysis["mass"], "position": list(analysis["massCenter"])}
        self._lines[f"{path}.dipole"] = body.line
        self._lines[f"{path}.inertia"] = analysis.line
        dipoles = [{"position": list(each["position"]), "moment": list(each["dipole"])} for each in body["magnet"]]
        return {"shape": shapes or [nothing], "dipole": dipoles, "inertia": _inertia(analysis)}

    def _form(self, shape: Struct) -> Tables:
        """Sizes and direction of a shape that is no mesh; its axis is the local z axis here.

        Axes of ellipsoids and cuboids are da, db and da x db; only the first two are in the file.
        """
        kind = shape["shape"]
        measures: Struct = shape.get(kind, shape)
        match kind:
            case "sphere":
                return {"radius": measures["radius"]}
            case "cylinder":
                size = {"radius": measures["radius"], "length": 2 * measures["length"]}
                return size | _turned(along(self._direction(measures, "d")))
            case "line":
                return {"length": 2 * measures["l"]} | _turned(along(self._direction(measures, "d")))
            case "ellipsoid" | "cuboid":
                u1, u2 = self._direction(measures, "da"), self._direction(measures, "db")
                half = [measures[axis] for axis in "abc"]
                size = {"semi_axes": half} if kind == "ellipsoid" else {"size": [2 * length for length in half]}
                return size | _turned(np.array([u1, u2, np.cross(u1, u2)]))
        return {}

    def _direction(self, measures: Struct, name: str) -> np.ndarray:
        """A unit vector (3,) of the file, normalized. Raises InputError with its line where it has no length."""
        length = float(np.hypot.reduce(measures[name]))
        if not 0 < length < np.inf:
            raise self._fault(
                measures,
                Message("{name} is {value}, which is no direction", name=name, value=list(measures[name])),
                Message("give another"),
            )
        return np.array(measures[name]) / length

    def _color(self, color: Struct) -> Tables:
        """The colour, with `trans` as its opacity. Raises InputError for parts that are not 0 ... 1."""
        parts = [color[part] for part in ("red", "green", "blue", "trans")]
        if not all(0 <= part <= 1 for part in parts):
            raise self._fault(
                color,
                Message("the colour {color} is not made of numbers from 0 to 1", color=parts),
                Message("correct it"),
            )
        return {"color": hexadecimal(*parts)}


UNITS = {"length": "length", "mass": "mass", "time": "time", "current": "ampere"}
"""Units of a scene by name, and what PEM calls them."""


def along(d: np.ndarray) -> np.ndarray:
    """Basis (3, 3) with rows u1, u2, u3 = d, a unit vector (3,); the identity for the z axis.

    u1 is the coordinate axis that is farthest from d, made perpendicular to it; PEM states no turn about d.
    """
    if d[2] == 1.0:
        return np.eye(3)
    u1 = np.eye(3)[int(np.argmin(np.abs(d)))]
    u1 = u1 - (u1 @ d) * d
    u1 /= np.linalg.norm(u1)
    return np.array([u1, np.cross(d, u1), d])


def _turned(basis: np.ndarray) -> Tables:
    """The orientation of a basis (3, 3) with rows u1, u2, u3; nothing for the identity."""
    return {} if np.array_equal(basis, np.eye(3)) else {"orientation": {"basis": basis.tolist()}}


def _world(simulation: Struct) -> Tables:
    """Gravity, permeability and the world's field: none, constant, or B1 cos(w t) + B2 sin(w t)."""
    field = simulation["magnetiField"]
    match field["fieldType"]:
        case "constantField":
            magnetic: Tables = {"kind": "uniform", "value": list(field["constantField"]["B"])}
        case "ellipticRotationField":
            turning = field["ellipticRotationField"]
            magnetic = {
                "kind": "rotating",
                "cosine": list(turning["B1"]),
                "sine": list(turning["B2"]),
                "angular_frequency": turning["angularVelocity"],
            }
        case _:
            magnetic = {"kind": "uniform"}
    return {
        "gravity": list(simulation["gravity"]),
        "permeability": simulation["freeSpacePermeability"],
        "magnetic_field": magnetic,
    }


def _pendulum(held: Struct, friction: float) -> Tables:
    """Support, position and start of a pendulum; friction: [torque times time, file units] of all pendulums"""
    orientation = held["orientation"]
    tables = {
        "support": "pivot",
        "position": list(held["position"]),
        **_turned(np.array([orientation[u] for u in ("u1", "u2", "u3")])),
        "angular_velocity": list(held["angularVelocity"]),
        "friction": friction,
    }
    if held["constraint"]["flag"] == "true":
        tables |= {"support": "axle", "axis": list(held["constraint"]["rotationAxis"])}
    return tables


def _other_body(held: Struct) -> Tables:
    """Support, position and motion of a body (no pendulum); an inconsistent third vector is replaced, as in PEM."""
    u1, u2, u3 = (np.array(held["orientation"][u]) for u in ("u1", "u2", "u3"))
    across = np.cross(u1, u2)  # PEM does not use the third vector here, so it may be unset
    tables: Tables = {
        "support": "driven",
        "position": list(held["position"]),
        **_turned(np.array([u1, u2, u3 if np.allclose(u3, across, rtol=0, atol=1e-9) else across])),
    }
    match held["type"]:
        case "constantVelocity":
            tables["motion"] = {"kind": "uniform", "velocity": list(held["constantVelocity"]["velocity"])}
        case "ellipticRotation":
            round_ = held["ellipticRotation"]
            frequency = round_["angularVelocity"]
            tables["position"] = list(round_["center"])
            tables["angular_velocity"] = ellipse_turning(round_["r1"], round_["r2"], frequency).tolist()
            tables["motion"] = {
                "kind": "ellipse",
                "r1": list(round_["r1"]),
                "r2": list(round_["r2"]),
                "angular_frequency": frequency,
                "phase": round_["initialPhase"],
            }
        case _:
            tables["support"] = "fixed"
    return tables


def ellipse_turning(r1: Vector, r2: Vector, frequency: float) -> np.ndarray:
    """Angular velocity (3,) of a body that turns with its motion on an ellipse, in the unit of `frequency`.

    It is w (r1 x r2)/|r1 x r2|; zero where r1 and r2 are parallel, which span no plane.
    """
    normal = np.cross(r1, r2)
    length = float(np.linalg.norm(normal))
    return frequency / length * normal if 0 < length < np.inf else np.zeros(3)


def _inertia(analysis: Struct) -> Tables:
    """Mass, centre and tensor about the body's origin, as the file states them; its order is xx, yy, zz, yx, zx, zy."""
    xx, yy, zz, yx, zx, zy = analysis["inertiaMoment"].values()
    return {
        "mass": analysis["mass"],
        "center": list(analysis["massCenter"]),
        "tensor": [[xx, yx, zx], [yx, yy, zy], [zx, zy, zz]],
    }
