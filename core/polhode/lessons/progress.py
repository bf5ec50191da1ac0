"""Progress through a lesson: the current step, the answers so far, and what follows from them. No Qt.

Only steps whose earlier ones are answered are reached. A prediction holds once a later run has begun, and measurements,
comparisons and checks of a step that was repeated are due again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import Any

from polhode.lessons.answers import MOST_RUNS, answer_fault, values_faults
from polhode.lessons.evaluation import Answer, Evaluation, StepRun
from polhode.lessons.lesson_columns import columns_of_lesson
from polhode.lessons.lesson_run import LessonRun
from polhode.lessons.records import record_of, run_of_record
from polhode.lessons.variants import LONGEST_NAME, plain_name, variant_of, varied_scene
from polhode.scene.display.lesson import Lesson, LessonStep
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene

LATER = 0.001  # [s] smallest time between two answers


class Progress:
    """Leads through one lesson of a scene, for one name. For one thread at a time."""

    def __init__(self, scene: Scene, number: int, name: str, clock: Callable[[], float] = monotonic):
        """Begin a lesson: that of index `number`. Raises InputError for an empty or too long name.

        clock: time [s] that passes
        """
        self.given, self.number, self.name = scene, number, checked_name(name)
        self.lesson: Lesson = scene.lesson[number]
        self.variant = variant_of(self.name)
        self.scene = varied_scene(scene, self.lesson, self.variant)
        """The scene with the numbers of this name."""
        self.answers: list[Answer] = []
        self.runs: list[StepRun] = []
        self.current = 0
        """Number of the current step."""
        self._clock, self._begun = clock, clock()
        self._records: list[dict[str, Any]] = []  # of the runs, since these are packed slowly

    @property
    def step(self) -> LessonStep:
        """The current step."""
        return self.lesson.step[self.current]

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that runs are sampled for."""
        return columns_of_lesson(self.lesson)

    @property
    def evaluation(self) -> Evaluation:
        """Values that follow from the answers so far."""
        return Evaluation(self.lesson, self.answers, self.runs)

    @property
    def elapsed(self) -> float:
        """[s] since the lesson began, without the time between saving and restoring."""
        return self._clock() - self._begun

    def value_of(self, step: int) -> Any:
        """Value of the latest answer to a step; None without one."""
        return self.evaluation.latest(step)

    def run_of(self, step: int) -> StepRun | None:
        """The run of a run step; of any other that which it uses. None where there is none yet."""
        number = self.value_of(step) if self.lesson.step[step].kind == "run" else None
        return self.runs[number] if number is not None else self.evaluation.run_before(step)

    def is_answered(self, step: int) -> bool:
        """Whether a step is answered, by what is valid still."""
        return is_answered(self.evaluation, step)

    def is_locked(self, step: int) -> bool:
        """Whether a prediction can't be changed any more: a later run has begun."""
        return is_locked(self.lesson, self.answers, step)

    @property
    def can_go_on(self) -> bool:
        """Whether the current step is answered, and is not the last one."""
        return self.current + 1 < len(self.lesson.step) and self.is_answered(self.current)

    @property
    def has_begun(self) -> bool:
        """Whether a step other than a text is answered."""
        return any(self.lesson.step[answer.step].kind != "text" for answer in self.answers)

    @property
    def is_complete(self) -> bool:
        """Whether all steps are answered."""
        return all(map(self.is_answered, range(len(self.lesson.step))))

    def forward(self) -> bool:
        """Go to the next step, if this one is answered; whether it is."""
        if self.step.kind == "text" and not self.is_answered(self.current):
            self.answer()
        if moved := self.can_go_on:
            self.current += 1
        return moved

    def back(self) -> bool:
        """Go to the previous step, if there is one."""
        if moved := self.current > 0:
            self.current -= 1
        return moved

    def answer(self, value: Any = None) -> Any:
        """Answer the current step, and return the value as the hand-in has it.

        value: of a prediction a number in the step's unit, the index of a choice, or {"times": [s], "values": SI}; of
        an explanation its text; of a check the number that it asks for; of own data {"times": [s], "values": SI,
        "file": name}; the other steps need none. Runs are answered by `add_run`.

        Raises InputError for a value of another form, and for a prediction that holds.
        """
        assert self.step.kind != "run"
        found = self._made(value)
        fault = answer_fault(self.step, found)
        if fault is None and self.step.kind == "explain" and not found.strip():
            fault = Problem("", Message("is empty"), Message("write an answer"))
        if fault is None and self.is_locked(self.current):
            rule = Message("holds: a run has begun after it")
            fault = Problem("", rule, Message("explain the difference in a later step"))
        if fault is not None:
            raise InputError(self.lesson.title, [fault.at(f"step[{self.current}]")])
        if not self.is_answered(self.current) or found != self.value_of(self.current):
            self._add(found)
        return found

    def _made(self, value: Any) -> Any:
        """The value of an answer as the hand-in has it, with what the lesson computes."""
        evaluation, step = self.evaluation, self.step
        match step.kind:
            case "measure" if step.own_data:
                given = {"value": None, **value} if isinstance(value, Mapping) else value
                if (fault := answer_fault(step, given)) is not None:
                    raise InputError(self.lesson.title, [fault.at(f"step[{self.current}]")])
                return {**given, "value": evaluation.measurement(self.current, given)}
            case "measure":
                return evaluation.measurement(self.current)
            case "compare":
                return evaluation.comparison(self.current)
            case "check":
                if value is not None and (not isinstance(value, int | float) or isinstance(value, bool)):
                    rule, remedy = Message("'{value}' is no number", value=value), Message("enter one such as 2.5")
                    raise InputError.of(self.lesson.title, rule, remedy, f"step[{self.current}]")
                return evaluation.check(self.current, value)
            case "text":
                return None
        return value

    def run_scene(self, values: Mapping[str, float]) -> Scene:
        """The scene of a run of the current step, with values [SI] of its fields.

        Raises InputError for fields that the step does not allow, values out of its ranges, those that the scene
        refuses, and after MOST_RUNS runs.
        """
        if len(self.runs) >= MOST_RUNS:
            rule = Message("has {count} runs, which is the most of a hand-in", count=len(self.runs))
            raise InputError.of(self.lesson.title, rule, Message("continue with the last one"), f"step[{self.current}]")
        if faults := values_faults(self.step, values):
            raise InputError(self.lesson.title, [fault.at(f"step[{self.current}]") for fault in faults])
        return scene_of_run(self.scene, values)

    def add_run(self, values: Mapping[str, float], run: LessonRun) -> None:
        """Answer the current step, one of kind run, with a run of `run_scene(values)`."""
        assert self.step.kind == "run"
        self.runs.append(
            StepRun(self.current, {path: float(each) for path, each in values.items()}, self.step.until, run)
        )
        self._add(len(self.runs) - 1)

    def _add(self, value: Any) -> None:
        last = self.answers[-1].at + LATER if self.answers else 0.0
        self.answers.append(Answer(self.current, round(max(last, self.elapsed), 3), value))

    def as_json(self) -> dict[str, Any]:
        """All of it as JSON can hold it, for `restored`."""
        self._records.extend(record_of(run, has_curves=True) for run in self.runs[len(self._records) :])
        return {
            "title": self.lesson.title,
            "lesson": self.number,
            "name": self.name,
            "current": self.current,
            "elapsed": self.elapsed,
            "answers": [answer._asdict() for answer in self.answers],
            "runs": list(self._records),
        }

    @classmethod
    def restored(cls, scene: Scene, data: Mapping[str, Any], clock: Callable[[], float] = monotonic) -> Progress:
        """The progress whose `as_json` that was, with the same scene. Raises InputError where it does not fit."""
        try:
            made = cls(scene, data["lesson"], data["name"], clock)
            if made.lesson.title != data["title"]:
                raise ValueError
            made.answers = [Answer(**answer) for answer in data["answers"]]
            made.runs = [run_of_record(record, made.lesson, made.scene.solver.time_step) for record in data["runs"]]
            made.current, made._begun = int(data["current"]), clock() - float(data["elapsed"])
            made.lesson.step[made.current]
        except (KeyError, IndexError, TypeError, ValueError) as error:
            rule = Message("is of another lesson, or damaged")
            raise InputError.of("progress", rule, Message("begin the lesson again")) from error
        return made


