"""Hand-ins: answers and runs of a lesson in one file, NAME.handin, of two lines of JSON.

    {"polhode":"hand-in","format":1,"sha256":"<of the second line without its line break>"}
    {"version": ..., "made_by": "window" or "page", "scene": {"text": TOML, "files": {name: base64}}, "lesson": index,
     "title": ..., "name": ..., "variant": 0 ... 15, "answers": [{"step", "at", "value"}, ...], "runs": [record, ...]}

Values are in core/polhode/lessons/answers.py, records of runs in core/polhode/lessons/records.py. A file may come from
anyone: sizes are limited, types and numbers are checked, and nothing in it is executed.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, TypeAdapter

from polhode.jit.storage.sources import own_version
from polhode.lessons.answers import MOST_RUNS, REMEDY, Count, Form, Number, fault_of
from polhode.lessons.evaluation import Answer
from polhode.lessons.progress import Progress
from polhode.lessons.records import Budget, arrays_of_record, decoded, record_of, state_of
from polhode.lessons.variants import LONGEST_NAME, VARIANTS
from polhode.recording.contents import LARGEST_FILES, LARGEST_SCENE, CompiledArrays
from polhode.recording.scene_bundle import bundle_scene
from polhode.recording.unpacking import check_names
from polhode.scene.checks.arguments import checked
from polhode.scene.display.lesson import MOST_FIELDS, MOST_STEPS
from polhode.scene.files.file_io import all_bytes
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem, reason_of
from polhode.scene.scene import Scene
from polhode.scene.scene_writing import scene_text

ENDING = ".handin"
KIND, FORMAT = "hand-in", 1
LARGEST = 2**26  # [bytes] of a file
MOST_ANSWERS = 10_000
MOST_CHECKPOINTS = 12  # of a run
Text = Annotated[str, Field(max_length=LARGEST)]


@dataclass(frozen=True, eq=False)
class RunRecord:
    """A run as a hand-in has it; it is repeated from its first state."""

    step: int
    values: dict[str, float]
    """In SI, by the paths of the fields that were changed."""
    until: float
    """[s]"""
    stride: int
    steps: int
    checkpoints: tuple[tuple[int, np.ndarray], ...]
    arrays: CompiledArrays | None
    """None for a run in a live page."""


@dataclass(frozen=True, eq=False)
class HandIn:
    """A hand-in; whether it fits its scene and repeats is for `Repeater`."""

    source: str
    """Name of the file."""
    version: str
    """Of the program that has written it."""
    made_by: str
    text: str
    """The scene as TOML."""
    files: dict[str, bytes]
    """Contents of the scene's files, by their plain names."""
    lesson: int
    """Index of the lesson in the scene."""
    title: str
    """Of the lesson."""
    name: str
    """Of the student; "" in an anonymous one."""
    variant: int
    answers: tuple[Answer, ...]
    runs: tuple[RunRecord, ...]


class AnswerForm(Form):
    step: Annotated[int, Field(ge=0, lt=MOST_STEPS)]
    at: Annotated[Number, Field(ge=0.0)]
    value: Any


class ArraysForm(Form):
    layout: Text
    numbers: Text
    whole: Text


class RecordForm(Form):
    step: Annotated[int, Field(ge=0, lt=MOST_STEPS)]
    values: Annotated[dict[str, Number], Field(max_length=MOST_FIELDS)]
    until: Annotated[Number, Field(gt=0.0)]
    stride: Annotated[int, Field(ge=1, lt=2**53)]
    steps: Count
    checkpoints: Annotated[
        list[Annotated[list[Count | Text], Field(min_length=2, max_length=2)]],
        Field(min_length=1, max_length=MOST_CHECKPOINTS),
    ]
    arrays: ArraysForm | None


class SceneForm(Form):
    text: Annotated[str, Field(max_length=LARGEST_SCENE)]
    files: Annotated[dict[str, Text], Field(max_length=LARGEST_FILES)]


class HandInForm(Form):
    version: Annotated[str, Field(max_length=100)]
    made_by: Literal["window", "page"]
    scene: SceneForm
    lesson: Count
    title: Annotated[str, Field(max_length=200)]
    name: Annotated[str, Field(max_length=LONGEST_NAME)]
    variant: Annotated[int, Field(ge=0, lt=VARIANTS)]
    answers: Annotated[list[AnswerForm], Field(max_length=MOST_ANSWERS)]
    runs: Annotated[list[RecordForm], Field(max_length=MOST_RUNS)]


FORM = TypeAdapter(HandInForm)


def hand_in_text(progress: Progress, is_anonymous: bool = False) -> bytes:
    """The hand-in of a lesson as it is answered so far. Raises InputError where a file of the scene can't be read.

    is_anonymous: leaves the name out; its variant stays
    """
    body = {
        "version": own_version(),
        "made_by": "window",
        "scene": scene_in_hand_in(progress.given),
        "lesson": progress.number,
        "title": progress.lesson.title,
        "name": "" if is_anonymous else progress.name,
        "variant": progress.variant,
        "answers": [answer._asdict() for answer in progress.answers],
        "runs": [record_of(run) for run in progress.runs],
    }
    return signed(body)


def scene_in_hand_in(scene: Scene) -> dict[str, Any]:
    """A scene with its files as a hand-in has it. Raises InputError where a file can't be read."""
    bundle = bundle_scene(scene)
    files = {name: b64encode(data).decode() for name, data in bundle.files.items()}
    return {"text": scene_text(bundle.scene), "files": files}


