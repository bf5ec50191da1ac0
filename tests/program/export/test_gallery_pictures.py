"""Pictures of the gallery: the states that they are drawn from."""

from __future__ import annotations

import numpy as np
import pytest

from polhode.scene.scene_file import read_scene
from polhode.verification.published import slinky
from polhode_app.export.gallery_pictures import BETWEEN, INTERVAL, TILES, interval, states
from polhode_app.export.sources import SimulationSource


def test_ghosts_move_with_the_scene() -> None:
    """The ghost of two masses moves both rows point by point: it is where the rows are, at all times."""
    passed = states(SimulationSource(read_scene("two_masses")), INTERVAL / BETWEEN)
    assert passed[-1][0].time == pytest.approx((TILES - 1) * INTERVAL)
    for now, (ghost,) in passed:
        assert ghost is not None
        assert ghost.time == now.time
        np.testing.assert_allclose(ghost.points.position, now.points.position, atol=1e-9)
    first, last = passed[0][0], passed[-1][0]
    assert np.abs(last.points.position - first.points.position).max() > 1e-3


def test_pictures_of_a_short_experiment_end_with_it() -> None:
    """Those of the slinky are taken while its lower end still waits; other scenes have the usual interval."""
    assert (TILES - 1) * interval("falling_slinky") < slinky.collapse() + 0.01
    assert interval("two_masses") == interval("rattleback") == INTERVAL
