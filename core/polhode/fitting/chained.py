"""Sensitivities of a long run by the chain rule over its segments.

Differences of whole runs are no derivatives where neighbouring runs part by more than the step: after about ten times
the time in which distances grow by a factor e. In a short segment they are. With G = ds/dx, the derivative of the start
s of a segment to the unknowns x, the derivative of its residuals is dr/dx + dr/ds G, and G of the next segment is
de/dx + de/ds G, with the end e.
"""

from __future__ import annotations

import numpy as np

from polhode.fitting.checks.data_checks import crossings
from polhode.fitting.segments import Segments
from polhode.fitting.task import FitTask

GROWN = 100.0  # ratio of final to initial sensitivities: beyond linear growth
FEWEST_ROWS = 8  # of a segment
MOST_COORDINATES = 60  # of a start: soft bodies have more


def segments_for(task: FitTask) -> int:
    """Number of segments: one for each half of a swing, by the crossings of the mean by the readings."""
    most = max(map(crossings, task.values.T))
    return max(2, min(most + 1, len(task.times) // FEWEST_ROWS))


def has_segments(task: FitTask, x: np.ndarray) -> bool:
    """Whether the starts of segments have at most MOST_COORDINATES; `x` (p,)."""
    return Segments(task, x, 2).coordinates <= MOST_COORDINATES


def is_sensitive(jacobian: np.ndarray) -> bool:
    """Whether sensitivities (r, p), in the order of time, grow as those of chaotic motions do."""
    quarter = len(jacobian) // 4
    if quarter == 0:
        return False
    first, last = (np.abs(each).max(axis=0) for each in (jacobian[:quarter], jacobian[-quarter:]))
    return bool(np.any(last > GROWN * np.maximum(first, 1e-300)))


def chained_sensitivities(task: FitTask, x: np.ndarray) -> np.ndarray:
    """(r, p) derivatives of the residuals of one run at `x` (p,)."""
    segments = Segments(task, x, segments_for(task))
    here = segments.whole(x)
    slopes, rows = segments.slopes(x, here), segments.residual_rows(x)
    found, of_start = slopes.residuals_by_unknowns.copy(), np.zeros((here.directions.shape[2], len(x)))
    for s in range(segments.count):
        part = slice(rows[s], rows[s + 1])
        along = here.directions[s] @ of_start
        found[part] += slopes.residuals_by_starts[part] @ along
        of_start = slopes.ends_by_unknowns[s] + slopes.ends_by_starts[s] @ along
    return found
