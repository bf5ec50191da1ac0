"""sin, cos and tan.

The argument is a multiple n of pi/32 and a remainder |r| <= pi/64; then sin(n pi/32 + r) = S cos r + C sin r, with S
and C from a table and short series of r. S + C r is added as a pair of doubles, so that little but the last rounding
is left: errors are at most 0.52 units in the last place. Up to 2^16 pi/32 is subtracted in parts whose products with n
are exact (Cody and Waite); beyond, the bits of 32/pi that matter are multiplied as integers (Payne and Hanek 1983).
"""

from __future__ import annotations

from math import inf, nan
from typing import Any

import numpy as np

from polhode.jit.kernel import strict_kernel
from polhode.jit.libm.double_double import (
    Pair,
    as_integer,
    exact_product,
    exact_sum,
    fast_sum,
    quotient,
    upper,
)
from polhode.jit.libm.tables import SECTOR_1, SECTOR_2, SECTOR_3, SECTOR_4, SECTOR_REST, SECTORS, SINES, TWO_OVER_PI

TINY = 2.0**-30  # below, sin x and tan x are x
FAR = 2.0**16
ROUNDING = 1.5 * 2.0**52  # added and subtracted, it rounds to an integer, which is in the lowest bits of the sum
SINE_SERIES = -1 / 6, 1 / 120, -1 / 5040, 1 / 362880
COSINE_SERIES = -1 / 2, 1 / 24, -1 / 720, 1 / 40320

# Numba takes a sum of an unsigned and a signed integer for a float: all constants are unsigned.
ONE, LIMB, LOW_LIMB = np.uint64(1), np.uint64(32), np.uint64(0xFFFFFFFF)
HALF_SECTOR, SECTOR_BITS = np.uint64(1 << 57), np.uint64(58)
LIMBS = 7  # of 2/pi that are multiplied: 134 bits of the remainder are right, of which 62 may be zero


@strict_kernel
def far_sector(x: float) -> tuple[Any, float, float]:
    """As `sector`, for |x| >= FAR: x = m 2^e, and 32/pi m 2^e modulo 64 by limbs of 32 bits of 2/pi."""
    if not abs(x) < inf:
        return 0, nan, nan
    bits = as_integer(abs(x))
    exponent = (bits >> 52) - 1075
    mantissa = np.uint64((bits & ((1 << 52) - 1)) | (1 << 52))
    low, high = mantissa & LOW_LIMB, mantissa >> LIMB
    first = exponent + 62
    at, shift = first >> 5, np.uint64(first & 31)
    r0 = r1 = r2 = r3 = r4 = carry = below = np.uint64(0)
    for k in range(LIMBS - 1, -1, -1):
        limb = np.uint64(TWO_OVER_PI[at + k])
        one, other = low * limb, high * below
        total = (one & LOW_LIMB) + (other & LOW_LIMB) + carry
        carry = (one >> LIMB) + (other >> LIMB) + (total >> LIMB)
        r4, r3, r2, r1, r0, below = r3, r2, r1, r0, total & LOW_LIMB, limb
    upper_bits, middle, lower = (r0 << LIMB) | r1, (r2 << LIMB) | r3, r4 << LIMB
    upper_bits = (upper_bits << shift) | ((middle >> ONE) >> (np.uint64(63) - shift))
    middle = (middle << shift) | ((lower >> ONE) >> (np.uint64(63) - shift))
    rounded = upper_bits + HALF_SECTOR
    n = np.int64(rounded >> SECTOR_BITS)
    part = np.int64(rounded & ((ONE << SECTOR_BITS) - ONE)) - (1 << 57)
    rest = np.int64(middle >> np.uint64(11))
    high_part, error = exact_sum(float(part >> 29) * 2.0**-29, float(part & ((1 << 29) - 1)) * 2.0**-58)
    high_part, more = exact_sum(high_part, float(rest) * 2.0**-111)
    fraction = fast_sum(high_part, error + more + float(np.int64(middle & np.uint64(2047))) * 2.0**-122)
    product, error = exact_product(fraction[0], SECTORS[0])
    hi, lo = fast_sum(product, error + (fraction[0] * SECTORS[1] + fraction[1] * SECTORS[0]))
    return (n, hi, lo) if x > 0.0 else (-n, -hi, -lo)


@strict_kernel
def sector(x: float) -> tuple[int, float, float]:
    """n modulo 64 (to be masked) and the remainder x - n pi/32 as a pair, to 60 bits; nan for inf."""
    if abs(x) >= FAR:
        return far_sector(x)
    shifted = x * (1.0 / SECTORS[0]) + ROUNDING
    n = shifted - ROUNDING
    high, low = exact_sum(x - n * SECTOR_1, -n * SECTOR_2)
    if abs(high) < TINY:  # what is left may be as small as the third part
        third, error = exact_sum(low, -n * SECTOR_3)
        high, low = exact_sum(high, third)
        low += error - n * SECTOR_4
    else:
        low -= n * SECTOR_REST
    high, low = fast_sum(high, low)
    return as_integer(shifted), high, low


@strict_kernel
def sine_pair(n: int, high: float, low: float) -> Pair:
    """sin(n pi/32 + high + low) as a pair, to about 60 bits."""
    i, j = n & 63, (n & 63) + 16
    square = high * high
    a1, a2, a3, a4 = SINE_SERIES
    b1, b2, b3, b4 = COSINE_SERIES
    series = high * square * (a1 + square * (a2 + square * (a3 + square * a4)))
    rest = square * (b1 + square * (b2 + square * (b3 + square * b4)))
    sine, cosine = SINES[i, 0], SINES[j, 0]
    factor, half = upper(cosine), upper(high)
    total, error = exact_sum(sine, factor * half)
    crossed = factor * (high - half) + (cosine - factor) * high
    lower = crossed + (cosine * low + SINES[j, 1] * high) + (cosine * series + sine * rest)
    return total, error + (SINES[i, 1] + lower)


@strict_kernel
def sin(x: float) -> float:
    """The sine of x [rad]; nan for inf."""
    if abs(x) < TINY:
        return x
    n, high, low = sector(x)
    found = sine_pair(n, high, low)
    return found[0] + found[1]


@strict_kernel
def cos(x: float) -> float:
    """The cosine of x [rad]; nan for inf."""
    n, high, low = sector(x)
    found = sine_pair(n + 16, high, low)
    return found[0] + found[1]


@strict_kernel
def sincos(x: float) -> tuple[float, float]:
    """(sin x, cos x) of one reduction of x [rad]; the same bits as sin(x) and cos(x)."""
    n, high, low = sector(x)
    sine, cosine = sine_pair(n, high, low), sine_pair(n + 16, high, low)
    return x if abs(x) < TINY else sine[0] + sine[1], cosine[0] + cosine[1]


@strict_kernel
def tan(x: float) -> float:
    """The tangent of x [rad]; nan for inf."""
    if abs(x) < TINY:
        return x
    n, high, low = sector(x)
    sine, cosine = sine_pair(n, high, low), sine_pair(n + 16, high, low)
    found = quotient(fast_sum(sine[0], sine[1]), fast_sum(cosine[0], cosine[1]))
    return found[0] + found[1]
