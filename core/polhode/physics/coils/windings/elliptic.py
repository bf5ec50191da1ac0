"""Complete elliptic integrals by the arithmetic-geometric mean.

    K = integral 0 ... pi/2 of 1/sqrt(1 - m sin^2 t)       E = integral 0 ... pi/2 of sqrt(1 - m sin^2 t)
    cel = integral 0 ... pi/2 of (a cos^2 t + b sin^2 t)/{(cos^2 t + p sin^2 t) sqrt(cos^2 t + kc^2 sin^2 t)}

with kc^2 = 1 - m (Abramowitz and Stegun 17.6; R. Bulirsch, Numer. Math. 13, 305, 1969). Taking kc^2 instead of m keeps
all digits close to a wire, where m is nearly 1.
"""

from __future__ import annotations

from math import pi, sqrt

from polhode.jit.kernel import kernel
from polhode.jit.simd import any_lane

SMALL = 1e-8  # relative difference of the two means below which the next step would not change a digit


@kernel
def first_and_second(kc_square: float) -> tuple[float, float]:
    """K and E for kc^2 in (0, 1]; for scalars and lanes."""
    a, b, total, weight = 1.0 + 0.0 * kc_square, sqrt(kc_square), 0.5 * (1.0 - kc_square), 0.5
    while any_lane((a - b) * (a - b) > SMALL * SMALL * a * a):
        c = 0.5 * (a - b)
        a, b = 0.5 * (a + b), sqrt(a * b)
        weight *= 2.0
        total = total + weight * c * c
    k = pi / (a + b)
    return k, k * (1.0 - total)


@kernel
def cel(kc: float, p: float, a: float, b: float) -> float:
    """Bulirsch's integral for kc > 0 and p > 0; for scalars, or for lanes in kc and p."""
    root = sqrt(p)
    above, below = a + 0.0 * kc, b / root
    mean, q, e = 1.0 + 0.0 * kc, kc, kc
    while True:
        f = above
        above = above + below / root
        g = e / root
        below = 2.0 * (below + f * g)
        root = root + g
        last = mean
        mean = mean + q
        if not any_lane((last - q) * (last - q) > SMALL * SMALL * last * last):
            return 0.5 * pi * (above * mean + below) / (mean * (mean + root))
        q = 2.0 * sqrt(e)
        e = q * mean
