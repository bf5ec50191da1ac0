"""Steps are judged and recommended in a thread, and every question is answered."""

from __future__ import annotations

import queue
from collections.abc import Iterator

import numpy as np
import pytest

from polhode.analysis.steps.energy_drift import EnergyDrift
from polhode.analysis.steps.limits import judged, recommended_step
from polhode.analysis.steps.trials import accurate_step, round_steps
from polhode.integrators import METHODS
from polhode.scene import gallery
from polhode.scene.scene_file import read_scene, scene_of
from polhode.simulation.simulation import Simulation
from polhode_app.messages import StepLimitsFound
from polhode_app.runner.step_limits import MOST_BODIES, StepLimits

Answers = queue.Queue[StepLimitsFound]
SOON = 60.0  # [s] for an answer, on a busy machine


@pytest.fixture
def answers() -> Answers:
    return queue.Queue()


@pytest.fixture
def limits(answers: Answers) -> Iterator[StepLimits]:
    limits = StepLimits(answers.put)
    yield limits
    limits.close()


def test_every_method_has_a_limit_or_none_of_them(limits: StepLimits, answers: Answers) -> None:
    simulation = Simulation(read_scene(gallery.path("two_masses")))
    limits.request(simulation.compiled, 0.0, simulation.state)
    first, second = answers.get(timeout=SOON), answers.get(timeout=SOON)
    assert first.scene is second.scene is simulation.scene
    assert set(first.largest) >= set(METHODS)
    assert first.largest["verlet"] > simulation.time_step
    assert first.accurate == {}
    assert first.verdict == second.verdict == first.verdict_on(simulation.scene)
    assert first.verdict.is_good
    assert simulation.time_step < second.accurate["verlet"] < second.largest["verlet"]
    assert (first.is_complete, second.is_complete) == (False, True)


@pytest.mark.parametrize("why", ["too many bodies", "no finite state"])
def test_where_no_limit_can_be_estimated_the_answer_is_empty(why: str, limits: StepLimits, answers: Answers) -> None:
    many = MOST_BODIES + 1 if why == "too many bodies" else 1
    ball = {"name": "ball", "mass": 1.0, "radius": 0.01}
    ball["arrangement"] = {"kind": "grid", "counts": [many, 1, 1], "spacing": [0.1, 0.1, 0.1]}
    simulation = Simulation(scene_of({"sphere": [ball]}, "test"))
    state = simulation.state
    if many == 1:
        state[:] = np.nan
    limits.request(simulation.compiled, 0.0, state)
    found = answers.get(timeout=SOON)
    assert (found.scene, dict(found.largest)) == (simulation.scene, {})


def energy_error(name: str, step: float, seconds: float) -> float:
    """Largest energy error of a run of a built-in scene with `step` [s], relative to the energy exchanged in it."""
    scene = read_scene(gallery.path(name))
    changed = scene.model_copy(update={"solver": scene.solver.model_copy(update={"time_step": step})})
    simulation = Simulation(changed)
    drift, error = EnergyDrift(simulation.snapshot()), 0.0
    for _ in range(20):
        simulation.advance(seconds / 20)
        error = max(error, abs(drift.lost(simulation.snapshot())))
    return error / drift.exchanged


@pytest.mark.parametrize("name", ["heavy_top", "two_masses", "course_3_spring_pendulum"])
def test_the_recommended_step_keeps_the_energy_and_the_stable_one_does_not(name: str) -> None:
    simulation = Simulation(read_scene(gallery.path(name)))
    compiled, solver = simulation.compiled, simulation.scene.solver
    found = judged(compiled, solver.method, solver.time_step, 0.0, simulation.state)
    better = recommended_step(compiled, found, 0.0, simulation.state)
    assert better is not None
    assert energy_error(name, better, 10.0) <= 0.01
    assert energy_error(name, 0.95 * found.limits[solver.method].step, 10.0) > 0.01


def test_no_step_is_recommended_where_nothing_moves() -> None:
    compiled = Simulation(read_scene(gallery.path("course_7_at_rest"))).compiled
    assert accurate_step(compiled, "adams_bashforth_2", 0.0183, 0.0, compiled.start, 2.0) is None


def test_tried_steps_are_round() -> None:
    steps = list(round_steps(0.0257))
    assert steps[:5] == [0.02, 0.01, 0.005, 0.002, 0.001]
    assert list(round_steps(0.0)) == list(round_steps(np.inf)) == []
