"""Sums, products, quotients and roots as pairs of doubles: high + low, without fused multiply-adds.

The high part is the rounded result, the low part its error, so that a pair carries some 106 bits (Dekker 1971, Knuth).
An error term is exact only if no compiler contracts or reorders it, hence `strict_kernel`.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from llvmlite import ir
from numba.core import types

from polhode.jit.intrinsic import inside
from polhode.jit.kernel import strict_kernel

Pair = tuple[float, float]
UPPER_HALF = -(1 << 27)
"""Mask of sign, exponent and the upper 26 bits of a mantissa: products of two such numbers are exact."""


@inside
def as_integer(context: Any, number: Any) -> Any:
    """The 64 bits of a float as an int."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.int64(types.float64), lower


@inside
def as_float(context: Any, bits: Any) -> Any:
    """The float whose 64 bits are those of an int."""

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.int64), lower


@strict_kernel
def upper(a: float) -> float:
    """`a` cut to 26 bits of its mantissa; the remainder a - upper(a) is exact and has 27 bits."""
    return as_float(as_integer(a) & UPPER_HALF)


@strict_kernel
def fast_sum(a: float, b: float) -> Pair:
    """a + b as a pair, for |a| >= |b| or a = 0."""
    high = a + b
    return high, b - (high - a)


@strict_kernel
def exact_sum(a: float, b: float) -> Pair:
    """a + b as a pair, for numbers of any sizes."""
    high = a + b
    part = high - a
    return high, (a - (high - part)) + (b - part)


@strict_kernel
def exact_product(a: float, b: float) -> Pair:
    """A b as a pair, to 104 bits, for products and factors between 1e-290 and 1e290."""
    high = a * b
    a1, b1 = upper(a), upper(b)
    a2, b2 = a - a1, b - b1
    return high, (((a1 * b1 - high) + a1 * b2) + a2 * b1) + a2 * b2


@strict_kernel
def quotient(a: Pair, b: Pair) -> Pair:
    """A / b of two pairs, to about 100 bits."""
    high = a[0] / b[0]
    product, error = exact_product(high, b[0])
    return fast_sum(high, (((a[0] - product) - error) + (a[1] - high * b[1])) / b[0])


@strict_kernel
def product(a: Pair, b: Pair) -> Pair:
    """A b of two pairs, to about 100 bits."""
    high, low = exact_product(a[0], b[0])
    return fast_sum(high, low + (a[0] * b[1] + a[1] * b[0]))


@strict_kernel
def root(a: Pair) -> Pair:
    """The square root of a pair, to about 100 bits; (0, 0) for 0."""
    high = sqrt(a[0])
    if high == 0.0:
        return 0.0, 0.0
    square, error = exact_product(high, high)
    return fast_sum(high, (((a[0] - square) - error) + a[1]) / (2.0 * high))
