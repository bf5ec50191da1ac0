"""Faults that strace injects into the system calls of a program: errors of the disk, and kills between two calls.

A kind of file is written twice. The first run is traced: its calls that concern the folder of the file are the places
of faults. In the second run one of these calls fails, or the process is killed before it.
"""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import imageio_ffmpeg
import pytest
from command_line import forked
from PIL import Image

from polhode.recording.recording import read_recording
from polhode.scene.problem import InputError

WRITES = "openat,write,pwrite64,fsync,close,rename,chmod,unlink,ftruncate,fallocate,mkdir,link,flock"
ERRORS = ("ENOSPC", "EIO", "EACCES")
KILL = "KILL"
FAULTS = (*ERRORS, KILL)
OLD = b"the old file\n"
ATTEMPTS = 4  # the number of a call may differ from one run to the next
PARTS = tuple(f".polhode-{number}.part" for number in range(8))  # names of unfinished files
CALL = re.compile(r"(\d+) +(\w+)\(")


@dataclass(frozen=True)
class Kind:
    """A kind of file and what writes it: a command, or the text of a Python program."""

    words: str  # of the command, with {out}, {folder} and {inputs}
    name: str  # of the file
    is_whole: Callable[[bytes, Path, bytes], bool]  # given the content, its path, and what a run without faults writes
    program: str = ""
    in_encoder: bool = False  # the faults are those of ffmpeg
    in_main: bool = False  # the faults are those of the first thread of the first process
    names: tuple[str, ...] | None = ()  # of other files that are written; None if they are unpredictable
    calls: str = WRITES
    old: bytes | None = OLD  # content of the file before
    says: bool = True  # a fault that changes what is written is reported


@dataclass(frozen=True)
class Call:
    """A system call that concerns the folder of a file."""

    name: str
    number: int  # among those of this name in its thread, from 1 on
    place: int  # among those of this name that concern the folder, from 0 on
    in_main: bool  # in the thread that the process began with


@dataclass(frozen=True)
class Outcome:
    """Result of a run with a fault."""

    status: int
    said: str
    content: bytes | None  # of the file
    others: tuple[str, ...]  # names of other files in its folder
    hits: tuple[str, ...]  # calls that were changed


def same(content: bytes, path: Path, expected: bytes) -> bool:
    return content == expected


def whole_rows(content: bytes, path: Path, expected: bytes) -> bool:
    """A heading and rows of the same length, each with its line end."""
    rows = [*csv.reader(StringIO(content.decode()))]
    return content.endswith(b"\n") and len({len(row) for row in rows}) == 1


def beginning(content: bytes, path: Path, expected: bytes) -> bool:
    """The first rows of a table, whole."""
    return whole_rows(content, path, expected) and expected.startswith(content)


def recording(content: bytes, path: Path, expected: bytes) -> bool:
    """A recording with one frame at least."""
    try:
        with closing(read_recording(path)) as run:
            return run.rows > 0 and len(run.state(run.rows - 1)) > 0
    except InputError:
        return False


def picture(content: bytes, path: Path, expected: bytes) -> bool:
    try:
        with Image.open(path) as opened:
            opened.load()
    except OSError:
        return False
    return True


def pictures(content: bytes, path: Path, expected: bytes) -> bool:
    """Pictures in a folder, all of them whole."""
    return all(picture(content, each, expected) for each in path.parent.glob("*.png"))


def film(content: bytes, path: Path, expected: bytes) -> bool:
    try:
        return len([*imageio_ffmpeg.read_frames(str(path))]) > 1  # the first one describes the film
    except (OSError, RuntimeError):
        return False


