"""Checks of lessons: fields that the student changes, or that vary, are numbers of the scene with valid values."""

from __future__ import annotations

from collections.abc import Iterator

from polhode.data.headings import factor_of
from polhode.scene.display.lesson import Lesson
from polhode.scene.fields import form_at
from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue, Problem
from polhode.scene.scene import Scene
from polhode.scene.variants.numbers import number_at


def lesson_problems(scene: Scene) -> list[Problem]:
    """Problems of all lessons, with their places."""
    return [
        problem.at(f"lesson[{number}]") for number, lesson in enumerate(scene.lesson) for problem in _of(scene, lesson)
    ]


def _of(scene: Scene, lesson: Lesson) -> Iterator[Problem]:
    for path, ends in lesson.vary.items():
        yield from _of_values(scene, "vary", path, ends)
    for number, step in enumerate(lesson.step):
        if step.unit:
            yield from _of_unit(f"step[{number}].unit", step.unit)
        for path in step.run or ():
            yield from _of_values(scene, f"step[{number}].run", path, step.range.get(path, ()))


def _of_unit(place: str, unit: str) -> Iterator[Problem]:
    """Problem of a unit that is not known."""
    try:
        factor_of(unit)
    except InvalidValue as error:
        yield error.problem.at(place)


def _of_values(scene: Scene, place: str, path: str, values: tuple[float, ...]) -> Iterator[Problem]:
    """Problems of a path, and of the scene with each of some values there."""
    try:
        found, _ = number_at(scene, path)
        if "tilt" not in found and form_at(scene, found).kind == "whole":
            rule = Message("'{path}' is a whole number, which no lesson changes", path=path)
            yield Problem(place, rule, Message("choose a field that may have any value"))
            return
        for value in values:
            scene.with_values({path: value})
    except InvalidValue as error:
        yield error.problem.at(place)
    except InputError as error:
        for problem in error.problems:
            yield Problem(place, Message("'{path}': {rule}", path=path, rule=problem.rule), problem.remedy)