def signed(body: dict[str, Any]) -> bytes:
    """A hand-in of these contents, with their digest."""
    line = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    head = {"polhode": KIND, "format": FORMAT, "sha256": hashlib.sha256(line).hexdigest()}
    return json.dumps(head, separators=(",", ":")).encode() + b"\n" + line + b"\n"


@checked
def read_hand_in(path: Path | str) -> HandIn:
    """The hand-in of a file. Raises InputError with place, rule, value and remedy where it is none, or damaged.

        from polhode import read_hand_in

        found = read_hand_in("ada.handin")
        print(found.name, found.title, [answer.value for answer in found.answers])

    Its runs are not repeated; `collect` does that for the hand-ins of a folder.
    """
    return hand_in_of(content_of(Path(path)), str(path))


def content_of(path: Path) -> bytes:
    """All bytes of the file of a hand-in. Raises InputError where it can't be read, or is larger than LARGEST."""
    try:
        return all_bytes(path, LARGEST)
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else Message("no file can have this name")
        rule = Message("can't be read: {reason}", reason=reason)
        raise InputError.of(str(path), rule, Message("ask for another copy of it")) from error


def hand_in_of(data: bytes, source: str) -> HandIn:
    """The hand-in that the contents of a file are; `source` names it. Raises InputError as `read_hand_in`."""
    head, _, rest = data.partition(b"\n")
    _check_head(head, rest, source)
    body = _json_of(rest[:-1], source, "line 2")
    if (fault := fault_of(FORM, body)) is not None:
        raise InputError(source, [fault])
    files, budget = {}, Budget()
    check_names(body["scene"]["files"], source)
    for name, text in body["scene"]["files"].items():
        files[name] = _taken(source, f"scene.files['{name}']", lambda text=text: decoded(text, budget))
    runs = []
    for number, record in enumerate(body["runs"]):
        place, arrays = f"runs[{number}]", record["arrays"]
        compiled = arrays and _taken(source, f"{place}.arrays", lambda of=arrays: arrays_of_record(of, budget))
        points = tuple(
            (_step_of(source, f"{place}.checkpoints[{at}]", step, text), _state(source, place, at, text, budget))
            for at, (step, text) in enumerate(record["checkpoints"])
        )
        values = {path: float(value) for path, value in record["values"].items()}
        made = float(record["until"]), record["stride"], record["steps"]
        runs.append(RunRecord(record["step"], values, *made, points, compiled))
    return HandIn(
        source=source,
        text=body["scene"]["text"],
        files=files,
        answers=tuple(Answer(**answer) for answer in body["answers"]),
        runs=tuple(runs),
        **{key: body[key] for key in ("version", "made_by", "lesson", "title", "name", "variant")},
    )


def _check_head(head: bytes, rest: bytes, source: str) -> None:
    """Raise InputError where the first line is not that of a hand-in of this format, with the digest of the second."""
    try:
        found = _json_of(head[:1000], source, "line 1")
        is_hand_in = isinstance(found, dict) and found.get("polhode") == KIND
    except InputError:
        is_hand_in = False
    if not is_hand_in:
        raise InputError.of(source, Message("is no hand-in of Polhode"), Message("remove it from the folder"), "line 1")
    if found.get("format") != FORMAT:
        rule = Message("is of format {made}, and this program knows {known}", made=found.get("format"), known=FORMAT)
        raise InputError.of(source, rule, Message("use the version that has written it"), "line 1")
    line = rest[:-1]
    whole = {"polhode": KIND, "format": FORMAT, "sha256": hashlib.sha256(line).hexdigest()}
    texts = (json.dumps(whole, separators=(",", ":")).encode(), json.dumps(whole).encode())
    if head not in texts or rest[-1:] != b"\n" or b"\n" in line:
        rule = Message("is damaged: its digest is not that of its contents")
        raise InputError.of(source, rule, Message("ask for another copy of it"), "line 2")


def _json_of(line: bytes, source: str, place: str) -> Any:
    """The contents of a line of JSON. Raises InputError for numbers that are not finite, and for repeated keys."""

    def table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise ValueError("a key is repeated")
        return found

    def refuse(name: str) -> None:
        raise ValueError(f"{name} is no number")

    try:
        return json.loads(line.decode(), object_pairs_hook=table, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        rule = Message("is no JSON: {reason}", reason=" ".join(str(error).split()))
        raise InputError.of(source, rule, REMEDY, place) from error


def _taken(source: str, place: str, take: Any) -> Any:
    """The result of `take`. Raises InputError, with a place, for its ValueError."""
    try:
        return take()
    except ValueError:
        raise InputError(source, [Problem(place, Message("is damaged"), REMEDY)]) from None


def _state(source: str, place: str, at: int, text: Any, budget: Budget) -> np.ndarray:
    """(k,) the state of a checkpoint. Raises InputError."""
    state: np.ndarray = _taken(source, f"{place}.checkpoints[{at}]", lambda: state_of(text, budget))
    return state


def _step_of(source: str, place: str, step: Any, text: Any) -> int:
    """The step of a checkpoint. Raises InputError where it is none."""
    if not isinstance(step, int) or not isinstance(text, str):
        raise InputError(source, [Problem(place, Message("is no step with a state"), REMEDY)])
    return step
