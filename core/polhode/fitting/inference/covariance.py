"""Covariance of the unknowns of a fit, and the variance of its residuals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode.fitting.inference.input_noise import input_noise, tangents_of
from polhode.fitting.segmented import SegmentedRun
from polhode.fitting.task import FitTask


@dataclass(frozen=True, eq=False)
class Covariance:
    """Covariance of the scaled unknowns, and its parts."""

    matrix: np.ndarray  # (p, p)
    variance: float  # of a residual without that by inputs, in the units of sigma
    freedom: int  # values less unknowns, starts of segments among them
    widening: np.ndarray  # (p,) variance of each unknown, in that without the noise of inputs
    by_inputs: float = (
        0.0  # part of the sum of squares that the noise of inputs is expected to make; above 1: too large
    )


def covariance_of(
    part: FitTask, x: np.ndarray, jacobian: np.ndarray, square: float, runs: SegmentedRun | None
) -> Covariance:
    """The covariance at `x` (p,) with the Jacobian (r, p) and the sum of squares; runs: of a fit in segments."""
    freedom = len(jacobian) - len(x) - (runs.lost if runs is not None else 0)
    _, singular, turned = np.linalg.svd(jacobian, full_matrices=False)
    inverse = (turned.T / np.maximum(singular, 1e-300) ** 2) @ turned
    ends = None if runs is None else runs.runs.starts
    tangents = tuple(tangents_of(run, own * run.unknowns.scales, ends) for run, own in part.pieces(x))
    if not any(tangents):
        return Covariance(inverse * square / freedom, square / freedom, freedom, np.ones(len(x)))
    basis, at = np.linalg.qr(jacobian)[0], 0
    middle, by_inputs = np.zeros(inverse.shape), 0.0
    for (run, _), each in zip(part.pieces(x), tangents, strict=True):
        here = slice(at, at := at + int(run.is_there.sum()))
        if each is not None:
            noise = input_noise(each, jacobian[here], basis[here])
            middle, by_inputs = middle + noise.middle, by_inputs + noise.left
    variance = max(square - by_inputs, 0.0) / freedom
    matrix = variance * inverse + inverse @ middle @ inverse
    plain = np.diag(inverse) * max(square, 1e-300) / freedom
    return Covariance(matrix, variance, freedom, np.diag(matrix) / plain, by_inputs / max(square, 1e-300))
