"""Decorator of functions that generate LLVM code: the one place that names numba's `intrinsic`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.extending import intrinsic


def inside(function: Callable[..., Any]) -> Callable[..., Any]:
    """An intrinsic: kernels call it without its first argument, the typing context.

    The decorated function gets the numba types of the arguments, and returns a signature and its lowering, (context,
    builder, signature, LLVM values) to an LLVM value.
    """
    return intrinsic(function)
