"""Fuzz targets: the corpus and some new cases of each reader end in a documented way (`make fuzz` reads more)."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue

if sys.platform != "linux":
    pytest.skip("the limits of the child processes are those of Linux", allow_module_level=True)
from fuzz import campaign
from fuzz.campaign import CORPUS, Campaign
from fuzz.case import ACCEPTED, CRASH, HANG, REFUSED, UNDOCUMENTED, Case, Target
from fuzz.readers import TARGETS

ROOT = Path(__file__).parents[2]


@pytest.mark.nightly
def test_the_corpus_and_new_cases_end_as_documented() -> None:
    command = [sys.executable, "-m", "tests.fuzz", "--quick", "--seed", "0"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.findall(r"^(\w+): \d+ cases .*0 undocumented, 0 hang, 0 crash", done.stdout, re.MULTILINE) == [*TARGETS]


def test_the_corpus_is_small() -> None:
    assert {path.name for path in CORPUS.iterdir()} <= set(TARGETS)
    assert sum(path.stat().st_size for path in CORPUS.rglob("*")) < 2 * 2**20


# The fuzzer itself


def read(path: Path, content: bytes) -> str:
    """A reader with every kind of fault, by the content of the file."""
    match content:
        case b"error":
            raise KeyError("x")
        case b"without remedy":
            raise InvalidValue(Message("is wrong"), Message(""))
        case b"hang":
            while True:
                pass
        case b"wait":
            time.sleep(60)
        case b"crash":
            os.kill(os.getpid(), signal.SIGKILL)
        case b"memory":
            bytearray(2**31)
        case b"refuse":
            raise InvalidValue(Message("is wrong"), Message("change it"))
    return "whole"


@pytest.mark.nightly
def test_every_kind_of_fault_is_counted_and_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign, "QUIET", 2)
    contents = [b"good", b"error", b"hang", b"refuse", b"crash", b"memory", b"without remedy", b"wait", b"refuse"]
    target = Target(
        "faulty",
        lambda: [Case(f"{k}.txt", each) for k, each in enumerate(contents)],
        None,
        read,
        goal=1,
        seconds=1,
        memory=2**30,
    )
    tally = Campaign(target, found=tmp_path).known()
    assert tally.counts == {ACCEPTED: 1, REFUSED: 2, UNDOCUMENTED: 3, HANG: 2, CRASH: 1}
    saved = {Path(path).read_bytes() for _, path in tally.faults}
    assert saved == {b"error", b"hang", b"crash", b"memory", b"without remedy", b"wait"}


def test_new_outcomes_are_kept_in_the_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign, "CORPUS", tmp_path)
    target = Target("small", lambda: [Case("a.txt", b"good")], lambda *_: Case("a.txt", b"refuse"), read, goal=1)
    for _ in range(2):
        growing = Campaign(target, grow=True)
        growing.known()
        tally = growing.run(0, 10, 60.0)
    assert tally.new == 0
    assert [path.read_bytes() for path in (tmp_path / "small").iterdir()] == [b"refuse"]
