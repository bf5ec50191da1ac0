"""Calls of compiled functions by their addresses: what is called is machine code of its own, compiled and cached once.

A kernel that calls another one by its name holds a copy of that one's code, which is optimised again with it. A hook is
called by its address: a caller is compiled without it, and all callers use the same code.
"""

from __future__ import annotations

from typing import Any

from numba.core import types

from core.jit.intrinsic import inside

VECTOR = types.Array(types.float64, 1, "C")


@inside
def call_hook(context: Any, address: Any, model: Any, inputs: Any, time: Any, state: Any, work: Any, out: Any) -> Any:
    """The float that the hook at `address` returns for these arguments: see `address_of`."""
    arguments = (model, inputs, types.float64, state, work, out)

    def lower(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kinds = signature.args[1:]
        kind = context.call_conv.get_function_type(signature.return_type, kinds)
        function = builder.inttoptr(values[0], kind.as_pointer())
        # Kernels raise nothing: the status is always good.
        return context.call_conv.call_function(builder, function, signature.return_type, kinds, values[1:])[1]

    return types.float64(types.int64, *arguments), lower


def hook_types(model: Any, inputs: Any, work: Any) -> tuple[Any, ...]:
    """Types of a hook's arguments, from tables that it will be called with."""
    return tuple(table._numba_type_ for table in (model, inputs)) + (types.float64, VECTOR, work._numba_type_, VECTOR)


def address_of(hook: Any, kinds: tuple[Any, ...]) -> int:
    """Address of the machine code of a hook for arguments of these types; it is compiled, or read from the disk."""
    hook.native.compile(kinds)
    compiled = hook.native.overloads[kinds]
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))
