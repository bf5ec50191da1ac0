"""The library of FMUs for all platforms, and the file in which a version of the program keeps it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from polhode.compilation.fmi_library.platforms import PLATFORMS
from polhode.compilation.kept_file import KeptFile

FOLDER = Path(__file__).parent
FILE = KeptFile(
    "fmi_library", "polhode.compilation.fmi_library.build", "library of FMUs", (FOLDER, FOLDER.with_name("web_module"))
)
HEAD = 8  # bytes that hold the length of the table of sizes


@dataclass(frozen=True)
class FmiLibrary:
    """Shared objects with all kernels and the interface FMI 3.0."""

    binaries: dict[str, bytes]
    """By the names that FMI has for platforms."""
    version: str = field(default_factory=lambda: FILE.version)
    """Version of the sources, 16 letters; the file of a scene must have it, too."""
    endings: dict[str, str] = field(default_factory=lambda: {each.name: each.ending for each in PLATFORMS})
    """Of the names of the files."""

    def as_file(self) -> bytes:
        """All in one file."""
        sizes = {name: len(content) for name, content in self.binaries.items()}
        head = json.dumps({"version": self.version, "endings": self.endings, "sizes": sizes}).encode()
        return len(head).to_bytes(HEAD, "little") + head + b"".join(self.binaries.values())

    @classmethod
    def of_file(cls, content: bytes) -> FmiLibrary:
        """The library of such a file."""
        at = HEAD + int.from_bytes(content[:HEAD], "little")
        known, binaries = json.loads(content[HEAD:at]), {}
        for name, size in known["sizes"].items():
            binaries[name] = content[at : at + size]
            at += size
        return cls(binaries, known["version"], known["endings"])


def fmi_library() -> FmiLibrary:
    """The library of this version. Raises InputError where none was built, with how to get it."""
    return FmiLibrary.of_file(FILE.required())
