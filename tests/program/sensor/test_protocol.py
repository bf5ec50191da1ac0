"""Lines of a sensor: whatever comes in between, whole ones are read, and none is made up."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from polhode_app.sensor.protocol import LONGEST, NUMBERS, BareNumber, Decoder, Greeting, Reading, crc8, line

GREETING = line("H,1,hc-sr04,1.0,25")
LINES = [GREETING, line("D,0,25,256.3,ok"), line("D,65535,1234567,1999.9,ok"), line("D,7,99,,far")]


def begun() -> Decoder:
    """One that has heard the end of the line before."""
    decoder = Decoder()
    decoder.feed(b"\n")
    return decoder


def read(data: bytes) -> list[object]:
    return list(begun().feed(data))


def test_lines_are_read() -> None:
    assert read(b"".join(LINES)) == [
        Greeting(1, "hc-sr04", "1.0", 0.025),
        Reading(0, 0.025, 256.3, "ok"),
        Reading(65535, 1234.567, 1999.9, "ok"),
        Reading(7, 0.099, None, "far"),
    ]


def test_the_checksum_is_the_usual_one() -> None:
    assert crc8(b"123456789") == 0xF4  # the check value of CRC-8 in catalogues of checksums


@pytest.mark.parametrize(
    ("text", "value"),
    [("12", 12.0), ("12.5\r", 12.5), (" -3 ", -3.0), (".5", 0.5), ("1e2", 100.0), ("65535", 65535.0)],
)
def test_bare_numbers_are_read(text: str, value: float) -> None:
    assert read(text.encode() + b"\n") == [BareNumber(value)]


@pytest.mark.parametrize(
    "text", ["nan", "inf", "1e999", "12 13", "0x10", "1_0", "--1", "1.2.3", "distance: 12", "１２"]
)
def test_what_is_no_number_is_a_bad_line(text: str) -> None:
    decoder = begun()
    assert decoder.feed(text.encode() + b"\n") == []
    assert (decoder.counts.lines, decoder.counts.bad) == (0, 1)
    assert decoder.counts.last_bad == text.encode()


@pytest.mark.parametrize(
    "body", ["D,1,2,nan,ok", "D,1,2,-5.0,ok", "D,1,2,inf,ok", "D,x,2,5,ok", "D,1,2,5", "H,one,a,b,20", "D"]
)
def test_a_right_checksum_does_not_make_nonsense_a_measurement(body: str) -> None:
    assert read(line(body)) == []


@pytest.mark.parametrize("whole", LINES)
def test_no_flipped_bit_goes_unnoticed(whole: bytes) -> None:
    ending = len(b"\r\n")
    for place in range(len(whole) - ending):
        for bit in range(8):
            damaged = whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1 :]
            assert read(LINES[1] + damaged)[1:] == [], damaged


@example([b"x" * (LONGEST + 1), b"\n12\n"])
@example([b"x" * LONGEST, b" ", b"\n12\n"])
@given(st.lists(st.one_of(st.binary(max_size=300), st.sampled_from([*LINES, b"12.5\n", b"\n"])), max_size=20))
def test_it_does_not_matter_in_which_pieces_bytes_come(pieces: list[bytes]) -> None:
    by_pieces, at_once, by_bytes = Decoder(), Decoder(), Decoder()
    whole = b"".join(pieces)
    messages = [message for piece in pieces for message in by_pieces.feed(piece)]
    assert messages == at_once.feed(whole)
    assert messages == [message for k in range(len(whole)) for message in by_bytes.feed(whole[k : k + 1])]
    for decoder in (by_pieces, at_once, by_bytes):
        assert decoder.counts.lines == len(messages)
        assert decoder.counts.bad == at_once.counts.bad


@given(st.lists(st.binary(max_size=400).map(lambda garbage: garbage + b"\n"), max_size=8))
def test_lines_after_garbage_are_read(garbage: list[bytes]) -> None:
    decoder = Decoder()
    for each in garbage:
        decoder.feed(each)
        assert decoder.feed(LINES[1]) == [Reading(0, 0.025, 256.3, "ok")]


def test_a_line_is_found_behind_the_beginning_of_another() -> None:
    """A board that is reset in the middle of a line greets behind its beginning."""
    assert read(b"D,17,1234,25" + GREETING) == [Greeting(1, "hc-sr04", "1.0", 0.025)]
    assert read(b"\xff\x00H,1,hc-" + GREETING) == [Greeting(1, "hc-sr04", "1.0", 0.025)]


@pytest.mark.parametrize("cut", range(len(LINES[1])))
def test_the_rest_of_a_line_is_neither_a_measurement_nor_a_fault(cut: int) -> None:
    decoder = Decoder()
    assert decoder.feed(LINES[1][cut:] + LINES[2]) == read(LINES[1] + LINES[2])[0 if cut == 0 else 1 :]
    assert decoder.counts.bad == 0


def test_who_sends_checksums_sends_no_bare_numbers() -> None:
    assert read(b"31\n" + LINES[1] + b"31\n" + LINES[2]) == [BareNumber(31.0), *read(LINES[1] + LINES[2])]


def test_a_burst_is_read_whole() -> None:
    decoder = Decoder()
    messages = decoder.feed(b"".join(line(f"D,{k % NUMBERS},{10 * k},100.0,ok") for k in range(100_000)))
    assert len(messages) == 100_000
    assert decoder.counts.lost == 0
    assert all(after.time > before.time for before, after in pairwise(messages))


def test_a_flood_without_an_end_of_line_needs_no_memory() -> None:
    decoder = Decoder()
    for _ in range(1000):
        assert decoder.feed(b"x" * 1000) == []
    assert len(decoder.pending) <= LONGEST
    assert decoder.counts.bad == 1
    assert decoder.feed(b"\n" + GREETING) == [Greeting(1, "hc-sr04", "1.0", 0.025)]


def readings(*numbers: int) -> bytes:
    return b"".join(line(f"D,{number},0,1.0,ok") for number in numbers)


@pytest.mark.parametrize(
    ("data", "lost"),
    [
        (readings(5, 6, 7), 0),
        (readings(5, 8), 2),
        (readings(65534, 65535, 0, 1), 0),
        (readings(65535, 2), 2),
        (readings(900) + GREETING + readings(0), 0),
        (readings(900, 0), 0),  # reset, and the greeting was not heard
        (readings(900, 900), 0),
    ],
)
def test_lost_lines_are_counted(data: bytes, lost: int) -> None:
    decoder = Decoder()
    decoder.feed(data)
    assert decoder.counts.lost == lost


@pytest.mark.parametrize("page", ["serial.md", "serial.ja.md"])
def test_the_lines_of_the_documentation_are_right(page: str) -> None:
    text = (Path(__file__).parents[3] / "docs" / page).read_text("utf-8")
    shown = re.findall(r"^\| `([^`]+)`", text, re.MULTILINE)
    assert [type(message) for each in shown for message in read(each.encode() + b"\n")] == [
        Greeting,
        Reading,
        BareNumber,
    ]
