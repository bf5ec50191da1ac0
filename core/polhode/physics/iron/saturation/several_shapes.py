"""Saturation of several shapes of iron, in the mean over each, by the law of one_shape.py.

    U = mu0 (q.psi + 1/2 q.G q + sum V w(M))      V M^2 = q.N q      x = 1/chi = 1/(chi_0 (1 - M/M_s))

with the sums over shapes, and G the potentials of all charges at each other. U is convex. Steps of Newton find its
minimum (S. Boyd, L. Vandenberghe, Convex Optimization, 2004, chapter 9), each solved by conjugate gradients with R of
weak fields as preconditioner, and as long as makes U least:

    (G + sum x N + sum c (N q)(N q)') p = -(psi + G q + sum x N q)      c = x/(V M (M_s - M))

Every solution starts from q = -R psi, scaled to half of M_s, so that a run repeats to the byte.
"""

from __future__ import annotations

from math import inf, isfinite, sqrt

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.simd import WIDTH, load, store
from polhode.physics.iron.arrays import Iron, IronWork
from polhode.physics.iron.mutual import potential_of_others
from polhode.physics.iron.potentials import multiply_all, product, subtract_product

TOLERANCE = 1e-22  # of the energy: the square of that of the charges
MOST_STEPS = 60
MOST_GRADIENTS = 300
LOOSE = 0.01  # energy of the residual of a step of Newton, in that of its start, at most
START = 0.5  # M/M_s
LONGEST = 4.0  # steps of Newton
CLOSE = 1e-10  # of the length of a step


@kernel
def of_shape(iron: Iron, j: int, x: np.ndarray, y: np.ndarray) -> float:
    """Sum of x y over the panels of shape j; (1, n) each."""
    total = 0.0
    for i in range(iron.shape_first[j], iron.shape_end[j]):
        total += x[0, i] * y[0, i]
    return total


@kernel
def weak(iron: Iron, j: int) -> float:
    """1/chi_0 of shape j; 0 of a shape that is not magnetic, whose charges are 0."""
    return 1.0 / iron.susceptibility[j] if iron.susceptibility[j] > 0.0 else 0.0


@kernel
def reluctivity_at(iron: Iron, j: int, magnetisation: float) -> float:
    """x = 1/chi of shape j at M [A/m]."""
    return weak(iron, j) / (1.0 - magnetisation / iron.saturation[j])


@kernel
def curvature_at(iron: Iron, j: int, magnetisation: float) -> float:
    """c [1/(A^2 m^3)] of shape j at M [A/m]."""
    if not magnetisation > 0.0 or not isfinite(iron.saturation[j]):
        return 0.0
    left = iron.saturation[j] - magnetisation
    return reluctivity_at(iron, j, magnetisation) / (iron.shape_volume[j] * magnetisation * left)


@kernel
def measure(iron: Iron, charge: np.ndarray, work: IronWork) -> None:
    """Write M, x and c of all shapes for charges (1, n) [A m], whose N q is `inner`."""
    for j in range(len(iron.saturation)):
        square = of_shape(iron, j, charge, work.inner) / iron.shape_volume[j]
        work.magnetisation[j] = sqrt(max(square, 0.0))
        work.reluctivity[j] = reluctivity_at(iron, j, work.magnetisation[j])
        work.curvature[j] = curvature_at(iron, j, work.magnetisation[j])


@kernel
def begin(iron: Iron, potential: np.ndarray, charge: np.ndarray, work: IronWork) -> None:
    """Write the charges -R psi of each body, scaled so that none of its shapes is beyond START; (1, n) each."""
    end = len(iron.edge)
    multiply_all(iron, iron.inverse, potential, charge)
    for i in range(0, end, WIDTH):
        store(charge, 0, i, None, -load(charge, 0, i))
        store(work.of_charge, 0, i, None, -load(potential, 0, i))
    multiply_all(iron, iron.from_flux, charge, work.inner)
    for a in range(len(iron.body)):
        share = 1.0
        for j in range(iron.first_shape[a], iron.first_shape[a + 1]):
            magnetisation = sqrt(max(of_shape(iron, j, charge, work.inner) / iron.shape_volume[j], 0.0))
            if magnetisation > 0.0:
                share = min(share, START * iron.saturation[j] / magnetisation)
        for i in range(iron.first[a], iron.first[a + 1]):
            charge[0, i] *= share
            work.of_charge[0, i] *= share
            work.inner[0, i] *= share


