"""LLVM's intermediate representation (IR) of compiled functions, from which other targets than this processor are made.

Assumed of numba: a library, compiled or loaded from its file, has the module that it gives to others for linking, with
all functions that it calls, optimised for the target of this process.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class IntermediateCode(NamedTuple):
    """The module of a function."""

    text: str
    """In LLVM's own notation."""
    symbol: str
    """Name of the function in it."""


def intermediate_code(function: Any, kinds: tuple[Any, ...]) -> IntermediateCode:
    """The module of a function for these argument types; it is compiled or loaded if necessary.

    function: of core/polhode/jit/kernel.py
    """
    function.compile(kinds)
    compiled: Any = function.overloads[kinds]
    module = compiled.library._get_module_for_linking()  # noqa: SLF001
    return IntermediateCode(str(module), compiled.fndesc.llvm_func_name)
