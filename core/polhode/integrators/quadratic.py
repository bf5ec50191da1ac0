"""Roots of the characteristic polynomial of a step that couples two numbers."""

from __future__ import annotations

import numpy as np


def largest_root(trace: np.ndarray, determinant: np.ndarray) -> np.ndarray:
    """Largest |r| of r^2 - trace r + determinant = 0 (...), the spectral radius of a 2 x 2 matrix."""
    half = 0.5 * trace
    root = np.sqrt(half**2 - determinant + 0j)
    return np.asarray(np.maximum(abs(half + root), abs(half - root)))