def checked_name(name: str) -> str:
    """A name as hand-ins have it. Raises InputError for an empty one, or one that is too long or not printable."""
    plain, remedy = plain_name(name), Message("enter your name, or what your teacher calls you")
    if not plain or not plain.isprintable():
        raise InputError.of("name", Message("'{name}' is no name", name=plain), remedy)
    if len(plain) > LONGEST_NAME:
        rule = Message("has {count} characters, more than {most}", count=len(plain), most=LONGEST_NAME)
        raise InputError.of("name", rule, Message("shorten it"))
    return plain


def scene_of_run(scene: Scene, values: Mapping[str, float]) -> Scene:
    """The scene of a variant with the values [SI] of a run. Raises InputError where it refuses one."""
    return scene.with_values(dict(values)) if values else scene


def is_answered(evaluation: Evaluation, step: int) -> bool:
    """Whether a step is answered, and later than the steps that it uses."""
    at = evaluation.position(step)
    if at is None:
        return False
    used = (evaluation.position(each) for each in evaluation.used_by(step))
    return all(each is not None and each < at for each in used)


def is_locked(lesson: Lesson, answers: Sequence[Answer], step: int) -> bool:
    """Whether a step is a prediction after which a later run has begun."""
    later = any(answer.step > step and lesson.step[answer.step].kind == "run" for answer in answers)
    return lesson.step[step].kind == "predict" and later and any(answer.step == step for answer in answers)
