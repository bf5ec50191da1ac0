"""pow: exp(y log x) with logarithm and product as pairs of doubles, and the special cases of C99, annex F.9.4.4."""

from __future__ import annotations

from math import inf, nan

from polhode.jit.kernel import strict_kernel
from polhode.jit.libm.double_double import exact_product
from polhode.jit.libm.exponential import exp_of_pair
from polhode.jit.libm.logarithm import log_pair


@strict_kernel
def power_of(x: float, y: float) -> float:
    """x^y; nan for a finite x < 0 and a y that is no integer."""
    if y == 0.0 or x == 1.0:
        return 1.0
    if x != x or y != y:
        return nan
    size, sign = abs(x), 1.0
    if x < 0.0 or (x == 0.0 and 1.0 / x < 0.0):
        odd, whole = parity(y)
        if odd:
            sign = -1.0
        elif not whole and 0.0 < size < inf:
            return nan
    if size == 0.0 or size == inf:
        return sign * (0.0 if (size == 0.0) == (y > 0.0) else inf)
    if abs(y) == inf:
        grows = (size > 1.0) == (y > 0.0)
        return 1.0 if size == 1.0 else inf if grows else 0.0
    return sign * finite_power(size, y)


@strict_kernel
def whole_power(x: float, n: int) -> float:
    """x^n by repeated squaring, for n >= 0."""
    found = 1.0
    while n > 0:
        found = found * x if n & 1 else found
        x, n = x * x, n >> 1
    return found


@strict_kernel
def parity(y: float) -> tuple[bool, bool]:
    """Whether y is an odd integer, and whether it is an integer; numbers from 2^53 on are even."""
    if not abs(y) < 2.0**53:
        return False, True
    whole = int(y)
    return float(whole) == y and (whole & 1) == 1, float(whole) == y


@strict_kernel
def finite_power(x: float, y: float) -> float:
    """x^y for finite x > 0 and finite y."""
    high, low = log_pair(x)
    estimate = y * high
    if not abs(estimate) < 1000.0:
        return inf if estimate > 0.0 else 0.0
    if abs(estimate) < 2.0**-60:
        return 1.0
    first, error = exact_product(y, high)
    return exp_of_pair(first, error + y * low)
