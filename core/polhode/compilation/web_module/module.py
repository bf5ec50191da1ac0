"""The module with its manifest, and the file in which a version of the program keeps it.

It lies where machine code lies: in the program's own folder, if it comes from an installer, else in the user's cache
folder. Both are named by `version_of_code`, so a module never meets structs of another version; its own name has a hash
of the sources that build it, such as the list of its units.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from polhode.jit.storage.code_folder import CodeFolder
from polhode.jit.storage.kept import FILES, SHIPPED, VERSION
from polhode.jit.storage.shipped_code import ShippedCode
from polhode.scene.message import Message
from polhode.scene.problem import InputError

BUILDER = Path(__file__).parent
HEAD = 8  # bytes that hold the length of the manifest


@dataclass(frozen=True)
class Manifest:
    """Entry points, memory and version of a module, for its host."""

    units: dict[str, int]
    """Index in the function table by the name of each unit."""
    memory_base: int
    """First address of memory that the module does not use itself."""
    version: str = VERSION
    """Version of the code (core/polhode/jit/storage/sources.py)."""


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


@cache
def file_name(builder: Path = BUILDER) -> str:
    """Name of the file of a module that the sources in a folder build."""
    digest = hashlib.sha256()
    for path in sorted((*builder.glob("*.py"), *builder.glob("*.c"))):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return f"web_module_{digest.hexdigest()[:16]}"


def kept_module(files: CodeFolder = FILES, shipped: ShippedCode = SHIPPED) -> WebModule | None:
    """The module of this version, or None if none was built."""
    content = shipped.read(file_name()) or files.read(file_name())
    return WebModule.of_file(content) if content is not None else None


def web_module(files: CodeFolder = FILES, shipped: ShippedCode = SHIPPED) -> WebModule:
    """The module of this version. Raises InputError where none was built, with how to get it."""
    if (known := kept_module(files, shipped)) is None:
        rule = Message("none was built for this version")
        remedy = Message("build it, which takes some minutes: python -m polhode.compilation.web_module.build")
        raise InputError.of("web module", rule, remedy)
    return known
