"""A child process never holds up its parent, whatever it does, and never outlives it."""

from __future__ import annotations

import gc
import os
import signal
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from polhode.process.child_process import UNREAD, ChildProcess
from polhode.process.messages import LONGEST
from polhode.process.tail import BYTES

SOON = 30.0  # [s]
SERVES = """
import sys
from polhode.process.messages import receive, send
while (message := receive(sys.stdin.buffer)) is not None:
    send(sys.stdout.buffer, *message)
"""
DEAF = "import time; print('never a message', flush=True); time.sleep(1000)"
IGNORES_ALL = "import signal; [signal.signal(s, signal.SIG_IGN) for s in (1, 2, 15)]\n" + DEAF
ENDS_IN_A_MESSAGE = """
import os, signal, sys
sys.stdout.write('[{}, [1000000]]\\n' + 'a' * 1000)
sys.stdout.flush()
os.kill(os.getpid(), signal.SIGKILL)
"""
FULL_PIPE = """
import sys
from polhode.process.messages import send
while True:
    send(sys.stdout.buffer, {}, [bytes(2**20)])
"""
COUNTS_ITS_MESSAGES = """
import sys
from pathlib import Path
from polhode.process.messages import send
for number in range(1000):
    send(sys.stdout.buffer, {"number": number}, [bytes(2**20)])
    Path(__file__).with_name("sent").write_text(str(number + 1))
"""
FLOODS_ERRORS = """
import sys
for number in range(200_000):
    print(number, "a" * 80, file=sys.stderr)
sys.stderr.write("b" * 2**22)
print("\\nno such scene", file=sys.stderr)
"""
ENDLESS_LINE = """
import sys
from polhode.process.messages import send
for _ in range(24):
    sys.stdout.write("x" * 2**23)
sys.stdout.write('\\n[{}, [-1]]\\n')
sys.stdout.flush()
send(sys.stdout.buffer, {"a": 1})
"""
FAILS = "import sys; print('a line'); sys.exit('no such scene')"


@pytest.fixture
def child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ChildProcess]:
    """Starts a program as a child process."""

    def start(program: str, **options: object) -> ChildProcess:
        (tmp_path / "program_of_a_test.py").write_text(program)
        monkeypatch.syspath_prepend(tmp_path)
        return ChildProcess("program_of_a_test", **options)

    return start


def is_gone(number: int) -> bool:
    """Whether a process is neither there nor a zombie."""
    until = time.monotonic() + SOON
    while time.monotonic() < until:
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False


def test_messages_go_to_and_fro_and_the_end_of_the_input_ends_the_process(child: Callable[..., ChildProcess]) -> None:
    process = child(SERVES)
    content = bytes(range(256)) * 2**12
    process.send({"a": [1, "x\n"]}, [content, b""])
    process.send({})
    assert process.receive(SOON) == ({"a": [1, "x\n"]}, [content, b""])
    assert process.receive(SOON) == ({}, [])
    process.end_input()
    assert process.receive(SOON) is None
    assert (process.has_ended, process.status) == (True, 0)
    process.send({})
    assert process.receive(SOON) is None
    assert list(process.poll()) == []


@pytest.mark.parametrize("program", [DEAF, IGNORES_ALL, FULL_PIPE])
def test_closing_ends_a_process_that_neither_reads_nor_ends(program: str, child: Callable[..., ChildProcess]) -> None:
    process = child(program)
    begun = time.monotonic()
    for _ in range(4):
        process.send({}, [bytes(2**22)])  # more than a pipe holds
    process.end_input()
    assert time.monotonic() - begun < 1.0
    time.sleep(0.5)
    process.close()
    assert is_gone(process.number)
    while process.receive(SOON) is not None:
        pass
    assert process.status == -signal.SIGKILL
    process.close()


def test_a_process_that_takes_too_long_is_killed(child: Callable[..., ChildProcess]) -> None:
    process = child(DEAF)
    with pytest.raises(TimeoutError):
        process.receive(0.2)
    assert is_gone(process.number)


def test_a_process_that_is_waited_for_ends_where_the_work_is_cancelled(child: Callable[..., ChildProcess]) -> None:
    process, calls = child(DEAF), []

    def check_cancelled() -> None:
        calls.append(1)
        if len(calls) == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        process.receive(SOON, check_cancelled)
    assert is_gone(process.number)


def test_half_of_a_message_is_none(child: Callable[..., ChildProcess]) -> None:
    process = child(ENDS_IN_A_MESSAGE)
    assert process.receive(SOON) is None
    assert process.status == -signal.SIGKILL


def test_a_process_ends_with_its_object(child: Callable[..., ChildProcess]) -> None:
    process = child(DEAF)
    number = process.number
    del process
    gc.collect()
    assert is_gone(number)


def test_a_process_waits_until_its_messages_are_taken(child: Callable[..., ChildProcess], tmp_path: Path) -> None:
    process = child(COUNTS_ITS_MESSAGES)
    sent, until = tmp_path / "sent", time.monotonic() + SOON
    while not (sent.exists() and int(sent.read_text() or 0) >= UNREAD) and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(0.5)
    assert UNREAD <= int(sent.read_text()) <= UNREAD + 2  # one waits for room, one is in the pipe
    for number in range(1000):
        assert process.receive(SOON) == ({"number": number}, [bytes(2**20)])
    assert process.receive(SOON) is None


def test_the_last_errors_of_a_flood_are_kept_and_it_is_said_how_much_is_not(child: Callable[..., ChildProcess]) -> None:
    process = child(FLOODS_ERRORS, keeps_errors=True)
    assert process.receive(SOON) is None
    note, *_, last = process.errors.strip().split("\n")
    assert last == "no such scene"
    assert len(process.errors) <= BYTES + len(note) + 1
    written = sum(len(f"{number} ") + 81 for number in range(200_000)) + 2**22 + len("\nno such scene\n")
    assert int(note.split()[0].strip("(")) == written - (len(process.errors) - len(note) - 1)


def test_an_endless_line_is_read_past_and_the_next_message_comes(child: Callable[..., ChildProcess]) -> None:
    process = child(ENDLESS_LINE)
    tracemalloc.start()
    try:
        assert process.receive(SOON) == ({"a": 1}, [])
        assert tracemalloc.get_traced_memory()[1] < 4 * LONGEST  # and not the line of 192 MB
    finally:
        tracemalloc.stop()


def test_messages_and_errors_of_a_process_that_fails(child: Callable[..., ChildProcess]) -> None:
    process = child(FAILS, keeps_errors=True)
    until = time.monotonic() + SOON
    while not process.has_ended and time.monotonic() < until:
        assert list(process.poll()) == []  # a line that a library prints is no message
        time.sleep(0.01)
    assert (process.status, process.errors.strip()) == (1, "no such scene")
