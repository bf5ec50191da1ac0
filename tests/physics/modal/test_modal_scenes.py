"""The built-in scenes that move by modes, beside the same bodies point by point."""

from __future__ import annotations

import re

import numpy as np
import pytest

from polhode.analysis.steps.stability import largest_step
from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode.simulation.ghost_runs import ghost_scene
from polhode.simulation.simulation import Simulation


@pytest.mark.parametrize("name", ["cloth_by_modes", "jelly_by_modes"])
def test_few_modes_with_ten_times_the_step_look_like_all_points(name: str) -> None:
    """As near as the description says, in percent of the largest motion; and the ghost keeps its own limit."""
    scene = read_scene(gallery.path(name))
    (ghost,) = scene.ghost
    few, all_points = Simulation(scene), Simulation(ghost_scene(scene, ghost))
    assert all_points.compiled.modal == {}
    compiled = all_points.compiled
    limit = largest_step(compiled.model, compiled.inputs, 0.0, compiled.start, "verlet")
    assert all_points.time_step < limit
    assert few.time_step >= 10 * limit
    start, apart, motion = all_points.snapshot().points.position, 0.0, 0.0
    while few.time < 4.0:
        few.advance_steps(1)
        all_points.advance(few.time - all_points.time)
        one, other = few.snapshot().points.position, all_points.snapshot().points.position
        apart = max(apart, np.linalg.norm(one - other, axis=1).max())
        motion = max(motion, np.linalg.norm(other - start, axis=1).max())
    said = re.search(r"within (\d) % of the\s+largest motion", scene.description)
    assert said is not None
    assert motion > 0.02
    assert int(said[1]) - 1 < 100 * apart / motion <= int(said[1])


def test_chains_that_are_too_long_hang_by_points_or_all_modes_and_stay_straight_without_those_that_buckle() -> None:
    simulation = Simulation(read_scene(gallery.path("too_long")))
    assert [warning.place for warning in simulation.warnings] == ["soft[1].modes", "soft[2].modes"]
    assert [len(part.modes.dropped) for part in simulation.compiled.modal.values()] == [0, 22]
    where = simulation.compiled.points
    simulation.advance(3.0)
    points, clamped, dropped = (
        simulation.snapshot().points.position[where[n]] for n in ("points", "clamped", "dropped")
    )
    # links of length l in a shallow bow over L: sag sqrt(3/8 (l - L) L), 0.16 m for 5 %, and more as they stretch
    assert points[6, 2] < 0.6 - 0.16
    assert clamped - points == pytest.approx(np.broadcast_to([0, 0.25, 0], (13, 3)), abs=1e-9)
    assert dropped[:, 1:] == pytest.approx(np.broadcast_to([0.25, 0.6], (13, 2)), abs=1e-12)
