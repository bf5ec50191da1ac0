"""Arrays in large pages: they are apart, aligned, zero, and free when they are gone."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from polhode.jit.pages import LEAST, PAGE, SHARED, aligned_zeros, in_large_pages

SETTING = Path("/sys/kernel/mm/transparent_hugepage/enabled")


@pytest.mark.parametrize("behind", [0, 128, 384, 513])
@pytest.mark.parametrize("count", [1, LEAST - 1, LEAST, 60_010, SHARED - 1, SHARED, SHARED + 7])
def test_zeros_begin_behind_a_page_boundary(count: int, behind: int) -> None:
    made = aligned_zeros(count, behind)
    assert made.ctypes.data % (8 * PAGE) == 8 * (behind % PAGE)
    assert made.shape == (count,)
    assert not made.any()
    made[:] = 1.0  # so that one which gets the same memory later is not zero by chance


def test_arrays_of_many_threads_are_apart() -> None:
    def make(number: int) -> np.ndarray:
        made = aligned_zeros(LEAST + 997 * (number % 7), number)
        made[:] = number
        return made

    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(make, range(1, 400)))
    assert all((array == number).all() for number, array in enumerate(made, 1))


def test_memory_is_free_when_all_that_share_it_are_gone() -> None:
    aligned_zeros(SHARED)  # what follows begins an array of its own
    first, second = aligned_zeros(LEAST), aligned_zeros(LEAST)
    assert first.base is second.base
    memory = weakref.ref(first.base)
    aligned_zeros(SHARED)
    del first
    gc.collect()
    assert memory() is not None
    del second
    gc.collect()
    assert memory() is None


@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.uint32])
def test_a_copy_has_the_same_numbers_row_by_row(dtype: type) -> None:
    given = np.arange(3 * 5001, dtype=dtype).reshape(3, 5001)
    for array in (given, given.T, given[:, ::2], given[:0]):
        copy = in_large_pages(array)
        assert copy.flags.c_contiguous
        assert (copy.dtype, copy.shape) == (array.dtype, array.shape)
        assert np.array_equal(copy, array)
        assert not np.shares_memory(copy, array)


@pytest.mark.skipif(
    not SETTING.exists() or "[never]" in SETTING.read_text(), reason="this system gives no pages of 2 MB"
)
def test_the_system_gives_large_pages() -> None:
    """In a new process: after large arrays are gone, the allocator may give their small pages again."""
    found = subprocess.run([sys.executable, "-c", LARGE_PAGES], capture_output=True, text=True, check=True).stdout
    assert int(found) >= 2048  # [kB]


LARGE_PAGES = """
from pathlib import Path
from polhode.jit.pages import SHARED, aligned_zeros
made = aligned_zeros(SHARED)
made[:] = 1.0
inside, found = False, 0
for line in Path("/proc/self/smaps").read_text().splitlines():
    head = line.split()[0]
    if "-" in head and not head.endswith(":"):
        low, high = (int(word, 16) for word in head.split("-"))
        inside = low <= made.ctypes.data < high
    elif inside and line.startswith("AnonHugePages:"):
        found = int(line.split()[1])
print(found)
"""
