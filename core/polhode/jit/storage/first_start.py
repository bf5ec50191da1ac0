"""Which machine code the window begins with: the shipped one, until that for this processor is complete.

To be asked before numba is loaded. Child processes inherit the choice with the environment; one of lowest priority
compiles for this processor meanwhile, for the next start.
"""

from __future__ import annotations

import os

from llvmlite import binding

from polhode.jit.storage.code_folder import CodeFolder
from polhode.jit.storage.kept import FILES, SHIPPED
from polhode.jit.storage.shipped_code import GENERIC, ShippedCode

COMPLETE = "complete-for"  # file that names the processors whose machine code is complete, a line for each


def begin_with_shipped_code(shipped: ShippedCode = SHIPPED, files: CodeFolder = FILES) -> bool:
    """Set the target to GENERIC if shipped code exists and that for this processor is incomplete; whether it was set.

    A target that the user has set is left as it is.
    """
    if not shipped.exists or any(name in os.environ for name in GENERIC) or this_processor() in _complete(files):
        return False
    os.environ.update(GENERIC)
    return True


def note_complete(files: CodeFolder = FILES) -> None:
    """Note that `files` has the machine code of all units for this processor."""
    known = _complete(files)
    if this_processor() not in known:
        files.write(COMPLETE, "\n".join([*known, this_processor()]).encode())


def this_processor() -> str:
    """Name and features of this processor, as LLVM has them, in one line."""
    return f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"


def _complete(files: CodeFolder) -> list[str]:
    return (files.read(COMPLETE) or b"").decode().splitlines()
