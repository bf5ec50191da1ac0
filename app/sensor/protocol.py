"""From bytes to messages and back: distances as lines of text (docs/serial.md). Pure, and it never raises.

Two kinds of line are understood: those of this project's own sketches, with a number, a time and a checksum, and bare
numbers, which many a sketch of a course sends. Whatever else comes is counted, and the next whole line is read again.
A piece of a checked line may look like a bare number: what comes first may be the end of a line and counts only with a
checksum, and who has sent one checksum sends no bare numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isfinite

LONGEST = 120  # bytes of a line; what is longer is no line of ours
NUMBERS = 2**16  # after which a sketch counts from 0 again
VERSION = 1  # of the lines
BLANK = b"\r \t\0"  # around a line
ASK = b"?"  # asks a sketch for its greeting

CHECKED = re.compile(rb"([HD],[\x20-\x29\x2b-\x7e]*)\*([0-9A-F]{2})\Z")
BARE = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?\Z")


@dataclass(frozen=True)
class Greeting:
    """What a board says of itself."""

    version: int  # of its lines
    sensor: str
    sketch: str  # its version
    period: float  # [s] between two measurements


@dataclass(frozen=True)
class Reading:
    """A measurement."""

    number: int  # counts up to NUMBERS and begins again
    time: float  # [s] of the board's clock
    distance: float | None  # [mm], None where nothing was measured
    status: str  # ok, far, near or fault


@dataclass(frozen=True)
class BareNumber:
    """A number without anything, in a unit that only the user knows."""

    value: float


Message = Greeting | Reading | BareNumber


@dataclass
class Counts:
    """What has come in since the start."""

    lines: int = 0  # that could be read
    bad: int = 0  # that could not
    lost: int = 0  # that are missing between the numbers of those that could
    last_bad: bytes = b""


def crc8(data: bytes) -> int:
    """CRC-8, polynomial x^8 + x^2 + x + 1, start 0."""
    crc = 0
    for byte in data:
        crc = TABLE[crc ^ byte]
    return crc


def _shifted(byte: int) -> int:
    for _ in range(8):
        byte = (byte << 1) ^ (0x107 if byte & 0x80 else 0)
    return byte


TABLE = tuple(_shifted(byte) for byte in range(256))


def line(text: str) -> bytes:
    """A line with its checksum, as a sketch sends it."""
    body = text.encode("ascii")
    return body + b"*%02X\r\n" % crc8(body)


@dataclass
class Decoder:
    """Takes bytes as they come, in pieces of any size, and gives whole messages."""

    counts: Counts = field(default_factory=Counts)
    _rest: bytes = b""  # the beginning of a line
    _too_long: bool = False  # what comes up to the next end of line belongs to a line that was given up
    _first: bool = True  # no end of line has come yet
    checked: bool = False  # lines come with checksums
    _number: int | None = None  # of the last reading

    def feed(self, data: bytes) -> list[Message]:
        """Messages that are complete with these bytes."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        messages = [message for whole in lines for message in self._read(whole)]
        if len(self._rest) > LONGEST:
            if not self._too_long:
                self._bad(self._rest[:LONGEST])
            self._rest, self._too_long = b"", True
        return messages

    def _read(self, whole: bytes) -> Iterator[Message]:
        first, self._first = self._first, False
        if self._too_long:  # its end
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
        if isinstance(message, Greeting):
            self._number = None  # the board has started again
        if isinstance(message, Reading):
            lost = 0 if self._number is None else (message.number - self._number - 1) % NUMBERS
            if lost < NUMBERS // 2:  # or the board has started again, and its greeting was not heard
                self.counts.lost += lost
            self._number = message.number

    def _bad(self, whole: bytes) -> None:
        self.counts.bad += 1
        self.counts.last_bad = whole[:LONGEST]


def _message(whole: bytes) -> Message | None:
    """What a line says; garbage before a line that is whole does no harm."""
    if BARE.match(whole):
        value = float(whole)
        return BareNumber(value) if isfinite(value) else None
    found = CHECKED.search(whole)
    while found:
        body, checksum = found.groups()
        if crc8(body) == int(checksum, 16):
            return _said(body.decode("ascii").split(","))
        found = CHECKED.search(whole, found.start() + 1)
    return None


def _said(words: list[str]) -> Message | None:
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
