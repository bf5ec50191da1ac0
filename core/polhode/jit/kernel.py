"""Decorators of compiled functions; their machine code is stored by core/polhode/jit/storage/machine_code.py.

`kernel` compiles a function of its own; `part_of_caller` one that LLVM puts into its callers; `view` and `inlined`
insert the text of a function into its callers before types are inferred. All are numba dispatchers in nopython mode,
compiled for each set of argument types. This folder is the only one that uses numba's internal interface, which is not
stable between its versions: tests/physics/jit/test_numba_interface.py checks what is assumed here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numba
from numba.core import types
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher

from polhode.jit.interrupts import deferred
from polhode.jit.processor_time import compiling
from polhode.jit.storage.machine_code import MachineCode, number_of
from polhode.jit.storage.shipped_code import targets_generic


class StableNames(Compiler):
    """numba's compiler, with the same symbol of a function in every process.

    numba numbers functions in the order in which a process compiles them. Functions that two processes have compiled
    then have two symbols each, both are linked into their callers, and LLVM inlines other calls: speed and last bits
    would depend on the order of compilation.
    """

    def _compile_bytecode(self) -> Any:
        identity = self.state.func_id
        identity.unique_id = number_of(identity.func, bool(self.state.flags.no_cpython_wrapper))
        identity.unique_name = f"{identity.func_qualname}${identity.unique_id}"
        return super()._compile_bytecode()  # type: ignore[no-untyped-call]


class Code(CPUDispatcher):
    """A function whose machine code is stored between program starts.

    numba's dispatcher with another cache: `enable_caching` is the method that numba itself overrides the cache by.
    """

    def __init__(self, py_func: Callable[..., Any], targetoptions: dict[str, Any]):
        super().__init__(py_func, targetoptions=dict(targetoptions), pipeline_class=StableNames)
        self.enable_caching()

    def enable_caching(self) -> None:
        """Use the files of this program's version instead of numba's __pycache__."""
        self._cache = MachineCode(self.py_func, bool(self.targetoptions.get("no_cpython_wrapper")))

    def compile(self, sig: Any) -> Any:
        """Compile for the argument types `sig`, or load the code; Ctrl-C waits until it is done."""
        with deferred(), compiling():
            return super().compile(sig)

    @cached_property
    def _addresses(self) -> dict[tuple[Any, ...], int]:
        return {}

    def address(self, kinds: tuple[Any, ...]) -> int:
        """Address of the machine code for these argument types, compiled or loaded if necessary.

        Valid as long as the function exists: numba keeps the library of a compiled function in memory.
        """
        if kinds not in self._addresses:
            self.compile(kinds)
            compiled: Any = self.overloads[kinds]
            address = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
            self._addresses[kinds] = int(address)
        return self._addresses[kinds]

    def is_kept(self, kinds: tuple[Any, ...]) -> bool:
        """Whether the machine code for these argument types is in memory or on the disk."""
        return kinds in self.overloads or self._cache.has(kinds, self.targetctx)


class Native(Code):
    """A compiled function that only compiled functions call, by name or by address: it has no wrapper for Python.

    A call with a constant does not compile a version for that number: the compiler propagates constants where it helps,
    and further versions would take compile time.
    """

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Called by numba's type inference for a call in a kernel."""
        return super().get_call_template(tuple(types.unliteral(kind) for kind in args), kws)


class Kernel:
    """A compiled function.

    A call from Python needs a wrapper that unpacks the structs and takes longer to compile than most functions.
    `native` is the function without it, for calls from compiled functions, and `called` that with it. Both are made
    when they are needed: a scene uses some dozens of hundreds of kernels. Other attributes are those of `called`.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]):
        self.py_func, self._options = function, options
        self.__name__, self.__module__, self.__doc__ = function.__name__, function.__module__, function.__doc__

    def __call__(self, *values: Any) -> Any:
        return self.called(*values)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.called, name)

    @cached_property
    def called(self) -> Code:
        """numba's dispatcher for calls from Python."""
        return Code(self.py_func, self._options)

    @cached_property
    def native(self) -> Any:
        """numba's dispatcher for calls from compiled functions, with its own files."""
        return Native(self.py_func, self._options | {"no_cpython_wrapper": True})

    @property
    def _numba_type_(self) -> Any:
        """The attribute by which numba's `typeof` finds the type of a value: that of a function to call in a kernel."""
        return self.native._numba_type_


# nogil: the window keeps drawing. numpy errors: a division by zero gives inf, which the check for finite values finds.
# contract only: any other fast-math flag lets the compiler remove that check; not for GENERIC, where the bits must not
# depend on whether the architecture has fused multiply-adds. No NRT, numba's memory: kernels make no
# array, and reference counts of their arguments cost up to fifty times the laws, as soon as the step is too long
# for numba to see that the counts cancel. No C wrapper: hooks are called by the addresses of the functions themselves.
# No forced inlining, said explicitly: numba lets a callee inherit it from the caller for which it is compiled first.
OPTIONS: dict[str, Any] = {
    "nopython": True,
    "nogil": True,
    "error_model": "numpy",
    "fastmath": False if targets_generic() else {"contract"},
    "_nrt": False,
    "no_cfunc_wrapper": True,
    "forceinline": False,
}


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function at its first call, or in advance: see core/polhode/compilation/all_units.py.

    Its arguments may be floats, ints, bools, arrays, kernel structs, tuples of these and SIMD types. It must not make
    arrays, since there is no memory management (NRT), and it does not raise: division by zero gives inf.
    """
    return Kernel(function, OPTIONS)


def part_of_caller(function: Callable[..., Any]) -> Any:
    """Compile a function into its callers, where a call would cost as much as its body; options as of `kernel`."""
    return Kernel(function, OPTIONS | {"forceinline": True})


def strict_kernel(function: Callable[..., Any]) -> Any:
    """A `kernel` in which no product is fused with a sum, also where its callers allow it for theirs.

    Its results have the same bits on every processor, with and without fused multiply-adds, inlined or not.
    """
    return Kernel(function, OPTIONS | {"fastmath": False})


# A function that returns a view of an array that it is given: without NRT only its text can be inserted.
INLINE: dict[str, Any] = {"_nrt": False, "inline": "always"}
view = numba.njit(**INLINE)

# The same for a function with few callers that calls many others: with every further level of calls above the sum of
# the laws the compiler processes all of them once more.
inlined = view
