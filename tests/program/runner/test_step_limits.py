"""The largest stable steps are estimated in a thread, and every question is answered."""

from __future__ import annotations

import queue
from collections.abc import Iterator, Mapping

import numpy as np
import pytest

from app.runner.step_limits import MOST_BODIES, StepLimits
from core.integrators import METHODS
from core.scene import gallery
from core.scene.scene import Scene
from core.scene.scene_file import read_scene, scene_of
from core.simulation.simulation import Simulation

Answers = queue.Queue[tuple[Scene, Mapping[str, float]]]
SOON = 60.0  # [s] for an answer, on a busy machine


@pytest.fixture
def answers() -> Answers:
    return queue.Queue()


@pytest.fixture
def limits(answers: Answers) -> Iterator[StepLimits]:
    limits = StepLimits(lambda scene, largest: answers.put((scene, largest)))
    yield limits
    limits.close()


def test_every_method_has_a_limit_or_none_of_them(limits: StepLimits, answers: Answers) -> None:
    simulation = Simulation(read_scene(gallery.path("two_masses")))
    limits.request(simulation.built, 0.0, simulation.state)
    scene, largest = answers.get(timeout=SOON)
    assert scene is simulation.scene
    assert set(largest) >= set(METHODS)
    assert largest["verlet"] > scene.solver.time_step


@pytest.mark.parametrize("why", ["too many bodies", "no finite state"])
def test_where_no_limit_can_be_estimated_the_answer_is_empty(why: str, limits: StepLimits, answers: Answers) -> None:
    many = MOST_BODIES + 1 if why == "too many bodies" else 1
    ball = {"name": "ball", "mass": 1.0, "radius": 0.01}
    ball["arrangement"] = {"kind": "grid", "counts": [many, 1, 1], "spacing": [0.1, 0.1, 0.1]}
    simulation = Simulation(scene_of({"sphere": [ball]}, "test"))
    state = simulation.state
    if many == 1:
        state[:] = np.nan
    limits.request(simulation.built, 0.0, state)
    scene, largest = answers.get(timeout=SOON)
    assert (scene, dict(largest)) == (simulation.scene, {})
