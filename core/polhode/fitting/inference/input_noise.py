"""Noise of measured inputs in the covariance of a fit.

The readings u_k of an input, such as a torque, have independent errors of the standard deviation d. Each error moves
all later residuals, so these are correlated:

    C_r = sigma^2 1 + J_u (d^2 1) J_u^T

with J_u the tangents of the residuals to the readings. The values stay those of least squares, and their covariance is
that of this estimator (the "sandwich"),

    C_x = (J^T J)^-1 J^T C_r J (J^T J)^-1

Generalised least squares, with weights C_r^-1, would be more efficient, but its values would depend on the stated d,
and its weights have n^2 numbers. sigma^2 follows from the residuals: the expectation of |r|^2 is
sigma^2 (n - p) + d^2 (|J_u|^2 - |Q^T J_u|^2), with Q an orthonormal basis of the columns of J.

J_u^T J and |J_u| come from the tangents of short intervals, by recursions backward in time. In an interval of the
length T with readings every D, their mean acts, with the variance d^2 D/T: exact to second order in T by the times of
the motion.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from polhode.data.input_checks import measured_inputs
from polhode.data.inputs import function_of
from polhode.fitting.inference.held_numbers import with_unknowns
from polhode.fitting.segments import Segments, Slopes, Trajectory
from polhode.fitting.task import FitTask
from polhode.scene.fields import FieldPath, at
from polhode.scene.scene import Scene

MOST_INTERVALS = 2000
SCALE = 100.0  # deviations: displacement of differences, above rounding


@dataclass(frozen=True, eq=False)
class Tangents:
    """Tangents of the residuals of a task in short intervals, and the variance of the input noise in each."""

    segments: Segments
    runs: Trajectory
    slopes: Slopes  # to the noise of each of q inputs, and to the states at the starts
    rows: np.ndarray  # (s + 1,) first residual of each interval
    variance: np.ndarray  # (s, q) of the noise, in the units of the slopes
    begins: np.ndarray  # (s,) bool: the state there does not depend on the interval before


@dataclass(frozen=True, eq=False)
class InputNoise:
    """Effect of the input noise on a fit."""

    middle: np.ndarray  # (p, p) J^T J_u S J_u^T J
    size: float  # |J_u S^(1/2)|^2: the expected sum of squares by this noise
    explained: float  # |Q^T J_u S^(1/2)|^2: the part that the unknowns absorb

    @property
    def left(self) -> float:
        """The sum of squares that a fit leaves of it."""
        return max(self.size - self.explained, 0.0)


def noisy_inputs(scene: Scene) -> Iterator[tuple[FieldPath, float, float]]:
    """Path, standard deviation of the values [SI] and spacing of the readings [s] of each input with a deviation."""
    for path, source in measured_inputs(scene):
        if source.deviation > 0.0 and source.gain != 0.0:
            function = function_of(source, scene.folder)
            spacing = (function.last - function.first) / max(function.count - 1, 1)
            yield path, abs(source.gain) * source.deviation, spacing


def tangents_of(task: FitTask, values: np.ndarray, ends: np.ndarray | None = None) -> Tangents | None:
    """Tangents at values (p,) [SI] of the unknowns; None without input noise.

    ends: (b, k) states at the starts of the segments of a fit, whose rows are those of `np.array_split`
    """
    scene = task.unknowns.scene_with(values)
    noisy = list(noisy_inputs(scene))
    if not noisy:
        return None
    offsets = [((*path, "offset"), float(at(scene, path).offset), SCALE * size) for path, size, _ in noisy]
    inner = with_unknowns(task, values, offsets)
    unknowns, x = inner.unknowns, np.array([value for _, value, _ in offsets]) / inner.unknowns.scales
    count, parts = min(len(task.times), MOST_INTERVALS), 1 if ends is None else len(ends)
    segments = Segments(inner, x, parts * max(1, count // parts))
    begins = np.zeros(segments.count, dtype=bool)
    if ends is not None:
        begins = segments.at_starts_of(Segments(inner, x, parts))
    runs = segments.whole(x, None if ends is None else (begins, ends))
    slopes, rows = segments.slopes(x, runs), segments.residual_rows(x)
    lengths = segments.lengths
    variance = np.stack(
        [(size / unknowns.each[k].scale) ** 2 * spacing / lengths for k, (_, size, spacing) in enumerate(noisy)], axis=1
    )
    return Tangents(segments, runs, slopes, rows, variance, begins)


def input_noise(tangents: Tangents, jacobian: np.ndarray, basis: np.ndarray) -> InputNoise:
    """The effect on a fit, by recursions from the last interval to the first.

    jacobian, basis: (r, p) rows of the run, of J and of Q
    """
    count, coordinates = jacobian.shape[1], tangents.segments.coordinates
    both = np.hstack([jacobian, basis])  # (r, 2 p)
    later, gram = np.zeros((coordinates, 2 * count)), np.zeros((coordinates, coordinates))
    sums, size = np.zeros((2 * count, 2 * count)), 0.0
    slopes = tangents.slopes
    for s in range(tangents.segments.count - 1, -1, -1):
        here = slice(tangents.rows[s], tangents.rows[s + 1])
        noise, start = slopes.residuals_by_unknowns[here], slopes.residuals_by_starts[here]
        end_by_noise, end_by_start = slopes.ends_by_unknowns[s], slopes.ends_by_starts[s]
        effect = noise.T @ both[here] + end_by_noise.T @ later
        sums += effect.T @ (tangents.variance[s][:, None] * effect)
        own = np.sum(noise**2, axis=0) + np.einsum("cq,cd,dq->q", end_by_noise, gram, end_by_noise)
        size += float(tangents.variance[s] @ own)
        directions = tangents.runs.directions[s]
        later = directions.T @ (start.T @ both[here] + end_by_start.T @ later)
        gram = directions.T @ (start.T @ start + end_by_start.T @ gram @ end_by_start) @ directions
        if tangents.begins[s]:
            later, gram = np.zeros_like(later), np.zeros_like(gram)
    return InputNoise(sums[:count, :count], size, float(np.trace(sums[count:, count:])))


def variance_of_readings(tangents: Tangents, task: FitTask) -> np.ndarray:
    """(n, m) variances of predicted readings by the input noise, by a recursion forward in time; nan for gaps."""
    slopes, covariance = tangents.slopes, np.zeros((tangents.segments.coordinates,) * 2)
    found = np.zeros(len(slopes.residuals_by_unknowns))
    for s in range(tangents.segments.count):
        if tangents.begins[s]:
            covariance = np.zeros_like(covariance)
        here, directions = slice(tangents.rows[s], tangents.rows[s + 1]), tangents.runs.directions[s]
        along = directions @ covariance @ directions.T
        noise, start = slopes.residuals_by_unknowns[here], slopes.residuals_by_starts[here]
        found[here] = noise**2 @ tangents.variance[s] + np.einsum("rd,de,re->r", start, along, start)
        end_by_noise, end_by_start = slopes.ends_by_unknowns[s], slopes.ends_by_starts[s]
        covariance = end_by_start @ along @ end_by_start.T + (end_by_noise * tangents.variance[s]) @ end_by_noise.T
    readings = np.full(task.values.shape, np.nan)
    readings[task.is_there] = found
    return readings * task.sigma**2
