"""Schema of PEM 1.3 files and the reader of values: values have no names in the file, their order identifies them.

Versions before 1.3 called `magnet[].position` `center`; the order was the same.
"""

from __future__ import annotations

import math
import re
from typing import Any

from core.scene.message import Message
from core.udf.tokenizer import Words

NUMBER, WHOLE, TEXT = Message("a number"), Message("a whole number"), Message("a text in quotes")
Kind = Any  # one of these three, a tuple of choices, a struct {name: Kind}, or an array [Kind]

DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
INTEGER = re.compile(r"[+-]?\d{1,18}")

VECTOR = {"x": NUMBER, "y": NUMBER, "z": NUMBER}
BASIS = {"u1": VECTOR, "u2": VECTOR, "u3": VECTOR}
AXES = {"a": NUMBER, "b": NUMBER, "c": NUMBER, "da": VECTOR, "db": VECTOR}
FLAG = ("false", "true", "")  # what was never set is empty
MAGNET = {"position": VECTOR, "dipole": VECTOR}

HEADER = dict.fromkeys(("EngineType", "EngineVersion", "IOType", "ProjectName", "Comment", "Action"), TEXT)
UNITS = {"length": NUMBER, "mass": NUMBER, "time": NUMBER, "ampere": NUMBER}
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
PENDULUM = {
    "body": WHOLE,
    "position": VECTOR,
    "orientation": BASIS,
    "angularVelocity": VECTOR,
    "constraint": {"flag": FLAG, "rotationAxis": VECTOR},
}
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
DATA = {"unitParameter": UNITS, "body": [BODY], "simulation": SIMULATION}
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


class Struct(dict[str, Any]):
    """Values of a file by name, and the line where they begin."""

    def __init__(self, line: int):
        super().__init__()
        self.line = line


def read_value(words: Words, kind: Kind, place: str) -> Any:
    """The value that comes next: a Struct, a list, a text or a number; vectors are tuples. Raises InputError."""
    if isinstance(kind, dict):
        return _struct(words, kind, place)
    if isinstance(kind, list):
        return _array(words, kind[0], place)
    if words.at(",") or (words.at("}") and words.previous == ","):
        return 0 if kind in (NUMBER, WHOLE) else ""  # never set: what PEM takes it for
    if kind == NUMBER:
        return _read_number(words, place)
    if kind == WHOLE:
        return _read_integer(words, place)
    line, text = words.line, words.text(place)
    if isinstance(kind, tuple) and text not in kind:
        known = ", ".join(choice for choice in kind if choice)
        words.fault(
            Message("{field} is '{value}', which is not known", field=place, value=text[:40]),
            Message("choose from {known}", known=known),
            line,
        )
    return text


def _struct(words: Words, fields: dict[str, Kind], place: str) -> Any:
    found = Struct(words.line)
    words.expect("{", place)
    for count, (name, kind) in enumerate(fields.items()):
        if words.at("}") and words.previous != ",":
            words.fault(
                Message("{field} has {count} values, needs {needed}", field=place, count=count, needed=len(fields)),
                Message("add {fields}", fields=", ".join(list(fields)[count:])),
            )
        found[name] = read_value(words, kind, f"{place}.{name}")
        words.skip(",")
    if not words.at("}") and words.kind != "end":
        words.fault(
            Message("{field} has more than {needed} values", field=place, needed=len(fields)),
            Message("it holds {fields}; remove the others", fields=", ".join(fields)),
        )
    words.expect("}", place)
    return tuple(found.values()) if fields is VECTOR else found


def _array(words: Words, kind: Kind, place: str) -> list[Any]:
    found: list[Any] = []
    words.expect("[", place)
    while not words.at("]"):
        found.append(read_value(words, kind, f"{place}[{len(found)}]"))
        words.skip(",")
    words.expect("]", place)
    return found


def _read_number(words: Words, place: str) -> float:
    if words.kind != "word" or not DECIMAL.fullmatch(words.value) or len(words.value) > 100:
        words.wrong(place, NUMBER)
    value = float(words.value)
    if not math.isfinite(value):
        words.fault(
            Message("{field} is {value}, beyond the largest number", field=place, value=words.value),
            Message("give a smaller one"),
        )
    words.step()
    return value


def _read_integer(words: Words, place: str) -> int:
    if words.kind != "word" or not INTEGER.fullmatch(words.value):
        words.wrong(place, WHOLE)
    return int(words.step())
