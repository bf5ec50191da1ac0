"""A card may set values of ghosts and maps: runs without these leave them out, and keep all others."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

from polhode import Simulation, Sweep, find_equilibria, fit
from polhode.data.measured import measured
from polhode.scene.checks.story_rules import story_problems, tried
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of, tables_of
from polhode.scene.variants.alone import alone
from polhode.simulation.ghost_runs import ghost_scene

TEXT = f"""
format = 2
[story]
text = "A pendulum with and without friction."
try = [
    {{ label = "Rough", set = {{ "ghost[0].values[0].value" = 0.05 }} }},
    {{ label = "Both", set = {{ "ghost[0].values[0].value" = 0.05, "body[0].friction" = 0.02 }} }},
    {{ label = "Look", set = {{ "ghost[0].values[0].value" = 0.05 }}, show = ["velocities"] }},
    {{ label = "Fine", set = {{ "sweep[0].until" = 0.02 }} }},
]
sliders = [
    {{ label = "Ghost", set = {{ "ghost[0].values[0].value" = 1.0 }}, low = 0.0, high = 0.1 }},
    {{ label = "Gravity", set = {{ "world.gravity[2]" = -1.0 }}, low = 1.0, high = 20.0 }},
]
[[body]]
name = "bob"
support = "axle"
axis = [0, 1, 0]
orientation = {{ axis = [0, 1, 0], angle = {pi / 6} }}
friction = 0.1
shape = [{{ kind = "sphere", radius = 0.05, mass = 1.0, position = [0, 0, -0.5] }}]
[[ghost]]
values = [{{ parameter = "body[0].friction", value = 0.2 }}]
[[sweep]]
name = "map"
until = 0.01
axes = [{{ parameter = "body[0].friction", range = [0.1, 0.2], count = 2 }}]
outcome = {{ kind = "final", quantity = "bob.angular_velocity.y" }}
"""


@pytest.fixture
def scene() -> Scene:
    return scene_of(tables_of(TEXT, "scene"), "scene")


def test_what_sets_ghosts_and_sweeps_alone_is_left_out_with_them(scene: Scene) -> None:
    assert story_problems(scene) == []
    left = alone(scene)
    assert [trial.label for trial in left.story.try_] == ["Both", "Look"]
    assert left.story.try_[0].set == {"body[0].friction": 0.02}
    assert tried(left, left.story.try_[0]).body[0].friction == 0.02
    assert [slider.label for slider in left.story.sliders] == ["Gravity"]
    assert story_problems(left) == []


def test_a_story_without_them_stays_the_same(scene: Scene) -> None:
    left = alone(scene)
    assert alone(left).story is left.story
    assert alone(left).model_dump() == left.model_dump()


def test_the_run_of_a_ghost_starts_and_has_its_value(scene: Scene) -> None:
    simulation = Simulation(ghost_scene(scene, scene.ghost[0]))
    assert simulation.compiled.scene.body[0].friction == 0.2


def test_a_map_is_computed(scene: Scene) -> None:
    made = Sweep(scene).run()
    assert np.isfinite(made.value).all()
    assert made.value[0] != made.value[1]


def test_equilibria_are_found(scene: Scene) -> None:
    assert any(each.stability == "stable" for each in find_equilibria(scene).equilibria)


def test_a_fit_is_computed(scene: Scene) -> None:
    """The angular velocity of the pendulum from rest, by another friction than that of the scene."""
    run = Simulation(alone(scene).with_values({"body[0].friction": 0.15}))
    times, rates = np.arange(1, 30) * 0.02, []
    for time in times:
        run.advance(time - run.time)
        rates.append(run.snapshot().bodies.angular_velocity[0, 1])
    data = measured("made", times, {"w": np.array(rates)})
    found = fit(scene, data, {"w": "bob.angular_velocity.y"}, ["body[0].friction"])
    assert found.estimates[0].value == pytest.approx(0.15, rel=1e-3)