@kernel
def potential_of_others_and_currents(iron: Iron, charge: np.ndarray, work: IronWork) -> None:
    """Write the potential of charges (1, n) of other bodies, and of the currents that they induce, into `image`."""
    potential_of_others(iron, charge, work)
    if not work.follows[0]:
        return
    for j in range(len(work.of_current)):
        work.linked[j] = product(0, len(iron.edge), work.of_current[j : j + 1], charge)
    for k in range(len(work.of_current)):
        current = 0.0
        for j in range(len(work.of_current)):
            current += work.gain[k, j] * work.linked[j]
        subtract_product(len(iron.edge), -current, work.of_current[k : k + 1], work.image)


@kernel
def write_residual(iron: Iron, potential: np.ndarray, charge: np.ndarray, work: IronWork) -> None:
    """Write -(psi + G q + sum x N q) into `residual`, (1, n) each; x is measured."""
    potential_of_others_and_currents(iron, charge, work)
    for i in range(len(iron.edge)):
        work.residual[0, i] = -(potential[0, i] + work.of_charge[0, i] + work.image[0, i])
    for j in range(len(iron.saturation)):
        more = work.reluctivity[j] - weak(iron, j)
        for i in range(iron.shape_first[j], iron.shape_end[j]):
            work.residual[0, i] -= more * work.inner[0, i]


@kernel
def write_second(iron: Iron, work: IronWork) -> None:
    """Write the second derivative of U/mu0 times `direction` into `image`."""
    potential_of_others_and_currents(iron, work.direction, work)
    subtract_product(len(iron.edge), -1.0, work.of_direction, work.image)
    multiply_all(iron, iron.from_flux, work.direction, work.of_flux)
    for j in range(len(iron.saturation)):
        more = work.reluctivity[j] - weak(iron, j)
        turned = work.curvature[j] * of_shape(iron, j, work.direction, work.inner)
        for i in range(iron.shape_first[j], iron.shape_end[j]):
            work.image[0, i] += more * work.of_flux[0, i] + turned * work.inner[0, i]


@kernel
def size_of_residual(iron: Iron, work: IronWork) -> float:
    """r.R r [A^2 m] of `residual` r; writes R r into `step`."""
    multiply_all(iron, iron.inverse, work.residual, work.step)
    return product(0, len(iron.edge), work.residual, work.step)


@kernel
def descend(iron: Iron, size: float, limit: float, work: IronWork) -> float:
    """Write the step p of Newton for `residual` r into `newton`, and R^-1 p into `of_newton`; returns p.r [A^2 m].

    size, limit: [A^2 m] `size_of_residual` now, and at most in the end
    """
    end, total = len(iron.edge), 0.0
    for i in range(0, end, WIDTH):
        store(work.direction, 0, i, None, load(work.step, 0, i))
        store(work.of_direction, 0, i, None, load(work.residual, 0, i))
        store(work.newton, 0, i, None, 0.0 * load(work.step, 0, i))
        store(work.of_newton, 0, i, None, 0.0 * load(work.step, 0, i))
    for _ in range(MOST_GRADIENTS):
        if not size > limit:
            break
        write_second(iron, work)
        length = size / product(0, end, work.direction, work.image)
        total += length * size
        subtract_product(end, -length, work.direction, work.newton)
        subtract_product(end, -length, work.of_direction, work.of_newton)
        subtract_product(end, length, work.image, work.residual)
        left = size_of_residual(iron, work)
        ratio, size = left / size, left
        for i in range(0, end, WIDTH):
            store(work.direction, 0, i, None, load(work.step, 0, i) + ratio * load(work.direction, 0, i))
            store(work.of_direction, 0, i, None, load(work.residual, 0, i) + ratio * load(work.of_direction, 0, i))
    return total


