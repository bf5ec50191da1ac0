"""Covariance of the unknowns of a fit, and the variance of its residuals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from polhode.fitting.inference.held_numbers import by_held_numbers
from polhode.fitting.inference.innovations import innovations, noise_of_readings
from polhode.fitting.inference.input_noise import input_noise, tangents_of
from polhode.fitting.segmented import SegmentedRun
from polhode.fitting.task import FitTask


@dataclass(frozen=True, eq=False)
class Covariance:
    """Covariance of the scaled unknowns, and its parts."""

    matrix: np.ndarray  # (p, p)
    variance: float  # of a residual without that by inputs, in the units of sigma
    freedom: int  # values less unknowns, starts of segments among them
    widening: np.ndarray  # (p,) variance of each unknown, in that without noise of inputs and held uncertain numbers
    by_inputs: float = 0.0
    """Part of the sum of squares that the noise of inputs is expected to make; above 1: too large."""
    by_held: Mapping[str, np.ndarray] = field(default_factory=dict)
    """(p,) change of the unknowns by one standard deviation of each uncertain number that the fit holds, by name."""
    innovations: np.ndarray | None = None
    """(r,) residuals in their standard deviations without correlations by the noise of inputs; None without it."""


def covariance_of(
    part: FitTask,
    x: np.ndarray,
    jacobian: np.ndarray,
    square: float,
    residuals: np.ndarray,
    runs: SegmentedRun | None = None,
) -> Covariance:
    """The covariance at `x` (p,) with the Jacobian (r, p), the sum of squares and residuals (r,).

    runs: of a fit in segments
    """
    freedom = len(jacobian) - len(x) - (runs.lost if runs is not None else 0)
    _, singular, turned = np.linalg.svd(jacobian, full_matrices=False)
    inverse = (turned.T / np.maximum(singular, 1e-300) ** 2) @ turned
    ends = None if runs is None else runs.runs.starts
    pieces = [(run, own * run.unknowns.scales) for run, own in part.pieces(x)]
    tangents = [tangents_of(run, values, ends) for run, values in pieces]
    held = [by_held_numbers(run, values) if runs is None else {} for run, values in pieces]
    if not any(tangents) and not any(held):
        return Covariance(inverse * square / freedom, square / freedom, freedom, np.ones(len(x)))
    basis, at = np.linalg.qr(jacobian)[0], 0
    middle, by_inputs, least, left = np.zeros(inverse.shape), 0.0, 0.0, np.empty(len(residuals))
    by_source: dict[str, np.ndarray] = {}  # a number of several runs moves the residuals of all
    for (run, _), noisy, changes in zip(pieces, tangents, held, strict=True):
        here = slice(at, at := at + int(run.is_there.sum()))
        own = residuals[here]
        if noisy is not None:
            noise, readings = input_noise(noisy, jacobian[here], basis[here]), noise_of_readings(run, own)
            middle, by_inputs, least = middle + noise.middle, by_inputs + noise.left, least + len(own) * readings
            left[here] = innovations(noisy, own, readings)
        else:
            left[here] = own / max(float(np.sqrt(np.mean(own**2))), 1e-300)
        for name, change in changes.items():
            by_source[name] = by_source.get(name, np.zeros(len(x))) + jacobian[here].T @ change
    by_held = {name: -inverse @ each for name, each in by_source.items()}
    variance = max((square - by_inputs) / freedom, least / len(residuals))
    matrix = variance * inverse + inverse @ middle @ inverse
    for change in by_held.values():
        matrix = matrix + np.outer(change, change)
    widening = np.diag(matrix) / (np.diag(inverse) * max(square, 1e-300) / freedom)
    part_of_inputs = by_inputs / max(square, 1e-300)
    return Covariance(matrix, variance, freedom, widening, part_of_inputs, by_held, left if any(tangents) else None)
