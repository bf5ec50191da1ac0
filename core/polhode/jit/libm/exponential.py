"""exp of a number and of a pair of doubles, and the hyperbolic functions by it.

x = (64 e + j) ln 2/64 + r with |r| <= ln 2/128, and e^x = 2^e 2^(j/64) e^r: the middle factor is in a table as a pair,
and e^r - 1 is a short series. Up to 0.2 the hyperbolic functions are series of their own.
"""

from __future__ import annotations

from math import copysign, inf

from polhode.jit.kernel import strict_kernel
from polhode.jit.libm.double_double import Pair, as_float, as_integer, exact_sum, fast_sum, quotient
from polhode.jit.libm.tables import FRACTION_1, FRACTION_2, POWERS, TANH_SERIES

ROUNDING = 1.5 * 2.0**52
LARGEST, SMALLEST = 709.8, -745.2  # exp is inf above, 0 below
SERIES = 1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 720
SINH_SERIES = 1 / 6, 1 / 120, 1 / 5040, 1 / 362880, 1 / 39916800, 1 / 6227020800
SMALL = 0.2  # below, sinh and tanh are series


@strict_kernel
def exp_pair(high: float, low: float) -> tuple[float, float, int]:
    """(h, l, e) with exp(high + low) = (h + l) 2^e and h in [0.99, 2), to 59 bits, for |high| < 1e4."""
    shifted = high * (1.0 / (FRACTION_1 + FRACTION_2)) + ROUNDING
    n, k = shifted - ROUNDING, as_integer(shifted)
    r = (high - n * FRACTION_1) - n * FRACTION_2 + low
    a2, a3, a4, a5, a6 = SERIES
    part = r + r * r * (a2 + r * (a3 + r * (a4 + r * (a5 + r * a6))))
    j = k & 63
    found = fast_sum(POWERS[j, 0], POWERS[j, 1] + POWERS[j, 0] * part)
    return found[0], found[1], (k << 13) >> 19


@strict_kernel
def scaled(high: float, low: float, exponent: int) -> float:
    """(high + low) 2^exponent for high in [0.5, 2), rounded once, also where the result is subnormal."""
    if exponent > 1020:
        return (high + low) * 2.0**1020 * as_float((min(exponent - 1020, 1023) + 1023) << 52)
    if exponent >= -1020:
        return (high + low) * as_float((exponent + 1023) << 52)
    if exponent < -1080:
        return 0.0
    while high + low < 1.0:
        high, low, exponent = 2.0 * high, 2.0 * low, exponent - 1
    if exponent >= -1022:
        return (high + low) * as_float((exponent + 1023) << 52)
    grid = as_float((1 - exponent) << 52)  # its lowest bit is that of a subnormal number before scaling
    total, error = exact_sum(grid, high)
    return ((total + (error + low)) - grid) * as_float((exponent + 1000 + 1023) << 52) * 2.0**-1000


@strict_kernel
def exp_of_pair(high: float, low: float) -> float:
    """exp(high + low), for finite numbers; inf or 0 beyond its bounds."""
    if high > LARGEST:
        return inf
    if high < SMALLEST:
        return 0.0
    h, l, exponent = exp_pair(high, low)  # noqa: E741
    return scaled(h, l, exponent)


@strict_kernel
def exp(x: float) -> float:
    """e^x; inf above 709.78, 0 below -745.13, with subnormal results between."""
    return x if x != x else exp_of_pair(x, 0.0)


@strict_kernel
def exp_and_inverse(x: float) -> tuple[Pair, Pair]:
    """e^x and e^-x as pairs, for 0 <= x <= 40."""
    high, low, exponent = exp_pair(x, 0.0)
    power = as_float((exponent + 1023) << 52)
    one = (high * power, low * power)
    return one, quotient((1.0, 0.0), one)


@strict_kernel
def sinh(x: float) -> float:
    """The hyperbolic sine."""
    size = abs(x)
    if not size >= SMALL:
        square = x * x
        a1, a2, a3, a4, a5, a6 = SINH_SERIES
        return x + x * square * (a1 + square * (a2 + square * (a3 + square * (a4 + square * (a5 + square * a6)))))
    if not size < 40.0:
        return copysign(half_exp(size), x)
    one, other = exp_and_inverse(size)
    high, low = exact_sum(one[0], -other[0])
    return copysign(0.5 * (high + (low + (one[1] - other[1]))), x)


@strict_kernel
def cosh(x: float) -> float:
    """The hyperbolic cosine."""
    size = abs(x)
    if not size < 40.0:
        return half_exp(size)
    one, other = exp_and_inverse(size)
    high, low = exact_sum(one[0], other[0])
    return 0.5 * (high + (low + (one[1] + other[1])))


@strict_kernel
def half_exp(x: float) -> float:
    """e^x / 2 for x >= 40, finite up to 710.47."""
    if not x < 711.0:
        return x + inf
    high, low, exponent = exp_pair(x, 0.0)
    return scaled(high, low, exponent - 1)


@strict_kernel
def tanh(x: float) -> float:
    """The hyperbolic tangent."""
    size = abs(x)
    if not size >= SMALL:
        square, series = size * size, 0.0
        for k in range(len(TANH_SERIES)):
            series = TANH_SERIES[k] - square * series
        return copysign(size - size * square * series, x)
    if not size < 20.0:
        return copysign(1.0, x)
    one, other = exp_and_inverse(size)
    above, below = exact_sum(one[0], -other[0]), exact_sum(one[0], other[0])
    top = fast_sum(above[0], above[1] + (one[1] - other[1]))
    ratio = quotient(top, fast_sum(below[0], below[1] + (one[1] + other[1])))
    return copysign(ratio[0] + ratio[1], x)
