"""A small scene with a lesson that has each kind of step, and its answers, for tests of lessons and of hand-ins."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from polhode.lessons.answers import form_of
from polhode.lessons.collect import Collected, compared, expected_of
from polhode.lessons.hand_in import hand_in_of, hand_in_text
from polhode.lessons.lesson_run import LessonRun, run_lesson
from polhode.lessons.process import LessonProcess
from polhode.lessons.progress import Progress
from polhode.lessons.repeat import Repeater
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of_text

Run = Callable[[Scene, float, tuple[str, ...]], LessonRun]
SCENE = """
title = "Pendulum"

[solver]
time_step = 4e-3

[[body]]
name = "bob"
support = "pivot"
orientation = { axis = [0, 1, 0], angle = 2.0 }
shape = [{ kind = "cuboid", size = [0.02, 0.02, 0.4], density = 1000, position = [0, 0, 0.2] }]

[[lesson]]
title = "Swings"
vary = { "body[0].shape[0].density" = [900.0, 1100.0], "world.gravity[2]" = [-9.9, -9.7] }
step = [
    { text = "A bar swings on a pivot." },
    { predict = "number", ask = "How long does one swing take?", unit = "ms" },
    { run = ["body[0].tilt[1]", "body[0].shape[0].density"], until = 2.6, range = { "body[0].tilt[1]" = [-1.0, 1.0] } },
    { measure = "period", of = "bob.u3.x" },
    { compare = true },
    { predict = "curve", of = "bob.u3.x", until = 2.6 },
    { run = [], until = 2.6 },
    { compare = true },
    { predict = "choice", ask = "And of twice the weight?", choices = ["less", "equal", "more"], bounds = [0.9, 1.1] },
    { run = ["body[0].shape[0].density"], until = 2.6 },
    { measure = "period", of = "bob.u3.x", relative = true },
    { compare = true },
    { check = {} },
    { measure = "maximum", own_data = true, unit = "m" },
    { explain = "Why?" },
    { measure = "maximum", of = "bob.u3.x" },
    { check = { tolerance = 0.1 }, ask = "The largest value?" },
]
"""


def lesson_scene(text: str = SCENE) -> Scene:
    """The scene of a text."""
    return scene_of_text(text.encode(), "scene", Path())


def ticks() -> Iterator[float]:
    """Times [s] of a clock."""
    return (0.5 * number for number in count())


@cache
def _process() -> LessonProcess:
    """The process of lessons, which ends with the tests."""
    return LessonProcess()


def run_in_process(scene: Scene, until: float, columns: Collection[str], patience: float = 280.0) -> LessonRun:
    """The run of a scene in the process of lessons, which is waited for. Raises InputError."""
    process, end = _process(), time.monotonic() + patience
    process.run(scene, until, columns)
    while time.monotonic() < end:
        for answer in process.answers():
            if isinstance(answer, LessonRun):
                return answer
            if isinstance(answer, InputError):
                raise answer
        time.sleep(0.005)
    raise TimeoutError


VALUES: Sequence[Mapping[str, float]] = ({"body[0].tilt[1]": 0.1}, {}, {"body[0].shape[0].density": 2000.0})
"""Changed values of the runs."""
ENTERED: Mapping[str, object] = {
    "number": 1100.0,
    "curve": {"times": [0.0, 0.5, 1.0, 1.5, 2.0, 2.5], "values": [0.9, -0.2, -0.9, 0.1, 0.9, -0.5]},
    "choice": 1,
    "own_data": {"times": [0.0, 0.1, 0.2, 0.3], "values": [0.5, 0.7, 0.4, 0.1], "file": "own.csv"},
    "explain": "=Because gravity acts on each part alike.",
    "check": 0.9,
}


@cache
def finished(name: str, run: Run = run_lesson, text: str = SCENE) -> Progress:
    """The lesson of a scene, answered to its end."""
    clock = ticks()
    made = Progress(lesson_scene(text), 0, name, lambda: next(clock))
    for _ in made.lesson.step:
        answer_step(made, run)
        made.forward()
    return made


def answer_step(made: Progress, run: Run = run_lesson) -> None:
    """Answer the current step."""
    step = made.step
    if step.kind == "run":
        values = VALUES[len(made.runs)]
        made.add_run(values, run(made.run_scene(values), step.until, made.columns))
        return
    form = form_of(step)
    made.answer(ENTERED.get(form) if form != "check" or step.ask else None)


def handed_in(name: str, run: Run = run_lesson, text: str = SCENE) -> bytes:
    """The hand-in of a name."""
    return hand_in_text(finished(name, run, text))


def body_of(data: bytes) -> dict[str, Any]:
    """The contents of a hand-in, which may be changed."""
    body: dict[str, Any] = json.loads(data.split(b"\n")[1])
    return body


def faults(data: bytes, of: bytes, repeater: Repeater) -> list[Problem]:
    """Problems of a hand-in in a class of hand-ins like `of`."""
    expected = expected_of([hand_in_of(of, "of")], None)
    try:
        each = compared(Collected("changed", (), hand_in_of(data, "changed")), expected)
        if each.problems or each.hand_in is None:
            return list(each.problems)
        return list(repeater.repeat(each.hand_in).problems)
    except InputError as error:
        return list(error.problems)
