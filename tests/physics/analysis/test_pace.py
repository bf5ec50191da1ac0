"""Processor time of steps of scenes with iron beside the time that they simulate."""

from __future__ import annotations

from math import sqrt

import pytest

from polhode.analysis.steps.pace import pace_note, seconds_per_step
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation

BALL = {"kind": "sphere", "radius": 0.01, "mass": 0.03}


def test_a_note_names_panels_and_a_step_that_keep_pace():
    simulation = Simulation(read_scene("compass_and_iron_ball").with_values({"solver.time_step": 1e-6}))
    state = simulation.state
    note = pace_note(simulation)
    assert note is not None
    cost, ratio = 1e-3 * note.values["cost"], note.values["ratio"]
    assert ratio == pytest.approx(cost / 1e-6)
    assert note.values["fewer"] == int(note.values["count"] / sqrt(ratio))
    assert note.values["longer"] == note.values["cost"]
    assert simulation.steps == 0
    assert (simulation.state == state).all()


def test_beside_dipoles_a_note_names_both_and_a_step_alone():
    """The charges of dipoles take time as well: no number of panels keeps pace by itself."""
    balls = [
        {"name": kind, "support": "free", "position": [at, 0, 0], "shape": [{**BALL, "iron": {"induced": kind}}]}
        for at, kind in ((0.0, "dipole"), (0.1, "surface"))
    ]
    described = {"world": {"gravity": [0, 0, 0]}, "solver": {"time_step": 1e-7}, "body": balls}
    simulation = Simulation(Scene.model_validate(described))
    note = pace_note(simulation)
    assert note is not None
    assert note.values["dipoles"] == 1
    assert note.values["count"] == (simulation.compiled.model.iron.edge > 0).sum() > 1
    assert note.values["longer"] == note.values["cost"] > 1e-4
    assert "fewer" not in note.values


def test_a_note_is_for_iron_that_is_slower_than_real_time():
    assert pace_note(Simulation(read_scene("heavy_top").with_values({"solver.time_step": 1e-7}))) is None
    slow = Simulation(read_scene("compass_and_iron_ball"))
    assert (pace_note(slow) is None) == (seconds_per_step(slow) < slow.time_step)


def test_a_run_that_ends_at_once_has_no_pace():
    scene = read_scene("heavy_top").with_values({"solver.time_step": 10.0, "solver.method": "euler"})
    fast = Simulation(scene.with_values({"body[0].angular_velocity[2]": 1e17}))
    assert seconds_per_step(fast) != seconds_per_step(fast)
