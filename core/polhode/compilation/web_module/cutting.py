"""A module cut down to some units, for pages of one scene.

Functions that these units do not reach keep their index, and their body becomes one instruction that ends the program.
So nothing else of the module changes, and what is left gives the same bits. A unit reaches functions by calls; calls by
the function table are those of units alone, which an image names.
"""

from __future__ import annotations

from collections.abc import Iterable

from polhode.compilation.web_module.binary import MAGIC, Reader, sections
from polhode.compilation.web_module.functions import function_table
from polhode.compilation.web_module.instructions import called_functions
from polhode.compilation.web_module.module import Manifest, WebModule
from polhode.formulas.web_assembly import sized, vector

CODE = 10
TRAP = b"\0\0\x0b"
"""A body without locals: `unreachable`, `end`."""


def cut_to(module: WebModule, units: Iterable[str]) -> WebModule:
    """The module with these units, and the functions that they call. Raises KeyError for a unit that it lacks."""
    manifest = module.manifest
    indices = {name: manifest.units[name] for name in sorted(set(units))}
    of_table, parts = function_table(module.content), list(sections(module.content))
    bodies = next(_bodies(content) for number, content in parts if number == CODE)
    reached = reached_functions(bodies, (of_table[index] for index in indices.values()))
    kept = vector(sized(body if k in reached else TRAP) for k, body in enumerate(bodies))
    content = MAGIC + b"".join(
        bytes([number]) + sized(kept if number == CODE else content) for number, content in parts
    )
    return WebModule(content, Manifest(indices, manifest.memory_base, manifest.version))


def reached_functions(bodies: list[bytes], first: Iterable[int]) -> set[int]:
    """Indices of the functions `first` and of all that these call, directly or by others."""
    reached: set[int] = set()
    waiting = set(first)
    while waiting:
        reached |= waiting
        waiting = {index for k in waiting for index in called_functions(bodies[k])} - reached
    return reached


def _bodies(content: bytes) -> list[bytes]:
    """Locals and instructions of each function."""
    reader = Reader(content)
    return [reader.take(reader.number()) for _ in range(reader.number())]
