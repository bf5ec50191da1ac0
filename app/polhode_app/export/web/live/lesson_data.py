"""The lessons of a scene in a live page: their steps, what their runs write into the engine, and their texts.

`page/lesson/` leads through them and saves the same hand-in as the window.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from polhode.analysis.columns import columns
from polhode.data.headings import UNITS
from polhode.exporters.image.image import WORD, Image
from polhode.jit.storage.sources import own_version
from polhode.lessons.hand_in import scene_in_hand_in
from polhode.lessons.lesson_columns import check_lessons, columns_of_lesson
from polhode.lessons.lesson_run import checkpoint_steps, steps_of
from polhode.lessons.measures import factor_at, shown_unit
from polhode.lessons.variants import VARIANTS, varied_values
from polhode.mesh.mesh import Meshes
from polhode.scene.display.lesson import Lesson, LessonStep
from polhode.scene.message import Message, plural
from polhode.scene.variants.numbers import number_at
from polhode.simulation.simulation import Simulation
from polhode_app.export.web.blob import Blob
from polhode_app.export.web.live.card import POSITIONS
from polhode_app.export.web.live.lesson_changes import MOST, LessonScenes, NotInPages, RunChanges, changes_of
from polhode_app.i18n.data_files import read_data
from polhode_app.i18n.field_names import quantity, unit_text
from polhode_app.i18n.language import in_language, tr
from polhode_app.i18n.lesson_texts import lesson_text, varied_name
from polhode_app.i18n.parameter_names import parameter_name
from polhode_app.viewport.base.slider_text import value_text

STATED = ("predict", "bounds", "measure", "at", "level", "own_data", "relative", "until")
"""Fields of a step that the page has by their names, unless they are None, false or empty."""
Progress = Callable[[], None]


class LessonTables:
    """Makes the tables of the lessons of a scene for a page; `runs` and `notes` are known afterwards."""

    def __init__(self, simulation: Simulation, image: Image, meshes: Meshes, blob: Blob):
        """`image` is that of the page, `blob` gets the words that runs write."""
        self._simulation, self._image, self._meshes, self._blob = simulation, image, meshes, blob
        self._columns = columns(simulation.compiled)
        self._scene = simulation.scene
        self.runs: dict[tuple[int, int], RunChanges] = {}
        """Words that runs write, by the numbers of the lesson and of its step."""
        self.left_out: list[str] = []
        """Titles of lessons whose variants a page can't write."""

    @property
    def most(self) -> int:
        """About the number of scenes that `table` compiles."""
        steps = [(lesson, step) for lesson in self._scene.lesson for step in lesson.step if step.kind == "run"]
        counts = [(VARIANTS if lesson.vary else 1) * POSITIONS ** len(step.run or ()) for lesson, step in steps]
        return sum(min(count, MOST) for count in counts) or 1

    @property
    def notes(self) -> list[Message]:
        """Notes about the lessons that the page has and lacks, once `table` has made it."""
        count, missing = len(self._scene.lesson) - len(self.left_out), ", ".join(self.left_out)
        made = [plural("has the lesson of the scene", "has {count} lessons", count=count)] if count else []
        refused = Message("lacks lessons whose variants have another layout of arrays: {titles}", titles=missing)
        fixed = sorted({each.path for run in self.runs.values() for each in run.fields if each.reason})
        kept = Message("numbers that can't be changed in the page: {paths}", paths=", ".join(fixed))
        return made + ([refused] if missing else []) + ([kept] if fixed else [])

    def table(self, scales: Mapping[str, tuple[float, float]], progress: Progress) -> dict[str, Any] | None:
        """The table of all lessons; None for a scene without lessons in pages.

        scales: smallest and largest value of columns in the replay, for the axes of curves that are drawn
        progress: called after each scene that is compiled, may raise

        Raises InputError for a lesson that measures what the scene has not.
        """
        check_lessons(self._scene, self._simulation.compiled)
        made = []
        for number, lesson in enumerate(self._scene.lesson):
            try:
                made.append(self._lesson(number, lesson, scales, progress))
            except NotInPages:
                self.left_out.append(lesson.title)
        if not made:
            return None
        has_own_data = any(step.own_data for lesson in self._scene.lesson for step in lesson.step)
        return {
            "version": own_version(),
            "scene": scene_in_hand_in(self._scene),
            "units": {unit: factor for unit, (factor, _) in UNITS.items()} if has_own_data else {},
            "lessons": made,
        }

    def _lesson(
        self, number: int, lesson: Lesson, scales: Mapping[str, tuple[float, float]], progress: Progress
    ) -> dict[str, Any]:
        scenes = LessonScenes(self._scene, lesson, self._image, self._meshes, progress)
        sampled = columns_of_lesson(lesson)
        for at, step in enumerate(lesson.step):
            if step.kind == "run":
                self.runs[number, at] = changes_of(scenes, step)
        names = list(self._columns)
        return {
            "lesson": number,
            "title": lesson.title,
            "variants": scenes.variants,
            "sampled": [names.index(name) for name in sampled],
            "steps": [self._step(number, at, step, sampled, scales) for at, step in enumerate(lesson.step)],
        }

    def _step(
        self,
        number: int,
        at: int,
        step: LessonStep,
        sampled: tuple[str, ...],
        scales: Mapping[str, tuple[float, float]],
    ) -> dict[str, Any]:
        """Table of a step, without texts."""
        factor = factor_at(self._scene.lesson[number], at)
        made: dict[str, Any] = {"kind": step.kind, "factor": factor}
        made |= {name: getattr(step, name) for name in STATED if getattr(step, name) not in (None, False, ())}
        if step.kind in ("predict", "check"):
            made |= {"choices": len(step.choices), "asks": bool(step.ask)}
        if step.of and not step.own_data:
            is_of_curve = self._unit_of_curve(number, at) == self._unit_of_numbers(number, at)
            made |= {"sample": sampled.index(step.of), "ofFactor": factor if is_of_curve else 1.0}
        if step.predict == "curve":
            made["scale"] = [*scale_of(*scales.get(step.of, (0.0, 0.0)))]
        if step.check is not None:
            made |= {"tolerance": step.check.tolerance, "absolute": step.check.absolute * factor}
        return made | ({"run": self._run(self.runs[number, at], step)} if step.kind == "run" else {})

    def _run(self, changes: RunChanges, step: LessonStep) -> dict[str, Any]:
        """Table of a run."""
        steps, stride = steps_of(step.until, self._simulation.time_step)
        return {
            "steps": steps,
            "stride": stride,
            "checkpoints": checkpoint_steps(steps, stride),
            "fields": [
                {"path": each.path, "values": [*each.values], "start": each.start, "isFixed": bool(each.reason)}
                for each in changes.fields
            ],
            "groups": [
                {
                    "axes": [*group.axes],
                    "offsets": self._blob.whole(group.offsets),
                    "words": self._blob.bytes(np.frombuffer(group.words.astype(WORD).tobytes(), np.uint8)),
                    "missing": [*group.missing],
                }
                for group in changes.groups
            ],
        }

    def texts(self, made: dict[str, Any], language: str) -> dict[str, Any]:
        """All texts of a table in a language."""
        with in_language(language):
            texts = {name: tr(text) for name, text in read_data("lesson_page").items()}
            return {"texts": texts, "lessons": [self._texts(each["lesson"]) for each in made["lessons"]]}

    def _texts(self, number: int) -> dict[str, Any]:
        lesson = self._scene.lesson[number]
        variants = [varied_values(lesson, variant) for variant in range(VARIANTS)] if lesson.vary else []
        return {
            "title": lesson_text(lesson.title),
            "numbers": [self._numbers(path, [each[path] for each in variants]) for path in lesson.vary],
            "steps": [self._texts_of_step(number, at, step) for at, step in enumerate(lesson.step)],
        }

    def _numbers(self, path: str, values: Sequence[float]) -> dict[str, Any]:
        """Name of a number that varies, and its values [SI] of all variants, as texts."""
        name, factor = varied_name(self._scene, path)
        return {"label": name, "values": [value_text(value / factor, self._unit(path)) for value in values]}

    def _texts_of_step(self, number: int, at: int, step: LessonStep) -> dict[str, Any]:
        unit = self._unit_of_numbers(number, at)
        made: dict[str, Any] = {"text": lesson_text(step.text), "unit": unit_text(unit) if unit else ""}
        made |= {name: lesson_text(text) for name in ("ask", "explain") if (text := getattr(step, name))}
        if step.choices:
            made["choices"] = [lesson_text(choice) for choice in step.choices]
        if step.of:
            curve = self._unit_of_curve(number, at)
            made |= {"of": quantity(step.of), "ofUnit": unit_text(curve) if curve else ""}
        if step.kind == "run":
            made["fields"] = [
                {
                    "label": self._label(each.path),
                    "values": [value_text(value, each.unit) for value in each.values],
                    "reason": tr(read_data("lesson_page")[each.reason]) if each.reason else "",
                }
                for each in self.runs[number, at].fields
            ]
        return made

    def _unit_of_numbers(self, number: int, at: int) -> str:
        return shown_unit(self._scene.lesson[number], at, lambda name: self._columns.get(name, ""))

    def _unit_of_curve(self, number: int, at: int) -> str:
        """Unit in which the curve of a step is shown: that of its numbers, if these are values of the curve."""
        step = self._scene.lesson[number].step[at]
        is_value = not step.relative and step.measure not in ("period", "frequency", "first_crossing")
        return step.unit if step.unit and is_value else self._columns.get(step.of, "")

    def _label(self, path: str) -> str:
        return parameter_name(self._scene, path)

    def _unit(self, path: str) -> str:
        return number_at(self._scene, path, suggests=False)[1]


def scale_of(low: float, high: float) -> tuple[float, float]:
    """Ends of the axis of a curve that is drawn: the values of the replay, half as much on both sides, and zero."""
    low, high = min(low, 0.0), max(high, 0.0)
    margin = 0.5 * (high - low) or 1.0
    return low - margin, high + margin
