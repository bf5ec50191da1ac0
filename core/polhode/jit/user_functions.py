"""Functions that a program which uses the library has compiled with numba, as C functions that kernels call.

Such a function may make arrays and raise exceptions, which kernels do not: it has numba's memory management, and an
exception is a flag in its results.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from llvmlite import ir
from numba import carray  # type: ignore[attr-defined]
from numba.core import cgutils, types
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError

from polhode.jit.formula_calls import REAL
from polhode.jit.intrinsic import inside

GIVEN = 19
"""Number of arguments: time, position, velocity, basis (rows u1, u2, u3), angular velocity."""
FOUND = 7
"""Number of results: force, torque, and 1 where the function has raised an exception, else 0."""
POINTER = types.CPointer(types.float64)
Motion = tuple[float, ...]


def is_compiled(function: object) -> bool:
    """Whether a function is one of numba's."""
    return isinstance(function, Dispatcher)


def c_function(function: Callable[..., Any]) -> Any:
    """The C function void(const double *given, double *found) of a function of numba; its `address` is valid as long
    as the result exists.

    Raises ValueError, with numba's reason, where the function can't be compiled for its arguments.
    """

    def call(given: Any, found: Any) -> None:
        numbers, results = carray(given, (GIVEN,)), carray(found, (FOUND,))
        results[FOUND - 1] = 1.0
        try:
            basis = numbers[7:16].reshape((3, 3))
            force, torque = function(numbers[0], numbers[1:4], numbers[4:7], basis, numbers[16:19])
            for k in range(3):
                results[k], results[3 + k] = force[k], torque[k]
            results[FOUND - 1] = 0.0
        except Exception:  # noqa: BLE001, S110  # the flag reports it, since numba can't
            pass

    try:
        return numba.cfunc(types.void(POINTER, POINTER))(call)
    except NumbaError as error:
        raise ValueError(str(error)) from error


@inside
def call_function(context: Any, address: Any, given: Any) -> Any:
    """The results (FOUND) of the C function at `address` for the numbers `given`, a tuple of GIVEN floats."""
    kind = ir.FunctionType(ir.VoidType(), [REAL.as_pointer()] * 2)

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number, values = arguments
        numbers = cgutils.alloca_once(builder, REAL, size=ir.IntType(64)(GIVEN))
        found = cgutils.alloca_once(builder, REAL, size=ir.IntType(64)(FOUND))
        for k in range(GIVEN):
            value = builder.extract_value(values, k)
            builder.store(value, builder.gep(numbers, [ir.IntType(64)(k)]))
        builder.call(builder.inttoptr(number, kind.as_pointer()), [numbers, found])
        results = [builder.load(builder.gep(found, [ir.IntType(64)(k)])) for k in range(FOUND)]
        return context.make_tuple(builder, signature.return_type, results)

    return types.UniTuple(types.float64, FOUND)(types.int64, given), lower
