"""Arrays of kernels in large pages of memory.

A processor finds the place of a number in its second-level cache by its physical address. In pages of 4 KB these are
random, so that some sets of the cache are asked for more than they hold while others are empty, differently in each
process; and the table of pages that the processor keeps is too short for arrays of some 100 KB. In pages of 2 MB neither
happens. The system gives them for arrays of 4 MB and more, for which numpy asks; so several arrays share one of these.
"""

from __future__ import annotations

from threading import Lock

import numpy as np

PAGE = 512  # float64 in a page of 4 KB
LARGE = 2**18  # float64 in a page of 2 MB
SHARED = 4 * LARGE  # float64 in an array that others share, at least
LEAST = 4096  # float64 of an array that lies in one


class _Shared:
    """The array of which pieces are given out, and the number of float64 that are in use."""

    def __init__(self) -> None:
        self.array, self.used, self.lock = np.zeros(0), 0, Lock()


_shared = _Shared()


def aligned_zeros(count: int, behind: int = 0) -> np.ndarray:
    """(count,) float64 zeros that start `behind` numbers after a multiple of 4096 bytes.

    Aligned SIMD access stays within one cache line; see core/polhode/physics/points/spring_tiles.py for pages. From
    LEAST numbers on they share large pages with others, and the memory is free when all of these are gone.
    """
    if count < LEAST:
        wider = np.zeros(count + PAGE)
        begin = (behind - wider.ctypes.data // 8) % PAGE
        return wider[begin : begin + count]
    with _shared.lock:
        begin = -(-_shared.used // PAGE) * PAGE + behind % PAGE
        if begin + count > len(_shared.array):
            wider = np.zeros(max(SHARED, count + behind % PAGE) + LARGE)
            first = -(wider.ctypes.data // 8) % LARGE
            _shared.array, begin = wider[first : first + len(wider) - LARGE], behind % PAGE
        _shared.used = begin + count
        return _shared.array[begin : begin + count]


def in_large_pages(array: np.ndarray) -> np.ndarray:
    """A copy of an array, contiguous, in large pages if it is long; of any type of 8-byte or 4-byte numbers."""
    words = -(-array.nbytes // 8)
    copy = aligned_zeros(words).view(np.uint8)[: array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy
