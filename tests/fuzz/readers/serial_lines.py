"""Bytes of a serial port: lines of sketches with wrong checksums, numbers and ends, in pieces of any size."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import isfinite
from pathlib import Path

from fuzz.case import Case, Target
from fuzz.damage import NUMBERS, damaged
from polhode_app.sensor.hub import SensorHub
from polhode_app.sensor.port import SerialPort
from polhode_app.sensor.protocol import LONGEST, Decoder, line

SIZE = 1000  # [bytes] of a case
FIELDS = (
    "H",
    "D",
    "1",
    "ok",
    "far",
    "near",
    "fault",
    "hc-sr04",
    "",
    "*",
    *(each for each in NUMBERS if each.isascii()),
)
WORDS = ("\n", "\r", "\0", "*00", "*FF", ",", "D,", "H,", "256.3", "\n\n", "?")


def bases() -> list[Case]:
    """Lines of a sketch with checksums, and of one with plain numbers."""
    lines = [line("H,1,hc-sr04,1.0,25"), *(line(f"D,{k},{25 * k},{200 + k}.5,ok") for k in range(30))]
    return [Case("lines.bin", b"".join(lines)), Case("lines.bin", b"".join(b"%d.5\r\n" % k for k in range(200)))]


def mutate(case: Case, known: Sequence[Case], chance: random.Random) -> Case:
    """SIZE bytes: lines with right checksums and any fields between damaged ones."""
    content = b""
    while len(content) < SIZE:
        match chance.randrange(4):
            case 0:
                content += _line(chance)
            case 1:
                start = chance.randrange(max(1, len(case.content)))
                content += damaged(case.content[start : start + 200], [case.content], chance, WORDS)
            case 2:
                content += chance.randbytes(chance.randrange(200))
            case 3:
                content += case.content[: chance.randrange(300)]
    return Case("lines.bin", content[:SIZE])


def _line(chance: random.Random) -> bytes:
    """A line with a right checksum."""
    count = chance.choice((4, 5, 5, 5, 3, 7))
    fields = [chance.choice(("D", "D", "H", *FIELDS)), *(chance.choice(FIELDS) for _ in range(count - 1))]
    return line(",".join(fields))


def read(path: Path, content: bytes) -> str:
    """Decode in pieces, and process each message up to the distance that a simulation gets."""
    pieces = random.Random(content)
    port, hub = SerialPort(None, unit=pieces.choice(("mm", "cm"))), SensorHub()
    hub.source = port
    decoder, at, kinds = Decoder(port.counts), 0, set()
    for now in range(len(content)):
        size = pieces.choice((1, 7, 64, 4096))
        for message in decoder.feed(content[at : at + size]):
            kinds.add(type(message).__name__)
            port._deliver(message, float(now), lambda sample: hub._on_sample(port, sample))
        at += size
        found = hub.distance_at(float(now))
        assert found is None or (isfinite(found.position) and isfinite(found.velocity)), found
        assert len(decoder.pending) <= LONGEST
        if at >= len(content):
            break
    assert len(decoder.counts.last_bad) <= LONGEST
    return " ".join(sorted(kinds))


TARGET = Target("serial", bases, mutate, read, goal=10_000, seconds=5, memory=2**29, unit=SIZE)
