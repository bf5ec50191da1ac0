"""Hand-ins: written and read again, damaged in any byte, hostile, and repeated."""

from __future__ import annotations

import hashlib
import json
import random
import zlib
from base64 import b64encode
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lesson_files import SCENE, body_of, faults, finished, handed_in
from meaning import Meaning

from polhode.lessons.hand_in import hand_in_of, hand_in_text, read_hand_in, signed
from polhode.lessons.records import LARGEST_ARRAYS
from polhode.lessons.repeat import Repeater
from polhode.lessons.variants import variant_of
from polhode.scene.problem import InputError
from tests.hostile.damaged_bytes import DAMAGES
from tests.hostile.hand_in_mutations import Path as KeyPath
from tests.hostile.hand_in_mutations import changes

REPEATER = Repeater()
BYTES, CHANGES = 100, 100


def refused(data: bytes) -> InputError:
    """Why bytes are no hand-in."""
    with pytest.raises(InputError) as error:
        hand_in_of(data, "ada.handin")
    return error.value


def test_a_hand_in_is_read_as_it_was_written(tmp_path: Path) -> None:
    made = finished("Ada")
    path = tmp_path / "ada.handin"
    path.write_bytes(hand_in_text(made))
    found = read_hand_in(path)
    assert (found.name, found.variant, found.title, found.lesson) == ("Ada", made.variant, "Swings", 0)
    assert list(found.answers) == made.answers
    for record, own in zip(found.runs, made.runs, strict=True):
        assert (record.step, record.values, record.until) == (own.step, own.values, own.until)
        assert (record.steps, record.stride) == (own.run.steps, own.run.stride)
        assert [step for step, _ in record.checkpoints] == [step for step, _ in own.run.checkpoints]
        assert all(
            np.array_equal(one, other)
            for (_, one), (_, other) in zip(record.checkpoints, own.run.checkpoints, strict=True)
        )
        assert record.arrays is not None
        assert record.arrays.layout == own.run.arrays.layout
        assert np.array_equal(record.arrays.numbers, own.run.arrays.numbers)


def test_a_hand_in_repeats() -> None:
    found = REPEATER.repeat(hand_in_of(handed_in("Ada"), "ada.handin"))
    assert found.problems == ()
    assert [curve.step for curve in found.curves] == [2, 6, 9]
    assert found.units == {"bob.u3.x": ""}


def test_an_anonymous_hand_in_has_no_name_and_repeats() -> None:
    data = hand_in_text(finished("Grace Hopper"), is_anonymous=True)
    assert b"Hopper" not in data
    assert hand_in_of(data, "x").name == ""
    assert REPEATER.repeat(hand_in_of(data, "x")).problems == ()


def test_a_hand_in_of_a_page_repeats_without_arrays() -> None:
    body = body_of(handed_in("Ada"))
    body["made_by"] = "page"
    for run in body["runs"]:
        run["arrays"] = None
    assert faults(signed(body), handed_in("Ada"), REPEATER) == []


def test_an_unfinished_lesson_lacks_answers() -> None:
    body = body_of(handed_in("Ada"))
    del body["answers"][-2:]
    found = faults(signed(body), handed_in("Ada"), REPEATER)
    assert len(found) == 2
    assert Meaning("answers", number=15, kind="measure").of(found[0])
    assert Meaning("answers", number=16, kind="check").of(found[1])


@pytest.mark.parametrize("number", range(BYTES))
def test_damage_of_bytes_is_found(number: int) -> None:
    data, chance = handed_in("Ada"), random.Random(number)
    damaged = DAMAGES[number % len(DAMAGES)](bytearray(data), chance)
    if damaged != data:
        assert refused(damaged).problems[0].place in ("line 1", "line 2")


def test_each_byte_of_the_first_line_counts() -> None:
    data = handed_in("Ada")
    for at in range(data.index(b"\n") + 1):
        damaged = bytearray(data)
        damaged[at] ^= 1
        assert refused(bytes(damaged)).problems[0].place in ("line 1", "line 2")


