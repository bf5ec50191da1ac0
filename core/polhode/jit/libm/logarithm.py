"""log of a number and of a pair of doubles, log1p, and the inverse hyperbolic functions by it.

x = 2^k m with m in [0.6875, 1.375), and log x = k ln 2 - log c + log1p(m c - 1): c is the inverse of the middle of one
of 128 intervals of m, cut to 10 bits, so that m c - 1 is a sum of exact products; its logarithm is a short series.
Next to 1, c is 1 and k is 0, so that small logarithms have all their digits.
"""

from __future__ import annotations

from math import copysign, inf, nan

from polhode.jit.kernel import strict_kernel
from polhode.jit.libm.double_double import (
    Pair,
    as_float,
    as_integer,
    exact_sum,
    fast_sum,
    product,
    root,
    upper,
)
from polhode.jit.libm.tables import LN2_1, LN2_2, LOGARITHMS

LOWEST_MANTISSA = 0x3FE6000000000000  # the bits of 0.6875
THIRTEEN = -(1 << 13)  # mask that leaves 40 bits of a mantissa
SERIES = 1 / 3, -1 / 4, 1 / 5, -1 / 6, 1 / 7, -1 / 8, 1 / 9, -1 / 10
LARGE, TINY = 2.0**30, 2.0**-20


@strict_kernel
def log_pair(x: float) -> Pair:
    """log x as a pair, to 68 bits of it, for finite x > 0."""
    shift = 0.0
    if x < 2.0**-1022:
        x, shift = x * 2.0**54, 54.0
    bits = as_integer(x)
    above = bits - LOWEST_MANTISSA
    row, k = (above >> 45) & 127, float(above >> 52) - shift
    m = as_float(bits - ((above >> 52) << 52))
    c, most = LOGARITHMS[row, 0], as_float(as_integer(m) & THIRTEEN)
    z, below = exact_sum(most * c - 1.0, (m - most) * c)
    half = upper(z)
    first, error = exact_sum(k * LN2_1 + LOGARITHMS[row, 1], z)
    second, more = exact_sum(first, -0.5 * half * half)
    a1, a2, a3, a4, a5, a6, a7, a8 = SERIES
    square = z * z
    even = a1 + square * (a3 + square * (a5 + square * a7))
    series = square * z * (even + z * (a2 + square * (a4 + square * (a6 + square * a8))))
    smaller = (k * LN2_2 + LOGARITHMS[row, 2]) + (below - z * below) - 0.5 * (z - half) * (z + half)
    return fast_sum(second, error + more + (smaller + series))


@strict_kernel
def log_of_pair(high: float, low: float) -> Pair:
    """log(high + low) as a pair, for finite high > 0."""
    found = log_pair(high)
    return fast_sum(found[0], found[1] + low / high) if found[0] != 0.0 else (low / high, 0.0)


@strict_kernel
def log(x: float) -> float:
    """The natural logarithm; -inf for 0, nan below."""
    if not x > 0.0:
        return -inf if x == 0.0 else nan
    if x == inf:
        return inf
    found = log_pair(x)
    return found[0] + found[1]


@strict_kernel
def log1p(x: float) -> float:
    """log(1 + x), with all digits for small x; -inf for -1, nan below."""
    if not x > -1.0:
        return -inf if x == -1.0 else nan
    if x == inf or x == 0.0:
        return x
    if abs(x) < 2.0**-30:
        return x - x * x * (1 / 2 - x * (1 / 3))
    found = log_of_pair(*exact_sum(1.0, x))
    return found[0] + found[1]


@strict_kernel
def log_of_double(x: float) -> float:
    """log(2 x) for x >= LARGE, also where 2 x is infinite."""
    if not x < inf:
        return x
    found = log_pair(x)
    high, low = exact_sum(found[0], LN2_1)
    return high + (low + (found[1] + LN2_2))


@strict_kernel
def asinh(x: float) -> float:
    """The inverse hyperbolic sine."""
    size = abs(x)
    if size < TINY:
        return copysign(size - size * size * size * (1 / 6), x)
    if not size < LARGE:
        return copysign(log_of_double(size), x)
    square = product((size, 0.0), (size, 0.0))
    one, error = exact_sum(square[0], 1.0)
    hypotenuse = root(fast_sum(one, error + square[1]))
    high, low = exact_sum(hypotenuse[0], size)
    found = log_of_pair(*fast_sum(high, low + hypotenuse[1]))
    return copysign(found[0] + found[1], x)


@strict_kernel
def acosh(x: float) -> float:
    """The inverse hyperbolic cosine; nan below 1."""
    if not x < LARGE:
        return log_of_double(x)
    if x < 1.0:
        return nan
    leg = root(product(exact_sum(x, -1.0), exact_sum(x, 1.0)))
    high, low = exact_sum(x, leg[0])
    found = log_of_pair(*fast_sum(high, low + leg[1]))
    return found[0] + found[1]


@strict_kernel
def atanh(x: float) -> float:
    """The inverse hyperbolic tangent; inf for 1 and -inf for -1, nan beyond."""
    size = abs(x)
    if size < TINY:
        return x + x * x * x * (1 / 3)
    if not size < 1.0:
        return x * inf if size == 1.0 else nan
    one, other = log_of_pair(*exact_sum(1.0, size)), log_of_pair(*exact_sum(1.0, -size))
    high, low = exact_sum(one[0], -other[0])
    return copysign(0.5 * (high + (low + (one[1] - other[1]))), x)
