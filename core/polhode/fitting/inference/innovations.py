"""Residuals of a fit without the correlations by the noise of measured inputs: the innovations of a Kalman filter.

The noise of an input moves the state, and with it all later residuals (input_noise.py). The filter predicts each
residual from those before it; its error in standard deviations is independent if the scene and the stated deviations
are right (R. E. Kalman, J. Basic Eng. 82, 35, 1960). In each interval, with the displacement c of the state at its
start, the noise u of the inputs and that of the readings e:

    r = H c + N u + e,    c' = A c + B u
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve_triangular

from polhode.fitting.inference.input_noise import Tangents
from polhode.fitting.task import FitTask

LEAST = 1e-12  # of the mean square of residuals: variances of readings below it are rounding


def noise_of_readings(task: FitTask, residuals: np.ndarray) -> float:
    """Variance of residuals (r,) by the noise of the readings alone, from their second differences.

    The noise of inputs moves neighbours together, so that it has little part in them (T. Gasser, L. Sroka and
    C. Jennen-Steinmetz, Biometrika 73, 625, 1986). For times that are about equally spaced; at most the mean square
    of the residuals.
    """
    readings = np.full(task.values.shape, np.nan)
    readings[task.is_there] = residuals
    squares, most = (readings[2:] - 2.0 * readings[1:-1] + readings[:-2]) ** 2 / 6.0, float(np.mean(residuals**2))
    return min(float(np.nanmean(squares)), most) if np.isfinite(squares).any() else most


def innovations(tangents: Tangents, residuals: np.ndarray, variance: float) -> np.ndarray:
    """(r,) standardised innovations of residuals (r,) whose readings have the variance `variance`."""
    slopes, size = tangents.slopes, tangents.segments.coordinates
    mean, covariance, found = np.zeros(size), np.zeros((size, size)), np.empty(len(residuals))
    least = LEAST * float(residuals @ residuals) / max(len(residuals), 1)
    for s in range(tangents.segments.count):
        if tangents.begins[s]:
            mean, covariance = np.zeros(size), np.zeros((size, size))
        here, directions = slice(tangents.rows[s], tangents.rows[s + 1]), tangents.runs.directions[s]
        start, noise = slopes.residuals_by_starts[here], slopes.residuals_by_unknowns[here]
        by_start, by_noise = slopes.ends_by_starts[s], slopes.ends_by_unknowns[s]
        displaced, along = directions @ mean, directions @ covariance @ directions.T
        spread = noise * tangents.variance[s]
        expected = start @ along @ start.T + spread @ noise.T + max(variance, least) * np.eye(len(noise))
        mixed = by_start @ along @ start.T + by_noise @ spread.T
        left = residuals[here] - start @ displaced
        mean, covariance = (
            by_start @ displaced,
            by_start @ along @ by_start.T + (by_noise * tangents.variance[s]) @ by_noise.T,
        )
        if len(left):
            factor = cho_factor(expected, lower=True)
            found[here] = solve_triangular(factor[0], left, lower=True)
            mean = mean + mixed @ cho_solve(factor, left)
            covariance = covariance - mixed @ cho_solve(factor, mixed.T)
    return found
