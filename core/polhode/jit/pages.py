"""Arrays of kernels in large pages of memory.

The place of a number in the second-level cache follows from its physical address. In pages of 4 KB these are random:
some sets of the cache are asked for more than they hold while others are empty, differently in each process. And the
processor's table of pages is too short for some 100 KB in such pages. In pages of 2 MB neither happens. numpy asks the
system for them for arrays of 4 MB and more, so several arrays share one of these.
"""

from __future__ import annotations

from threading import Lock

import numpy as np

PAGE = 512  # float64 in a page of 4 KB
LARGE = 2**18  # float64 in a page of 2 MB
SHARED = 4 * LARGE  # float64 in an array that others share
LEAST = 4096  # float64 of an array that gets a part of one
BEHIND = {"second_stage": 0, "history": 64, "stage": 128, "rate": 256, "state": 320, "increment": 384, "springs": 480}
"""Offsets in a page, in float64, of arrays that laws read and write together: loads from one do not wait for stores to
another (core/polhode/physics/points/spring_tiles.py)."""


class _Shared:
    """The array of which the next parts are given out, and the number of float64 that are given out already."""

    def __init__(self) -> None:
        self.array, self.used, self.lock = np.zeros(0), 0, Lock()


_shared = _Shared()


def aligned_zeros(count: int, behind: int = 0) -> np.ndarray:
    """(count,) float64 zeros that start `behind` numbers after a multiple of 4096 bytes.

    Aligned SIMD access stays within one cache line; see core/polhode/physics/points/spring_tiles.py for pages. From
    LEAST numbers on they are a part of an array in large pages, which is freed when all of its parts are gone.
    """
    if count < LEAST:
        wider = np.zeros(count + PAGE)
        begin = (behind - wider.ctypes.data // 8) % PAGE
        return wider[begin : begin + count]
    with _shared.lock:
        begin = -(-_shared.used // PAGE) * PAGE + behind % PAGE
        if begin + count > len(_shared.array):
            begin = behind % PAGE
            wider = np.zeros(max(SHARED, begin + count) + LARGE)
            first = -(wider.ctypes.data // 8) % LARGE
            _shared.array = wider[first : len(wider) - LARGE + first]
        _shared.used = begin + count
        return _shared.array[begin : begin + count]


def in_large_pages(array: np.ndarray, behind: int = 0) -> np.ndarray:
    """A copy of an array of numbers (n, ...), row by row, as `aligned_zeros` places them."""
    words = -(-array.nbytes // 8)
    copy = aligned_zeros(words, behind).view(np.uint8)[: array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy
