"""Machine code that an installer brings with the program, for a generic processor.

It is read only where GENERIC is the target, so that all machine code of a process is for one processor: functions that
are passed SIMD vectors are called otherwise on another one. The files lie beside the sources of the program and are
trusted as these are; the digest tells a damaged one. They are compressed, to about a fifth.
"""

from __future__ import annotations

import os
import sys
import zlib
from functools import cached_property
from pathlib import Path

from polhode.jit.storage.code_folder import without_digest

FOLDER = Path(__file__).parents[2] / "machine_code"  # made by the installers, in no copy of the sources
# numba's settings for the oldest processor of this architecture, without extensions.
GENERIC = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}


class ShippedCode:
    """A folder of files that is only read; it may be missing. Its methods do not raise."""

    def __init__(self, path: Path):
        self.path = path

    @cached_property
    def exists(self) -> bool:
        """Whether this program has come with machine code for these very sources."""
        return self.path.is_dir()

    def has(self, name: str) -> bool:
        """Whether a file of that name exists; its content is not checked."""
        return self.exists and (self.path / name).is_file()

    def read(self, name: str) -> bytes | None:
        """Content of a file; None where it is missing, can't be read or is damaged."""
        try:
            packed = without_digest((self.path / name).read_bytes()) if self.exists else None
        except OSError:
            return None
        return zlib.decompress(packed) if packed is not None else None


def targets_generic() -> bool:
    """Whether the target of this process is GENERIC."""
    return all(os.environ.get(name) == value for name, value in GENERIC.items())


def is_generic() -> bool:
    """Whether the target of this process is that of shipped code, and the program has come with some."""
    return FOLDER.is_dir() and targets_generic()


def target_generic() -> bool:
    """Make GENERIC the target of this process and of its children; whether it is.

    False where the compiler has been loaded for another target, which it keeps.
    """
    if "numba" not in sys.modules:
        os.environ.update(GENERIC)
    return targets_generic()


def environment_of_this_processor() -> dict[str, str]:
    """Environment of a child process whose target is this processor, also where that of this process is GENERIC."""
    left_out = GENERIC if is_generic() else {}
    return {name: value for name, value in os.environ.items() if name not in left_out}
