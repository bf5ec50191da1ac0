"""The module with its manifest, and the file in which a version of the program keeps it.

Its name has a hash of the sources of kernels and of those that build it, so a module never meets structs of another
version.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from polhode.compilation.kept_file import KeptFile

FILE = KeptFile("web_module", "polhode.compilation.web_module.build", "web module", (Path(__file__).parent,))
HEAD = 8  # bytes that hold the length of the manifest


@dataclass(frozen=True)
class Manifest:
    """Entry points, memory and version of a module, for its host."""

    units: dict[str, int]
    """Index in the function table by the name of each unit."""
    memory_base: int
    """First address of memory that the module does not use itself."""
    version: str = field(default_factory=lambda: FILE.version)


@dataclass(frozen=True)
class WebModule:
    """A module of WebAssembly that imports nothing, and exports `memory` and the function table
    `__indirect_function_table`.
    """

    content: bytes
    manifest: Manifest

    def as_file(self) -> bytes:
        """Manifest and module in one file."""
        head = json.dumps(asdict(self.manifest)).encode()
        return len(head).to_bytes(HEAD, "little") + head + self.content

    @classmethod
    def of_file(cls, content: bytes) -> WebModule:
        """The module of such a file."""
        end = HEAD + int.from_bytes(content[:HEAD], "little")
        known = json.loads(content[HEAD:end])
        return cls(content[end:], Manifest(**known))


def kept_module() -> WebModule | None:
    """The module of this version, or None if none was built."""
    content = FILE.read()
    return WebModule.of_file(content) if content is not None else None


def web_module() -> WebModule:
    """The module of this version. Raises InputError where none was built, with how to get it."""
    return WebModule.of_file(FILE.required())
