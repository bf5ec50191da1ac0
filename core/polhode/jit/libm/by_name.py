"""The elementary functions by their names in formulas, and calls of them from code that LLVM generates.

Such code declares a function by its symbol, "polhode_sin", with the calling convention of numba's functions: it returns
a status, which is always good, and writes its result behind its first argument.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from llvmlite import binding, ir
from numba.core import types

from polhode.jit.formula_calls import REAL
from polhode.jit.libm.exponential import cosh, exp, sinh, tanh
from polhode.jit.libm.inverse_trigonometric import acos, asin, atan, atan2
from polhode.jit.libm.logarithm import acosh, asinh, atanh, log
from polhode.jit.libm.power import power_of
from polhode.jit.libm.trigonometric import cos, sin, tan

BY_NAME: dict[str, Any] = {
    **{each.__name__: each for each in (sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh)},
    **{each.__name__: each for each in (asinh, acosh, atanh, exp, log)},
    "^": power_of,
}
"""Kernels of one or two floats."""
ANYTHING = ir.IntType(8).as_pointer()


def kinds_of(name: str) -> tuple[Any, ...]:
    """The types of the arguments of a function."""
    return (types.float64,) * int(BY_NAME[name].py_func.__code__.co_argcount)


def name_of_unit(name: str) -> str:
    """The name by which the unit of a function is known (core/polhode/run/units.py)."""
    function = BY_NAME[name].py_func
    return f"{function.__module__}:{function.__name__}"


def symbol_of(name: str) -> str:
    """The symbol by which generated code calls a function."""
    return f"polhode_{BY_NAME[name].__name__}"


@cache
def define(name: str) -> None:
    """Make the symbol of a function known to LLVM in this process, for good; compiles the function if necessary."""
    binding.add_symbol(symbol_of(name), BY_NAME[name].native.address(kinds_of(name)))


def call_by_symbol(builder: Any, name: str, values: list[Any]) -> Any:
    """Generate a call of a function; returns the LLVM value of its result."""
    kind = ir.FunctionType(ir.IntType(32), [REAL.as_pointer(), ANYTHING.as_pointer(), *[REAL] * len(values)])
    known = builder.module.globals.get(symbol_of(name))
    function = known or ir.Function(builder.module, kind, symbol_of(name))
    with builder.goto_entry_block():
        result, error = builder.alloca(REAL), builder.alloca(ANYTHING)
    builder.call(function, [result, error, *values])
    return builder.load(result)
