"""Runs of lessons, and repetitions of hand-ins, as messages between processes (core/polhode/process/messages.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from polhode.lessons.lesson_run import LessonRun
from polhode.lessons.repeat import Curve, Repetition
from polhode.recording.contents import CompiledArrays
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem


def run_message(run: LessonRun) -> tuple[dict[str, Any], list[bytes]]:
    """A run as a table that JSON can hold, and byte strings."""
    head = {
        "columns": list(run.columns),
        "stride": run.stride,
        "steps": run.steps,
        "checkpoints": [step for step, _ in run.checkpoints],
        "layout": run.arrays.layout,
        "stopped": None if run.stopped is None else run.stopped.serialized(),
    }
    states = [state.tobytes() for _, state in run.checkpoints]
    arrays = [run.times, *run.columns.values(), run.arrays.numbers, run.arrays.whole]
    return head, [*(np.ascontiguousarray(array).tobytes() for array in arrays), *states]


def run_of_message(head: dict[str, Any], blobs: list[bytes]) -> LessonRun:
    """The run whose `run_message` that is."""
    numbers = [np.frombuffer(blob) for blob in blobs]
    count = len(head["columns"])
    whole = np.frombuffer(blobs[count + 2], np.int64)
    return LessonRun(
        numbers[0],
        dict(zip(head["columns"], numbers[1 : count + 1], strict=True)),
        head["stride"],
        head["steps"],
        tuple(zip(head["checkpoints"], numbers[count + 3 :], strict=True)),
        CompiledArrays(head["layout"], numbers[count + 1], whole),
        None if head["stopped"] is None else Message.restored(head["stopped"]),
    )


def repetition_message(found: Repetition) -> tuple[dict[str, Any], list[bytes]]:
    """A repetition as a table that JSON can hold, and byte strings."""
    head = {
        "problems": serialized(found.problems),
        "curves": [[curve.step, curve.column, curve.unit] for curve in found.curves],
        "units": dict(found.units),
        "is_whole": found.is_whole,
    }
    arrays = [array for curve in found.curves for array in (curve.times, curve.values)]
    return head, [np.ascontiguousarray(array).tobytes() for array in arrays]


def repetition_of_message(head: dict[str, Any], blobs: list[bytes]) -> Repetition:
    """The repetition whose `repetition_message` that is."""
    arrays = [np.frombuffer(blob) for blob in blobs]
    pairs = zip(head["curves"], arrays[::2], arrays[1::2], strict=True)
    curves = tuple(Curve(step, column, unit, times, values) for (step, column, unit), times, values in pairs)
    return Repetition(restored(head["problems"]), curves, head["units"], head["is_whole"])


def serialized(problems: Sequence[Problem]) -> list[list[Any]]:
    """Problems as JSON can hold them."""
    return [[str(each.place), each.rule.serialized(), each.remedy.serialized()] for each in problems]


def restored(problems: Sequence[Sequence[Any]]) -> tuple[Problem, ...]:
    """The problems whose `serialized` that is."""
    return tuple(Problem(place, Message.restored(rule), Message.restored(remedy)) for place, rule, remedy in problems)


def refusal_of_message(head: dict[str, Any]) -> InputError:
    """The error that a server has answered with."""
    return InputError(head["source"], restored(head["problems"]))
