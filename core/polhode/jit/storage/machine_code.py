"""Machine code on the disk: one file for each compiled function and the types of its arguments.

A file holds what numba pickles, which may do anything when it is read: only complete files that no other user can have
written are read. A file is written under another name and then renamed, so two programs that write the same one
at once do no harm. Where the disk can't be used the program compiles in memory, and `FILES.trouble` says why.
"""

from __future__ import annotations

import hashlib
import pickle  # noqa: TID251  # numba's format; see above
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

from numba.core import sigutils, types
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from polhode.jit.storage.code_folder import CodeFolder
from polhode.jit.storage.kept import CORE, FILES, SHIPPED
from polhode.jit.storage.shipped_code import ShippedCode


class MachineCode(_Cache):
    """numba's cache interface for the machine code of a function.

    Assumed of numba: the methods of `_Cache`, and `CompileResult._reduce` and `_rebuild`, by which its own cache stores
    code; loaded code needs no more of a target context than the symbols that `rtsys` adds, whose names begin with NRT_.
    """

    def __init__(
        self, function: Callable[..., Any], native: bool, files: CodeFolder = FILES, shipped: ShippedCode = SHIPPED
    ):
        """`native`: without the wrapper that Python calls."""
        self._function, self._native, self._files, self._shipped = function, native, files, shipped

    @property
    def cache_path(self) -> str:
        return str(self._files.path)

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None: ...

    def has(self, kinds: Any, context: Any) -> bool:
        """Whether a file for these argument types exists."""
        name = self._name(kinds, context)
        return name is not None and (self._files.has(name) or self._shipped.has(name))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function for the argument types `sig` from its file; None if there is none that is trusted."""
        name = self._name(sig, target_context)
        content = (self._shipped.read(name) or self._files.read(name)) if name is not None else None
        if content is None:
            return None
        # numba's own cache calls target_context.refresh(), which imports all that only compiling needs: half a second.
        if b"NRT_" in content:  # symbols of numba's memory management, which kernels do without
            rtsys.initialize(target_context)
        # numba's own format; `CodeFolder.read` returns only files that no other user can have written, and shipped
        # files lie beside this very source.
        return CompileResult._rebuild(target_context, *pickle.loads(content))  # noqa: S301, SLF001

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store a compiled function, unless it contains addresses that are others at the next start."""
        name = self._name(sig, data.target_context)
        if name is not None and self._files.usable and not data.lifted and not data.library.has_dynamic_globals:
            self._files.write(name, dumps(data._reduce()))  # noqa: SLF001

    @cached_property
    def _of_function(self) -> str:
        """Identity of the function; see `identity_of`."""
        return identity_of(self._function)

    def _name(self, sig: Any, context: Any) -> str | None:
        """Name of its file for arguments of these types.

        None where a type is another one at every start, as that of a function.

        Depends on the target processor too.
        """
        kinds = sigutils.normalize_signature(sig)[0]
        if any(isinstance(kind, types.Callable) for kind in kinds):
            return None
        of_all = repr((self._of_function, self._native, kinds, context.codegen().magic_tuple()))
        return (
            f"{self._function.__module__}.{self._function.__name__}-{hashlib.sha256(of_all.encode()).hexdigest()[:24]}"
        )


def identity_of(function: Callable[..., Any]) -> str:
    """Which function it is: module, name, line, bytecode and closure.

    Of a file outside the package its time and size as well.

    `version_of_code`, which names the folder, covers the sources of the package.
    """
    code = function.__code__
    at = Path(code.co_filename)
    stamp = (at.stat().st_mtime_ns, at.stat().st_size) if not at.is_relative_to(CORE) and at.exists() else ()
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    inner = hashlib.sha256(code.co_code + (dumps(cells) if cells else b"")).hexdigest()
    return repr((function.__module__, function.__qualname__, code.co_firstlineno, inner, stamp))


def number_of(function: Callable[..., Any], native: bool) -> int:
    """A number of 48 bits for a function with or without a wrapper for Python, the same in every process."""
    return int.from_bytes(hashlib.sha256(repr((identity_of(function), native)).encode()).digest()[:6], "big")
