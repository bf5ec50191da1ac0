"""Observer: growth of two tangent vectors of a body on an axle, by its variational equation along the run,

    d(theta)'' = b(t) d(theta) - gamma d(theta)'      b = d alpha/d theta

with alpha and gamma of the equation of motion (core/polhode/sweep/outcomes/reduced_axle.py). The phase space is the
plane of angle and rate, and the time, which has no exponent but 0 and is left out. Two steps of the run are one of
Magnus' method of order 4, with b at their ends and in the middle. (Blanes, Casas, Oteo and Ros, Phys. Rep. 470, 151,
2009) Its determinant is exact, so the sum of both exponents is -gamma, whatever the motion.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.jit.kernel import kernel, part_of_caller
from polhode.jit.kernel_struct import KernelStruct
from polhode.jit.libm.exponential import cosh, sinh
from polhode.jit.libm.logarithm import log
from polhode.jit.libm.trigonometric import sincos
from polhode.run.method import CompiledMethod
from polhode.run.neighbours import orthonormalise


class AxleTangents(KernelStruct):
    """Record of `observe_axle_tangents`, for one run."""

    first: int
    """The first step that counts, even."""
    steps: int
    """Of the whole run, even."""
    row: np.ndarray
    """(1,) int64 number of the run."""
    pointer: int
    """Index in the state of a basis vector of the body."""
    plane: np.ndarray
    """(2, 3): the products with that vector are the cosine and the sine of the angle."""
    harmonics: np.ndarray
    """(3, m + 1, 2) [rad/s^2] of the acceleration, as of ReducedAxle."""
    rates: np.ndarray
    """(2,) frequency of the field [rad/s] and gamma [1/s]."""
    slopes: np.ndarray
    """(2,) b [1/s^2] at the last even step and at the odd step behind it."""
    vectors: np.ndarray
    """(2, 2) tangent vectors, orthonormal at each even step."""
    lengths: np.ndarray
    """(2,) scratch."""
    sums: np.ndarray
    """(2, 2) sums of logarithms of lengths over both halves of the steps that count."""


@part_of_caller
def slope(harmonics: np.ndarray, phase: float, c: float, s: float) -> float:
    """b [1/s^2] at an angle with cosine `c` and sine `s`: multiples by the addition theorem.

    harmonics: (3, m + 1, 2) as of ReducedAxle; phase: of the field [rad]
    """
    sine, cosine = sincos(phase)
    ck, sk, value = 1.0, 0.0, 0.0
    for k in range(harmonics.shape[1]):
        a = harmonics[0, k, 0] + harmonics[1, k, 0] * cosine + harmonics[2, k, 0] * sine
        b = harmonics[0, k, 1] + harmonics[1, k, 1] * cosine + harmonics[2, k, 1] * sine
        value += k * (b * ck - a * sk)
        ck, sk = ck * c - sk * s, sk * c + ck * s
    return value


@part_of_caller
def carry(vectors: np.ndarray, begin: float, middle: float, end: float, gamma: float, h: float) -> None:
    """Take `vectors` (2, 2) over `h` [s] by Magnus' method, without their common factor exp(-gamma h/2)."""
    d = h * h / 12 * (end - begin)
    x, y = h * gamma / 2 - d, h * (begin + 4 * middle + end) / 6 + gamma * d
    square = x * x + h * y  # of the matrix ((x, h), (y, -x))
    root = np.sqrt(abs(square))
    if root < 1e-6:
        even, odd = 1.0 + square / 2, 1.0 + square / 6
    elif square > 0:
        even, odd = cosh(root), sinh(root) / root
    else:
        sine, cosine = sincos(root)
        even, odd = cosine, sine / root
    for i in range(2):
        p, q = vectors[i, 0], vectors[i, 1]
        vectors[i, 0], vectors[i, 1] = (even + odd * x) * p + odd * h * q, odd * y * p + (even - odd * x) * q


@kernel
def observe_axle_tangents(
    method: CompiledMethod,
    model: Model,
    inputs: Inputs,
    now: Clock,
    state: np.ndarray,
    work: Work,
    record: AxleTangents,
) -> int:
    """Read the slope; at even steps carry the vectors and add the logarithms of their lengths."""
    vector, plane, slopes = state[record.pointer : record.pointer + 3], record.plane, record.slopes
    cosine = plane[0, 0] * vector[0] + plane[0, 1] * vector[1] + plane[0, 2] * vector[2]
    sine = plane[1, 0] * vector[0] + plane[1, 1] * vector[1] + plane[1, 2] * vector[2]
    here = slope(record.harmonics, record.rates[0] * (now.start + now.done * now.step), cosine, sine)
    if now.done % 2 == 1:
        slopes[1] = here
        return 1
    if now.done > 0:
        gamma, h, counted = record.rates[1], 2 * now.step, now.done - record.first
        carry(record.vectors, slopes[0], slopes[1], here, gamma, h)
        orthonormalise(record.vectors, record.lengths)
        half = 0 if 2 * counted <= record.steps - record.first else 1
        if counted > 0:
            for i in range(2):
                record.sums[half, i] += log(record.lengths[i]) - gamma * h / 2
    slopes[0] = here
    return 1
