"""Files of 64-bit words, the lowest byte first."""

from __future__ import annotations

from collections.abc import Iterable
from struct import pack

import numpy as np

WORD = 8  # [bytes]


class Words:
    """Words that are written one after another."""

    def __init__(self) -> None:
        self.content = bytearray()

    def whole(self, *numbers: int) -> None:
        """Write integers."""
        self.content += pack(f"<{len(numbers)}q", *numbers)

    def real(self, *numbers: float) -> None:
        """Write floats."""
        self.content += pack(f"<{len(numbers)}d", *numbers)

    def text(self, text: str) -> None:
        """Write the number of bytes of a text, then these."""
        content = text.encode()
        self.whole(len(content))
        self.content += content.ljust(-(-len(content) // WORD) * WORD, b"\0")

    def counted(self, numbers: Iterable[int] | np.ndarray) -> None:
        """Write the number of integers, then these."""
        listed = [int(number) for number in numbers]
        self.whole(len(listed), *listed)


def fnv_digest(content: bytes) -> int:
    """FNV-1a digest of 64 bits, word by word; unsigned. The number of bytes is a multiple of 8."""
    found = 0xCBF29CE484222325
    for word in np.frombuffer(content, "<u8").tolist():
        found = ((found ^ word) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return found
