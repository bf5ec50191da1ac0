"""The parts of `make nightly`: each is run, and kept once it has ended green.

    python -m tests.nightly                   the parts that have not ended green at this state of the sources
    python -m tests.nightly physics desktop   these, in any case
    python -m tests.nightly --minutes 5       minutes of fuzz

Output and results lie in build/nightly, in a folder for each state: the commit, and a digest of uncommitted changes.
Exit status 1 if a part failed, 2 if there is none of that name.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIMIT = 90.0  # [min] of all parts on two cores
FUZZ = (20.0, 30.0)  # [min] shortest and longest
LAST_LINES = 12  # of the output of a part that failed

PYTHON = (sys.executable, "-m")
# Some tests take longer than the time after which pytest prints their stacks, which may end the process.
QUIET = ("-o", "faulthandler_timeout=0")
PYTEST = (*PYTHON, "pytest", "-n", "2", "--dist", "worksteal", "--durations", "20", *QUIET, "-m", "nightly")
FAULTS, SITE, INSTALLERS = (f"tests/program/{name}" for name in ("faults", "documentation", "test_installers.py"))
PARTS: dict[str, tuple[str, ...]] = {
    "kernels": (*PYTHON, "polhode.compilation.compile_units", "--all"),
    "physics": (*PYTEST, "tests/physics"),
    "program": (*PYTEST, "tests/program", *(f"--ignore={left}" for left in (FAULTS, SITE, INSTALLERS))),
    "faults": (*PYTEST, FAULTS),
    "desktop": (*PYTEST, "tests/desktop"),
    "site": (*PYTEST, SITE),
    "installers": (*PYTEST, INSTALLERS),
    "large": (sys.executable, "benchmarks/guard.py", "--large"),
    "fuzz": (*PYTHON, "tests.fuzz", "--grow", "--minutes", "{minutes:g}"),
}


@dataclass(frozen=True)
class Result:
    """How a part ended, how long it took, and the processor time of it and its children."""

    part: str
    result: str  # "green", "kept" or "FAILED"
    minutes: float
    processor: float  # [min]

    def __str__(self) -> str:
        return f"{self.part:12} {self.result:8} {self.minutes:8.1f} {self.processor:10.1f}"


def main(words: Sequence[str], parts: dict[str, tuple[str, ...]] = PARTS, root: Path = ROOT) -> int:
    """Run parts, and print a table of the results."""
    options = _options(words, parts)
    folder = root / "build/nightly" / state(root)
    folder.mkdir(parents=True, exist_ok=True)
    kept = [] if options.part else [ended for part in parts if (ended := _kept(folder, part)) is not None]
    if kept:
        print(f"Kept, for they ended green at this state: {', '.join(ended.part for ended in kept)}", flush=True)
    missing = [part for part in options.part or parts if part not in {ended.part for ended in kept}]
    results = kept
    asked: list[int] = []  # signals of Ctrl-C, which the terminal sends to the part that runs, too
    before = signal.signal(signal.SIGINT, lambda number, _: asked.append(number))
    for part in missing:
        minutes = fuzz_minutes(options.minutes, results)
        ended = _run(part, [word.format(minutes=minutes) for word in parts[part]], folder)
        if asked:
            break
        results.append(ended)
        if ended.result == "green" and state(root) == folder.name:
            _note(folder, ended)
    signal.signal(signal.SIGINT, before)
    _print_table(results)
    if asked:
        print("Interrupted; `make nightly` continues.")
        return 130
    return int(any(ended.result == "FAILED" for ended in results))


def state(root: Path) -> str:
    """Name of the state of the sources: the commit, and a digest of all changes since. New cases of fuzz are none."""
    where = ("--", ".", ":!tests/fuzz/corpus")
    changes = _git(root, "diff", "--binary", "HEAD", *where)
    for name in _git(root, "ls-files", "-z", "--others", "--exclude-standard", *where).split(b"\0")[:-1]:
        file = root / os.fsdecode(name)
        changes += name + b"\0" + hashlib.sha256(file.read_bytes()).digest()
    commit = _git(root, "rev-parse", "--short=12", "HEAD").decode().strip()
    return f"{commit}-{hashlib.sha256(changes).hexdigest()[:12]}" if changes else commit


def _git(root: Path, *words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=root, stdout=subprocess.PIPE, check=True).stdout


def _options(words: Sequence[str], parts: Iterable[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.nightly", description="Run what is too slow by day.")
    parser.add_argument("part", nargs="*", help=", ".join(parts))
    parser.add_argument("--minutes", type=float, help="of fuzz; by default what the other parts leave")
    options = parser.parse_args(words)
    if unknown := [part for part in options.part if part not in parts]:
        parser.error(f"no part {unknown[0]!r}; parts: {' '.join(parts)}")
    return options


def fuzz_minutes(given: float | None, results: Iterable[Result]) -> float:
    """Minutes of fuzz: those given, or what the parts that ran have left."""
    used = sum(ended.minutes for ended in results if ended.result != "kept")
    return given or min(max(LIMIT - used, FUZZ[0]), FUZZ[1])


def _run(part: str, command: Sequence[str], folder: Path) -> Result:
    """Run the command of a part; its output goes to a file."""
    log = folder / f"{part}.log"
    print(f"{part}: output in {log}", flush=True)
    start, before = time.monotonic(), _processor()
    with log.open("wb") as file:
        status = subprocess.call(command, cwd=folder.parents[2], stdout=file, stderr=subprocess.STDOUT)
    if status != 0:
        print(*log.read_text("utf-8", "replace").splitlines()[-LAST_LINES:], sep="\n", flush=True)
    minutes = (time.monotonic() - start) / 60.0
    return Result(part, "FAILED" if status else "green", minutes, _processor() - before)


def _processor() -> float:
    """Processor time [min] of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) / 60.0


def _kept(folder: Path, part: str) -> Result | None:
    """The noted result of a part that ended green."""
    note = folder / f"{part}.green"
    if not note.exists():
        return None
    minutes, processor = map(float, note.read_text("utf-8").split())
    return Result(part, "kept", minutes, processor)


def _note(folder: Path, ended: Result) -> None:
    (folder / f"{ended.part}.green").write_text(f"{ended.minutes:.2f} {ended.processor:.2f}\n", "utf-8")


def _print_table(results: Iterable[Result]) -> None:
    print(f"\n{'part':12} {'result':8} {'minutes':>8} {'processor':>10}")
    print(*results, sep="\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
