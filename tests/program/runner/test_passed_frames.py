"""Frames that pass while the window is busy."""

from __future__ import annotations

from itertools import pairwise

import pytest

from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode_app.messages import FrameData
from polhode_app.runner.passed_frames import MOST, PassedFrames


@pytest.mark.parametrize(("count", "apart"), [(5, 1), (MOST - 1, 1), (MOST, 2), (3 * MOST, 4), (20 * MOST, 32)])
def test_frames_that_nobody_takes_become_fewer_but_leave_no_gap(count: int, apart: int) -> None:
    """Each time that MOST are there, every second one goes; `apart` is then the distance of those that are kept."""
    scene, passed = Scene(), PassedFrames()
    snapshot = Simulation(scene).snapshot()
    for number in range(count):
        passed.add(FrameData(scene, number, snapshot, True, 1.0, 0.0, 0.0))
    numbers = [each.generation for each in passed.take()]
    assert (numbers[0], numbers[-1]) == (0, count - 1)
    assert len(numbers) <= MOST
    assert max(after - before for before, after in pairwise(numbers)) == apart
    assert passed.take() == []
