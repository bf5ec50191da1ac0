"""Nothing of a motion depends on where batches end: on rows, on their columns, on what is looked at between them."""

from __future__ import annotations

from math import sin

import numpy as np
import pytest

from polhode.analysis.columns import columns
from polhode.integrators import AS_PRINTED, METHODS
from polhode.scene import gallery
from polhode.scene.scene_file import read_scene, scene_of
from polhode.simulation.simulation import Simulation

QUICK = (
    "bowl_by_hand",  # sensor that rebuilds the scene
    "course_11_hand",  # sensor that moves an item
    "dominoes",  # solids with dry friction
    "jelly_pendulum",  # soft body
    "magnetic_gears",
    "marionette",  # strings
    "pumped_swings",  # paths
    "rolling_17_rough_spheres_at_once",
    "rope_between_bars",
    "swinging_atwood",  # springs that pull only
    "trebuchet",
    "watts_linkage",
)
STEPS = 400  # the first events of these scenes are before that
LONG = 2000


def state_after(scene, steps, rows, observed):
    """(k,) state after `steps` in batches of `rows` steps; `observed`: samples of all columns and snapshots, too."""
    simulation = Simulation(scene)
    if scene.sensor.drive:
        simulation.play(lambda t: scene.sensor.centre * (1.0 + 0.1 * sin(5.0 * t)))
    if observed:
        simulation.sample(range(len(columns(simulation.compiled))), every=3)
    while simulation.steps < steps:
        simulation.advance_steps(min(rows, steps - simulation.steps))
        if observed:
            simulation.snapshot(forces=True)
            simulation.sampled()
    return simulation.state


def keeps_its_bits(scene, steps):
    """All divisions of a run into batches give the same state, bit by bit."""
    whole = state_after(scene, steps, steps, observed=False)
    for rows, observed in ((1, False), (7, True), (100, False)):
        np.testing.assert_array_equal(state_after(scene, steps, rows, observed), whole, f"rows every {rows} steps")


@pytest.mark.parametrize(
    ("name", "steps"),
    [(name, STEPS) for name in QUICK]
    + [pytest.param(name, LONG, marks=pytest.mark.nightly) for name in gallery.scene_names()],
)
def test_rows_change_nothing_of_a_motion(name, steps):
    keeps_its_bits(read_scene(gallery.path(name)), steps)


@pytest.mark.parametrize("method", [*METHODS, *AS_PRINTED])
def test_rows_change_nothing_of_impacts_in_any_method(method):
    """A weight on a string that becomes taut, on a rod that breaks, and one that bounces at the limit of a slider.

    The last of these events is the string, after 130 steps.
    """
    ball = {"support": "free", "shape": [{"kind": "sphere", "radius": 0.02, "mass": 0.4}]}
    weights = [ball | {"name": name, "position": [at, 0, 0]} for name, at in (("a", 0.5), ("b", 2.5), ("c", 5.0))]
    joints = [
        {"name": "string", "kind": "distance", "first": "a", "length": 0.6, "pull_only": True, "restitution": 0.5},
        {"name": "rod", "kind": "distance", "first": "b", "anchor_second": [2, 0, 0], "breaks_at": 2.0},
        {
            "name": "rail",
            "kind": "slider",
            "first": "c",
            "axis": [0, 0, 1],
            "limits": {"upper": 0.1, "restitution": 0.7},
        },
    ]
    joints[0] |= {"anchor_first": [0, 0, 0], "anchor_second": [0, 0, 0]}
    joints[1] |= {"anchor_first": [0, 0, 0]}
    joints[2] |= {"anchor": [5, 0, 0]}
    data = {"format": 1, "world": {"gravity": [0, 0, -9.81]}, "body": weights, "joint": joints}
    data |= {"solver": {"time_step": 2e-3, "method": method}}
    keeps_its_bits(scene_of(data, ""), 150)
