"""Runs as hand-ins have them: JSON, with states and arrays as base64 of little-endian numbers."""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import Any

import numpy as np

from polhode.lessons.evaluation import StepRun
from polhode.lessons.lesson_columns import columns_of_lesson
from polhode.lessons.lesson_run import LessonRun, sample_steps
from polhode.recording.contents import CompiledArrays
from polhode.scene.display.lesson import Lesson

LARGEST_ARRAYS = 2**27  # [bytes] of all of one file
FLOAT, WHOLE = np.dtype("<f8"), np.dtype("<i8")


def record_of(made: StepRun, has_curves: bool = False) -> dict[str, Any]:
    """A run as JSON can hold it; with `has_curves` also its samples, which a hand-in leaves out."""
    run = made.run
    record: dict[str, Any] = {
        "step": made.step,
        "values": dict(made.values),
        "until": made.until,
        "stride": run.stride,
        "steps": run.steps,
        "checkpoints": [[step, _text(state.astype(FLOAT).tobytes())] for step, state in run.checkpoints],
        "arrays": {
            "layout": run.arrays.layout,
            "numbers": packed(run.arrays.numbers, FLOAT),
            "whole": packed(run.arrays.whole, WHOLE),
        },
    }
    if has_curves:
        record["curves"] = {name: packed(values, FLOAT) for name, values in run.columns.items()}
    return record


def run_of_record(record: Mapping[str, Any], lesson: Lesson, time_step: float) -> StepRun:
    """The run of a record with curves. Raises ValueError, KeyError or TypeError for others."""
    steps, stride = int(record["steps"]), int(record["stride"])
    times = sample_steps(steps, stride) * time_step
    budget = Budget()
    curves = {name: unpacked(record["curves"][name], FLOAT, budget) for name in columns_of_lesson(lesson)}
    if any(len(values) != len(times) for values in curves.values()):
        raise ValueError("curves")
    checkpoints = tuple((step, state_of(text)) for step, text in record["checkpoints"])
    run = LessonRun(times, curves, stride, steps, checkpoints, arrays_of_record(record["arrays"]))
    return StepRun(int(record["step"]), dict(record["values"]), float(record["until"]), run)


class Budget:
    """Bytes that may still be unpacked of one file."""

    def __init__(self, most: int = LARGEST_ARRAYS):
        self.left = most

    def take(self, size: int) -> None:
        """Spend some of it. Raises ValueError where there is less."""
        self.left -= size
        if self.left < 0:
            raise ValueError("is too large")


def arrays_of_record(arrays: Mapping[str, str], budget: Budget | None = None) -> CompiledArrays:
    """The arrays of a record. Raises ValueError for damaged ones."""
    budget = budget or Budget()
    numbers, whole = unpacked(arrays["numbers"], FLOAT, budget), unpacked(arrays["whole"], WHOLE, budget)
    return CompiledArrays(arrays["layout"], numbers, whole)


def packed(values: np.ndarray, kind: np.dtype[Any]) -> str:
    """Numbers as base64 of zlib."""
    return _text(zlib.compress(values.astype(kind).tobytes(), 9))


def unpacked(text: str, kind: np.dtype[Any], budget: Budget) -> np.ndarray:
    """The numbers (n,) that `packed` has made a text of. Raises ValueError, also for more than the budget has."""
    try:
        expander = zlib.decompressobj()
        data = expander.decompress(b64decode(text, validate=True), budget.left + 1)
    except zlib.error as error:
        raise ValueError("is damaged") from error
    budget.take(len(data))
    if not expander.eof or expander.unused_data:
        raise ValueError("is damaged")
    return np.frombuffer(data, kind).astype(kind.newbyteorder("="))


def decoded(text: str, budget: Budget) -> bytes:
    """The bytes of a text of base64. Raises ValueError."""
    data = b64decode(text, validate=True)
    budget.take(len(data))
    return data


def state_of(text: str, budget: Budget | None = None) -> np.ndarray:
    """(k,) the state of a checkpoint. Raises ValueError for a damaged one, and for numbers that are not finite."""
    state = np.frombuffer(decoded(text, budget or Budget()), FLOAT).astype(float)
    if not np.isfinite(state).all():
        raise ValueError("is not finite")
    return state


def _text(data: bytes) -> str:
    return b64encode(data).decode()
