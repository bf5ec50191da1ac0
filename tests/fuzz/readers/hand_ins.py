"""Hand-ins of lessons: damaged contents with their digest made again, and damaged files; each is repeated."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from lesson_files import body_of, handed_in

from fuzz.case import Case, Refused, Target
from fuzz.damage import damaged
from polhode.engine.compile import build
from polhode.engine.compiled_scene import CompiledScene
from polhode.lessons.hand_in import hand_in_of, read_hand_in
from polhode.lessons.repeat import Repeater
from polhode.mesh.mesh import Meshes
from polhode.scene.scene import Scene

SECONDS = 5.0  # of the runs of a file
WORDS = (
    "step",
    "at",
    "value",
    "runs",
    "answers",
    "times",
    "values",
    "null",
    "true",
    "[]",
    "{}",
    '""',
    "lesson",
    "1e400",
)


@cache
def whole() -> bytes:
    """The hand-in of a lesson with each kind of step."""
    return handed_in("Ada")


def bases() -> list[Case]:
    """This hand-in, repeated once: what that compiles serves all forked processes."""
    assert not Repeater().repeat(hand_in_of(whole(), "ada.handin")).problems
    return [Case("ada.handin", whole())]


def mutate(case: Case, known: Sequence[Case], chance: random.Random) -> Case:
    """Damaged contents with the right digest, or a damaged file."""
    other = chance.choice(known).content
    if chance.random() < 0.1:
        return Case(case.name, damaged(case.content, [other], chance, WORDS))
    lines = [content.partition(b"\n")[2].rstrip(b"\n") for content in (case.content, other)]
    line = damaged(lines[0], lines[1:], chance, WORDS).replace(b"\n", b" ")
    head = json.loads(whole().partition(b"\n")[0]) | {"sha256": hashlib.sha256(line).hexdigest()}
    return Case(case.name, json.dumps(head, separators=(",", ":")).encode() + b"\n" + line + b"\n")


def read(path: Path, content: bytes) -> str:
    """Repeat a hand-in; one of another scene up to its compilation, which is a matter of scenes."""
    own = body_of(whole())["scene"]["text"]

    def compiled(scene: Scene, meshes: Meshes) -> CompiledScene:
        if hand_in.text != own:
            raise Refused("is of another scene")
        return build(scene, meshes)

    hand_in = read_hand_in(path)
    problems = Repeater(compiled).repeat(hand_in, SECONDS).problems
    assert all(str(problem).isprintable() for problem in problems), "a problem with other characters"
    return f"{min(len(problems), 3)} problems"


TARGET = Target("hand_in", bases, mutate, read, goal=20_000, quick=12, seconds=30)
