"""Arc length of paths from their starts, l(q) = int |dr/dq| dq: a table at the ends of panels, and Gauss-Legendre
quadrature within one.
"""

from __future__ import annotations

from math import floor, sqrt

import numpy as np

from polhode.jit.kernel import kernel
from polhode.jit.vec import dot
from polhode.physics.paths.path_kernels import SPLINE, Paths, curve, piece_at

PANELS = 64  # of a path that is no spline
POINTS = 16  # of the quadrature in a panel: exact for polynomials up to degree 31
_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(POINTS)
AT, WEIGHTS = tuple(_POINTS.tolist()), tuple(_WEIGHTS.tolist())


@kernel
def stretch(paths: Paths, i: int, begin: float, stop: float) -> float:
    """Arc length [m] of path i from q = `begin` to `stop` in one panel; negative if `stop` is before `begin`."""
    half, middle, total = 0.5 * (stop - begin), 0.5 * (stop + begin), 0.0
    for k in range(POINTS):
        _, slope, _ = curve(paths, i, middle + half * AT[k])
        total += WEIGHTS[k] * sqrt(dot(slope, slope))
    return half * total


@kernel
def panel_of(paths: Paths, i: int, q: float) -> tuple[int, float]:
    """Number of the panel of path i that q is in, or is nearest to, and the q at which it begins."""
    if paths.kind[i] == SPLINE:
        _, piece = piece_at(paths, i, q, paths.first_piece[i])
        return piece - paths.first_piece[i], paths.knots[piece]
    count, width = paths.panels[i], (paths.stop[i] - paths.start[i]) / paths.panels[i]
    number = min(max(floor((q - paths.start[i]) / width), 0), count - 1)
    return number, paths.start[i] + number * width


@kernel
def fill_lengths(paths: Paths) -> None:
    """Write `lengths` of all paths."""
    for i in range(len(paths.kind)):
        first, count = paths.first_length[i], paths.panels[i]
        paths.lengths[first] = 0.0
        for k in range(count):
            if paths.kind[i] == SPLINE:
                begin, stop = paths.knots[paths.first_piece[i] + k], paths.ends[paths.first_piece[i] + k]
            else:
                width = (paths.stop[i] - paths.start[i]) / count
                begin, stop = paths.start[i] + k * width, paths.start[i] + (k + 1) * width
            paths.lengths[first + k + 1] = paths.lengths[first + k] + stretch(paths, i, begin, stop)


@kernel
def length_at(paths: Paths, i: int, q: float) -> float:
    """Arc length [m] of path i from its start to q, which is negative before the start.

    On a closed path each round adds the whole length.
    """
    rounds = 0.0
    if paths.closed[i]:
        span = paths.stop[i] - paths.start[i]
        rounds = floor((q - paths.start[i]) / span)
        q -= rounds * span
    panel, begin = panel_of(paths, i, q)
    whole = paths.lengths[paths.first_length[i] + paths.panels[i]]
    return rounds * whole + paths.lengths[paths.first_length[i] + panel] + stretch(paths, i, begin, q)
