"""Schema of PEM 1.3 files and the reader of values: values have no names in the file, their order identifies them.

A struct is { } around its values, an array [ ] around items. Commas between values may be missing, as after } and ].
Two commas without a value between them mean a value that was never set: 0 or an empty text, as in PEM.

A Kind is the type of a value: NUMBER, WHOLE, TEXT, a tuple of known texts, a dict with names and kinds of a struct, or
a list with the kind of an array's items. Versions before 1.3 called `magnet[].position` `center`; the order was the
same.
"""

from __future__ import annotations

import math
import re
from typing import Any

from polhode.scene.message import Message
from polhode.udf.tokenizer import Words

NUMBER, WHOLE, TEXT = Message("a number"), Message("a whole number"), Message("a text in quotes")
Kind = Any
"""One of NUMBER, WHOLE and TEXT, a tuple of choices, a struct {name: Kind}, or an array [Kind]."""

DECIMAL = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
INTEGER = re.compile(r"[+-]?\d{1,18}")

VECTOR = {"x": NUMBER, "y": NUMBER, "z": NUMBER}
"""Components of a vector; values of this kind are tuples."""
BASIS = {"u1": VECTOR, "u2": VECTOR, "u3": VECTOR}
"""Three vectors of a basis, orthonormal within the digits of the file."""
AXES = {"a": NUMBER, "b": NUMBER, "c": NUMBER, "da": VECTOR, "db": VECTOR}
FLAG = ("false", "true", "")
"""Choices of a flag; one that was never set is empty."""
MAGNET = {"position": VECTOR, "dipole": VECTOR}
"""A point dipole: position and moment."""

HEADER = dict.fromkeys(("EngineType", "EngineVersion", "IOType", "ProjectName", "Comment", "Action"), TEXT)
"""Values of the header, all texts."""
UNITS = {"length": NUMBER, "mass": NUMBER, "time": NUMBER, "ampere": NUMBER}
"""SI values of the file's units of length, mass, time and electric current."""
SHAPE = {
    "center": VECTOR,
    "mass": NUMBER,
    "shape": ("sphere", "cylinder", "ellipsoid", "cuboid", "mesh", "line", "point"),
    "sphere": {"radius": NUMBER},
    "cylinder": {"radius": NUMBER, "length": NUMBER, "d": VECTOR},
    "ellipsoid": AXES,
    "cuboid": AXES,
    "mesh": {"vertex": [{"id": WHOLE, "position": VECTOR}], "face": [{"id": WHOLE, "vertex": [WHOLE]}]},
    "line": {"l": NUMBER, "d": VECTOR},
}
"""A shape, in the body frame. It has the structs of all kinds, of which `shape` selects one.

- center: its position, of a mesh the origin of the vertices; mass
- sphere: radius
- cylinder: radius, half of its length, unit vector d of its axis
- ellipsoid: semi-axes a, b, c along da, db and da x db; cuboid: half of its sides along these
- mesh: vertices, and polygons that name them by id
- line: half of its length l, unit vector d; a point has nothing further
"""
BODY = {
    "id": WHOLE,
    "shape": [SHAPE],
    "magnet": [MAGNET],
    "color": [{"red": NUMBER, "green": NUMBER, "blue": NUMBER, "trans": NUMBER}],
    "analysis": {
        "mass": NUMBER,
        "massCenter": VECTOR,
        "inertiaMoment": dict.fromkeys(("xx", "yy", "zz", "yx", "zx", "zy"), NUMBER),
    },
}
"""The parts of a body, in the body frame.

- id: by which the simulation names it; shape, color: one colour for each shape, with parts 0 ... 1
- magnet: positions and moments of dipoles
- analysis: what PEM's analyser computed from the shapes: mass, centre of mass, and inertia about the body's origin
"""
PENDULUM = {
    "body": WHOLE,
    "position": VECTOR,
    "orientation": BASIS,
    "angularVelocity": VECTOR,
    "constraint": {"flag": FLAG, "rotationAxis": VECTOR},
}
"""A body that turns about a point, or about an axle through it; laboratory frame.

- body: id of its parts; position: of the point, which is the body's origin
- orientation: the body's basis u1, u2, u3; angularVelocity: at the start
- constraint: whether it turns about rotationAxis only
"""
OTHER_BODY = {
    "body": WHOLE,
    "position": VECTOR,
    "orientation": BASIS,
    "type": ("fixed", "constantVelocity", "ellipticRotation"),
    "constantVelocity": {"velocity": VECTOR},
    "ellipticRotation": {
        "center": VECTOR,
        "initialPhase": NUMBER,
        "angularVelocity": NUMBER,
        "r1": VECTOR,
        "r2": VECTOR,
    },
}
"""A body that is fixed or moves as stated, whatever acts on it; laboratory frame.

`type` names the motion that counts: none, a constant velocity, or an ellipse about `center` with initialPhase [rad],
angularVelocity and the vectors r1 and r2.
"""
SIMULATION = {
    "time": {"simulationSteps": WHOLE, "reportSteps": WHOLE, "dt": NUMBER},
    "systemSize": {"min": VECTOR, "max": VECTOR},
    "integrator": ("4thOrderRungeKutta", "Euler"),
    "periodicBoundaryCondition": FLAG,
    "pendulum": [PENDULUM],
    "body": [OTHER_BODY],
    "gravity": VECTOR,
    "magnetiField": {
        "fieldType": ("false", "constantField", "ellipticRotationField", ""),
        "constantField": {"B": VECTOR},
        "ellipticRotationField": {"angularVelocity": NUMBER, "B1": VECTOR, "B2": VECTOR},
    },
    "freeSpacePermeability": NUMBER,
    "PseudoFrictionTorque": {"flag": FLAG, "coefficient": NUMBER},
}
"""How a run is made; `magnetiField` is spelled as in PEM.

- time: number of steps, steps from one report to the next, length dt of a step; systemSize: the box that PEM draws
- integrator, periodicBoundaryCondition; pendulum, body: what takes part, in this order in all results
- gravity: acceleration; freeSpacePermeability: mu0 in file units
- magnetiField: no field, a constant B, or B1 cos(w t) + B2 sin(w t) with w = angularVelocity
- PseudoFrictionTorque: the coefficient c of T = -c omega, for all pendulums
"""
DATA = {"unitParameter": UNITS, "body": [BODY], "simulation": SIMULATION}
"""Contents of the data blocks of an input, in PEM's own order."""
RESULT = {
    "simulationResult": {
        "pendulum": [
            {
                "orientation": BASIS,
                "angularVelocity": VECTOR,
                "angularMomentum": VECTOR,
                "torque": VECTOR,
                "magnet": [MAGNET],
            }
        ],
        "body": [{"position": VECTOR, "orientation": BASIS, "magnet": [MAGNET]}],
        "gravity": VECTOR,
        "magnetiField": VECTOR,
        "cpuTime": NUMBER,
    }
}
"""One report of a run, laboratory frame: the bodies in the order of the simulation.

Angular momenta are about the pendulum's point.
"""


