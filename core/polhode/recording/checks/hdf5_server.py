"""Reads a recording in a process of its own, with limits of time and memory, for isolated_file.py.

`python -m polhode.recording.checks.hdf5_server FILE` checks the structure of the file and writes its contents to
stdout, or a refusal; then it answers each request for states until stdin ends. Some damaged files let HDF5 loop forever
or crash: then this process ends, and no other. Messages (core/polhode/process/messages.py):

    {"refused": [place, rule, remedy]}          why the file can't be read; the end, unless a request has led to it
    Contents.message()                          the contents
    {"start": 0, "stop": 64}                    a request for the states of some frames
    {"size": k}, [float64 numbers]              its answer
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import h5py

from polhode.process.limits import allow_time, ignore_interrupts, limit_memory
from polhode.process.messages import receive, send
from polhode.recording.checks.hdf5_check import FAULTS, DamagedFile, check
from polhode.recording.checks.hdf5_contents import read_contents, read_states
from polhode.recording.contents import Contents
from polhode.scene.message import Message

T = TypeVar("T")
MEMORY, TIME = 2**31, 3  # [bytes], [s] of processor time for each answer; more where it is large
OF_THE_SYSTEM = re.compile("error message = '([^']+)'")
RATE = 2**26  # [bytes/s] that are read at least


def time_for(size: int) -> int:
    """[s] of processor time for reading `size` [bytes]."""
    return TIME + size // RATE


def refusal(error: Exception) -> dict[str, Any]:
    """The message about an exception: place, rule and remedy."""
    if not isinstance(error, DamagedFile):
        said = str(error)
        if system := OF_THE_SYSTEM.search(said):  # whose texts in HDF5 also contain times and addresses
            error = DamagedFile(
                Message("can't be read: {reason}", reason=system[1]), Message("check the disk, or try again")
            )
        else:
            reason = " ".join(said.split()).strip("\"'") or type(error).__name__
            error = DamagedFile(Message("is damaged: {reason}", reason=reason))
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


def serve(path: Path, read: Callable[[Path, int], T]) -> T | None:
    """The result of `read` for a file and its size [bytes], within limits; None after a refusal was sent."""
    ignore_interrupts()
    try:
        size = path.stat().st_size
        limit_memory(MEMORY + 4 * size)
        allow_time(time_for(size))
        return read(path, size)
    except (DamagedFile, *FAULTS) as error:
        send(sys.stdout.buffer, refusal(error))
        return None


def main(path: Path) -> None:
    """Serve a file until stdin ends."""
    found = serve(path, opened)
    if found is None:
        return
    file, contents = found
    send(sys.stdout.buffer, *contents.message())
    while (request := receive(sys.stdin.buffer)) is not None:
        head, _ = request
        allow_time(time_for(8 * contents.state_size * (head["stop"] - head["start"])))
        answer(file, head, sys.stdout.buffer)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
