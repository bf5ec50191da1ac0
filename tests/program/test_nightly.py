"""The runner of `make nightly`, with small parts in a repository of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from import_path import ROOT

if sys.platform == "win32":
    pytest.skip("make and its parts are those of Unix", allow_module_level=True)
from nightly import PARTS, Result, fuzz_minutes, main, state

GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")


def sh(line: str) -> tuple[str, ...]:
    return ("sh", "-c", line)


SMALL = {
    "first": sh("echo first >> build/ran"),
    "middle": sh("echo middle >> build/ran; echo out of cheese; test -e build/cheese"),
    "last": sh("echo last >> build/ran"),
}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / ".gitignore").write_text("build/\n")
    (tmp_path / "source.py").write_text("one\n")
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def git(root: Path, *words: str) -> None:
    subprocess.run([*GIT, *words], cwd=root, check=True)


def commit(root: Path) -> None:
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "x")


def ran(root: Path) -> list[str]:
    """Parts that ran since the last call."""
    file = root / "build/ran"
    names = file.read_text().split() if file.exists() else []
    file.unlink(missing_ok=True)
    return names


def results(table: str) -> dict[str, str]:
    """Result of each part by the table at the end."""
    rows = re.findall(r"^(\w+) +(green|kept|FAILED) +[0-9.]+ +[0-9.]+$", table, re.MULTILINE)
    assert rows
    return dict(rows)


def test_a_failed_part_stops_no_other_and_is_the_only_one_that_runs_again(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([], SMALL, repository) == 1
    said = capsys.readouterr().out
    assert results(said) == {"first": "green", "middle": "FAILED", "last": "green"}
    assert "out of cheese" in said
    assert (repository / "build/nightly" / state(repository) / "middle.log").read_text() == "out of cheese\n"
    assert ran(repository) == ["first", "middle", "last"]

    (repository / "build/cheese").touch()
    assert main([], SMALL, repository) == 0
    said = capsys.readouterr().out
    assert results(said) == {"first": "kept", "middle": "green", "last": "kept"}
    assert re.search("^Kept.*: first, last$", said, re.MULTILINE)
    assert ran(repository) == ["middle"]

    assert main([], SMALL, repository) == 0
    assert set(results(capsys.readouterr().out).values()) == {"kept"}
    assert ran(repository) == []


def test_parts_run_by_name_even_those_that_are_green(repository: Path) -> None:
    assert main(["last", "first"], SMALL, repository) == 0
    assert main(["last"], SMALL, repository) == 0
    assert ran(repository) == ["last", "first", "last"]
    assert main([], SMALL, repository) == 1
    assert ran(repository) == ["middle"]


def test_a_wrong_name_lists_the_parts(capfd: pytest.CaptureFixture[str]) -> None:
    done = subprocess.run([sys.executable, "-m", "tests.nightly", "physics", "chemistry"], cwd=ROOT, check=False)
    assert done.returncode == 2
    said = capfd.readouterr().err
    assert "chemistry" in said
    assert " ".join(PARTS) in said


def test_a_state_follows_all_sources_but_new_cases_of_fuzz(repository: Path) -> None:
    states = [state(repository)]
    (repository / "source.py").write_text("two\n")
    states.append(state(repository))
    (repository / "new.py").write_text("one\n")
    states.append(state(repository))
    (repository / "new.py").write_text("two\n")
    states.append(state(repository))
    commit(repository)
    states.append(state(repository))
    assert len(set(states)) == len(states)
    (repository / "tests/fuzz/corpus/mesh").mkdir(parents=True)
    (repository / "tests/fuzz/corpus/mesh/0123.stl").write_text("solid\n")
    assert state(repository) == states[-1]
    git(repository, "reset", "--quiet", "--hard", "HEAD~1")
    assert state(repository) == states[0]


def test_a_part_during_which_the_sources_change_is_not_kept(repository: Path) -> None:
    parts = {"editing": sh("date >> source.py"), "first": SMALL["first"]}
    assert main([], parts, repository) == 0
    git(repository, "checkout", "--quiet", "source.py")
    assert main([], {"first": SMALL["first"]}, repository) == 0
    assert ran(repository) == ["first", "first"]


def test_an_interrupted_night_continues_with_the_part_that_was_interrupted(repository: Path) -> None:
    waiting = {
        **SMALL,
        "middle": sh("trap 'exit 1' INT; echo middle >> build/ran; echo $$; while :; do sleep 0.05; done"),
    }
    program = f"import sys; from nightly import main, Path; sys.exit(main([], {waiting!r}, Path({str(repository)!r})))"
    night = subprocess.Popen(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests")},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    log = repository / "build/nightly" / state(repository) / "middle.log"
    while not (log.exists() and log.read_text().endswith("\n")):
        assert night.poll() is None
        time.sleep(0.01)
    os.killpg(night.pid, signal.SIGINT)  # as a terminal does
    said = night.communicate(timeout=60)[0]
    assert night.returncode == 130
    assert results(said) == {"first": "green"}
    with pytest.raises(ProcessLookupError):
        os.kill(int(log.read_text()), 0)
    assert ran(repository) == ["first", "middle"]
    assert main([], SMALL, repository) == 1
    assert ran(repository) == ["middle", "last"]


@pytest.mark.parametrize(("used", "minutes"), [(10.0, 30.0), (65.0, 25.0), (85.0, 20.0)])
def test_fuzz_takes_what_the_other_parts_leave(used: float, minutes: float) -> None:
    ended = [Result("physics", "green", used, 1.0), Result("desktop", "kept", 50.0, 1.0)]
    assert fuzz_minutes(None, ended) == minutes
    assert fuzz_minutes(3.0, ended) == 3.0


def test_minutes_of_fuzz_can_be_given(repository: Path) -> None:
    assert main(["--minutes", "0.5"], {"fuzz": sh("echo {minutes:g} >> build/ran")}, repository) == 0
    assert ran(repository) == ["0.5"]


def test_every_nightly_test_belongs_to_one_part() -> None:
    folders = {name: [word for word in command if word.startswith("tests/")] for name, command in PARTS.items()}
    left_out = {
        name: [word.split("=")[1] for word in command if "--ignore=" in word] for name, command in PARTS.items()
    }
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        file = path.relative_to(ROOT)
        if path == Path(__file__) or not re.search(r"mark\.nightly|\bsampled\(", path.read_text("utf-8")):
            continue
        runs = [
            name
            for name in PARTS
            if any(file.is_relative_to(folder) for folder in folders[name])
            and not any(file.is_relative_to(folder) for folder in left_out[name])
        ]
        assert len(runs) == 1, f"{file} belongs to these parts of tests/nightly.py: {runs}"
