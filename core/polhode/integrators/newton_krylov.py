"""Solves K = f(t, b + h K) for the rates K of the whole state, by Newton's method; its linear equations by GCR.

    (I - h J) d = f(t, b + h K) - K      K += d

J, the derivative of the rates, is needed along directions only: J p is a difference of two evaluations. The images of
the directions are kept orthogonal to the last few (for springs, whose matrix is symmetric, one would do), so memory
does not grow with the number of iterations. Rates of positions of points are not unknowns, K_x = b_v + h K_v, nor is
what does not act back: the ledger, and bodies held by paths.

Norms are measured by the kinetic energy (norm_weights.py).

(Eisenstat, Elman and Schultz, SIAM J. Numer. Anal. 20, 345, 1983; Knoll and Keyes, J. Comput. Phys. 193, 357, 2004)
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from polhode.engine.model import Inputs, Model, Work
from polhode.engine.rates import rates
from polhode.jit.kernel import kernel
from polhode.jit.simd import WIDTH, broadcast, first_lanes, load, reduce_sum

WINDOW = 8  # number of last directions that are kept, to whose images a new one is made orthogonal
OF_SPRINGS = 2  # the same for scenes with points: springs are symmetric, and more would not pay
RATE, BASE, RESIDUAL, STEP, WEIGHT, DIRECTION = range(6)  # rows of `history`; the directions, then their images
IMAGE = DIRECTION + WINDOW
ROWS = IMAGE + WINDOW

TOLERANCE = 1e-6  # largest residual, relative to the rates of momenta
ROUNDING = 1e-12  # the same, relative to all rates
EPSILON = 2.2e-16  # of a float64
NUDGE = 1e-8  # step of difference quotients, relative to the scene's size
FORCING = 1e-2  # residual of Newton's linear equations, relative to that of the stage
ENOUGH = 1e-3  # length of a failed Newton step, relative to the rates of momenta, below which a force is taken to jump
MOST_TURNS, MOST_PRODUCTS = 60, 3000


@kernel
def product(history: np.ndarray, a: int, b: int) -> float:
    """Inner product sum_i w_i a_i b_i of two rows of `history`, w the row WEIGHT; eight components at a time."""
    size, lanes = history.shape[1], broadcast(0.0)
    for i in range(0, size, WIDTH):
        here = first_lanes(size - i)
        lanes = lanes + load(history, WEIGHT, i, here) * load(history, a, i, here) * load(history, b, i, here)
    return reduce_sum(lanes)


@kernel
def norm(history: np.ndarray, a: int) -> float:
    """Norm of a row of `history` with the weights of the row WEIGHT [sqrt(kg) m/s^2]."""
    return sqrt(product(history, a, a))


@kernel
def add_times(history: np.ndarray, a: int, factor: float, b: int) -> None:
    """Row a of `history` += factor * row b, in place."""
    to, what = history[a], history[b]
    for i in range(len(to)):
        to[i] += factor * what[i]


@kernel
def times(history: np.ndarray, a: int, factor: float) -> None:
    """Row a of `history` *= factor, in place."""
    to = history[a]
    for i in range(len(to)):
        to[i] *= factor


@kernel
def evaluate(model: Model, inputs: Inputs, time: float, h: float, history: np.ndarray, work: Work) -> float:
    """Write the rates f at b + h K into `work.increment` and f - K into the row RESIDUAL; returns its norm.

    Components of K that are not unknowns become those of f; work.stage is b + h K.

    time: [s] at which f is evaluated; h: [s] step of the stage.
    """
    rate, base, residual, weight = history[RATE], history[BASE], history[RESIDUAL], history[WEIGHT]
    first, count = model.points.at, 3 * len(model.points.mass)
    for i in range(first, first + count):
        rate[i] = base[i + count] + h * rate[i + count]
    for i in range(len(base)):
        work.stage[i] = base[i] + h * rate[i]
    rates(model, inputs, time, work.stage, work, work.increment)
    for i in range(len(base)):
        residual[i] = work.increment[i] - rate[i] if weight[i] > 0.0 else 0.0
        if weight[i] == 0.0:
            rate[i] = work.increment[i]
    return norm(history, RESIDUAL)


@kernel
def jacobian_vector_product(
    model: Model,
    inputs: Inputs,
    time: float,
    h: float,
    nudge: float,
    shift: float,
    history: np.ndarray,
    work: Work,
    k: int,
) -> None:
    """Row IMAGE + k = (I + shift - h J) times row DIRECTION + k, a difference quotient over `nudge` h times that row.

    J p is approximated by {f(y + nudge h p) - f(y)}/(nudge h). work.stage and work.increment must hold y = b + h K and
    f(y); work.second_stage and work.rate are overwritten. Components that are not unknowns become 0.

    time, h: [s] of the stage.
    """
    direction, result, weight = history[DIRECTION + k], history[IMAGE + k], history[WEIGHT]
    first, count = model.points.at, 3 * len(model.points.mass)
    for i in range(first, first + count):
        direction[i] = h * direction[i + count]
    for i in range(len(direction)):
        work.second_stage[i] = work.stage[i] + nudge * h * direction[i]
    rates(model, inputs, time, work.second_stage, work, work.rate)
    inverse = 1.0 / nudge
    for i in range(len(direction)):
        change = (1.0 + shift) * direction[i] - inverse * (work.rate[i] - work.increment[i])
        result[i] = change if weight[i] > 0.0 else 0.0


@kernel
def newton_step(
    model: Model,
    inputs: Inputs,
    time: float,
    h: float,
    size: float,
    shift: float,
    history: np.ndarray,
    work: Work,
    until: float,
) -> float:
    """Solve (I + shift - h J) d = residual for the row STEP until the norm of the residual is at most `until`.

    Generalised conjugate residuals with a window of WINDOW or OF_SPRINGS directions: each new direction p is the
    residual, made orthogonal to the last ones by its image (I + shift - h J) p, and the residual is reduced along that
    image. It ends early when an image is zero to rounding, or after MOST_PRODUCTS directions. Returns the largest
    |image|/|p| of the directions, an estimate of the norm of the matrix; the remaining residual is in the row RESIDUAL.

    size: as returned by `norm_weights`; h: [s] step of the stage.
    """
    step, residual, widest = history[STEP], history[RESIDUAL], 0.0
    window = WINDOW if len(model.points.mass) == 0 else OF_SPRINGS
    for i in range(len(step)):
        step[i] = 0.0
    left = norm(history, RESIDUAL)
    for turn in range(MOST_PRODUCTS):
        if not left > until or work.cancel[0] != 0:
            break
        k = turn % window
        direction = history[DIRECTION + k]
        for i in range(len(residual)):
            direction[i] = residual[i]
        jacobian_vector_product(model, inputs, time, h, NUDGE * size / (h * h * left), shift, history, work, k)
        long = norm(history, IMAGE + k)
        widest = max(widest, long / left)
        for back in range(1, min(turn, window - 1) + 1):
            j = (turn - back) % window
            along = product(history, IMAGE + k, IMAGE + j)
            add_times(history, IMAGE + k, -along, IMAGE + j)
            add_times(history, DIRECTION + k, -along, DIRECTION + j)
        new = norm(history, IMAGE + k)
        if not new > 1e-14 * long:
            break
        times(history, IMAGE + k, 1.0 / new)
        times(history, DIRECTION + k, 1.0 / new)
        along = product(history, RESIDUAL, IMAGE + k)
        add_times(history, STEP, along, DIRECTION + k)
        add_times(history, RESIDUAL, -along, IMAGE + k)
        left = norm(history, RESIDUAL)
    return widest


@kernel
def wanted(model: Model, history: np.ndarray) -> tuple[float, float]:
    """Norms of the rates of momenta, and of all rates, in the row RATE; they scale the tolerances."""
    forces, rate, weight = 0.0, history[RATE], history[WEIGHT]
    for i in range(len(rate)):
        if model.is_momentum[i]:
            forces += weight[i] * rate[i] * rate[i]
    return sqrt(forces), norm(history, RATE)


@kernel
def first_guess(model: Model, inputs: Inputs, time: float, h: float, history: np.ndarray, work: Work) -> float:
    """Start from the rates in the row RATE, or from zero if that has a smaller residual.

    Returns the norm of the residual.

    Zero is tried only if the residual is above a tenth of the rates of momenta.
    """
    found = evaluate(model, inputs, time, h, history, work)
    forces, _ = wanted(model, history)
    if found <= 0.1 * forces:
        return found
    rate, kept = history[RATE], history[STEP]
    for i in range(len(rate)):
        kept[i] = rate[i]
        rate[i] = 0.0
    other = evaluate(model, inputs, time, h, history, work)
    if other <= found:
        return other
    for i in range(len(rate)):
        rate[i] = kept[i]
    return evaluate(model, inputs, time, h, history, work)


@kernel
def solve(model: Model, inputs: Inputs, time: float, h: float, size: float, history: np.ndarray, work: Work) -> bool:
    """Find the row RATE at `time` [s] of a stage of h [s], from its current value; False if it does not converge, or if
    the batch is cancelled.

    A Newton step that increases the residual is taken back, and the next steps are damped by a shift, as if masses were
    larger, which decreases as they succeed again (pseudo-transient continuation). Converged means a residual of at most
    TOLERANCE of the rates of momenta, plus rounding, or a step after which, at the observed contraction, the error is
    below TOLERANCE of these. Where a step shorter than ENOUGH of the rates of momenta still increases the residual, a
    force jumps, and the stage ends there.

    time: [s] of the stage; h: [s] its step; size: as returned by `norm_weights`.
    history: (ROWS, k) scratch; the row BASE is b, the row RATE is read and written.
    work: overwritten; work.stage is b + h K of the last evaluation.
    """
    found, widest, shift = first_guess(model, inputs, time, h, history, work), 1.0, 0.0
    for _ in range(MOST_TURNS):
        if not found < np.inf or work.cancel[0] != 0:
            return False
        forces, motion = wanted(model, history)
        until = TOLERANCE * forces + ROUNDING * motion + EPSILON * widest * size / (h * h)
        if found <= until:
            return True
        before = found
        least = max(FORCING * found, 0.5 * until)
        widest = max(widest, newton_step(model, inputs, time, h, size, shift, history, work, least))
        add_times(history, RATE, 1.0, STEP)
        found = evaluate(model, inputs, time, h, history, work)
        if found < before:
            shift = 0.1 * shift if shift > FORCING else 0.0
            if found / before * norm(history, STEP) < (1.0 - found / before) * TOLERANCE * forces:
                return True
            continue
        add_times(history, RATE, -1.0, STEP)
        found = evaluate(model, inputs, time, h, history, work)
        if norm(history, STEP) <= ENOUGH * forces:
            return True
        shift = max(5.0 * shift, 0.03 * widest)
    return False


@kernel
def mark_worst(history: np.ndarray, work: Work) -> None:
    """Set components of `work.stage` to nan where the residual is not finite, and the one where it is largest.

    The run then stops, and its error message names the scene items of these components.
    """
    worst, at = -1.0, 0
    for i in range(history.shape[1]):
        square = history[WEIGHT, i] * history[RESIDUAL, i] ** 2
        if not square < np.inf:
            work.stage[i] = np.nan
        elif square > worst:
            worst, at = square, i
    work.stage[at] = np.nan
