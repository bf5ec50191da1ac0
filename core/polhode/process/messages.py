"""Messages between two processes: a line of JSON, and arrays of bytes behind it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import IO, Any

Message = tuple[dict[str, Any], list[bytes]]
PIECE = 2**16  # [bytes]
LONGEST = 2**25  # [bytes] of a line; longer ones are read past, and are no messages


def send(stream: IO[bytes], head: dict[str, Any], blobs: Sequence[bytes] = ()) -> None:
    """Write a message: a table that JSON can hold, and byte strings. Raises OSError where the pipe is closed."""
    stream.write(json.dumps([head, [len(blob) for blob in blobs]]).encode() + b"\n")
    for blob in blobs:
        stream.write(blob)
    stream.flush()


def receive(stream: IO[bytes]) -> Message | None:
    """Read a message; None where the other process has ended before the end of one.

    Raises ValueError or TypeError for a line that is no message, after which the next one can be read.
    """
    line = stream.readline(LONGEST)
    if not line.endswith(b"\n"):
        if len(line) < LONGEST:
            return None
        while (rest := stream.readline(PIECE)) and not rest.endswith(b"\n"):
            pass
        raise ValueError
    head, sizes = json.loads(line)
    if min(sizes, default=0) < 0:  # which would read all that comes
        raise ValueError
    blobs = [stream.read(size) for size in sizes]
    return (head, blobs) if [len(blob) for blob in blobs] == sizes else None
