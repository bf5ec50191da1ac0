"""Files of PEM: damaged bytes, words and lines.

An accepted one is compiled with its meshes, and its records are read.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pem

from fuzz.case import Case, Target
from fuzz.damage import damaged
from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.scene.problem import InputError
from polhode.udf.reading import read_udf
from polhode.udf.records import read_records

WORDS = (
    *(
        "\\begin{data}",
        "\\end{data}",
        "\\begin{record}",
        '\\include {"pem1_3_def.udf"}',
        "\\begin{def}",
        "/*",
        "*/",
        "//",
    ),
    *("body[]:", "simulation:", "unitParameter:", '"true"', '"false"', '"mesh"', '"sphere"', '"line"', '"cuboid"'),
    *("{", "}", "[", "]", ",", "{}", "[]", '""', '"', "{{0,0,0}}", "{0.0,0.0,0.0}", '"ellipticRotation"', '"Euler"'),
    *('"constantVelocity"', '"constantField"', '"ellipticRotationField"', '"ellipsoid"', '"cylinder"', "磁石"),
)
ELLIPSE = "{{0.0,0.0,0.0}1.0,0.5,{1.0,0.0,0.0}{0.0,2.0,0.0}}"
SHAPES = (
    pem.shape("sphere", sphere="0.5"),
    pem.shape("ellipsoid", ellipsoid="1.0,2.0,3.0,{1.0,0.0,0.0}{0.0,1.0,0.0}"),
    pem.shape("cuboid", cuboid="1.0,2.0,3.0,{1.0,0.0,0.0}{0.0,1.0,0.0}"),
)


def bases() -> list[Case]:
    """Files with every kind of shape, support and field, with a mesh and with records."""
    box = pem.body(1, pem.shape("mesh", mesh=pem.box()))
    others = pem.other(5, (1.0, 0.0, 0.0), "ellipticRotation", ellipse=ELLIPSE)
    others += pem.other(5, (2.0, 0.0, 0.0), "constantVelocity", "{{0.1,0.0,0.0}}")
    texts = [
        pem.PENDULUM + pem.record(0) + pem.record(1),
        pem.file([box], pem.pendulum(1, axis=(0.0, 0.0, 1.0))),
        pem.file([pem.body(5, *SHAPES)], "", others, integrator="Euler"),
    ]
    return [Case("scene.udf", text.encode()) for text in texts]


def mutate(case: Case, known: Sequence[Case], chance: random.Random) -> Case:
    """A damaged text."""
    others = [other.content for other in chance.sample(known, 1)]
    return Case("scene.udf", damaged(case.content, others, chance, WORDS))


def read(path: Path, content: bytes) -> str:
    """The scene, compiled, and the records."""
    scene = read_udf(path)
    build(scene, Meshes())
    label = " ".join(sorted({body.support for body in scene.body}))
    try:
        return f"{label}, {'records' if len(read_records(path).times) else 'none'}"
    except InputError:
        return label


TARGET = Target("udf", bases, mutate, read, goal=20_000)