class Injector:
    """Runs what writes a kind of file, with or without a fault, each time in a new folder."""

    def __init__(self, kind: Kind, inputs: Path, folder: Path):
        self.kind, self._inputs, self._folder = kind, inputs, folder
        self._log, self._runs = folder / "log", 0
        self.expected, self._notes = b"", 0  # content of the file, and lines that are said, without a fault

    def calls(self) -> list[Call]:
        """The calls that concern the folder of the file, in their order."""
        outcome, out = self._run(f"trace={self.kind.calls}")
        assert outcome.status == 0, outcome.said
        assert outcome.content is not None
        self.expected, self._notes = outcome.content, outcome.said.count("\n")
        return [call for call in self._calls_of(out) if call.in_main or not self.kind.in_main]

    def _calls_of(self, out: Path) -> Iterator[Call]:
        numbers: Counter[tuple[str, str]] = Counter()
        places: Counter[str] = Counter()
        lines = self._log.read_text(errors="replace").splitlines()
        main = lines[0].split()[0] if lines else ""
        for found, line in ((CALL.match(line), line) for line in lines):
            if found is None:
                continue
            thread, name = found.groups()
            numbers[thread, name] += 1
            if str(out) in line:
                yield Call(name, numbers[thread, name], places[name], thread == main)
                places[name] += 1

    def with_fault(self, call: Call, fault: str) -> Outcome | None:
        """The outcome of a run in which a call fails; None where another one than a call for the file has failed."""
        effect = "signal=SIGKILL" if fault == KILL else f"error={fault}"
        number = call.number
        for _ in range(ATTEMPTS):
            outcome, out = self._run(f"inject={call.name}:{effect}:when={number}", f"trace={call.name}")
            if fault == KILL or (outcome.hits and all(str(out) in hit for hit in outcome.hits)):
                return outcome
            again = [each for each in self._calls_of(out) if each.place == call.place]
            number = again[0].number if again else number + 1
        return None

    def _run(self, *options: str) -> tuple[Outcome, Path]:
        self._runs += 1
        out, work = self._folder / f"out{self._runs}", self._folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        out.mkdir()
        work.mkdir()
        path = out / self.kind.name
        if self.kind.old is not None:
            path.write_bytes(self.kind.old)
        self._log.write_text("")
        words = self.kind.words.format(out=path, folder=out, inputs=self._inputs).split()
        program = self.kind.program.replace("FOLDER", repr(str(out)))
        tracer = ["-y", "-s", "8", "-o", str(self._log)]
        if self.kind.names is not None:  # other calls are not counted
            names = (self.kind.name, *self.kind.names, *PARTS)
            tracer += [word for name in names for word in ("-P", str(out / name))]
        tracer += [word for option in options for word in ("-e", option)]
        if self.kind.in_encoder:
            done = forked(words, work, program, POLHODE_PART="0", IMAGEIO_FFMPEG_EXE=str(self._encoder(tracer)))
        else:
            done = forked(words, work, program, (*tracer,))
        hits = tuple(line for line in self._log.read_text(errors="replace").splitlines() if "(INJECTED)" in line)
        others = tuple(sorted(each.name for each in out.iterdir() if each != path))
        content = path.read_bytes() if path.exists() else None
        outcome = Outcome(done.returncode, done.stderr, content, others, hits)
        self._whole = content is None or content == self.kind.old or self.kind.is_whole(content, path, self.expected)
        return outcome, out

    def _encoder(self, tracer: list[str]) -> Path:
        """A program that runs ffmpeg under strace."""
        path = self._folder / "encoder"
        path.write_text(f'#!/bin/sh\nexec strace -f {" ".join(tracer)} {imageio_ffmpeg.get_ffmpeg_exe()} "$@"\n')
        path.chmod(0o755)
        return path

    def fault_of(self, call: Call, fault: str) -> str:
        """Error found after a fault; "" if there is none, "missed" if the fault did not occur."""
        outcome = self.with_fault(call, fault)
        if outcome is None:
            return "missed"
        wrong = [*self._wrong(outcome, call, fault)]
        return f"{'; '.join(wrong)}: {outcome}" if wrong else ""

    def _wrong(self, outcome: Outcome, call: Call, fault: str) -> Iterator[str]:
        kind, lines = self.kind, outcome.said.strip().splitlines()
        if not self._whole:
            yield "the file is neither the old one nor the new one"
        if kind.old is not None and outcome.content is None:
            yield "the old file has gone"
        if "Traceback" in outcome.said:
            yield "there is a traceback"
        if fault == KILL:
            return
        if outcome.status not in (0, 2, 3):
            yield "the exit status is not a documented one"
        if kind.says and len(lines) != (1 if outcome.status else self._notes):
            yield "there is not one message"
        if outcome.status == 0 and kind.says and outcome.content in (None, kind.old):
            yield "nothing is written, and nothing is said"
        if call.name != "unlink" and any(name.endswith(".part") for name in outcome.others):
            yield "an unfinished file is left"


def has_strace() -> bool:
    """Whether strace is installed and may trace other processes."""
    if shutil.which("strace") is None:
        return False
    sleeper = subprocess.Popen(["sleep", "5"])
    tried = subprocess.run(["strace", "-f", "-e", "trace=none", "true"], capture_output=True, check=False)
    sleeper.kill()
    sleeper.wait()
    return tried.returncode == 0


NEEDS_STRACE = [
    pytest.mark.skipif(sys.platform != "linux", reason="strace is a program of Linux"),
    pytest.mark.skipif(
        not has_strace(), reason="strace is missing or may not trace; `sh .ci/packages tests` installs it"
    ),
]
