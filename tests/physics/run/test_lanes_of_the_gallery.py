"""SIMD lanes beside the loop of steps, for every scene of the gallery that goes in lanes."""

from __future__ import annotations

import numpy as np
import pytest
from sampling import sampled

from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.arrays import ANGULAR_MOMENTUM, BASIS, BODY_SIZE
from polhode.run.observers.wells import no_wells
from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode.sweep.cells import CellRunner, Plan
from polhode.sweep.lane_cells import LaneRunner, body_in_lanes

SECONDS = 2.0
BOUND = 1e-12  # that docs/architecture.md names; the hanging hammer, which turns fastest, comes nearest with 9e-13
IN_LANES = (
    "magnet_pendulum",
    "basins_of_three_magnets",
    "compass",
    "driven_compass",
    "hanging_hammer",
    "heavy_top",
    "pendulum_from_the_horizontal",
    "polhode",
    "sleeping_top",
    "t_handle",
)


@pytest.mark.parametrize("name", sampled(IN_LANES, len(IN_LANES)))
def test_a_scene_in_lanes_is_within_the_bound(name: str) -> None:
    scene = read_scene(gallery.path(name)).model_copy(update={"sweep": (), "ghost": ()})
    compiled, step = build(scene, Meshes()), scene.solver.time_step
    body = body_in_lanes(compiled)
    assert body is not None
    plan = Plan(round(SECONDS / step), step, 10, 0, -1, ends_early=False)
    lane, loop = compiled.start[None].copy(), compiled.start[None].copy()
    status = LaneRunner(body, scene.solver.method, no_wells()).run(lane, plan)[0]
    assert status == CellRunner(compiled).run(loop, plan)[0]
    first = BODY_SIZE * body.body
    apart = np.abs(lane - loop)[0, first : first + BODY_SIZE]
    spin = np.abs(loop[0, first + ANGULAR_MOMENTUM : first + BODY_SIZE]).max()
    assert apart[:BASIS].max() < BOUND
    assert apart[BASIS:ANGULAR_MOMENTUM].max() < BOUND
    assert apart[ANGULAR_MOMENTUM:].max() < BOUND * spin


@pytest.mark.nightly
def test_no_other_scene_goes_in_lanes() -> None:
    found = []
    for name in gallery.scene_names():
        scene = read_scene(gallery.path(name)).model_copy(update={"sweep": (), "ghost": ()})
        if body_in_lanes(build(scene, Meshes())) is not None:
            found.append(name)
    assert sorted(found) == sorted(IN_LANES)
