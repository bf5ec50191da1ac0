"""Scene files: mutated values, words and lines of the built-in scenes. An accepted scene is compiled."""

from __future__ import annotations

import random
import signal
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

from hostile.scene_mutations import CASE_SECONDS, FOLDER, MEMORY, mutated

from fuzz.case import Case, Target
from fuzz.damage import damaged
from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.scene import gallery
from polhode.scene.scene_file import read_scene, scene_of, tables_of
from polhode.scene.scene_writing import scene_text
from polhode.simulation.simulation import Simulation

WORDS = (
    *("[[body]]", "[[sphere]]", "[[soft]]", "[[spring]]", "[[bead]]", "[[wall]]", "[[surface]]", "[[ghost]]"),
    *("[world]", "[solver]", "[units]", "[sensor]", "[view]", "[body.shape]", "true", "false", "[]", "{}", "''", "="),
    *(
        '"/dev/zero"',
        '"../../../etc/passwd"',
        '"/proc/self/environ"',
        '"meshes"',
        '"\\u0000"',
        '"t"',
        '"q^q"',
        "1979-05-27",
    ),
    *('"fixed"', '"pivot"', '"axle"', '"free"', '"driven"', '"mesh"', '"point"', '"rod"', '"torus"', '"formula"'),
    *("0x" + "F" * 6000, "0b" + "1" * 2000, "0xFFFFFFFFFFFFFFFFFFFF", "'" + "é" * 3000 + "'", "[" * 200 + "]" * 200),
    *("inf", "nan", "[nan, nan, nan]", "[0, 0, 0]", "[1e308, 1e308, 1e308]", '"implicit"', '"rk4"', '"euler"'),
)
LARGEST_STATE = 3000  # numbers in the state of a scene of which a simulation is made
COMPILATION = 240.0  # [s] of the machine code of a set of subjects, where that is not on the disk yet
SAMPLE = 40  # one accepted scene of this number becomes a simulation, and is written and read again


def bases() -> list[Case]:
    """The built-in scenes but the largest."""
    texts = [gallery.path(name).read_bytes() for name in gallery.scene_names()]
    return [Case("scene.toml", text) for text in texts if len(text) < 6000]


def mutate(case: Case, known: Sequence[Case], chance: random.Random) -> Case:
    """A scene with values that no scene means, or another text."""
    if chance.random() < 0.5:
        return Case("scene.toml", mutated(chance.randrange(2**40)).encode())
    others = [chance.choice(known).content]
    return Case("scene.toml", damaged(case.content, others, chance, WORDS))


def read(path: Path, content: bytes) -> str:
    """Read and compile; make a simulation of some, and write these."""
    scene = read_scene(path).in_folder(FOLDER)
    compiled = build(scene, Meshes())
    if crc32(content) % SAMPLE == 0 and len(compiled.start) < LARGEST_STATE:
        signal.setitimer(signal.ITIMER_PROF, COMPILATION)
        Simulation(scene, compiled=compiled)
        text = scene_text(scene)
        assert scene_of(tables_of(text, ""), "").in_folder(FOLDER) == scene, "it is another scene when written"
    return " ".join(sorted({*(body.support for body in scene.body), *scene.model_fields_set}))


TARGET = Target("scene", bases, mutate, read, goal=100_000, quick=20, seconds=CASE_SECONDS, memory=MEMORY)
