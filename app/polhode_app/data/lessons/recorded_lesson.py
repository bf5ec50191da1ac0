"""A lesson that is recorded while a teacher works in the window. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from polhode.scene.checks.lesson_rules import lesson_problems
from polhode.scene.checks.validation_messages import problems
from polhode.scene.display.lesson import MOST_FIELDS, LessonStep
from polhode.scene.fields import at, numbers, parse_path, with_value, written
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene

NOT_CHANGED = ("format", "units", "view", "story", "lesson", "sweep", "ghost", "sensor", "grab")
"""Parts of a scene whose numbers no run changes."""
DIGITS = 2  # of the length of a run


class RecordedLesson:
    """Steps so far, as tables of the scene file, and the fields that were changed since the beginning."""

    def __init__(self, scene: Scene):
        self._start = scene
        self.steps: list[dict[str, Any]] = []
        self.changed: dict[str, Any] = {}
        """Values before their change, by paths."""

    def follow(self, scene: Scene) -> None:
        """Compare an edited scene with that of the beginning."""
        keys = [key for key in type(scene).model_fields if key not in NOT_CHANGED]
        changed = [key for key in keys if getattr(scene, key) is not getattr(self._start, key)]
        self.changed = {}
        if not changed:
            return
        for path, _ in numbers(scene):
            if path[0] in changed:
                try:
                    before = at(self._start, path)
                except LookupError:
                    continue  # of an item that was added
                if before != at(scene, path) and isinstance(before, int | float):
                    self.changed[written(path)] = before

    @property
    def fields(self) -> list[str]:
        """Paths of the fields that a run changes."""
        return list(self.changed)[:MOST_FIELDS]

    def add_run(self, until: float, text: str = "") -> None:
        """Add a run of `until` [s] with the changed fields; one that follows another replaces it."""
        table: dict[str, Any] = {"run": self.fields, "until": float(f"{until:.{DIGITS}g}")}
        if self.steps and "run" in self.steps[-1]:
            before = self.steps.pop()
            table = {**before, **table, "until": max(before["until"], table["until"])}
        self.steps.append({"text": text, **table} if text else table)

    def add(self, table: Mapping[str, Any]) -> None:
        """Add a step. Raises InputError for one that breaks a rule."""
        try:
            LessonStep.model_validate(table)
        except ValidationError as error:
            raise InputError("step", problems(error, table, LessonStep)) from error
        self.steps.append(dict(table))

    def remove(self, number: int) -> None:
        """Remove a step."""
        del self.steps[number]

    def move(self, number: int, by: int) -> int:
        """Move a step up (-1) or down (1); returns its new number."""
        to = min(max(number + by, 0), len(self.steps) - 1)
        self.steps.insert(to, self.steps.pop(number))
        return to

    def finished(self, scene: Scene, title: str) -> Scene:
        """The scene with the lesson, and with the values that the fields had at the beginning.

        Raises InputError for a lesson that breaks a rule.
        """
        if not title.strip():
            raise InputError.of("lesson", Message("has no title"), Message("enter one"), "title")
        for path, value in self.changed.items():
            try:
                scene = with_value(scene, parse_path(path), value)
            except LookupError:
                continue  # its item was removed
        made = with_value(scene, ("lesson",), (*scene.lesson, {"title": title.strip(), "step": tuple(self.steps)}))
        if found := lesson_problems(made):
            raise InputError("lesson", found)
        return made
