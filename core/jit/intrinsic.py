"""Decorator of functions that generate LLVM code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.extending import intrinsic


def inside(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that kernels call without its first argument, the typing context."""
    return intrinsic(function)
