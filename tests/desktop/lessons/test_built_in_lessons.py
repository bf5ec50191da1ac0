"""Built-in lessons gone through in the window, as their texts say; what is handed in repeats without a problem."""

from __future__ import annotations

from collections.abc import Callable
from math import degrees
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lesson_driving import LessonDriver
from lesson_steps import OWN_PERIOD, ROUTES
from pytestqt.qtbot import QtBot

from polhode.lessons.collect import collect
from polhode.lessons.hand_in import read_hand_in
from polhode.scene import gallery
from polhode.scene.variants.numbers import number_at
from polhode_app.main_window import MainWindow

Lab = Callable[..., MainWindow]
QUICKEST = ("coupled_pendulums", "large_swings")
"""Their kernels take shortest to compile."""


class Student(LessonDriver):
    """Gives the answers of the route of a built-in lesson, as far as a student finds them with the texts."""

    def __init__(self, window: MainWindow, qtbot: QtBot, scene: str, by_keys: bool, own: Path):
        """own: file with the student's own data"""
        super().__init__(window, qtbot, by_keys=by_keys)
        self._route, self._own = ROUTES[scene], own

    def do_step(self) -> None:
        """Do the current step with the answer of the route."""
        number = self.progress.current
        answer = self._answer(number)
        if answer is not None:
            self.answers[number] = answer
        super().do_step()

    def _answer(self, number: int) -> Any:
        route, step = self._route, self.progress.step
        if step.kind == "run" and number in route.runs:
            values = route.runs[number](self.progress.scene)
            return {path: self._typed(path, value) for path, value in values.items()}
        if step.own_data:
            return self._own
        if step.predict == "choice":
            return route.choices.get(number)  # none where the motion is chaotic
        asked = number
        if step.predict == "number":  # for which a later step checks
            steps = self.progress.lesson.step
            later = (k for k in range(number, len(steps)) if steps[k].kind == "check" and not steps[k].ask)
            asked = next(later, number)
        return route.checks[asked](self.progress.scene, self._found) if asked in route.checks else None

    def _typed(self, path: str, value: float) -> float:
        """A value [SI] in the unit that its field has; angles with the four digits that are shown of them."""
        return float(f"{degrees(value):.4g}") if number_at(self.progress.scene, path)[1] == "rad" else value

    @property
    def _found(self) -> dict[int, float]:
        """Measurements by the numbers of steps."""
        progress = self.progress
        steps = [k for k in range(progress.current) if progress.lesson.step[k].kind == "measure"]
        return {k: progress.value_of(k) for k in steps if not progress.lesson.step[k].own_data}


def go_through(window: MainWindow, qtbot: QtBot, name: str, by_keys: bool, folder: Path) -> None:
    """Go through a lesson and hand it in: all choices and checks are right, and the hand-in repeats."""
    own = folder / "own.csv"
    times = np.linspace(0.0, 20.0, 1001)
    curve = np.cos(2.0 * np.pi * times / OWN_PERIOD)
    own.write_text("time [s],x [m]\n" + "".join(f"{t:.6g},{x:.9g}\n" for t, x in zip(times, curve, strict=True)))
    student = Student(window, qtbot, name, by_keys, own)
    progress = student.go_through()
    steps = progress.lesson.step
    assert all(progress.value_of(k)["passed"] for k, step in enumerate(steps) if step.kind == "check")
    for number in (k for k, step in enumerate(steps) if step.kind == "compare"):
        compared, predicted = progress.value_of(number), next(progress.lesson.before(number, "predict"))
        if predicted in ROUTES[name].choices:
            assert compared["predicted"] == compared["measured"] == ROUTES[name].choices[predicted]
    class_folder = folder / "class"
    class_folder.mkdir()
    path = student.save(class_folder / "ada.handin")
    assert read_hand_in(path).title == progress.lesson.title
    collected = collect(class_folder)  # repeats the runs
    assert [(each.source, each.problems) for each in collected.files] == [(path.name, ())]
    assert collected.is_faultless


@pytest.mark.parametrize(("name", "by_keys"), [(QUICKEST[0], True), (QUICKEST[1], False)])
def test_a_built_in_lesson_is_gone_through(lab: Lab, qtbot: QtBot, tmp_path: Path, name: str, by_keys: bool) -> None:
    go_through(lab(gallery.path(name)), qtbot, name, by_keys, tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("by_keys", [True, False], ids=["keys", "mouse"])
@pytest.mark.parametrize("name", ROUTES)
def test_all_built_in_lessons_are_gone_through(
    lab: Lab, qtbot: QtBot, tmp_path: Path, name: str, by_keys: bool
) -> None:
    go_through(lab(gallery.path(name)), qtbot, name, by_keys, tmp_path)
