"""The blocks that an elimination changes, against the definition; many joints of the same bodies."""

from __future__ import annotations

from time import process_time

import numpy as np
import pytest

from polhode.engine.model import NOTHING
from polhode.physics.joints.arrays import Factor
from polhode.physics.joints.elimination import eliminate


def targets_of(factor: Factor) -> list[int]:
    """Blocks of all pairs of the joints below each joint, row by row, by a table of all blocks."""
    columns = [factor.below[a:b].tolist() for a, b in zip(factor.first[:-1], factor.first[1:], strict=True)]
    block = {(p, p): int(at) for p, at in enumerate(factor.diagonal)}
    places = iter(factor.offset.tolist())
    block |= {(q, p): next(places) for p, column in enumerate(columns) for q in column}
    return [block[q, o] for column in columns for k, q in enumerate(column) for o in column[: k + 1]]


@pytest.mark.parametrize("seed", range(6))
def test_blocks_are_those_of_all_pairs_below(seed: int) -> None:
    random = np.random.default_rng(seed)
    count, bodies = int(random.integers(1, 60)), int(random.integers(1, 20))
    member = random.integers(0, bodies, (count, 2))
    member[random.random(member.shape) < 0.2] = NOTHING
    factor = eliminate(member, random.integers(1, 7, count).tolist())
    assert factor.target.tolist() == targets_of(factor)


def test_a_model_without_joints_has_no_blocks() -> None:
    assert eliminate(np.zeros((0, 2), dtype=int), []).target.shape == (0,)


def test_hundreds_of_joints_between_two_bodies_take_seconds() -> None:
    """10 million blocks of 400 joints, each of which meets all others; one by one they took 40 s."""
    begun = process_time()
    factor = eliminate(np.tile([0, 1], (400, 1)), [3] * 400)
    assert len(factor.target) == sum(m * (m + 1) // 2 for m in range(400))
    assert process_time() - begun < 10.0
