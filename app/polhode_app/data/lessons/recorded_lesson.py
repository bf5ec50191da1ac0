"""A lesson that is recorded while a teacher works in the window. No Qt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError

from polhode.scene.checks.lesson_rules import lesson_problems
from polhode.scene.checks.validation_messages import problems
from polhode.scene.display.lesson import MOST_FIELDS, LessonStep
from polhode.scene.fields import FieldPath, Form, at, numbers, parse_path, with_value, written
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode_app.data.lessons.moved_items import MovedItems

NOT_CHANGED = ("format", "units", "view", "story", "lesson", "sweep", "ghost", "sensor", "grab")
"""Parts of a scene whose numbers no run changes."""
DIGITS = 2  # of the length of a run


class _Removal(NamedTuple):
    """The values and steps before items were removed."""

    scene: Scene
    values: dict[str, Any]  # at the beginning, by paths
    steps: list[tuple[dict[str, Any], dict[str, Any]]]  # each step, with a copy of its table


class RecordedLesson:
    """Steps so far, as tables of the scene file, and the fields that were changed since the beginning."""

    def __init__(self, scene: Scene):
        self.scene = scene
        """The newest version that it follows."""
        self._before: dict[str, Any] = {written(path): at(scene, path) for path, _ in _changeable(scene)}
        self.steps: list[dict[str, Any]] = []
        self.changed: dict[str, Any] = {}
        """Values before their change, by paths."""
        self._removals: list[_Removal] = []

    def follow(self, scene: Scene) -> list[str]:
        """Compare an edited scene with that of the beginning.

        Paths of moved items are followed. Returns those changed fields and fields of runs whose items were removed,
        by their paths in the version before; they are left out until the removal is undone.
        """
        removal = _Removal(self.scene, self._before, [(step, dict(step)) for step in self.steps])
        moved, self.scene = MovedItems(self.scene, scene), scene
        lost = [path for path in self.changed if moved.path(path) is None]
        self._before = {new: each for path, each in self._before.items() if (new := moved.path(path)) is not None}
        for step in self.steps:
            lost += _follow_step(step, moved)
        if len(self._before) < len(removal.values):
            self._removals.append(removal)
        self._undo_removal()
        now = ((written(path), at(scene, path)) for path, _ in _changeable(scene))
        pairs = [(path, self._before[path], each) for path, each in now if path in self._before]
        self.changed = {
            path: before for path, before, each in pairs if before != each and isinstance(before, int | float)
        }
        return list(dict.fromkeys(lost))

    def _undo_removal(self) -> None:
        """Bring back what a removal took, if the scene is again the one before it."""
        found = next((each for each in self._removals if each.scene is self.scene), None)
        if found is not None:
            self._before = found.values
            for step, table in found.steps:
                step.update(table)
            del self._removals[self._removals.index(found) :]

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


def _changeable(scene: Scene) -> Iterator[tuple[FieldPath, Form]]:
    """Numbers of a scene that a run may change; those that must be whole are none (lesson_rules.py)."""
    return (each for each in numbers(scene) if each[0][0] not in NOT_CHANGED and each[1].kind != "whole")


def _follow_step(step: dict[str, Any], moved: MovedItems) -> list[str]:
    """Follow the paths and the column of a step. Returns fields of removed items, which are left out."""
    if step.get("of"):
        step["of"] = moved.column(step["of"])
    paths = {path: moved.path(path) for path in step.get("run", ())}
    if paths:
        step["run"] = [path for path in paths.values() if path is not None]
    if step.get("range"):
        step["range"] = {new: ends for path, ends in step["range"].items() if (new := moved.path(path)) is not None}
    return [path for path, new in paths.items() if new is None]
