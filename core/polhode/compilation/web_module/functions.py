"""Functions of a module: their types, and which of them the function table has.

Only modules of kernels are understood: they import nothing, and fill one table from constant offsets on.
"""

from __future__ import annotations

from polhode.compilation.web_module.binary import Reader, constant, sections

TYPE, FUNCTION, ELEMENT = 1, 3, 9
OF_FUNCTION_TYPE = 0x60
KINDS = {0x7F: "i", 0x7E: "I", 0x7D: "F", 0x7C: "f", 0x7B: "v"}
"""Letters of the types of values: integers of 32 and 64 bits, floats of 32 and 64 bits, vectors."""


def function_table(module: bytes) -> dict[int, int]:
    """Index of a function by its index in the table. Raises ValueError for another format."""
    found: dict[int, int] = {}
    for reader in (Reader(content) for number, content in sections(module) if number == ELEMENT):
        for _ in range(reader.number()):
            if reader.number() != 0:
                raise ValueError("elements of another table, or without an offset")
            first = constant(reader)
            found |= {first + k: reader.number() for k in range(reader.number())}
    return found


def signatures(module: bytes) -> list[str]:
    """Types of the arguments of each function, a letter of KINDS each. Raises ValueError for another format."""
    kinds: list[str] = []
    numbers: list[int] = []
    for section, content in sections(module):
        reader = Reader(content)
        if section == TYPE:
            kinds = [_arguments(reader) for _ in range(reader.number())]
        elif section == FUNCTION:
            numbers = [reader.number() for _ in range(reader.number())]
    return [kinds[number] for number in numbers]


def _arguments(reader: Reader) -> str:
    """Arguments of the next type of a function."""
    if reader.byte() != OF_FUNCTION_TYPE:
        raise ValueError("a type of another kind")
    arguments = "".join(KINDS[reader.byte()] for _ in range(reader.number()))
    reader.take(reader.number())  # results
    return arguments
