"""The bank (rows, 8): numbers of eight runs, one in each column. A row holds one number of each.

The first rows are the section of the state of the body that moves, then those of a stage; rows of vectors are
neighbours. TIME [s] is that at the start of a step, NOW that of a stage, STOP_TIME [s] as in Work.
"""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import part_of_caller
from polhode.jit.simd import Float64x8, broadcast, constant, load, store
from polhode.physics.bodies.arrays import BODY_SIZE

LaneTriple = tuple[Float64x8, Float64x8, Float64x8]
STATE, STAGE = 0, BODY_SIZE
KINETIC, TOTAL, NEAREST, LARGEST, TIME, NOW, STOP_TIME = range(2 * BODY_SIZE, 2 * BODY_SIZE + 7)
FIELD_NOW = STOP_TIME + 1
GIVEN = FIELD_NOW + 3  # position and velocity of a point
FOUND = GIVEN + 6  # force and torque
RATES = FOUND + 6


@part_of_caller
def three(bank: np.ndarray, first: int) -> LaneTriple:
    """Rows first, first + 1 and first + 2 of `bank` (rows, 8)."""
    return load(bank, first, 0), load(bank, first + 1, 0), load(bank, first + 2, 0)


@part_of_caller
def constants(of_lanes: np.ndarray, first: int) -> LaneTriple:
    """Rows first, first + 1 and first + 2 of constants (n, 8), or of (n,) that all lanes share."""
    return constant(of_lanes, first), constant(of_lanes, first + 1), constant(of_lanes, first + 2)


@part_of_caller
def put_three(bank: np.ndarray, first: int, a: LaneTriple) -> None:
    """Write rows first, first + 1 and first + 2 of `bank` (rows, 8)."""
    store(bank, first, 0, None, a[0])
    store(bank, first + 1, 0, None, a[1])
    store(bank, first + 2, 0, None, a[2])


@part_of_caller
def spread(a: tuple[float, float, float]) -> LaneTriple:
    """A vector that all runs share."""
    return broadcast(a[0]), broadcast(a[1]), broadcast(a[2])
