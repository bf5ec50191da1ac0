"""Mutations of texts and bytes. Each is a function of the content and a random generator."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from hostile.damaged_bytes import DAMAGES

LARGEST = 200_000  # [bytes] of a case
NUMBERS = (
    *("0", "-0", "1", "-1", "2", "3", "0.5", "1e308", "-1e308", "1e309", "1e-308", "5e-324", "1e18", "-1e30", "1e155"),
    *("nan", "inf", "-inf", "2147483647", "2147483648", "4294967295", "-2147483649", "9223372036854775807"),
    *("9" * 25, "9" * 400, "1_0", "0x1f", "1e", "00012", "+5", "1.", ".5", "1,5", "1e999999999", "१"),
)
ODD = (
    "",
    " ",
    "\0",
    "\n",
    "\r\n",
    "\x1b[2J",
    "\u202e",
    "\ud7ff",
    "é",
    "磁",
    "a" * 3000,
    "#",
    '"',
    "'",
    "\\",
    "%s",
    "{0}",
)
NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
WORD = re.compile(rb"[A-Za-z_]\w*|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|\S")


def damaged(content: bytes, others: Sequence[bytes], chance: random.Random, words: Sequence[str] = ()) -> bytes:
    """One to four mutations; `others` are contents to take parts from, `words` those of the format."""
    for _ in range(chance.choice((1, 1, 2, 4))):
        kind = chance.random()
        if not content or kind < 0.05:
            content = chance.choice(DAMAGES)(bytearray(content or b"?"), chance)
        elif kind < 0.40:
            content = _word(content, NUMBER, NUMBERS, chance)
        elif kind < 0.70:
            content = _word(content, WORD, (*words, *words, *NUMBERS, *ODD), chance)
        elif kind < 0.85:
            content = _lines(content, chance.choice(others), chance)
        elif kind < 0.95:
            content = _parts(content, chance)
        else:
            content = chance.choice(DAMAGES)(bytearray(content), chance)
    return content[:LARGEST]


def _word(content: bytes, form: re.Pattern[bytes], others: Sequence[str], chance: random.Random) -> bytes:
    """Another word in the place of one, or beside it, or of all that are the same."""
    start = chance.randrange(len(content))
    found = form.search(content, start) or form.search(content)
    if found is None:
        return content
    word = chance.choice(others).encode("utf-8", "surrogatepass")
    match chance.randrange(8):
        case 0:
            return content[: found.start()] + content[found.end() :]
        case 1:
            return content[: found.end()] + b" " + word + content[found.end() :]
        case 2 if len(found[0]) > 2:
            return content.replace(found[0], word, 20)
        case 3:
            return content[: found.end()] + found[0] + content[found.end() :]
    return content[: found.start()] + word + content[found.end() :]


def _lines(content: bytes, other: bytes, chance: random.Random) -> bytes:
    """Lines left out, repeated, exchanged, or taken from another content."""
    lines, more = content.split(b"\n"), other.split(b"\n")
    first = chance.randrange(len(lines))
    last = min(len(lines), first + chance.choice((1, 1, 2, 5, 20)))
    begin = chance.randrange(len(more))
    match chance.randrange(4):
        case 0:
            lines[first:last] = []
        case 1:
            lines[first:first] = lines[first:last] * chance.choice((1, 1, 2, 300))
        case 2:
            lines[first:first] = more[begin : begin + chance.choice((1, 3, 10, 40))]
        case 3:
            lines[first:last] = reversed(lines[first:last])
    return b"\n".join(lines)


def _parts(content: bytes, chance: random.Random) -> bytes:
    """A part left out, repeated, or nested in itself."""
    size = 2 ** chance.randrange(0, 10)
    start = chance.randrange(len(content))
    part = content[start : start + size]
    match chance.randrange(3):
        case 0:
            return content[:start] + content[start + size :]
        case 1:
            return content[:start] + part * chance.choice((2, 3, 20, 1000)) + content[start + size :]
    opening = chance.choice((b"(", b"[", b"{", b"{{", b"<a>", b"-", b"\\begin{data}"))
    return content[:start] + opening * chance.choice((1, 10, 200, 5000)) + content[start:]
