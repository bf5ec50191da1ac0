"""A dipole m at x and the charges q_i of panels, a third at each of three points c of a panel.

    psi_i = mean of m.r/(4 pi r^3), r = c - x       potential of the dipole at the panel
    H = sum q r'/(4 pi r'^3), r' = x - c            field of the charges at the dipole
    U = mu0 sum q_i psi_i = -mu0 m.H                F = mu0 grad (m.H)      T = mu0 m x H + arm x F

and the opposite force on the iron, with the opposite torque about the same point: momentum and angular momentum are
kept to rounding errors, whatever the charges are. In the frame of the iron.
"""

from __future__ import annotations

from math import pi

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.simd import WIDTH, broadcast, first_lanes, inverse_root, load, load_three, reduce_sum, store
from polhode.jit.simd_rows import total_three
from polhode.jit.vec import Triple, add, dot, scale, subtract
from polhode.physics.iron.arrays import Iron

POINTS = 3  # of a panel


@kernel
def add_potential(iron: Iron, a: int, at: Triple, moment: Triple, potential: np.ndarray) -> None:
    """Add the potential [A] of a dipole at `at` [m] with `moment` [A m^2] to `potential` (1, n) of the panels of a."""
    everything, factor = first_lanes(WIDTH), 1.0 / (4.0 * pi * POINTS)
    for i in range(iron.first[a], iron.first[a + 1], WIDTH):
        total = broadcast(0.0)
        for t in range(POINTS):
            r = subtract(load_three(iron.point, 3 * t, i, everything), at)
            inverse = inverse_root(dot(r, r))
            total = total + dot(moment, r) * (inverse * inverse * inverse)
        store(potential, 0, i, None, load(potential, 0, i) + factor * total)


@kernel
def add_uniform(iron: Iron, a: int, field: Triple, potential: np.ndarray) -> None:
    """Add the potential -H.c [A] of a uniform field H = `field` [A/m] to `potential` (1, n) of the panels of a."""
    everything = first_lanes(WIDTH)
    for i in range(iron.first[a], iron.first[a + 1], WIDTH):
        at = load_three(iron.middle, 0, i, everything)
        store(potential, 0, i, None, load(potential, 0, i) - dot(field, at))


@kernel
def field_of_charges(iron: Iron, a: int, charge: np.ndarray, at: Triple, moment: Triple) -> tuple[Triple, Triple]:
    """H [A/m] of the charges (1, n) of iron a at `at` [m], and grad (m.H) [A^2] of m = `moment` [A m^2]."""
    everything, zero = first_lanes(WIDTH), broadcast(0.0)
    field = pull = (zero, zero, zero)
    for i in range(iron.first[a], iron.first[a + 1], WIDTH):
        third = load(charge, 0, i)
        for t in range(POINTS):
            r = subtract(at, load_three(iron.point, 3 * t, i, everything))
            inverse = inverse_root(dot(r, r))
            square = inverse * inverse
            strength = third * (square * inverse)
            field = add(field, scale(strength, r))
            across = scale(-3.0 * square * dot(moment, r), r)
            turned = moment[0] + across[0], moment[1] + across[1], moment[2] + across[2]
            pull = add(pull, scale(strength, turned))
    factor = 1.0 / (4.0 * pi * POINTS)
    return scale(factor, total_three(field)), scale(factor, total_three(pull))


@kernel
def moment_of(iron: Iron, a: int, charge: np.ndarray) -> Triple:
    """Magnetic moment sum q c [A m^2] of the charges (1, n) [A m] of iron a, body frame."""
    everything, zero = first_lanes(WIDTH), broadcast(0.0)
    total = (zero, zero, zero)
    for i in range(iron.first[a], iron.first[a + 1], WIDTH):
        total = add(total, scale(load(charge, 0, i), load_three(iron.middle, 0, i, everything)))
    return total_three(total)


@kernel
def product(first: int, end: int, x: np.ndarray, y: np.ndarray) -> float:
    """Sum of x y over the panels from `first` to `end`; (1, n) each."""
    total = broadcast(0.0)
    for i in range(first, end, WIDTH):
        total = total + load(x, 0, i) * load(y, 0, i)
    return reduce_sum(total)


@kernel
def multiply(matrix: np.ndarray, first: int, end: int, x: np.ndarray, y: np.ndarray) -> None:
    """Write the product of rows `first` to `end` of a matrix (n, w) with x into y; (1, n) each, column 0 is `first`."""
    for i in range(first, end, 4):
        a = b = c = d = broadcast(0.0)
        for j in range(0, end - first, WIDTH):
            of_x = load(x, 0, first + j)
            a = a + load(matrix, i, j) * of_x
            b = b + load(matrix, i + 1, j) * of_x
            c = c + load(matrix, i + 2, j) * of_x
            d = d + load(matrix, i + 3, j) * of_x
        y[0, i], y[0, i + 1], y[0, i + 2], y[0, i + 3] = reduce_sum(a), reduce_sum(b), reduce_sum(c), reduce_sum(d)


@kernel
def multiply_all(iron: Iron, matrix: np.ndarray, x: np.ndarray, y: np.ndarray) -> None:
    """Write the product of the matrices of all bodies of iron with x into y; (1, n) each."""
    for a in range(len(iron.body)):
        multiply(matrix, iron.first[a], iron.first[a + 1], x, y)


@kernel
def subtract_product(end: int, factor: float, x: np.ndarray, y: np.ndarray) -> None:
    """Subtract factor x from y; (1, n) each, the first `end` numbers, a multiple of WIDTH."""
    for i in range(0, end, WIDTH):
        store(y, 0, i, None, load(y, 0, i) - factor * load(x, 0, i))
