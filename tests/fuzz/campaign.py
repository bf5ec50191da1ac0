"""Cases in child processes: limits of time and memory, counts of outcomes, and the corpus.

A child reads one case after another and writes a line of JSON before and after each; it ends at the first hang, crash
or exhausted memory, and another one continues with the next case. A case follows from its number and the corpus. New
outcomes and faults are saved with their content.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import resource
import select
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from fuzz.case import ACCEPTED, CRASH, FAULTS, HANG, REFUSED, Case, Outcome, Target

CORPUS = Path(__file__).parent / "corpus"
FOUND = Path(__file__).parents[2] / ".fuzz" / "found"
PROGRESS = 60.0  # [s] between two lines about a long campaign
LARGEST_KEPT = 3000  # [bytes] of a new file of the corpus
LARGEST_CORPUS = 250_000  # [bytes] of the corpus of a reader
BATCH = 500  # cases of a child
QUIET = 20  # multiple of the processor time of a case after which a silent child counts as hanging


@dataclass
class Tally:
    """Outcomes of the cases of a campaign."""

    target: Target
    counts: Counter[str] = field(default_factory=Counter)  # by kind of outcome
    labels: Counter[Outcome] = field(default_factory=Counter)
    faults: list[tuple[Outcome, str]] = field(default_factory=list)  # with the path of the case
    new: int = 0  # outcomes that the corpus did not have
    memory: int = 0  # [bytes] the largest growth of a child
    seconds: float = 0.0

    @property
    def cases(self) -> int:
        """Number of cases that were read."""
        return sum(self.counts.values())

    def __str__(self) -> str:
        bad = ", ".join(f"{self.counts[kind]} {kind}" for kind in FAULTS)
        size = f" ({self.cases * self.target.unit} bytes)" if self.target.unit > 1 else ""
        return (
            f"{self.target.name}: {self.cases} cases{size} in {self.seconds:.0f} s "
            f"({self.cases / max(self.seconds, 1e-9):.1f}/s): "
            f"{self.counts[REFUSED]} refused, {self.counts[ACCEPTED]} accepted, {bad}; "
            f"{len(self.labels)} outcomes, {self.new} new; {self.memory / 2**20:.0f} MB at most"
        )


def corpus(target: Target) -> list[Case]:
    """The files of the corpus of a reader; those that end with .gz are unpacked."""
    paths = sorted((CORPUS / target.name).glob("*"))
    return [_opened(path.name, path.read_bytes()) for path in paths]


def _opened(name: str, content: bytes) -> Case:
    return Case(name.removesuffix(".gz"), gzip.decompress(content)) if name.endswith(".gz") else Case(name, content)


class Campaign:
    """A campaign of one reader."""

    def __init__(self, target: Target, grow: bool = False, found: Path = FOUND):
        """`grow` adds inputs with new outcomes to the corpus; faults are saved in `found`."""
        self.tally = Tally(target)
        self._target, self._grow, self._found = target, grow, found
        self._known = [*target.bases(), *corpus(target)]
        self._temporary = tempfile.TemporaryDirectory(prefix="polhode-fuzz-")
        self._folder = Path(self._temporary.name)
        for case in self._known[:1]:  # a whole input: what is imported and compiled for it serves all children
            target.outcome(self._written(case))

    def known(self) -> Tally:
        """Read the whole inputs and the corpus."""
        self._read(list(enumerate(self._known)), float("inf"))
        self.tally.new = 0
        return self.tally

    def run(self, first: int, count: int, seconds: float) -> Tally:
        """Read `count` cases from number `first` on, or as many as take `seconds`; tells every PROGRESS how many."""
        until, due = time.monotonic() + seconds, time.monotonic() + PROGRESS
        for start in range(first, first + count, BATCH):
            if time.monotonic() >= until:
                break
            known = tuple(self._known)
            numbers = range(start, min(start + BATCH, first + count))
            self._read(_Made(self._target, known, numbers), until)
            if time.monotonic() >= due:
                due += PROGRESS
                print(self.tally, file=sys.stderr, flush=True)
        return self.tally

    def _read(self, cases: Sequence[tuple[int, Case]], until: float) -> None:
        """Read cases in one child, or in several where some do not survive."""
        begun, at = time.monotonic(), 0
        while at < len(cases) and time.monotonic() < until:
            at += self._child(cases[at:], until)
        self.tally.seconds += time.monotonic() - begun

    def _child(self, cases: Sequence[tuple[int, Case]], until: float) -> int:
        """Read cases in a child; returns how many were begun."""
        reading, writing = os.pipe()
        process = os.fork()
        if process == 0:
            os.close(reading)
            _work(self._target, self._folder, cases, until, frozenset(self.tally.labels), writing)
        os.close(writing)
        begun, open_case, silent, used = 0, False, False, 0
        for line in _lines(reading, QUIET * self._target.seconds):
            if line is None:
                os.kill(process, signal.SIGKILL)
                silent = True
            elif "used" in line:
                used = line["used"]
            elif "case" in line:
                begun, open_case, self._name = begun + 1, True, line["case"]
            else:
                open_case = False
                self._count(Outcome(*line["outcome"]), line.get("content"))
        _, status, usage = os.wait4(process, 0)
        self.tally.memory = max(self.tally.memory, usage.ru_maxrss * 1024 - used)
        if open_case:
            ended = os.waitstatus_to_exitcode(status)
            kind = HANG if silent or -ended == signal.SIGPROF else CRASH
            content = (self._folder / self._name).read_bytes().hex()
            self._count(Outcome(kind, f"ended with {ended}"), content)
        elif status:
            raise RuntimeError(f"the child ended with {os.waitstatus_to_exitcode(status)} between two cases")
        return begun

    def _count(self, outcome: Outcome, content: str | None) -> None:
        """Count an outcome; save a fault, and add an input with a new outcome to the known ones."""
        self.tally.counts[outcome.kind] += 1
        self.tally.labels[outcome] += 1
        if content is None:
            return
        case = Case(self._name, bytes.fromhex(content))
        if outcome.kind in FAULTS:
            path = _saved(self._found / self._target.name, case)
            self.tally.faults.append((outcome, str(path)))
        elif case not in self._known:
            self.tally.new += 1
            self._known.append(case)
            if self._grow:
                _add_to_corpus(self._target, case)

    def _written(self, case: Case) -> Path:
        path = self._folder / case.name
        path.write_bytes(case.content)
        return path


@dataclass(frozen=True)
class _Made(Sequence[tuple[int, Case]]):
    """Cases by their numbers, made when they are asked for."""

    target: Target
    known: tuple[Case, ...]
    numbers: range

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        if isinstance(index, slice):
            return _Made(self.target, self.known, self.numbers[index])
        return self.numbers[index], self.target.case(self.numbers[index], self.known)


def _work(
    target: Target, folder: Path, cases: Iterable[tuple[int, Case]], until: float, seen: frozenset[Outcome], to: int
) -> None:
    """Body of a child: read the cases within the limits; SIGPROF ends the process where one takes too long."""
    size, used = _memory()
    limit = size + target.memory
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    labels = set(seen)
    _tell(to, {"used": used})
    try:
        for _, case in cases:
            path = folder / case.name
            path.write_bytes(case.content)
            _tell(to, {"case": case.name})
            signal.setitimer(signal.ITIMER_PROF, target.seconds)
            outcome = target.outcome(path)
            signal.setitimer(signal.ITIMER_PROF, 0)
            content = {} if outcome in labels else {"content": case.content.hex()}
            labels.add(outcome)
            path.unlink(missing_ok=True)
            _tell(to, {"outcome": outcome, **content})
            if time.monotonic() > until:
                break
        os._exit(0)
    except BaseException as error:  # noqa: BLE001  (a fault of the fuzzer itself)
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
        os._exit(3)


def _tell(to: int, line: dict[str, object]) -> None:
    """Write a line of JSON to the parent."""
    rest = memoryview(json.dumps(line).encode() + b"\n")
    while rest:
        rest = rest[os.write(to, rest) :]


def _lines(reading: int, quiet: float) -> Iterator[dict[str, Any] | None]:
    """The lines of a child; None after `quiet` [s] without one."""
    pending = b""
    with os.fdopen(reading, "rb", buffering=0) as stream:
        while data := _next(stream, quiet):
            if data == b"\0":
                yield None
                continue
            *lines, pending = (pending + data).split(b"\n")
            yield from map(json.loads, lines)


def _next(stream: IO[bytes], quiet: float) -> bytes:
    r"""Bytes of a child, or \0 if none come for a time; b"" at the end."""
    return stream.read(2**16) if select.select([stream], [], [], quiet)[0] else b"\0"


def _memory() -> tuple[int, int]:
    """Address space and memory in use [bytes] of this process."""
    size, used, *_ = Path("/proc/self/statm").read_text().split()
    return int(size) * resource.getpagesize(), int(used) * resource.getpagesize()


def _saved(folder: Path, case: Case) -> Path:
    """Save a case under a name made of its content."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (hashlib.sha256(case.content).hexdigest()[:12] + "".join(Path(case.name).suffixes))
    path.write_bytes(case.content)
    return path


def _add_to_corpus(target: Target, case: Case) -> None:
    """Save a small case in the corpus as long as that is small; compressed where this halves it."""
    packed = gzip.compress(case.content, mtime=0)
    if 2 * len(packed) < len(case.content) > LARGEST_KEPT:
        case = Case(f"{case.name}.gz", packed)
    folder = CORPUS / target.name
    size = sum(path.stat().st_size for path in folder.glob("*"))
    if len(case.content) <= LARGEST_KEPT and size + len(case.content) <= LARGEST_CORPUS:
        _saved(folder, case)
