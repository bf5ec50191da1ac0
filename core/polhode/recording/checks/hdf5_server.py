"""Reads a recording in a process of its own, with limits of time and memory, for isolated_file.py.

`python -m polhode.recording.checks.hdf5_server FILE` checks the structure of the file and writes its contents to
stdout, or a refusal; then it answers each request for states until stdin ends. Some damaged files let HDF5 loop forever
or
crash: then this process ends, and no other. Messages have the form of core/polhode/recording/contents.py:

    {"refused": [place, rule, remedy]}          why the file can't be read; the end, unless a request has led to it
    Contents.message()                          the contents
    {"start": 0, "stop": 64}                    a request for the states of some frames
    {"size": k}, [float64 numbers]              its answer
"""

from __future__ import annotations

import re
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import h5py

from polhode.recording.checks.hdf5_check import FAULTS, Damaged, check
from polhode.recording.checks.hdf5_contents import read_contents, read_states
from polhode.recording.contents import Contents, receive, send
from polhode.scene.message import Message

if sys.platform != "win32":
    import resource

MEMORY, TIME = 2**31, 3  # [bytes], [s] of processor time for each answer; more where it is large
OF_THE_SYSTEM = re.compile("error message = '([^']+)'")
RATE = 2**26  # [bytes/s] that are read at least


def limit(kind: str, most: int) -> None:
    """Limit a resource of this process, such as RLIMIT_AS. Without effect on Windows."""
    if sys.platform != "win32":
        number = getattr(resource, kind)
        with suppress(ValueError, OSError):  # a lower limit is in force
            resource.setrlimit(number, (most, resource.getrlimit(number)[1]))


def allow_time(size: int) -> None:
    """Limit processor time from now on to what reading `size` [bytes] needs; the process is killed then."""
    if sys.platform != "win32":
        used = resource.getrusage(resource.RUSAGE_SELF)
        limit("RLIMIT_CPU", int(used.ru_utime + used.ru_stime) + 1 + TIME + size // RATE)


def refusal(error: Exception) -> dict[str, Any]:
    """The message about an exception: place, rule and remedy."""
    if not isinstance(error, Damaged):
        said = str(error)
        if system := OF_THE_SYSTEM.search(said):  # whose texts in HDF5 also contain times and addresses
            error = Damaged(
                Message("can't be read: {reason}", reason=system[1]), Message("check the disk, or try again")
            )
        else:
            reason = " ".join(said.split()).strip("\"'") or type(error).__name__
            error = Damaged(Message("is damaged: {reason}", reason=reason))
    return {"refused": [error.place, error.rule.serialized(), error.remedy.serialized()]}


def answer(file: h5py.File, request: dict[str, Any], out: BinaryIO) -> None:
    """Write the states of a request, or why they can't be read."""
    try:
        states = read_states(file, request["start"], request["stop"])
    except FAULTS as error:
        send(out, refusal(error))
    else:
        send(out, {"size": states.shape[1]}, [states.tobytes()])


def opened(path: Path, size: int) -> tuple[h5py.File, Contents]:
    """An open file whose structure is safe, with its contents. Raises Damaged, or an exception of FAULTS."""
    file = h5py.File(path, "r", locking=False)
    check(file, size)
    return file, read_contents(file, size)


def main(path: Path) -> None:
    """Serve a file until stdin ends."""
    requests, out = sys.stdin.buffer, sys.stdout.buffer
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asks, which ends this one
    try:
        size = path.stat().st_size
        limit("RLIMIT_AS", MEMORY + 4 * size)
        limit("RLIMIT_CORE", 0)
        allow_time(size)
        file, contents = opened(path, size)
    except (Damaged, *FAULTS) as error:
        send(out, refusal(error))
        return
    send(out, *contents.message())
    row = 8 * contents.state_size
    while (request := receive(requests)) is not None:
        head, _ = request
        allow_time(row * (head["stop"] - head["start"]))
        answer(file, head, out)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
