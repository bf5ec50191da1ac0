"""How new items behave without further edits: a jelly wobbles, and a cradle of balls swings on."""

from __future__ import annotations

import numpy as np
import pytest

from polhode.scene.fields import with_value
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode_app.edit.add_menu import ADDITIONS, AddEntry, with_addition
from polhode_app.edit.contacts import with_floor
from polhode_app.edit.joining import with_string
from polhode_app.edit.part_defaults import Placement


def entry(group: str, text: str) -> AddEntry:
    return next(each for each in ADDITIONS[group] if each.text == text)


@pytest.mark.parametrize("size", [0.05, 0.3])
def test_a_new_jelly_wobbles_when_it_lands_and_keeps_its_shape(size: float) -> None:
    """Dropped from about its height, it becomes lower and higher again by a tenth, and then rests 2 to 10 % lower."""
    made, _ = with_addition(with_floor(Scene()), entry("Soft body", "Jelly block"), Placement(size, (0, 0, size)), None)
    run, heights = Simulation(made), []
    for _ in range(150):
        run.advance(0.02)
        heights.append(np.ptp(run.snapshot().points.position[:, 2]) / (3 * made.soft[0].spacing[2]))
    landed = int(np.argmin(heights[:75]))
    assert heights[landed] < 0.93
    assert max(heights[landed:]) > heights[landed] + 0.1
    assert 0.9 < np.mean(heights[-25:]) < 0.98
    assert np.ptp(heights[-25:]) < 0.05  # it has come to rest


def test_a_cradle_of_new_balls_on_strings_keeps_most_of_its_swing() -> None:
    """Three new balls on strings of 30 cm, the first one raised by 0.5 rad: after 1 s, a period, and two impacts."""
    scene, length, radius = Scene(), 0.3, 0.025
    for number in range(3):
        x = 2.02 * radius * number
        place = (x, 0.0, 0.1) if number else (-length * np.sin(0.5), 0.0, 0.1 + length * (1 - np.cos(0.5)))
        scene, path = with_addition(scene, entry("Body", "Sphere"), Placement(2 * radius, place), None)
        scene, _ = with_string(scene, (scene.body[path[1]].name, (x, 0.0, 0.1 + length)), length)
    run = Simulation(with_value(scene, ("solver", "time_step"), 2e-4))
    masses = np.array([each.mass for each in run.compiled.properties])

    def swing() -> float:
        """Energy [J] above that of balls that hang at rest."""
        now = run.snapshot()
        return float(now.energy.kinetic + masses @ (now.bodies.position[:, 2] - 0.1) * -scene.world.gravity[2])

    before = swing()
    run.advance(1.0)
    assert swing() > 0.8 * before
