"""Fields and quantities that lessons name, after items were removed, reordered or renamed. No Qt."""

from __future__ import annotations

from polhode.scene.display.lesson import Interval, Lesson, LessonStep
from polhode.scene.fields import FieldPath
from polhode_app.edit.references import followed

Lessons = tuple[Lesson, ...]


def lessons_reordered(lessons: Lessons, listed: FieldPath, order: list[int]) -> Lessons:
    """Lessons after the items of a list at `listed` were reordered by their old indices.

    Fields of removed items are left out. Unchanged lessons are the same objects.
    """
    return tuple(_reordered(lesson, listed, order) for lesson in lessons)


def _reordered(lesson: Lesson, listed: FieldPath, order: list[int]) -> Lesson:
    vary = _followed(lesson.vary, listed, order)
    steps = tuple(_step_reordered(step, listed, order) for step in lesson.step)
    if vary == lesson.vary and steps == lesson.step:
        return lesson
    return lesson.model_copy(update={"vary": vary, "step": steps})


def _step_reordered(step: LessonStep, listed: FieldPath, order: list[int]) -> LessonStep:
    if not step.run:
        return step
    paths = (followed(path, listed, order) for path in step.run)
    run = tuple(path for path in paths if path is not None)
    if run == step.run:
        return step
    return step.model_copy(update={"run": run, "range": _followed(step.range, listed, order)})


def _followed(ends: dict[str, Interval], listed: FieldPath, order: list[int]) -> dict[str, Interval]:
    """Intervals by the new paths of their fields."""
    paths = {path: followed(path, listed, order) for path in ends}
    return {new: ends[path] for path, new in paths.items() if new is not None}


def lessons_renamed(lessons: Lessons, old: str, name: str) -> Lessons:
    """Lessons with the new name of an item in the columns that their steps measure."""

    def renamed(step: LessonStep) -> LessonStep:
        return step.model_copy(update={"of": name + step.of[len(old) :]}) if step.of.startswith(f"{old}.") else step

    made = []
    for lesson in lessons:
        steps = tuple(map(renamed, lesson.step))
        made.append(lesson if steps == lesson.step else lesson.model_copy(update={"step": steps}))
    return tuple(made)
