"""Checks of lessons that need the compiled scene: quantities that are measured, and runs that repeat."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from polhode.analysis.columns import columns
from polhode.engine.compiled_scene import CompiledScene
from polhode.lessons.lesson_run import check_repeatable
from polhode.scene.display.lesson import Lesson
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode.sweep.outcomes.outcome_runner import unknown_column


def check_lessons(scene: Scene, compiled: CompiledScene) -> None:
    """Raise InputError with all problems of the lessons of a scene, such as quantities that the table lacks."""
    if not scene.lesson:
        return
    check_repeatable(scene)
    if problems := lesson_column_problems(scene, columns(compiled)):
        raise InputError(scene.title or "scene", problems)


def lesson_column_problems(scene: Scene, known: Collection[str]) -> list[Problem]:
    """Problems of quantities of steps that are not among the names of columns of the scene."""
    names = list(known)
    return [
        problem
        for number, lesson in enumerate(scene.lesson)
        for step, each in enumerate(lesson.step)
        for problem in unknown_column(each.of, names, f"lesson[{number}].step[{step}].of")
    ]


def columns_of_lesson(lesson: Lesson) -> tuple[str, ...]:
    """Names of all columns that the runs of a lesson are sampled for, each once."""
    return tuple(dict.fromkeys(_measured(lesson)))


def _measured(lesson: Lesson) -> Iterator[str]:
    return (step.of for step in lesson.step if step.of and not step.own_data)
