"""Starts of segments that follow the data, segment after segment, for any values of the unknowns.

A start begins at the end of the previous segment and is moved by a few damped Gauss-Newton steps towards the data of
its segment; a weak pull back to that end holds directions that these data do not determine.
"""

from __future__ import annotations

import numpy as np

from polhode.fitting.segments import LARGEST, Segments, Trajectory
from polhode.run.neighbours import SIZE

STEPS = 4  # for each segment
PULL = 0.1  # residual of a start displaced by its size, in roots of the number of residuals
ENOUGH = 1e-2  # least gain of a step, in parts of the sum of squares
DAMPINGS = (1e-3, 1e-6, 1e6)  # first, smallest and largest, as parts of the diagonal


def followed(segments: Segments, x: np.ndarray) -> Trajectory:
    """Runs at `x` (p,) from starts that follow the data."""
    state = segments.runs(x, np.tile(segments.task.models.first.start, (segments.count, 1))).starts[0]
    starts = [state]
    for s in range(1, segments.count):
        state = _moved(segments, x, s, segments.part(x, s - 1, state[None])[1][0])
        starts.append(state)
    return segments.runs(x, np.array(starts))


def _moved(segments: Segments, x: np.ndarray, s: int, state: np.ndarray) -> np.ndarray:
    """The start (k,) of the segment `s`, from the state (k,) at the end of the previous one."""
    damping, away = DAMPINGS[0], np.zeros(segments.directions(x, state[None], [s]).shape[2])
    for _ in range(STEPS):
        directions = segments.directions(x, state[None], [s])[0]
        copies = segments.displaced(np.tile(state, (len(directions), 1)), SIZE * directions)
        base, *others = segments.part(x, s, np.vstack([state[None], copies]))[0]
        if base.size == 0:  # a gap in the data
            return state
        slope, pull = (np.array(others) - base).T / SIZE, PULL**2 * len(base)
        matrix, gradient = slope.T @ slope + pull * np.eye(len(directions)), slope.T @ base + pull * directions @ away
        cost, new = float(base @ base + pull * away @ away), np.inf
        if not np.isfinite(matrix).all():
            return state
        while not new < cost and damping < DAMPINGS[2]:
            step = -np.linalg.solve(matrix + damping * np.diag(np.diag(matrix)), gradient) @ directions
            step *= min(1.0, LARGEST / max(np.abs(step).max(initial=0.0), 1e-300))
            there = segments.displaced(state[None], step[None])
            residuals = segments.part(x, s, there)[0][0]
            new = float(residuals @ residuals + pull * np.sum((away + step) ** 2))
            damping *= 5
        if not new < cost:
            return state
        state, away, damping = there[0], away + step, max(damping / 25, DAMPINGS[1])
        if cost - new < ENOUGH * cost:
            return state
    return state
