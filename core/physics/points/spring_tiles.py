"""Where the forces of a block of springs are summed: rows of their own, which stay in the cache.

A processor that reads what it has just written compares addresses by their last twelve bits. Where a row of forces and
a row of places differ by little there, reading waits for writing although the two have nothing to do with each other.
So the rows of forces are laid where that is rare.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from core.jit.kernel_struct import KernelStruct

WIDTH = 8  # springs at once
PAGE = 512  # float64 after which addresses look alike
SOON = 32  # numbers that are read within the time that writing takes
CHOICES = 16  # lengths of a row that are compared
TILES = 2  # one for each thread


@dataclass(frozen=True, eq=False)
class SpringWork(KernelStruct):
    """Scratch of runs of springs. A block has points low ... stop - 1 for itself, and pulls at others up to high."""

    groups: np.ndarray  # (g, 4) uint32 first and second point of up to eight springs, their run, and a bit for each
    block: np.ndarray  # (b + 1,) int64: block b has the groups block[b] ... block[b + 1] - 1
    reach: np.ndarray  # (b, 3) int64 low, stop, high of each block
    tiles: np.ndarray  # flat, for each thread [N] on first and on second ends; zero between two blocks
    length: int  # of a row of a tile
    offset: int  # from a row of places to one of forces, in numbers, but for whole pages
    carry: np.ndarray  # (3 b, c) [N] x, y, z of each block on the points stop ... high - 1
    power: np.ndarray  # (b,) [W] of the dampers of each block


def make_spring_work(runs: Any, points: int) -> SpringWork:
    """Scratch arrays of the sizes that a model needs."""
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
        groups=groups,
        block=of_run[runs.block],
        reach=reach,
        tiles=np.zeros(TILES * (6 * length + PAGE + WIDTH)),
        length=length,
        offset=offset,
        carry=np.zeros((3 * blocks, int((reach[:, 2] - reach[:, 1]).max(initial=0)))),
        power=np.zeros(blocks),
    )


def groups_of(runs: Any) -> tuple[np.ndarray, np.ndarray]:
    """Groups (g, 4), and the number (r + 1,) of the first of each run: one loop, however short the runs are."""
    many = -(-runs.count // WIDTH)
    of_run = np.append(0, np.cumsum(many))
    run = np.repeat(np.arange(len(many)), many)
    along = WIDTH * (np.arange(len(run)) - of_run[run])
    lanes = (1 << np.minimum(runs.count[run] - along, WIDTH)) - 1
    return np.column_stack([runs.first[run] + along, runs.second[run] + along, run, lanes]).astype(np.uint32), of_run


def layout(runs: Any, points: int, width: int) -> tuple[int, int]:
    """Length of a row of forces, at least `width`, and its offset from a row of places, `points` apart."""
    steps, of_step = np.unique(runs.second - runs.first, return_inverse=True)
    share = np.bincount(of_step, runs.count)
    often = np.argsort(-share, kind="stable")[:CHOICES]
    rows, best, soon = np.arange(3), (np.inf, width, 0), meetings()
    shortest = -(-width // WIDTH) * WIDTH  # whole lanes: who reads eight numbers reads one line of the cache
    for length in range(shortest, shortest + WIDTH * CHOICES, WIDTH):
        apart, within = np.zeros(PAGE), 0.0
        for step, weight in zip(steps[often], share[often], strict=True):
            written = np.concatenate([length * rows, length * (rows + 3) + step])
            read = np.concatenate([points * np.arange(6), points * np.arange(6) + step])
            np.add.at(apart, (written[:, None] - read) % PAGE, weight)
            within += weight * soon[0][(written[:, None] - written) % PAGE].sum()
        meeting = soon @ apart
        least = int(meeting.argmin())
        best = min(best, (meeting[least] + within, length, WIDTH * least))
    return best[1], best[2]


@cache
def meetings() -> np.ndarray:
    """(k, PAGE) how bad it is that what is read stands so many numbers before what is written, moved on by whole lanes.

    Rather in the middle between two such places than at the edge of one.
    """
    soon = np.zeros(PAGE)
    soon[1:SOON] = 1.0
    soon[0] = soon[SOON : SOON + SOON // 2] = soon[1 - SOON // 4 :] = 0.25
    return np.array([np.roll(soon, -d) for d in range(0, PAGE, WIDTH)])
