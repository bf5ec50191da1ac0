"""Saturation of the only shape of iron of a scene, in the mean over it (A. Froehlich, 1881; A. E. Kennelly, 1891).

    H = M/(chi_0 (1 - M/M_s))        V M^2 = q.N q
    U = mu0 (q.psi + 1/2 q.g q + V w(M))      w = -(M_s/chi_0) (M + M_s ln(1 - M/M_s))

The charges that make U least are those of the linear problem with chi = M/H(M), one number. With g v = s N v and
v.N v = 1, T the matrix of all v without a total charge, and a = T'psi,

    q = -T a/(s + x)     V M^2 = sum a^2/(s + x)^2     1 - M/M_s = 1/(chi_0 x)     x = 1/chi

The last equation has one root between 1/chi_0 and 1/chi_0 + |a|/(sqrt(V) M_s).
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.libm.logarithm import log1p
from polhode.jit.simd import WIDTH, broadcast, load, reduce_sum, store
from polhode.physics.iron.arrays import Iron, IronWork
from polhode.physics.iron.potentials import multiply

MOST_STEPS = 80
SMALL = 0.05  # M/M_s below which w is a series
TERMS = 14


@kernel
def multiply_transposed(matrix: np.ndarray, first: int, end: int, x: np.ndarray, y: np.ndarray) -> None:
    """Write the product of x with rows `first` to `end` of a matrix (n, w) into y; (1, n) each."""
    for j in range(0, end - first, WIDTH):
        total = broadcast(0.0)
        for i in range(first, end):
            total = total + x[0, i] * load(matrix, i, j)
        store(y, 0, first + j, None, total)


@kernel
def squares(first: int, end: int, a: np.ndarray, s: np.ndarray, x: float) -> tuple[float, float]:
    """Sums of a^2/(s + x)^2 and of a^2/(s + x)^3 from `first` to `end`; (1, n) each."""
    second = third = broadcast(0.0)
    for i in range(first, end, WIDTH):
        inverse = 1.0 / (load(s, 0, i) + x)
        part = load(a, 0, i) * inverse
        second = second + part * part
        third = third + part * part * inverse
    return reduce_sum(second), reduce_sum(third)


@kernel
def inverse_susceptibility(iron: Iron, amplitude: np.ndarray) -> tuple[float, float]:
    """1/chi of the iron and its magnetisation M [A/m], by steps of Newton within a bracket; `amplitude` (1, n) [A]."""
    first, end = iron.first[0], iron.first[1]
    volume, largest, least = iron.shape_volume[0], iron.saturation[0], 1.0 / iron.susceptibility[0]
    total = 0.0
    for i in range(first, end):
        total += amplitude[0, i] * amplitude[0, i]
    low, high = least, least + sqrt(total / volume) / largest
    x, magnetisation = low, 0.0
    for _ in range(MOST_STEPS):
        second, third = squares(first, end, amplitude, iron.own_value, x)
        magnetisation = sqrt(second / volume)
        excess = 1.0 - magnetisation / largest - least / x
        if excess > 0.0:
            high = x
        else:
            low = x
        slope = least / (x * x)
        if second > 0.0:
            slope += third / (sqrt(second * volume) * largest)
        following = x - excess / slope
        if not low < following < high:
            following = 0.5 * (low + high)
        if abs(following - x) <= 1e-15 * x:
            break
        x = following
    return x, magnetisation


@kernel
def write_saturated(iron: Iron, work: IronWork) -> None:
    """Write the charges of the iron in the potential, with 1/chi and the magnetisation."""
    first, end = iron.first[0], iron.first[1]
    multiply_transposed(iron.inverse, first, end, work.potential, work.step)
    x, magnetisation = inverse_susceptibility(iron, work.step)
    work.reluctivity[0], work.magnetisation[0] = x, magnetisation
    for i in range(first, end):
        work.direction[0, i] = -work.step[0, i] / (iron.own_value[0, i] + x)
    multiply(iron.inverse, first, end, work.direction, work.charge)


@kernel
def saturation_energy(iron: Iron, j: int, work: IronWork) -> float:
    """V w - 1/2 x V M^2 [A^2 m] of shape j, which 1/2 q.psi lacks of U/mu0."""
    magnetisation, largest = work.magnetisation[j], iron.saturation[j]
    share = magnetisation / largest
    found = -share - log1p(-share)
    if share < SMALL:
        found, power = 0.0, share
        for k in range(2, TERMS):
            power *= share
            found += power / k
    density = largest * largest / iron.susceptibility[j] * found
    return iron.shape_volume[j] * (density - 0.5 * work.reluctivity[j] * magnetisation * magnetisation)
