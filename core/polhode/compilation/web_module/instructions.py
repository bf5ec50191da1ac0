"""The instructions of a function: which functions it calls.

Instructions differ in what follows their number: indices, constants, a place in memory. (WebAssembly Core Specification
2.0, chapter 5.4: https://www.w3.org/TR/wasm-core-2/#instructions)
"""

from __future__ import annotations

from collections.abc import Iterator

END = 0x0B
CALL, REFERENCE = 0x10, 0xD2  # followed by the index of a function
BRANCH_TABLE, SELECT_OF_TYPES = 0x0E, 0x1C  # followed by a list
MORE, OF_VECTORS = 0xFC, 0xFD  # followed by a second number

NUMBERS: dict[int, int] = dict.fromkeys((0x02, 0x03, 0x04, 0x0C, 0x0D, *range(0x20, 0x27), 0x3F, 0x40, 0x41, 0x42), 1)
"""Numbers of variable length that follow an instruction: types of blocks, depths, locals, integer constants."""
NUMBERS |= dict.fromkeys((0x11, *range(0x28, 0x3F)), 2)  # calls by the function table; alignment and offset in memory
NUMBERS |= {0xD0: 1}
BYTES = {0x43: 4, 0x44: 8}
"""Bytes that follow an instruction: floats."""
NUMBERS_OF_MORE = {8: 2, 9: 1, 10: 2, 11: 1, 12: 2, 13: 1, 14: 2, 15: 1, 16: 1, 17: 1}
"""The same after MORE: segments, memories, tables; without them conversions."""
NUMBERS_OF_VECTORS = dict.fromkeys((*range(12), *range(84, 94)), 2)
BYTES_OF_VECTORS = {12: 16, 13: 16} | dict.fromkeys((*range(21, 35), *range(84, 92)), 1)
"""Constants, lanes of a shuffle, or one lane."""


def called_functions(body: bytes) -> set[int]:
    """Indices of the functions that a body, locals and instructions, calls or refers to; not those of the table.

    Raises ValueError for instructions that are not known here, if the end of the body shows it.
    """
    return set(_indices(body))


def _indices(body: bytes) -> Iterator[int]:
    """Index of each called function in turn."""
    at = _behind_locals(body)
    while at < len(body):
        code = body[at]
        at += 1
        if code in (CALL, REFERENCE):
            index, at = _number(body, at)
            yield index
            continue
        if code in (BRANCH_TABLE, SELECT_OF_TYPES):
            count, at = _number(body, at)
            numbers, others = count + (code == BRANCH_TABLE), 0
        elif code in (MORE, OF_VECTORS):
            second, at = _number(body, at)
            is_more = code == MORE
            numbers = (NUMBERS_OF_MORE if is_more else NUMBERS_OF_VECTORS).get(second, 0)
            others = 0 if is_more else BYTES_OF_VECTORS.get(second, 0)
        else:
            numbers, others = NUMBERS.get(code, 0), BYTES.get(code, 0)
        for _ in range(numbers):
            while body[at] >= 0x80:
                at += 1
            at += 1
        at += others
    if at != len(body) or body[-1] != END:
        raise ValueError("an instruction of another version of the format")


def _behind_locals(body: bytes) -> int:
    """Where the instructions begin."""
    count, at = _number(body, 0)
    for _ in range(count):
        _, at = _number(body, at)
        at += 1
    return at


def _number(content: bytes, at: int) -> tuple[int, int]:
    """An unsigned number, and where it ends."""
    value = shift = 0
    while (byte := content[at]) >= 0x80:
        value, shift, at = value | (byte & 0x7F) << shift, shift + 7, at + 1
    return value | byte << shift, at + 1