@pytest.mark.parametrize(
    ("data", "meaning"),
    [
        (b"", Meaning("line 1", "Polhode", "folder")),
        (b"\n\n", Meaning("line 1", "Polhode")),
        (b'{"a": 1}\n{}\n', Meaning("line 1", "Polhode")),
        (b"[" * 100_000, Meaning("line 1", "Polhode")),
        (b'{"polhode":"hand-in","format":2,"sha256":""}\n{}\n', Meaning("line 1", "version", made=2, known=1)),
        (b'{"polhode":"hand-in","format":1,"sha256":""}\n{}\n', Meaning("line 2", "damaged", "digest")),
    ],
)
def test_other_files_are_no_hand_ins(data: bytes, meaning: Meaning) -> None:
    assert meaning.of(refused(data))


def raw(line: bytes) -> bytes:
    """A file with a second line, and its digest."""
    head = {"polhode": "hand-in", "format": 1, "sha256": hashlib.sha256(line).hexdigest()}
    return json.dumps(head).encode() + b"\n" + line + b"\n"


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        (b"[" * 100_000 + b"]" * 100_000, Meaning("line 2", "JSON")),
        (b'{"version": NaN}', Meaning("line 2", "JSON", "NaN")),
        (b'{"version": "", "version": ""}', Meaning("line 2", "JSON", "key")),
        (b'{"lesson": ' + b"9" * 5000 + b"}", Meaning("line 2", "JSON")),
        (b"\xff\xfe", Meaning("line 2", "JSON")),
        (b"3", Meaning("", value="3")),
        (b"{}", Meaning("version", "required")),
    ],
)
def test_lines_that_are_no_contents_are_refused(line: bytes, meaning: Meaning) -> None:
    assert meaning.of(refused(raw(line)))


def changed(change: Any) -> bytes:
    body = body_of(handed_in("Ada"))
    change(body)
    return signed(body)


def test_a_name_of_a_file_that_leads_elsewhere_is_refused() -> None:
    for name in ("../a.stl", "/etc/a", "a/b", "C:a", "NUL", "a\nb"):
        data = changed(lambda body, name=name: body["scene"]["files"].update({name: "AAAA"}))
        assert Meaning("ada.handin", "folders").of(refused(data))


def test_arrays_that_expand_without_end_are_refused() -> None:
    bomb = b64encode(zlib.compress(bytes(LARGEST_ARRAYS + 8), 9)).decode()
    data = changed(lambda body: body["runs"][0]["arrays"].update(numbers=bomb))
    assert Meaning("runs[0].arrays", "damaged").of(refused(data))


@pytest.mark.parametrize("text", ["", "AAAA", "!", b64encode(np.array([np.nan]).tobytes()).decode()])
def test_a_state_that_is_none_is_refused_or_does_not_repeat(text: str) -> None:
    data = changed(lambda body: body["runs"][1]["checkpoints"][2].__setitem__(1, text))
    (problem,) = faults(data, handed_in("Ada"), REPEATER)
    assert problem.place in ("runs[1].checkpoints[2]", "runs[1].checkpoints")


