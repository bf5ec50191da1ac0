"""Faults of a hand-in: answers out of order or missing, runs that the lesson does not have, wrong values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from polhode.lessons.answers import REMEDY, answer_fault, values_faults
from polhode.lessons.evaluation import Answer, Evaluation, StepRun
from polhode.lessons.hand_in import HandIn, RunRecord
from polhode.lessons.lesson_run import checkpoint_steps, steps_of
from polhode.lessons.progress import is_answered
from polhode.lessons.variants import plain_name, variant_of
from polhode.scene.display.lesson import Lesson
from polhode.scene.message import Message
from polhode.scene.problem import Problem

ROUNDING = 1e-9  # difference of a number to the repeated one, as a part of its size
ASK = Message("ask the student about it")


def damage(hand_in: HandIn, lesson: Lesson, time_step: float) -> list[Problem]:
    """Problems of a hand-in for which its runs can't be repeated; `time_step` [s] is that of its scene."""
    found = list(_forms(hand_in.answers, lesson))
    for number, record in enumerate(hand_in.runs):
        found += [problem.at(f"runs[{number}]") for problem in _of_run(hand_in, record, lesson, time_step)]
    return found


def contradictions(hand_in: HandIn, lesson: Lesson) -> list[Problem]:
    """Problems of a hand-in without `damage` that can be found without its runs."""
    answers = hand_in.answers
    return [
        *_about(hand_in, lesson),
        *_order(answers, lesson),
        *_runs_of_answers(hand_in, lesson),
        *_missing(hand_in, lesson),
    ]


def _about(hand_in: HandIn, lesson: Lesson) -> Iterator[Problem]:
    """Problems of title, name and variant."""
    if hand_in.title != lesson.title:
        rule = Message("is '{title}', and the lesson is '{own}'", title=hand_in.title, own=lesson.title)
        yield Problem("title", rule, REMEDY)
    if hand_in.name and plain_name(hand_in.name) != hand_in.name:
        rule = Message("is '{name}', which has spaces or characters that no hand-in has", name=hand_in.name)
        yield Problem("name", rule, REMEDY)
    elif hand_in.name and variant_of(hand_in.name) != hand_in.variant:
        own = variant_of(hand_in.name)
        rule = Message("is {variant}, and the name has variant {own}", variant=hand_in.variant, own=own)
        yield Problem("variant", rule, Message("ask whose numbers these are"))


def _forms(answers: Sequence[Answer], lesson: Lesson) -> Iterator[Problem]:
    """Problems of answers to no step, or of another form than their step has."""
    for number, answer in enumerate(answers):
        if answer.step >= len(lesson.step):
            rule = Message("is {step}, and the lesson has {count} steps", step=answer.step, count=len(lesson.step))
            yield Problem(f"answers[{number}].step", rule, REMEDY)
        elif (fault := answer_fault(lesson.step[answer.step], answer.value)) is not None:
            yield fault.at(f"answers[{number}].value")


def _order(answers: Sequence[Answer], lesson: Lesson) -> Iterator[Problem]:
    """Problems of the order of answers."""
    reached, last, run, answered = 0, -1.0, -1, set[int]()
    for number, answer in enumerate(answers):
        place = f"answers[{number}]"
        if answer.at <= last:
            rule = Message("is {at:g} s, and the answer before it has {last:g} s", at=answer.at, last=last)
            yield Problem(f"{place}.at", rule, REMEDY)
        if answer.step > reached:
            rule = Message("is {step}, and step[{reached}] has no answer before it", step=answer.step, reached=reached)
            yield Problem(f"{place}.step", rule, ASK)
        kind = lesson.step[answer.step].kind
        if kind == "predict" and answer.step in answered and run > answer.step:
            rule = Message("changes the prediction of step[{step}] after a run", step=answer.step)
            yield Problem(place, rule, ASK)
        reached, last = max(reached, answer.step + 1), max(last, answer.at)
        answered.add(answer.step)
        run = max(run, answer.step) if kind == "run" else run


