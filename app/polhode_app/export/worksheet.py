"""Worksheets of lessons as PDF: the steps with boxes for answers, empty plots, and a picture of the scene."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import pi
from pathlib import Path

import numpy as np

from polhode.analysis.columns import columns
from polhode.lessons.measures import shown_unit
from polhode.scene.display.lesson import Lesson, LessonStep
from polhode.scene.files.file_writing import not_written
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.variants.numbers import number_at
from polhode.simulation.simulation import Simulation
from polhode_app.export.page_flow import PageFlow
from polhode_app.export.sources import RunningSource
from polhode_app.export.video import RenderSettings, render_now
from polhode_app.i18n.field_names import quantity_with_unit, scene_title, unit_text
from polhode_app.i18n.lesson_texts import kind_name, lesson_text, measure_name
from polhode_app.i18n.parameter_names import parameter_name
from polhode_app.i18n.translation import translate

PICTURE, WIDTH = (1200, 675), 110.0  # [pixel], [mm] of the picture of the scene
TITLE, HEAD = 16.0, 11.0  # [point]
INDENT = 6.0  # [mm] of what belongs to a step
NUMBER, FREE, PLOT = (45.0, 8.0), 34.0, 46.0  # [mm] boxes of a number, height of a free text, of a plot
STEP = 20.0  # [mm] least space for the beginning of a step


def write_worksheet(scene: Scene, path: Path, progress: Callable[[float], None] = lambda done: None) -> None:
    """Write the worksheet of all lessons of a scene.

    progress: called with the part that is done

    Raises InputError for a scene without a lesson, for one that can't be compiled or drawn, and for a file that can't
    be written.
    """
    if not scene.lesson:
        rule = Message("has no lesson, and a worksheet is that of one")
        raise InputError.of(scene.title or "scene", rule, Message("add a table [[lesson]]"), "lesson")
    simulation = Simulation(scene)
    progress(0.3)
    picture = render_now(RunningSource(simulation), PICTURE, RenderSettings(theme="light"))
    progress(0.7)
    flow = PageFlow(scene_title(scene))
    sheet = _Sheet(flow, scene, columns(simulation.compiled), picture)
    for number, lesson in enumerate(scene.lesson):
        if number:
            flow.new_page()
        sheet.add(lesson)
    try:
        flow.write(path)
    except OSError as error:
        raise not_written(path, error) from error
    progress(1.0)


class _Sheet:
    """Writes lessons to pages."""

    def __init__(self, flow: PageFlow, scene: Scene, units: Mapping[str, str], picture: np.ndarray):
        """`units` are those of the columns of the scene."""
        self._flow, self._scene, self._units, self._picture = flow, scene, units, picture

    def add(self, lesson: Lesson) -> None:
        """Write a lesson: title, line of the name, picture and steps."""
        flow = self._flow
        flow.text(lesson_text(lesson.title), TITLE)
        flow.space(4.0)
        flow.box(90.0, 8.0, translate(Message("Name")))
        flow.space(2.0)
        if lesson.vary:
            flow.text(translate(Message("Some numbers of the scene depend on your name: the program sets them.")), 9.0)
            flow.space(1.0)
        flow.picture(self._picture, WIDTH)
        for number, step in enumerate(lesson.step, 1):
            flow.reserve(STEP)
            flow.space(3.0)
            flow.text(f"{number}." if step.kind == "text" else f"{number}. {kind_name(step)}", HEAD)
            if step.text:
                flow.text(lesson_text(step.text), indent=INDENT)
            self._answer(lesson, number - 1, step)

    def _answer(self, lesson: Lesson, number: int, step: LessonStep) -> None:
        """Write the question of a step, and the space for its answer."""
        flow = self._flow
        for question in filter(None, (step.ask, step.explain)):
            flow.text(lesson_text(question), indent=INDENT)
        flow.space(2.5)
        match step.kind:
            case "predict" if step.predict == "number":
                flow.box(*NUMBER, unit=unit_text(step.unit), indent=INDENT)
            case "predict" if step.predict == "choice":
                for choice in step.choices:
                    flow.choice(lesson_text(choice), INDENT)
            case "predict":
                name = quantity_with_unit(step.of, self._units.get(step.of, ""))
                flow.plot(PLOT, step.until, (name, translate(Message("time [s]"))), INDENT)
            case "run":
                self._run(step)
            case "measure":
                flow.box(*NUMBER, label=self._measured(step), unit=self._unit(lesson, number), indent=INDENT)
            case "compare":
                for label in (Message("Prediction"), Message("Run"), Message("Difference")):
                    flow.box(*NUMBER, label=translate(label), indent=INDENT)
            case "explain":
                flow.box(flow.width - INDENT, FREE, indent=INDENT)
            case "check":
                if step.ask:
                    flow.box(*NUMBER, unit=self._unit(lesson, number), indent=INDENT)
                for choice in (Message("It agrees with the run."), Message("It does not agree.")):
                    flow.choice(translate(choice), INDENT)

    def _run(self, step: LessonStep) -> None:
        """Boxes for the values of the fields of a run."""
        text = translate(Message("Run the scene for {time:g} s.", time=step.until))
        self._flow.text(text, indent=INDENT)
        for path in step.run or ():
            unit = number_at(self._scene, path, suggests=False)[1]
            size, shown = (pi / 180.0, "deg") if unit == "rad" else (1.0, unit)
            name = parameter_name(self._scene, path)
            if path in step.range:
                low, high = (end / size for end in step.range[path])
                name += f" ({low:.4g} ... {high:.4g})"
            self._flow.box(*NUMBER, label=name, unit=unit_text(shown), indent=INDENT)

    def _measured(self, step: LessonStep) -> str:
        """Name of the measurement of a step, and of its quantity."""
        of = "" if step.own_data else quantity_with_unit(step.of, "")
        name = measure_name(step)
        name = name[:1].upper() + name[1:]
        return f"{name}, {of}" if of else name

    def _unit(self, lesson: Lesson, number: int) -> str:
        """Unit of the numbers of a step."""
        return unit_text(shown_unit(lesson, number, lambda name: self._units.get(name, "")))
