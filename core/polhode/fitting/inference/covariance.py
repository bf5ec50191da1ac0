"""Covariance of the unknowns of a fit, and the variance of its residuals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode.fitting.inference.input_noise import InputNoise, Tangents, input_noise, tangents_of
from polhode.fitting.segmented import SegmentedRun
from polhode.fitting.task import FitTask


@dataclass(frozen=True, eq=False)
class Covariance:
    """Covariance of the scaled unknowns, and its parts."""

    matrix: np.ndarray  # (p, p)
    variance: float  # of a residual without that by inputs, in the units of sigma
    freedom: int  # values less unknowns, starts of segments among them
    tangents: Tangents | None = None  # of measured inputs with a deviation
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
    tangents = tangents_of(part, x * part.unknowns.scales, None if runs is None else runs.runs.starts)
    if tangents is None:
        return Covariance(inverse * square / freedom, square / freedom, freedom)
    noise = input_noise(tangents, jacobian)
    by_inputs = expected(noise)
    variance = max(square - by_inputs, 0.0) / freedom
    matrix = variance * inverse + inverse @ noise.middle @ inverse
    return Covariance(matrix, variance, freedom, tangents, by_inputs / max(square, 1e-300))


def expected(noise: InputNoise) -> float:
    """The sum of squares that is left of the noise of inputs by a fit."""
    return max(noise.size - noise.explained, 0.0)
