"""Runs of lessons as messages between processes (core/polhode/process/messages.py)."""

from __future__ import annotations

from typing import Any

import numpy as np

from polhode.lessons.lesson_run import LessonRun
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


def refusal_of_message(head: dict[str, Any]) -> InputError:
    """The error that a server has answered with."""
    problems = [
        Problem(place, Message.restored(rule), Message.restored(remedy)) for place, rule, remedy in head["problems"]
    ]
    return InputError(head["source"], problems)
