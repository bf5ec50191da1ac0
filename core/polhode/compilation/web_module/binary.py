"""The binary format of WebAssembly as far as a manifest needs it: imports, exported numbers, and initial memory.

Sections by number, each a vector of entries; unsigned numbers are LEB128. (WebAssembly Core Specification 2.0, chapter
5: https://www.w3.org/TR/wasm-core-2/#binary-format)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

MAGIC = b"\0asm\1\0\0\0"
IMPORT, GLOBAL, EXPORT, DATA = 2, 6, 7, 11
I32_CONST, END = 0x41, 0x0B
OF_FUNCTION, OF_TABLE, OF_MEMORY, OF_GLOBAL = range(4)


@dataclass
class Reader:
    """Reads numbers and texts of a module one after the other."""

    content: bytes
    at: int = 0

    def byte(self) -> int:
        """The next byte. Raises IndexError at the end."""
        self.at += 1
        return self.content[self.at - 1]

    def number(self) -> int:
        """The next unsigned number."""
        value = shift = 0
        while (byte := self.byte()) & 0x80:
            value, shift = value | (byte & 0x7F) << shift, shift + 7
        return value | byte << shift

    def signed(self) -> int:
        """The next number with its sign."""
        begin = self.at
        value = self.number()
        bits = 7 * (self.at - begin)
        return value - (1 << bits) if value >> (bits - 1) else value

    def take(self, count: int) -> bytes:
        """The next `count` bytes."""
        self.at += count
        return self.content[self.at - count : self.at]

    def text(self) -> str:
        """The next text."""
        return self.take(self.number()).decode()


def sections(module: bytes) -> Iterator[tuple[int, bytes]]:
    """Numbers and contents of the sections. Raises ValueError for another format."""
    if not module.startswith(MAGIC):
        raise ValueError("no module of WebAssembly, version 1")
    reader = Reader(module, len(MAGIC))
    while reader.at < len(module):
        number = reader.byte()
        yield number, reader.take(reader.number())


def imports(module: bytes) -> list[tuple[str, str]]:
    """Module and name of each import; only functions and memories are understood, which linked kernels have."""
    found = []
    for reader in (Reader(content) for number, content in sections(module) if number == IMPORT):
        for _ in range(reader.number()):
            found.append((reader.text(), reader.text()))
            kind = reader.byte()
            if kind not in (OF_FUNCTION, OF_MEMORY):
                raise ValueError(f"an import of kind {kind}")
            has_most = kind == OF_MEMORY and reader.number() & 1
            reader.number()
            if has_most:
                reader.number()
    return found


def exported_numbers(module: bytes) -> dict[str, int]:
    """Exported constants by name, such as addresses in memory."""
    values: list[int] = []
    found: dict[str, int] = {}
    for section, content in sections(module):
        reader = Reader(content)
        if section == GLOBAL:
            for _ in range(reader.number()):
                reader.take(2)  # type, and whether it changes
                values.append(constant(reader))
        elif section == EXPORT:
            for _ in range(reader.number()):
                name, kind, index = reader.text(), reader.byte(), reader.number()
                if kind == OF_GLOBAL:
                    found[name] = values[index]
    return found


def initial_memory(module: bytes, begin: int, size: int) -> bytes:
    """The `size` bytes from address `begin` on before anything runs; what no data are written to is zero."""
    memory = bytearray(size)
    for reader in (Reader(content) for number, content in sections(module) if number == DATA):
        for _ in range(reader.number()):
            if reader.number() != 0:
                raise ValueError("data without an address")
            at = constant(reader)
            content = reader.take(reader.number())
            first, last = max(at, begin), min(at + len(content), begin + size)
            if first < last:
                memory[first - begin : last - begin] = content[first - at : last - at]
    return bytes(memory)


def constant(reader: Reader) -> int:
    """Value of an initial expression: one i32.const."""
    if reader.byte() != I32_CONST:
        raise ValueError("an initial value that is no constant")
    value = reader.signed()
    if reader.byte() != END:
        raise ValueError("an initial value that is computed")
    return value
