"""The order in which the cells of a sweep are computed, which does not affect the results.

Coarse grids first, as an overview; from WHOLE values of a dimension on, first the cells between others that differ,
level by level, and then the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

FIRST = 16  # least number of values of a dimension in the coarsest grid
WHOLE = 32  # least number of values of a dimension in the finest grid that is computed completely

Numbers = Callable[[], tuple[np.ndarray, float]]


def levels(shape: tuple[int, ...]) -> tuple[np.ndarray, list[int]]:
    """(n, m, ...) int8 level of each cell, the first whose stride divides its indices; strides 2^k, ..., 2, 1."""
    strides = [1]
    while max(shape) // (2 * strides[-1]) >= FIRST:
        strides.append(2 * strides[-1])
    level = np.zeros(shape, dtype=np.int8)
    for number, stride in enumerate(strides):  # coarser ones last
        level[_grid(shape, stride)] = len(strides) - 1 - number
    return level, strides[::-1]


def refinement(shape: tuple[int, ...], pending: np.ndarray, numbers: Numbers) -> Iterator[np.ndarray]:
    """Arrays of pending cells (c,), each cell once, in the order in which they are computed.

    pending: (n,) bool, of all cells; numbers: returns the present numbers (n, f) of all cells, nan of pending ones, and
    the least significant difference. It is called when a level begins.
    """
    level, strides = levels(shape)
    level, left = level.reshape(-1), pending.copy()

    def taken(chosen: np.ndarray) -> np.ndarray:
        left[chosen] = False
        return np.flatnonzero(chosen)

    for number, stride in enumerate(strides):
        is_whole = number == 0 or max(shape) // stride <= WHOLE
        now = left & (level == number)
        yield taken(now if is_whole else now & between(shape, 2 * stride, *numbers()))
    for number in range(len(strides)):
        yield taken(left & (level == number))


def between(shape: tuple[int, ...], stride: int, numbers: np.ndarray, least: float) -> np.ndarray:
    """(n,) bool: cells between neighbours on the grid of this stride that differ by more than `least` in any number.

    numbers: (n, f), nan of pending cells, which take those of the next coarser grid
    """
    known = np.moveaxis(_filled(numbers.reshape(*shape, -1), stride), -1, 0)
    differs = np.zeros(known.shape[1:], dtype=bool)
    for offset in product((0, 1), repeat=len(shape)):
        here = tuple(slice(shift, None) for shift in offset)
        there = tuple(slice(None, -shift or None) for shift in offset)
        one, other = known[(slice(None), *here)], known[(slice(None), *there)]
        unlike = ((np.abs(one - other) > least) | (np.isnan(one) != np.isnan(other))).any(axis=0)
        differs[there] |= unlike
    # A grid point represents the block up to the next ones, whose corners are compared with it.
    for axis in range(len(shape)):
        last = [slice(None)] * len(shape)
        last[axis] = slice(-1, None)
        before = [slice(None)] * len(shape)
        before[axis] = slice(-2, -1)
        if differs.shape[axis] > 1:  # cells beyond the last grid point have neighbours on one side only
            differs[tuple(last)] |= differs[tuple(before)]
    for axis, size in enumerate(shape):
        differs = differs.repeat(stride, axis=axis).take(np.arange(size), axis=axis)
    return differs.reshape(-1)


def _filled(numbers: np.ndarray, stride: int) -> np.ndarray:
    """Numbers (n, m, ..., f) on the grid of a stride; unknown cells take those of coarser grids, if known."""
    shape = numbers.shape[:-1]
    coarsest = stride
    while max(shape) // (2 * coarsest) >= FIRST:
        coarsest *= 2
    found = numbers[_grid(shape, coarsest)]
    while coarsest > stride:
        coarsest //= 2
        finer = numbers[_grid(shape, coarsest)]
        for axis, size in enumerate(finer.shape[:-1]):
            found = found.repeat(2, axis=axis).take(np.arange(size), axis=axis)
        unknown = np.isnan(finer).all(axis=-1)
        found = np.where(unknown[..., None], found, finer)
    return found


def _grid(shape: tuple[int, ...], stride: int) -> tuple[slice, ...]:
    return tuple(slice(None, None, stride) for _ in shape)


def strides_known(shape: tuple[int, ...], is_known: np.ndarray) -> int:
    """The smallest power of two whose grid has only known cells (n, m, ...), or 0."""
    stride = 1
    while stride <= max(shape):
        if is_known[_grid(shape, stride)].all():
            return stride
        stride *= 2
    return 0
