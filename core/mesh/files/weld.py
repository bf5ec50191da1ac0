"""Equal corners of triangles become one vertex."""

from __future__ import annotations

import numpy as np

from core.jit.kernel import kernel


def merged(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Corners (3 m, 3), float32 or float64, to vertices (n, 3) float64 and faces (m, 3) int32: equal ones are one."""
    label, first = equal_rows(corners)
    return corners[first].astype(np.float64), label.reshape(-1, 3)


def equal_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number (n,) of each row among the different rows, and the row (k,) where each of those appeared first."""
    rows = rows + rows.dtype.type(0)  # contiguous, and -0.0 becomes 0.0: equal numbers have equal bits
    table = np.full(1 << (2 * len(rows)).bit_length(), -1, dtype=np.int32)
    label = np.empty(len(rows), dtype=np.int32)
    first = np.empty(len(rows), dtype=np.int32)
    return label, first[: number_rows(rows.view(np.uint32), table, label, first)]


@kernel
def number_rows(bits, table, label, first):  # type: ignore[no-untyped-def]
    """Number the different rows of bits (n, w) uint32 in the order of their first appearance; returns how many.

    label (n,) becomes the number of each row, first (count,) the row where each number appeared. table, filled with -1,
    is a hash table with open addressing, its size a power of two and more than n.
    """
    mask = np.uint64(table.shape[0] - 1)
    count = 0
    for row in range(bits.shape[0]):
        key = np.uint64(0)
        for k in range(bits.shape[1]):
            key = (key ^ np.uint64(bits[row, k])) * np.uint64(0x9E3779B97F4A7C15)
            key ^= key >> np.uint64(29)
        place = key & mask
        while True:
            known = table[place]
            if known < 0:
                table[place] = count
                first[count] = row
                label[row] = count
                count += 1
                break
            same = True
            for k in range(bits.shape[1]):
                same = same and bits[first[known], k] == bits[row, k]
            if same:
                label[row] = known
                break
            place = (place + np.uint64(1)) & mask
    return count