class Struct(dict[str, Any]):
    """Values of a file by name, and the line where they begin, from 1."""

    def __init__(self, line: int):
        super().__init__()
        self.line = line


def read_value(words: Words, kind: Kind, label: str) -> Any:
    """The value that comes next: a Struct, a list, a text or a number; vectors are tuples of three.

    words: moved past the value
    kind: of the value, by the schema
    label: its name, for messages

    A value that was never set is 0 or "". Raises InputError, with the line, for anything else.
    """
    if isinstance(kind, dict):
        return _struct(words, kind, label)
    if isinstance(kind, list):
        return _array(words, kind[0], label)
    if words.at(",") or (words.at("}") and words.previous == ","):
        return 0 if kind in (NUMBER, WHOLE) else ""  # never set: the value that PEM uses then
    if kind == NUMBER:
        return _read_number(words, label)
    if kind == WHOLE:
        return _read_integer(words, label)
    line, text = words.line, words.text(label)
    if isinstance(kind, tuple) and text not in kind:
        known = ", ".join(choice for choice in kind if choice)
        words.fault(
            Message("{field} is '{value}', which is not known", field=label, value=text[:40]),
            Message("choose from {known}", known=known),
            line,
        )
    return text


def _struct(words: Words, fields: dict[str, Kind], label: str) -> Any:
    """A struct, with its values in the order of `fields`. Raises InputError where it has fewer or more."""
    found = Struct(words.line)
    words.expect("{", label)
    for count, (name, kind) in enumerate(fields.items()):
        if words.at("}") and words.previous != ",":
            words.fault(
                Message("{field} has {count} values, needs {needed}", field=label, count=count, needed=len(fields)),
                Message("add {fields}", fields=", ".join(list(fields)[count:])),
            )
        found[name] = read_value(words, kind, f"{label}.{name}")
        words.skip(",")
    if not words.at("}") and words.kind != "end":
        words.fault(
            Message("{field} has more than {needed} values", field=label, needed=len(fields)),
            Message("it holds {fields}; remove the others", fields=", ".join(fields)),
        )
    words.expect("}", label)
    return tuple(found.values()) if fields is VECTOR else found


def _array(words: Words, kind: Kind, label: str) -> list[Any]:
    """An array of any length. Raises InputError where it is closed by another bracket."""
    found: list[Any] = []
    words.expect("[", label)
    while not words.at("]"):
        if words.at("}"):  # as a value that was never set it would be read for ever
            words.wrong(label, "']'")
        found.append(read_value(words, kind, f"{label}[{len(found)}]"))
        words.skip(",")
    words.expect("]", label)
    return found


def _read_number(words: Words, label: str) -> float:
    """A finite decimal number, with a point and an exponent if it has them."""
    if words.kind != "word" or not DECIMAL.fullmatch(words.value) or len(words.value) > 100:
        words.wrong(label, NUMBER)
    value = float(words.value)
    if not math.isfinite(value):
        words.fault(
            Message(
                "{field} is {value}, which exceeds the range of floating-point numbers", field=label, value=words.value
            ),
            Message("give a smaller one"),
        )
    words.step()
    return value


def _read_integer(words: Words, label: str) -> int:
    """A whole number of at most 18 digits."""
    if words.kind != "word" or not INTEGER.fullmatch(words.value):
        words.wrong(label, WHOLE)
    return int(words.step())
