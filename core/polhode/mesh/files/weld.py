"""Equal corners of triangles become one vertex, by a hash table over their bits: linear in the number of corners."""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel


def merged(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Corners (3 m, 3), float32 or float64, to vertices (n, 3) float64 and faces (m, 3) int32: equal ones are one.

    Vertices are in the order of their first appearance.
    """
    label, first = equal_rows(corners)
    return corners[first].astype(np.float64), label.reshape(-1, 3)


def equal_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number (n,) int32 of each row among the different rows (n, w), and the row (k,) where each of those appeared
    first.

    Rows of float32 or float64 are equal if their numbers are; NaN is equal to a NaN of the same bits.
    """
    rows = rows + rows.dtype.type(0)  # contiguous, and -0.0 becomes 0.0: equal numbers have equal bits
    table = np.full(1 << (2 * len(rows)).bit_length(), -1, dtype=np.int32)
    label = np.empty(len(rows), dtype=np.int32)
    first = np.empty(len(rows), dtype=np.int32)
    return label, first[: number_rows(rows.view(np.uint32), table, label, first)]


@kernel
def number_rows(bits, table, label, first):  # type: ignore[no-untyped-def]
    """Number the different rows of bits (n, w) uint32 in the order of their first appearance; returns how many.

    table: a hash table with open addressing, filled with -1; its size is a power of two and more than n
    label: (n,) becomes the number of each row
    first: (n,), of which (count,) becomes the row where each number appeared
    """
    mask = np.uint64(table.shape[0] - 1)
    count = 0
    for row in range(bits.shape[0]):
        key = np.uint64(0)
        for k in range(bits.shape[1]):
            key = (key ^ np.uint64(bits[row, k])) * np.uint64(0x9E3779B97F4A7C15)
            key ^= key >> np.uint64(29)
        slot = key & mask
        while True:
            known = table[slot]
            if known < 0:
                table[slot] = count
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
            slot = (slot + np.uint64(1)) & mask
    return count
