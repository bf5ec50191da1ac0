"""Covariance of the unknowns of a fit, and the variance of its residuals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from polhode.fitting.inference.held_numbers import by_held_numbers
from polhode.fitting.inference.innovations import innovations, noise_of_readings
from polhode.fitting.inference.input_noise import Tangents, input_noise, tangents_of
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
    middle, by_inputs = np.zeros(inverse.shape), 0.0
    by_source: dict[str, np.ndarray] = {}  # a number of several runs moves the residuals of all
    for (run, _), noisy, changes in zip(pieces, tangents, held, strict=True):
        here = slice(at, at := at + int(run.is_there.sum()))
        if noisy is not None:
            noise = input_noise(noisy, jacobian[here], basis[here])
            middle, by_inputs = middle + noise.middle, by_inputs + noise.left
        for name, change in changes.items():
            by_source[name] = by_source.get(name, np.zeros(len(x))) + jacobian[here].T @ change
    by_held = {name: -inverse @ each for name, each in by_source.items()}
    variance = max(square - by_inputs, 0.0) / freedom
    matrix = variance * inverse + inverse @ middle @ inverse
    for change in by_held.values():
        matrix = matrix + np.outer(change, change)
    plain = np.diag(inverse) * max(square, 1e-300) / freedom
    part_of_inputs = by_inputs / max(square, 1e-300)
    left = _innovations(pieces, tangents, residuals, variance) if any(tangents) else None
    return Covariance(matrix, variance, freedom, np.diag(matrix) / plain, part_of_inputs, by_held, left)


def _innovations(
    pieces: list[tuple[FitTask, np.ndarray]],
    tangents: list[Tangents | None],
    residuals: np.ndarray,
    variance: float,
) -> np.ndarray:
    """(r,) innovations of the residuals (r,) of all runs."""
    found, at = residuals / np.sqrt(max(variance, 1e-300)), 0
    for (run, _), noisy in zip(pieces, tangents, strict=True):
        here = slice(at, at := at + int(run.is_there.sum()))
        if noisy is not None:
            found[here] = innovations(noisy, residuals[here], noise_of_readings(run, residuals[here]))
    return found
