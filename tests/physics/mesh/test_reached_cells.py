"""Cells that a spline may reach are marked, and few others."""

from __future__ import annotations

import numpy as np

from polhode.mesh.distance.field import DistanceField
from polhode.mesh.distance.reached import reached_cells

COUNTS = np.array([14, 11, 12])


def test_all_cells_with_a_low_value_are_marked_and_no_cell_at_the_sides() -> None:
    """Numbers at random, the hardest case; a spline at nodes and halfway between them."""
    random = np.random.default_rng(3)
    numbers = random.normal(size=COUNTS).astype(np.float32)
    marked = reached_cells(numbers, -0.4)
    points = random.uniform(1.0, COUNTS - 2.001, size=(200_000, 3))
    values, _ = DistanceField(np.zeros(3), 1.0, numbers).at(points)
    low = values <= -0.4
    assert low.mean() > 0.05
    assert marked[tuple(points[low].astype(int).T)].all()
    assert not marked[0].any()
    assert not marked[:, :, -2:].any()


def test_cells_of_a_linear_function_are_marked_up_to_its_level() -> None:
    numbers = np.broadcast_to(np.arange(14.0, dtype=np.float32)[:, None, None], COUNTS)
    marked = reached_cells(np.ascontiguousarray(numbers), 5.5)
    inner = marked[1:-2, 1:-2, 1:-2]
    assert inner[:5].all()  # the cells from 1 to 5, of which the last one begins at 5
    assert not inner[5:].any()
