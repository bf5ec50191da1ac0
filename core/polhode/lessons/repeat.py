"""Repetition of a hand-in: all of its runs, with the same bits, and everything that was computed from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

import numpy as np

from polhode.analysis.columns import columns
from polhode.engine.compiled_scene import CompiledScene
from polhode.lessons.answers import REMEDY
from polhode.lessons.contradictions import ASK, contradictions, damage, wrong_values
from polhode.lessons.evaluation import StepRun
from polhode.lessons.hand_in import HandIn, RunRecord
from polhode.lessons.lesson_columns import columns_of_lesson, lesson_column_problems
from polhode.lessons.lesson_run import LessonRun, StoredStart, equal_states, run_lesson
from polhode.lessons.progress import scene_of_run
from polhode.lessons.variants import varied_scene
from polhode.mesh.mesh import Meshes
from polhode.recording.scene_bundle import ExtractedBundle, check_enclosed
from polhode.scene.display.lesson import Lesson
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of_text
from polhode.simulation.driven_parameters import build_at

SECONDS = 120.0  # [s] that the runs of one hand-in may take
Compile = Callable[[Scene, Meshes], CompiledScene]


@dataclass(frozen=True)
class Curve:
    """Samples of a repeated run."""

    step: int
    """Of the run."""
    column: str
    unit: str
    times: np.ndarray
    """(n,) [s]"""
    values: np.ndarray
    """(n,) in SI"""


@dataclass(frozen=True)
class Repetition:
    """Problems that a repetition has found, and the curves of the latest run of each run step."""

    problems: tuple[Problem, ...]
    curves: tuple[Curve, ...] = ()
    units: Mapping[str, str] = field(default_factory=dict)
    """Of the measured columns."""
    is_whole: bool = True
    """Whether all answers and records have the forms that the lesson needs."""


class Repeater:
    """Repeats hand-ins one after the other; those of one scene share its files and meshes."""

    def __init__(self, compile_scene: Compile | None = None):
        """compile_scene: compiles each scene before its runs, by default `build_at`"""
        self._compile = compile_scene or (lambda scene, meshes: build_at(scene, scene.sensor.centre, meshes))
        self._known: tuple[str, Mapping[str, bytes]] | None = None
        self._scene: Scene | None = None
        self._files: ExtractedBundle | None = None
        self._meshes = Meshes()

    def repeat(
        self, hand_in: HandIn, seconds: float = SECONDS, progress: Callable[[float], None] = lambda time: None
    ) -> Repetition:
        """Repeat all runs of a hand-in, and compare what is in it.

        seconds: [s] of wall time after which a problem takes the place of further runs
        progress: called with simulated times [s]

        Raises InputError where the hand-in has no valid scene with that lesson.
        """
        scene = self._scene_of(hand_in)
        if hand_in.lesson >= len(scene.lesson):
            rule = Message(
                "is {lesson}, and the scene has {count} lessons", lesson=hand_in.lesson, count=len(scene.lesson)
            )
            raise InputError.of(hand_in.source, rule, REMEDY, "lesson")
        lesson = scene.lesson[hand_in.lesson]
        varied = varied_scene(scene, lesson, hand_in.variant)
        if problems := damage(hand_in, lesson, varied.solver.time_step):
            return Repetition(tuple(problems), is_whole=False)
        problems = contradictions(hand_in, lesson)
        units = self._units(varied, hand_in)
        runs, limit = list[StepRun](), _limited(monotonic() + seconds, progress)
        for number, record in enumerate(hand_in.runs):
            try:
                again = self._again(varied, lesson, record, limit)
            except InputError as error:
                problems += [problem.at(f"runs[{number}]") for problem in error.problems]
                continue
            except _TooLong:
                rule = Message("takes longer than {seconds:g} s", seconds=seconds)
                problems.append(Problem(f"runs[{number}]", rule, Message("repeat this file on a faster computer")))
                break
            problems += [problem.at(f"runs[{number}]") for problem in _differences(hand_in, record, again)]
            runs.append(StepRun(record.step, record.values, record.until, again))
        if len(runs) == len(hand_in.runs):
            problems += wrong_values(hand_in, lesson, runs)
        latest = {run.step: run for run in runs}
        curves = [
            Curve(step, name, units[name], run.run.times, values)
            for step, run in latest.items()
            for name, values in run.run.columns.items()
        ]
        return Repetition(tuple(problems), tuple(curves), units)

    def _scene_of(self, hand_in: HandIn) -> Scene:
        """The scene of a hand-in, with its files in a folder. Raises InputError."""
        known = hand_in.text, hand_in.files
        if known != self._known or self._scene is None:
            self._known = self._scene = None
            self._files, self._meshes = ExtractedBundle(hand_in.files, hand_in.source), Meshes()
            scene = scene_of_text(hand_in.text.encode(), hand_in.source, Path(self._files.folder))
            check_enclosed(scene, hand_in.files, hand_in.source)
            self._known, self._scene = known, scene
        return self._scene

    def _units(self, scene: Scene, hand_in: HandIn) -> dict[str, str]:
        """Units of the measured columns of a scene, which is compiled. Raises InputError."""
        known = columns(self._compile(scene, self._meshes))
        if problems := lesson_column_problems(scene, known):
            raise InputError(hand_in.source, problems)
        return {name: known[name] for name in columns_of_lesson(scene.lesson[hand_in.lesson])}

    def _again(self, scene: Scene, lesson: Lesson, record: RunRecord, progress: Callable[[float], None]) -> LessonRun:
        """The run of a record, repeated. Raises InputError, and what `progress` raises."""
        start = None if record.arrays is None else StoredStart(record.arrays, record.checkpoints[0][1])
        made = scene_of_run(scene, record.values)
        return run_lesson(made, record.until, columns_of_lesson(lesson), start, self._meshes, progress)


class _TooLong(Exception):
    """A repetition takes longer than it may."""


def _limited(end: float, progress: Callable[[float], None]) -> Callable[[float], None]:
    """`progress` that raises after `end` [s] of the clock."""

    def limited(time: float) -> None:
        if monotonic() > end:
            raise _TooLong
        progress(time)

    return limited


def _differences(hand_in: HandIn, record: RunRecord, again: LessonRun) -> list[Problem]:
    """The problem of a run that does not repeat; none of one that does."""
    if record.steps != again.steps:
        rule = Message("has {steps} steps, and ends after {own} here", steps=record.steps, own=again.steps)
        return [Problem("steps", rule, ASK)]
    if (step := equal_states(record.checkpoints, again.checkpoints)) is None:
        return []
    rule = Message("does not repeat: the state of step {step} differs", step=step)
    if hand_in.made_by == "page":
        return [Problem("checkpoints", rule, Message("collect on the computer that has written the page, or ask"))]
    return [Problem("checkpoints", rule, ASK)]