@pytest.mark.parametrize(
    ("change", "meaning"),
    [
        (lambda body: body["runs"][0].update(until=2.0), Meaning("runs[0].until", until=2.0, own=2.6)),
        (lambda body: body["runs"][0].update(stride=2), Meaning("runs[0].stride", stride=2, own=1)),
        (lambda body: body["runs"][0].update(steps=9999), Meaning("runs[0].steps", steps=9999, count=650)),
        (lambda body: body["runs"][0].update(step=3), Meaning("runs[0].step", step=3)),
        (lambda body: body["runs"][0].update(arrays=None), Meaning("runs[0].arrays", "missing")),
        (lambda body: body.update(made_by="page"), Meaning("runs[0].arrays", "page")),
        (
            lambda body: body["runs"][0]["values"].update({"body[0].tilt[1]": 2.0}),
            Meaning("runs[0].values", path="body[0].tilt[1]", value=2.0, low=-1.0, high=1.0),
        ),
        (
            lambda body: body["runs"][0]["values"].update({"body[0].tilt[0]": 0.0}),
            Meaning("runs[0].values", "fields", path="body[0].tilt[0]"),
        ),
        (
            lambda body: body["runs"][0]["values"].update({"body[0].tilt[1]": 0.1001}),
            Meaning("runs[0].checkpoints[0]", "start"),
        ),
        (
            lambda body: body["runs"][0]["values"].update({"body[0].shape[0].density": 950.0}),
            Meaning("runs[0].Polhode/Compiled, 'model.bodies.mass'", number=0),
        ),
        (lambda body: body.update(variant=(body["variant"] + 1) % 16), Meaning("variant", own=variant_of("Ada"))),
        (lambda body: body.update(name="Ada "), Meaning("name", name="Ada ")),
        (lambda body: body.update(title="Other"), Meaning("title", title="Other", own="Swings")),
        (lambda body: body.update(version="0.0.1"), Meaning("version", made="0.0.1")),
        (lambda body: body["scene"].update(text=SCENE), Meaning("lesson", title="Swings")),
        (lambda body: body.update(lesson=1), Meaning("lesson", title="Swings")),
        (lambda body: body["answers"][3].update(value=1.0), Meaning("answers[3].value", key="value", value=1.0)),
        (
            lambda body: body["answers"][16]["value"].update(passed=False),
            Meaning("answers[16].value", key="passed", value=False, own=True),
        ),
        (lambda body: body["answers"][12].update(at=1.0), Meaning("answers[12].at", at=1.0, last=6.0)),
        (lambda body: body["answers"].pop(1), Meaning("answers[1].step", step=2, reached=1)),
        (
            lambda body: body["answers"].append({"step": 1, "at": 99.0, "value": 1117.0}),
            Meaning("answers[17]", "prediction", step=1),
        ),
        (
            lambda body: body["answers"].append({"step": 6, "at": 99.0, "value": 1}),
            Meaning("answers[17].value", run=1),
        ),
        (lambda body: body["runs"].append(body["runs"][0]), Meaning("runs", runs=4, count=3)),
        (lambda body: body["answers"][8].update(value=3), Meaning("answers[8].value", value=3, count=3)),
    ],
)
def test_contradictions_are_named_with_place_and_value(change: Any, meaning: Meaning) -> None:
    found = faults(changed(change), handed_in("Ada"), REPEATER)
    assert any(map(meaning.of, found)), [str(problem) for problem in found]


def free_of(body: dict[str, Any]) -> set[KeyPath]:
    """Parts that the runs do not determine: free text, own data, the name, and the time of the last answer."""
    free: set[KeyPath] = {("name",), ("answers", len(body["answers"]) - 1, "at")}
    for number, answer in enumerate(body["answers"]):
        value = answer["value"]
        if isinstance(value, str):
            free.add(("answers", number, "value"))
        if isinstance(value, dict) and "file" in value:
            free |= {("answers", number, "value", key) for key in ("times", "values", "file")}
            free |= {("answers", number, "value", key, at) for key in ("times", "values") for at in range(9)}
    return free


def unfound(start: int, stride: int) -> list[str]:
    """Changes of a hand-in, every `stride`-th of them, that no problem names."""
    data = handed_in("Ada")
    body = body_of(data)
    every = list(changes(body, free_of(body)))
    return [name for name, other in every[start::stride] if not faults(signed(other), data, REPEATER)]


def test_a_hundred_changes_with_a_valid_digest_are_found() -> None:
    body = body_of(handed_in("Ada"))
    stride = len(list(changes(body, free_of(body)))) // CHANGES
    assert unfound(0, stride) == []


@pytest.mark.nightly
def test_every_change_with_a_valid_digest_is_found() -> None:
    assert unfound(0, 1) == []
