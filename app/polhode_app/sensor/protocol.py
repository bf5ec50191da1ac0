"""Serial protocol of the distance sensor: lines of text to messages (docs/serial.md). Pure functions of the input.

Two kinds of line are understood: lines of this project's sketches, with a number, a time stamp and a checksum, and bare
numbers, which many course sketches print. Other input is counted as bad; decoding resumes with the next line. No input
raises an exception.

A fragment of a line with checksum may look like a bare number. Therefore the first line, which may be incomplete,
counts only with a checksum, and bare numbers are rejected after the first line with a checksum.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isfinite

LONGEST = 120  # bytes of a line; longer ones are rejected
NUMBERS = 2**16  # modulus of the sequence numbers
VERSION = 1  # of the protocol
BLANK = b"\r \t\0"  # stripped from both ends of a line
ASK = b"?"  # requests the greeting from a sketch

CHECKSUM = re.compile(rb"\*([0-9A-F]{2})\Z")
NOT_IN_BODY = re.compile(rb"[^\x20-\x29\x2b-\x7e]")
BODY = re.compile(rb"[HD],")  # its beginning
BARE = re.compile(rb"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?\Z")


@dataclass(frozen=True)
class Greeting:
    """Identification of a board."""

    version: int  # of the protocol
    sensor: str
    sketch: str  # version of the sketch
    period: float  # [s] between two measurements


@dataclass(frozen=True)
class Reading:
    """A measurement, or its failure."""

    number: int  # sequence number modulo NUMBERS
    time: float  # [s] of the board's clock
    distance: float | None  # [mm]; None for a failed measurement
    status: str  # ok, far, near or fault


@dataclass(frozen=True)
class BareNumber:
    """A number without checksum or time stamp; its unit is set by the user."""

    value: float


Message = Greeting | Reading | BareNumber


@dataclass
class Counts:
    """Statistics of the lines received since the start."""

    lines: int = 0  # decoded lines
    bad: int = 0  # lines that could not be decoded
    lost: int = 0  # lines missing according to the sequence numbers
    last_bad: bytes = b""


def crc8(data: bytes) -> int:
    """CRC-8 with polynomial x^8 + x^2 + x + 1 and initial value 0."""
    crc = 0
    for byte in data:
        crc = TABLE[crc ^ byte]
    return crc


def _shifted(byte: int) -> int:
    """Entry of the CRC table for one byte."""
    for _ in range(8):
        byte = (byte << 1) ^ (0x107 if byte & 0x80 else 0)
    return byte


TABLE = tuple(_shifted(byte) for byte in range(256))


def line(text: str) -> bytes:
    """A line with checksum, as a sketch sends it; `text` is ASCII."""
    body = text.encode("ascii")
    return body + b"*%02X\r\n" % crc8(body)


@dataclass
class Decoder:
    """Incremental decoder: accepts bytes in pieces of any size and returns whole messages."""

    counts: Counts = field(default_factory=Counts)
    pending: bytes = b""  # incomplete line
    _too_long: bool = False  # input up to the next line end is skipped, its line was too long
    _first: bool = True  # no line end has been received yet
    checked: bool = False  # lines have checksums
    _number: int | None = None  # sequence number of the last reading

    def feed(self, data: bytes) -> list[Message]:
        """Messages completed by these bytes, in order."""
        *lines, self.pending = (self.pending + data).split(b"\n")
        messages = [message for whole in lines for message in self._read(whole)]
        if len(self.pending) > LONGEST:
            if not self._too_long:
                self._bad(self.pending[:LONGEST])
            self.pending, self._too_long = b"", True
        return messages

    def _read(self, whole: bytes) -> Iterator[Message]:
        """Decode one line without its line end; yields at most one message."""
        first, self._first = self._first, False
        if self._too_long:  # end of a line that was too long
            self._too_long = False
            return
        message = _message(whole.strip(BLANK)) if len(whole) <= LONGEST else None
        if isinstance(message, BareNumber) and (first or self.checked):
            message = None
        if message is not None:
            self.counts.lines += 1
            self.checked = not isinstance(message, BareNumber)
            self._count_lost(message)
            yield message
        elif len(whole) > LONGEST or (whole.strip(BLANK) and not first):
            self._bad(whole.strip(BLANK))

    def _count_lost(self, message: Message) -> None:
        """Update the number of lost lines from the sequence numbers."""
        if isinstance(message, Greeting):
            self._number = None  # the board was restarted
        if isinstance(message, Reading):
            lost = 0 if self._number is None else (message.number - self._number - 1) % NUMBERS
            if lost < NUMBERS // 2:  # otherwise the board was restarted and its greeting was lost
                self.counts.lost += lost
            self._number = message.number

    def _bad(self, whole: bytes) -> None:
        """Count a line that could not be decoded."""
        self.counts.bad += 1
        self.counts.last_bad = whole[:LONGEST]


def _message(whole: bytes) -> Message | None:
    """The message in a line, or None. Garbage before a line with a valid checksum is skipped."""
    if BARE.match(whole):
        value = float(whole)
        return BareNumber(value) if isfinite(value) else None
    if (checksum := CHECKSUM.search(whole)) is None:
        return None
    printable = NOT_IN_BODY.split(whole[: checksum.start()])[-1]
    bodies = (printable[begin.start() :] for begin in BODY.finditer(printable))
    body = next((body for body in bodies if crc8(body) == int(checksum[1], 16)), None)
    return None if body is None else _parse_fields(body.decode("ascii").split(","))


def _parse_fields(words: list[str]) -> Message | None:
    """The message with these comma-separated fields, or None if they are invalid."""
    try:
        match words:
            case ["H", version, sensor, sketch, period]:
                return Greeting(int(version), sensor, sketch, int(period) / 1000)
            case ["D", number, time, distance, status]:
                value = float(distance) if distance else None
                if value is not None and not 0 <= value < float("inf"):
                    return None
                return Reading(int(number) % NUMBERS, int(time) / 1000, value, status)
    except ValueError:
        pass
    return None
