"""Energy error of a run, relative to the energy that it exchanges."""

from __future__ import annotations

from polhode.analysis.steps.energy_drift import THERMAL, EnergyDrift
from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation


def test_rounding_errors_of_a_body_at_rest_are_no_drift() -> None:
    """Points at rest move at 1e-15 m/s, and the method errs by more than the energy of that."""
    simulation = Simulation(read_scene(gallery.path("course_7_at_rest")))
    drift = EnergyDrift(simulation.snapshot())
    simulation.advance(1.0)
    assert drift.at(simulation.snapshot()) == 0.0
    assert abs(drift.lost(simulation.snapshot())) < THERMAL


def test_a_motion_has_the_drift_of_its_method() -> None:
    """Adams-Bashforth 2 loses some parts in a thousand of the energy of a ball on a spring."""
    simulation = Simulation(read_scene(gallery.path("course_2_damper")))
    drift = EnergyDrift(simulation.snapshot())
    simulation.advance(1.0)
    now = simulation.snapshot()
    assert drift.at(now) == drift.lost(now) / drift.exchanged != 0.0
