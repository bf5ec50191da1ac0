"""atan2, atan, asin and acos, all by the angle of a point in the first octant.

For 0 <= y <= x, with c = j/32 next to y/x, the angle is atan c + atan d with d = (y - c x)/(x + c y), |d| <= 1/64.
atan c is in a table as a pair, d is divided as a pair, and d - atan d is a short series. asin x and acos x are the
angles of the points (sqrt(1 - x^2), x) and (x, sqrt(1 - x^2)), whose roots are pairs.
"""

from __future__ import annotations

from math import copysign, inf, nan

from polhode.jit.kernel import strict_kernel
from polhode.jit.libm.double_double import Pair, as_float, as_integer, exact_sum, fast_sum, product, quotient, root
from polhode.jit.libm.tables import ANGLES, HALF_PI_1, HALF_PI_2

SERIES = 1 / 3, -1 / 5, 1 / 7, -1 / 9, 1 / 11
TINY = 2.0**-30  # below this ratio y/x, the angle is the ratio
TWENTY = -(1 << 20)  # mask that leaves 33 bits of a mantissa


@strict_kernel
def plus_multiple(a: Pair, c: float, b: Pair) -> Pair:
    """A + c b as a pair, for a c of few bits."""
    most = as_float(as_integer(b[0]) & TWENTY)
    one, error = exact_sum(a[0], c * most)
    two, more = exact_sum(one, c * (b[0] - most))
    return fast_sum(two, error + more + (a[1] + c * b[1]))


@strict_kernel
def octant(y: Pair, x: Pair) -> Pair:
    """The angle of (x, y) as a pair, to about 60 bits, for 0 <= y <= x and 2^-500 < x < 2^500."""
    j = int(32.0 * (y[0] / x[0]) + 0.5)
    c = float(j) * (1 / 32)
    d, low = quotient(plus_multiple(y, -c, x), plus_multiple(x, c, y))
    square = d * d
    a1, a2, a3, a4, a5 = SERIES
    series = d * square * (a1 + square * (a2 + square * (a3 + square * (a4 + square * a5))))
    high, error = exact_sum(ANGLES[j, 0], d)
    return fast_sum(high, error + (ANGLES[j, 1] + (low - series)))


@strict_kernel
def upper_half(y: Pair, x: Pair) -> Pair:
    """The angle of (x, y) in [0, pi] as a pair, for y >= 0."""
    size = (x[0], x[1]) if x[0] > 0.0 else (-x[0], -x[1])
    steep = y[0] > size[0]
    high, low = octant(size, y) if steep else octant(y, size)
    if steep:
        first, error = exact_sum(HALF_PI_1, -high if x[0] > 0.0 else high)
        return first, error + (HALF_PI_2 + (-low if x[0] > 0.0 else low))
    if x[0] > 0.0:
        return high, low
    first, error = exact_sum(2.0 * HALF_PI_1, -high)
    return first, error + (2.0 * HALF_PI_2 - low)


@strict_kernel
def atan2(y: float, x: float) -> float:
    """The angle of (x, y) in [-pi, pi] rad; for zeros and infinities as in C99, annex F.9.1.4."""
    if x != x or y != y:
        return nan
    a, b = abs(x), abs(y)
    is_left = copysign(1.0, x) < 0.0
    if b == 0.0 or a == inf or b == inf or a == 0.0:
        return copysign(on_axes(b, a, is_left), y)
    if not is_left and b < TINY * a:
        return y / x
    largest = max(a, b)
    if largest > 2.0**400:
        a, b = a * 2.0**-600, b * 2.0**-600
    elif largest < 2.0**-400:
        a, b = a * 2.0**600, b * 2.0**600
    high, low = upper_half((b, 0.0), (-a if is_left else a, 0.0))
    return copysign(high + low, y)


@strict_kernel
def on_axes(b: float, a: float, is_left: bool) -> float:
    """The angle of (a, b), or (-a, b) on the left, where one is zero or infinite."""
    if b == 0.0 or (a == inf and b != inf):
        return 2.0 * HALF_PI_1 if is_left else 0.0
    if a == inf:
        return 1.5 * HALF_PI_1 if is_left else 0.5 * HALF_PI_1
    return HALF_PI_1


@strict_kernel
def atan(x: float) -> float:
    """The arc tangent [rad]."""
    return atan2(x, 1.0)


@strict_kernel
def other_leg(x: float) -> Pair:
    """sqrt(1 - x^2) as a pair, for |x| <= 1."""
    return root(product(exact_sum(1.0, -x), exact_sum(1.0, x)))


@strict_kernel
def asin(x: float) -> float:
    """The arc sine [rad]; nan outside [-1, 1]."""
    size = abs(x)
    if size < TINY:
        return x
    if not size < 1.0:
        return copysign(HALF_PI_1, x) if size == 1.0 else nan
    high, low = upper_half((size, 0.0), other_leg(size))
    return copysign(high + low, x)


@strict_kernel
def acos(x: float) -> float:
    """The arc cosine [rad]; nan outside [-1, 1]."""
    if not abs(x) < 1.0:
        if x == 1.0:
            return 0.0
        return 2.0 * HALF_PI_1 if x == -1.0 else nan
    high, low = upper_half(other_leg(x), (x, 0.0))
    return high + low