def _runs_of_answers(hand_in: HandIn, lesson: Lesson) -> Iterator[Problem]:
    """Problems of answers whose runs are not those that the file has, one after the other."""
    count = 0
    for number, answer in enumerate(hand_in.answers):
        if lesson.step[answer.step].kind != "run":
            continue
        if answer.value != count or count >= len(hand_in.runs) or hand_in.runs[count].step != answer.step:
            rule = Message("is run {run}, which is not that of the answer", run=answer.value)
            yield Problem(f"answers[{number}].value", rule, REMEDY)
        count += 1
    if count < len(hand_in.runs):
        rule = Message("has {runs} runs, and {count} answers are runs", runs=len(hand_in.runs), count=count)
        yield Problem("runs", rule, REMEDY)


def _missing(hand_in: HandIn, lesson: Lesson) -> Iterator[Problem]:
    """Problems of steps without an answer, and of answers before those that they use."""
    evaluation = Evaluation(lesson, hand_in.answers, ())
    for number, step in enumerate(lesson.step):
        if evaluation.position(number) is None:
            rule = Message("has no answer to step[{number}] ({kind})", number=number, kind=step.kind)
            yield Problem("answers", rule, Message("ask the student to finish the lesson"))
        elif not is_answered(evaluation, number):
            rule = Message(
                "has an answer to step[{number}] ({kind}) before that of a step that it uses",
                number=number,
                kind=step.kind,
            )
            yield Problem("answers", rule, Message("ask the student to finish the lesson"))


def _of_run(hand_in: HandIn, record: RunRecord, lesson: Lesson, time_step: float) -> Iterator[Problem]:
    """Problems of the record of a run."""
    if record.step >= len(lesson.step) or lesson.step[record.step].kind != "run":
        yield Problem("step", Message("is {step}, which is no run of the lesson", step=record.step), REMEDY)
        return
    step = lesson.step[record.step]
    yield from values_faults(step, record.values)
    if record.until != step.until:
        rule = Message("is {until:g} s, and the step has {own:g} s", until=record.until, own=step.until)
        yield Problem("until", rule, REMEDY)
        return
    count, stride = steps_of(step.until, time_step)
    known = checkpoint_steps(count, stride)
    due = [each for each in known if each < record.steps] + [record.steps]
    if record.stride != stride:
        rule = Message("is {stride}, and a run of this step has {own}", stride=record.stride, own=stride)
        yield Problem("stride", rule, REMEDY)
    if record.steps > count:
        rule = Message("is {steps}, and a run of this step has {count}", steps=record.steps, count=count)
        yield Problem("steps", rule, REMEDY)
    if [at for at, _ in record.checkpoints] != due:
        rule = Message("are not at the steps at which a run of this step has them")
        yield Problem("checkpoints", rule, REMEDY)
    if (record.arrays is None) != (hand_in.made_by == "page"):
        rule = Message("are missing") if record.arrays is None else Message("are there, and a page has none")
        yield Problem("arrays", rule, REMEDY)


def wrong_values(hand_in: HandIn, lesson: Lesson, runs: Sequence[StepRun]) -> Iterator[Problem]:
    """Problems of answers that contradict the repeated runs."""
    for number, answer in enumerate(hand_in.answers):
        step = lesson.step[answer.step]
        evaluation, value = Evaluation(lesson, hand_in.answers[:number], runs), answer.value
        if step.kind == "measure":
            given = {"value": value["value"] if step.own_data else value}
            made: Mapping[str, Any] = {
                "value": evaluation.measurement(answer.step, value if step.own_data else None),
            }
        elif step.kind == "compare":
            given, made = value, evaluation.comparison(answer.step)
        elif step.kind == "check":
            given, made = value, evaluation.check(answer.step, value["number"])
        else:
            continue
        for key, own in made.items():
            if not _agree(given[key], own, _scale(made) if key == "difference" else 0.0):
                shown, found = ("none" if each is None else each for each in (given[key], own))
                rule = Message("'{key}' is {value}, and the run has {own}", key=key, value=shown, own=found)
                yield Problem(f"answers[{number}].value", rule, ASK)


def _scale(made: Mapping[str, Any]) -> float:
    """The larger one of the two values [SI] whose difference an answer has, as far as it has them."""
    measured, difference = made["measured"], made["difference"]
    if measured is None or difference is None:
        return 0.0
    return max(abs(measured), abs(measured + difference))


def _agree(one: Any, other: Any, scale: float) -> bool:
    """Whether two values of an answer are equal but for rounding, of numbers as large as they are, or `scale`."""
    if one is None or other is None or isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return abs(one - other) <= ROUNDING * max(abs(one), abs(other), scale)