@kernel
def slope_at(iron: Iron, t: float, decrement: float, work: IronWork) -> tuple[float, float]:
    """First and second derivative of U/mu0 along t p [A^2 m]; `decrement` is p.r at t = 0, where `reluctivity` is.

    p.H p = p.r for the second derivative H, since conjugate gradients leave a residual that is perpendicular to p.
    """
    first, second = -decrement + t * decrement, decrement
    for j in range(len(iron.saturation)):
        a, b, c = work.along[0, j], work.along[1, j], work.along[2, j]
        x, turned, volume = work.reluctivity[j], work.curvature[j], iron.shape_volume[j]
        first -= x * b + t * (x * c + turned * b * b)
        second -= x * c + turned * b * b
        magnetisation = sqrt(max((a + 2.0 * t * b + t * t * c) / volume, 0.0))
        x = reluctivity_at(iron, j, magnetisation)
        first += x * (b + t * c)
        second += x * c + curvature_at(iron, j, magnetisation) * (b + t * c) * (b + t * c)
    return first, second


@kernel
def longest(iron: Iron, work: IronWork) -> float:
    """The t up to which no shape reaches M_s along t p, LONGEST at most."""
    found = LONGEST
    for j in range(len(iron.saturation)):
        a, b, c = work.along[0, j], work.along[1, j], work.along[2, j]
        left = iron.shape_volume[j] * iron.saturation[j] * iron.saturation[j] - a
        if isfinite(left) and c > 0.0:
            root = sqrt(b * b + c * left)
            found = min(found, left / (b + root) if b > 0.0 else (root - b) / c)
    return found


@kernel
def best_length(iron: Iron, charge: np.ndarray, decrement: float, work: IronWork) -> float:
    """The t > 0 at which U is least along t p from charges (1, n); N p is `of_flux`."""
    for j in range(len(iron.saturation)):
        work.along[0, j] = of_shape(iron, j, charge, work.inner)
        work.along[1, j] = of_shape(iron, j, charge, work.of_flux)
        work.along[2, j] = of_shape(iron, j, work.newton, work.of_flux)
    low, high = 0.0, longest(iron, work)
    t = min(1.0, 0.5 * high)
    for _ in range(MOST_STEPS):
        first, second = slope_at(iron, t, decrement, work)
        if first > 0.0:
            high = t
        else:
            low = t
        following = t - first / second if second > 0.0 else inf
        if not low < following < high:
            following = 0.5 * (low + high)
        if abs(following - t) <= CLOSE * t:
            break
        t = following
    return t


@kernel
def solve_saturated(iron: Iron, potential: np.ndarray, charge: np.ndarray, work: IronWork) -> None:
    """Write the charges of all iron in `potential`, (1, n) each, with x and M of shapes; several bodies are placed."""
    end, size, energy = len(iron.edge), 0.0, 0.0
    begin(iron, potential, charge, work)
    for _ in range(MOST_STEPS):
        measure(iron, charge, work)
        write_residual(iron, potential, charge, work)
        energy = -product(0, end, charge, potential)
        least = TOLERANCE * energy
        size = size_of_residual(iron, work)
        if not size > least:
            break
        decrement = descend(iron, size, max(min(LOOSE, size / energy) * size, 0.01 * least), work)
        multiply_all(iron, iron.from_flux, work.newton, work.of_flux)
        t = best_length(iron, charge, decrement, work)
        subtract_product(end, -t, work.newton, charge)
        subtract_product(end, -t, work.of_newton, work.of_charge)
        subtract_product(end, -t, work.of_flux, work.inner)
    if size > TOLERANCE * energy:
        work.left[0] = max(work.left[0], sqrt(size / energy) if energy > 0.0 else 1.0)


@kernel
def solve_linear(iron: Iron, potential: np.ndarray, charge: np.ndarray, work: IronWork) -> None:
    """Write the charges in `potential` into `charge`, (1, n) each, for the x, c and K that are known."""
    end = len(iron.edge)
    for i in range(0, end, WIDTH):
        store(work.residual, 0, i, None, -load(potential, 0, i))
    size = size_of_residual(iron, work)
    descend(iron, size, TOLERANCE * size, work)
    for i in range(0, end, WIDTH):
        store(charge, 0, i, None, load(work.newton, 0, i))


@kernel
def respond_to(iron: Iron, change: np.ndarray, charge: np.ndarray, found: np.ndarray, work: IronWork) -> None:
    """Write the change of the charges by a small `change` of the potential into `found`, (1, n) each.

    The iron is solved, and all currents are constant.
    """
    multiply_all(iron, iron.from_flux, charge, work.inner)
    measure(iron, charge, work)
    solve_linear(iron, change, found, work)
