"""A small scene with a lesson that has each kind of step, and its answers, for tests of lessons and of hand-ins."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import count
from pathlib import Path

from polhode.lessons.hand_in import hand_in_text
from polhode.lessons.lesson_run import LessonRun
from polhode.lessons.process import LessonProcess
from polhode.lessons.progress import Progress
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of_text

SCENE = """
title = "Pendulum"

[solver]
time_step = 2e-3

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
    { run = ["body[0].tilt[1]", "body[0].shape[0].density"], until = 3.0, range = { "body[0].tilt[1]" = [-1.0, 1.0] } },
    { measure = "period", of = "bob.u3.x" },
    { compare = true },
    { predict = "curve", of = "bob.u3.x", until = 3.0 },
    { run = [], until = 3.0 },
    { compare = true },
    { predict = "choice", ask = "And of twice the weight?", choices = ["less", "equal", "more"], bounds = [0.9, 1.1] },
    { run = ["body[0].shape[0].density"], until = 3.0 },
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


class Runner:
    """Runs scenes in the process of lessons, and waits for it."""

    def __init__(self, patience: float = 560.0) -> None:
        self.process, self._patience = LessonProcess(), patience

    def run(self, scene: Scene, until: float, columns: tuple[str, ...]) -> LessonRun:
        """The run of a scene. Raises InputError."""
        self.process.run(scene, until, columns)
        end = time.monotonic() + self._patience
        while time.monotonic() < end:
            for answer in self.process.answers():
                if isinstance(answer, LessonRun):
                    return answer
                if isinstance(answer, InputError):
                    raise answer
            time.sleep(0.005)
        raise TimeoutError


ENTERED: Mapping[str, object] = {
    "number": 1100.0,
    "curve": {"times": [0.0, 0.5, 1.0, 1.5, 2.0, 2.5], "values": [0.9, -0.2, -0.9, 0.1, 0.9, -0.5]},
    "choice": 1,
    "own_data": {"times": [0.0, 0.1, 0.2, 0.3], "values": [0.5, 0.7, 0.4, 0.1], "file": "own.csv"},
    "explain": "=Because gravity acts on each part alike.",
    "check": 0.9,
}


@cache
def finished(name: str, runner: Runner) -> Progress:
    """The lesson, answered to its end."""
    clock = ticks()
    made = Progress(lesson_scene(), 0, name, lambda: next(clock))
    for step in made.lesson.step:
        answer_step(made, runner)
        assert step is made.step
        made.forward()
    return made


def answer_step(made: Progress, runner: Runner) -> None:
    """Answer the current step."""
    step = made.step
    if step.kind == "run":
        values = [{"body[0].tilt[1]": 0.1}, {}, {"body[0].shape[0].density": 2000.0}][len(made.runs)]
        made.add_run(values, runner.run(made.run_scene(values), step.until, made.columns))
        return
    form = step.predict or ("own_data" if step.own_data else step.kind)
    made.answer(ENTERED.get(form) if form != "check" or step.ask else None)


def handed_in(name: str, runner: Runner) -> bytes:
    """The hand-in of a name."""
    return hand_in_text(finished(name, runner))
