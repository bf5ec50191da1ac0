"""Damage of bytes: bits, blocks and ends of a file, each a function of the content and a random generator."""

from __future__ import annotations

import random


def flipped(content: bytearray, chance: random.Random) -> bytes:
    for _ in range(chance.randint(1, 40)):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    return bytes(content)


def zeroed(content: bytearray, chance: random.Random) -> bytes:
    size = 2 ** chance.randrange(3, 13)
    start = _block(content, size, chance)
    content[start : start + size] = bytes(size)
    return bytes(content)


def noisy(content: bytearray, chance: random.Random) -> bytes:
    size = 2 ** chance.randrange(1, 12)
    start = chance.randrange(max(1, len(content) - size))
    content[start : start + size] = chance.randbytes(size)
    return bytes(content)


def truncated(content: bytearray, chance: random.Random) -> bytes:
    return bytes(content[: chance.randrange(len(content))])


def swapped(content: bytearray, chance: random.Random) -> bytes:
    size = 2 ** chance.randrange(3, 13)
    one, other = (_block(content, size, chance) for _ in range(2))
    content[one : one + size], content[other : other + size] = (
        content[other : other + size],
        content[one : one + size],
    )
    return bytes(content)


def _block(content: bytearray, size: int, chance: random.Random) -> int:
    """The start of a block of `size` bytes; 0 where the content is smaller."""
    return chance.randrange(max(1, len(content) // size)) * size


DAMAGES = (flipped, zeroed, noisy, truncated, swapped)
