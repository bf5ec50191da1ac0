"""A Poincare section: what a motion was like each time one of its quantities passed a level upwards."""

from __future__ import annotations

import numpy as np


def crossings(watched: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Where samples (n,) pass a level upwards: rows (k,) of those below it, and parts (k,) of the way to the next one.

    A sample on the level counts as above it. The way between two samples is taken as straight, so what is interpolated
    by these parts is off by some (w dt)^2 / 8 of its swing. Next to a nan nothing passes.
    """
    below, above = watched[:-1], watched[1:]
    rows = np.flatnonzero((below < level) & (above >= level))
    return rows, (level - below[rows]) / (above[rows] - below[rows])


def between(values: np.ndarray, rows: np.ndarray, parts: np.ndarray) -> np.ndarray:
    """(k,) values (n,) at the places that `crossings` found."""
    return np.asarray(values[rows] + parts * (values[rows + 1] - values[rows]))
