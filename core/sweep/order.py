"""The order in which the cells of a sweep are computed: coarse first, so that the whole is seen at once."""

from __future__ import annotations

from math import prod

import numpy as np

FIRST = 16  # values of a dimension in the coarsest picture, at least


def coarse_to_fine(shape: tuple[int, ...]) -> np.ndarray:
    """(n,) all cells: first those whose indices are multiples of a power of two, then those of half of it, and so on.

    Within a level they are in the order of the array.
    """
    stride = 1
    while max(shape) // (2 * stride) >= FIRST:
        stride *= 2
    level = np.zeros(shape, dtype=np.int8)
    number = 1
    while stride > 1:
        finer = level == 0
        finer[tuple(slice(None, None, stride) for _ in shape)] = False
        # what is on the grid of this stride and has no level yet gets it
        on_grid = ~finer & (level == 0)
        level[on_grid] = number
        number, stride = number + 1, stride // 2
    level[level == 0] = number
    return np.argsort(level.reshape(-1), kind="stable") if prod(shape) else np.zeros(0, dtype=np.int64)


def strides_known(shape: tuple[int, ...], is_known: np.ndarray) -> int:
    """The smallest power of two at which all cells on its grid are known; 0 while there is none.

    is_known: (n, m, ...) bool, of this shape
    """
    stride, found = 1, 0
    while stride <= max(shape):
        if is_known[tuple(slice(None, None, stride) for _ in shape)].all():
            found = stride
            break
        stride *= 2
    return found
