"""Relation between coefficient of restitution and damping ratio. Neither compiler nor arrays.

A damped spring with damping ratio z = c/(2 sqrt(k m)) that may pull gives exp(-pi z/sqrt(1 - z^2)): 0.900 of the
bouncing ball of the documents, z = 0.0335. One that cannot pull lets go earlier, and gives more.
"""

from __future__ import annotations

from functools import cache
from math import acos, acosh, exp, sqrt

LEAST = 0.01  # smaller ones would need dampers without bounds
ROUNDS = 200  # of bisection, more than the binary digits of a float


def restitution(ratio: float) -> float:
    """Coefficient of restitution of a damped spring with damping ratio z = c/(2 sqrt(k m)) that cannot pull.

    e = exp(-2 z acos(z)/sqrt(1 - z^2)), with acosh and z^2 - 1 for z > 1, exp(-2) for z = 1: the contact ends when its
    force vanishes, not when the overlap does. Falls from 1 at z = 0 towards 0. (Schwager, Poeschel, Granular Matter 9,
    465, 2007, in terms of z)
    """
    if ratio < 1:
        return exp(-2 * ratio * acos(ratio) / sqrt((1 - ratio) * (1 + ratio)))
    return exp(-2) if ratio == 1 else exp(-2 * ratio * acosh(ratio) / sqrt((ratio - 1) * (ratio + 1)))


@cache
def damping_ratio(wanted: float) -> float:
    """The damping ratio z for a coefficient of restitution, 0 <= wanted <= 1: inverts `restitution` by bisection.

    Below LEAST it is that of LEAST, the nearest damping.
    """
    wanted = max(wanted, LEAST)
    low, high = 0.0, 1.0
    while restitution(high) > wanted:
        high *= 2
    for _ in range(ROUNDS):
        middle = (low + high) / 2
        low, high = (middle, high) if restitution(middle) > wanted else (low, middle)
    return low
