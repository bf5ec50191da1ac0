"""Calls of compiled formulas (core/polhode/formulas/codegen.py) from kernels, by their addresses.

A formula is a C function f(variables, numbers, results) of three double pointers; constants are passed as `numbers`, so
formulas of the same form share their code. Variables and results are on the stack of the caller.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types

from polhode.jit.intrinsic import inside

REAL = ir.DoubleType()
FUNCTION = ir.FunctionType(ir.VoidType(), [REAL.as_pointer()] * 3)  # variables, numbers, results


def _calling(outputs: int) -> Callable[[Any, Any, Any, Any], Any]:
    """Lowering of a call with arguments address, array of constants, index of the first, and the variables.

    outputs: number of results, returned as a tuple.
    """

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, numbers, first, *variables = arguments
        given = cgutils.alloca_once(builder, REAL, size=ir.IntType(64)(len(variables)))
        found = cgutils.alloca_once(builder, REAL, size=ir.IntType(64)(outputs))
        for k, variable in enumerate(variables):
            builder.store(variable, builder.gep(given, [ir.IntType(64)(k)]))
        data = context.make_array(signature.args[1])(context, builder, numbers).data
        function = builder.inttoptr(address, FUNCTION.as_pointer())
        builder.call(function, [given, builder.gep(data, [first]), found])
        results = [builder.load(builder.gep(found, [ir.IntType(64)(k)])) for k in range(outputs)]
        return context.make_tuple(builder, signature.return_type, results)

    return lower


@inside
def call_1_9(context: Any, address: Any, numbers: Any, first: Any, q: Any) -> Any:
    """Nine values of a formula of one variable q at `address`, whose constants are numbers[first], ...

    Three expressions, their first and their second derivatives by q: x, y, z, x', y', z', x'', y'', z''.
    """
    result = types.UniTuple(types.float64, 9)
    return result(types.int64, numbers, types.int64, types.float64), _calling(9)


@inside
def call_1_2(context: Any, address: Any, numbers: Any, first: Any, t: Any) -> Any:
    """The values of two formulas of one variable at `address`. Constants as of `call_1_9`."""
    result = types.UniTuple(types.float64, 2)
    return result(types.int64, numbers, types.int64, types.float64), _calling(2)


@inside
def call_2_1(context: Any, address: Any, numbers: Any, first: Any, x: Any, y: Any) -> Any:
    """The value of a formula of two variables at `address`. Constants as of `call_1_9`."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        whole = types.UniTuple(types.float64, 1)(*signature.args)
        return builder.extract_value(_calling(1)(context, builder, whole, arguments), 0)

    return types.float64(types.int64, numbers, types.int64, types.float64, types.float64), lower


@inside
def call_2_6(context: Any, address: Any, numbers: Any, first: Any, x: Any, y: Any) -> Any:
    """Six values of a formula of two variables at `address`: f, f_x, f_y, f_xx, f_xy, f_yy.

    Constants as of `call_1_9`.
    """
    result = types.UniTuple(types.float64, 6)
    return result(types.int64, numbers, types.int64, types.float64, types.float64), _calling(6)


@inside
def call_4_3(context: Any, address: Any, numbers: Any, first: Any, x: Any, y: Any, z: Any, t: Any) -> Any:
    """Three values of a formula of four variables, such as a field at x, y, z [m] and t [s]. Constants as above."""
    result, real = types.UniTuple(types.float64, 3), types.float64
    return result(types.int64, numbers, types.int64, real, real, real, real), _calling(3)


@inside
def call_4_15(context: Any, address: Any, numbers: Any, first: Any, x: Any, y: Any, z: Any, t: Any) -> Any:
    """Fifteen values of a formula of four variables: a field, its derivatives by x, y and z, then by t."""
    result, real = types.UniTuple(types.float64, 15), types.float64
    return result(types.int64, numbers, types.int64, real, real, real, real), _calling(15)


@inside
def call_4_30(context: Any, address: Any, numbers: Any, first: Any, x: Any, y: Any, z: Any, t: Any) -> Any:
    """Thirty values of a formula of four variables: a field, its first and its second derivatives in space.

    The second ones are by xx, yy, zz, xy, xz, yz.
    """
    result, real = types.UniTuple(types.float64, 30), types.float64
    return result(types.int64, numbers, types.int64, real, real, real, real), _calling(30)


@inside
def call_7_8(
    context: Any, address: Any, numbers: Any, first: Any, x: Any, y: Any, z: Any, u: Any, v: Any, w: Any, t: Any
) -> Any:
    """Eight values of a formula of seven variables: a position, a velocity and the time. Constants as above."""
    result = types.UniTuple(types.float64, 8)
    return result(types.int64, numbers, types.int64, *[types.float64] * 7), _calling(8)
