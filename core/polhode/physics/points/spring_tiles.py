"""Scratch rows in which a block of springs sums its forces, placed so that loads do not wait for stores.

A processor compares the addresses of loads with those of earlier stores by their last twelve bits. Where a row of
forces and a row of positions have nearly the same address in that sense, loads from one wait for stores to the other
although they share no data. `layout` chooses the distance between the rows of a tile, and the offset of a tile from the
positions, so that this happens rarely. It changes the speed only.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from polhode.jit.kernel_struct import KernelStruct
from polhode.jit.pages import BEHIND, in_large_pages

WIDTH = 8  # springs at once
PAGE = 512  # float64 after which the last twelve bits of addresses repeat
SOON = 32  # numbers that are loaded during the latency of a store
CHOICES = 16  # lengths of a row that are compared
TILES = 2  # one for each thread


class SpringWork(KernelStruct):
    """Scratch of the springs of soft bodies; `block`, `reach`, `length` and `offset` are constant.

    So are `groups`, but for the lanes of bodies that break: PLACE writes those of their whole springs
    (core/polhode/physics/breaking).

    Block b owns the points low ... stop - 1 and pulls at further points below high.
    """

    groups: np.ndarray
    """(g, 4) uint32 of each group of up to eight springs: first ends, second ends, row, and a bit for each lane."""
    block: np.ndarray
    """(b + 1,) int64: block b has the groups block[b] ... block[b + 1] - 1."""
    reach: np.ndarray
    """(b, 3) int64 low, stop, high of each block."""
    tiles: np.ndarray
    """flat [N] one tile for each thread; written and cleared by the law of springs, zero between two blocks."""
    length: int
    """Number of columns of a tile, a multiple of WIDTH."""
    offset: int
    """Distance from a row of positions to the row of forces of the same point, in numbers, apart from whole pages."""
    carry: np.ndarray
    """(3 b, c) [N] x, y, z of the forces of each block on the points stop ... high - 1; written and read by LAW."""
    power: np.ndarray
    """(b,) [W] power of the dampers of each block; written by LAW, then summed into power[DAMPING]."""


def make_spring_work(runs: Any, points: int) -> SpringWork:
    """Scratch arrays for the springs of soft bodies, `runs` (a SpringRows), in a scene of that number of `points`."""
    groups, of_run = groups_of(runs)
    begins, blocks = runs.block[:-1], len(runs.block) - 1
    if blocks == 0:
        reach, length, offset = np.zeros((0, 3), dtype=np.int64), 0, 0
    else:
        low = np.minimum.reduceat(runs.first, begins)
        high = np.maximum.reduceat(runs.second + runs.count, begins)
        reach = np.column_stack([low, np.minimum(high, np.append(low[1:], points)), high])
        length, offset = layout(runs, points, int((high - low).max()))
    return SpringWork(
        groups=in_large_pages(groups, BEHIND["springs"]),
        block=of_run[runs.block],
        reach=reach,
        tiles=np.zeros(TILES * (6 * length + PAGE + WIDTH)),
        length=length,
        offset=offset,
        carry=np.zeros((3 * blocks, int((reach[:, 2] - reach[:, 1]).max(initial=0)))),
        power=np.zeros(blocks),
    )


def groups_of(runs: Any) -> tuple[np.ndarray, np.ndarray]:
    """Groups (g, 4) uint32 as in SpringWork, and the index (r + 1,) of the first group of each row and their number."""
    many = -(-runs.count // WIDTH)
    of_run = np.append(0, np.cumsum(many))
    run = np.repeat(np.arange(len(many)), many)
    along = WIDTH * (np.arange(len(run)) - of_run[run])
    lanes = (1 << np.minimum(runs.count[run] - along, WIDTH)) - 1
    return np.column_stack([runs.first[run] + along, runs.second[run] + along, run, lanes]).astype(np.uint32), of_run


def layout(runs: Any, points: int, width: int) -> tuple[int, int]:
    """Length of a row of a tile, at least `width`, and the offset of tiles from positions, both in numbers.

    For up to CHOICES lengths, and all offsets by whole SIMD vectors, counts how often springs would read addresses that
    look like those just written, weighted by the number of springs with the same distance second - first; the least is
    taken.

    runs: a SpringRows; points: number of points, the distance of the rows of positions.
    """
    steps, of_step = np.unique(runs.second - runs.first, return_inverse=True)
    share = np.bincount(of_step, runs.count)
    often = np.argsort(-share, kind="stable")[:CHOICES]
    rows, best, soon = np.arange(3), (np.inf, width, 0), meetings()
    shortest = -(-width // WIDTH) * WIDTH  # whole SIMD vectors, so that eight numbers are one cache line
    for length in range(shortest, shortest + WIDTH * CHOICES, WIDTH):
        weights, within = np.zeros(PAGE), 0.0
        for step, weight in zip(steps[often], share[often], strict=True):
            written = np.concatenate([length * rows, length * (rows + 3) + step])
            read = np.concatenate([points * np.arange(6), points * np.arange(6) + step])
            np.add.at(weights, (written[:, None] - read) % PAGE, weight)
            within += weight * soon[0][(written[:, None] - written) % PAGE].sum()
        meeting = soon @ weights
        least = int(meeting.argmin())
        best = min(best, (meeting[least] + within, length, WIDTH * least))
    return best[1], best[2]


@cache
def meetings() -> np.ndarray:
    """(PAGE/WIDTH, PAGE) cost of a load at `column` numbers before a store, for each shift of the stores by whole SIMD
    vectors.

    1 within the next SOON numbers, 1/4 in a margin around them, so that the middle between two ranges is preferred.
    """
    soon = np.zeros(PAGE)
    soon[1:SOON] = 1.0
    soon[0] = soon[SOON : SOON + SOON // 2] = soon[1 - SOON // 4 :] = 0.25
    return np.array([np.roll(soon, -d) for d in range(0, PAGE, WIDTH)])
