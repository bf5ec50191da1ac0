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


@pytest.mark.parametrize("size", [0.05, 0.3])
def test_a_new_compass_between_two_magnets_comes_to_rest_along_their_field(size: float) -> None:
    """Its needle is first at a right angle to the field of two magnets in a line; it points from N to S of the gap."""
    scene, along = with_floor(Scene()), (0.0, size / 2, 0.0)
    for side in (-2.0, 2.0):
        spot = Placement(size, (0.0, side * size, size / 4), axis=along)
        scene, _ = with_addition(scene, entry("Body", "Magnet"), spot, None)
    scene, path = with_addition(scene, entry("Body", "Compass"), Placement(size), None)
    assert scene.solver.time_step == Scene().solver.time_step  # a light needle, which does not press on the floor
    run = Simulation(scene)
    needle = path[1]
    assert run.snapshot().bodies.basis[needle, 0] == pytest.approx([1.0, 0.0, 0.0])  # at a right angle to the field
    run.advance(9.0)  # six times that in which the swing decays to 1/e: 0.4 % of at most pi/2 remain
    assert run.snapshot().bodies.basis[needle, 0] == pytest.approx([0.0, 1.0, 0.0], abs=0.01)


@pytest.mark.parametrize("size", [0.01, 0.05, 0.5])
def test_a_new_top_goes_round_upright(size: float) -> None:
    """Its axis nods by less than 0.15 rad about its start of 0.3 rad, with the step that a new scene has then."""
    made, _ = with_addition(with_floor(Scene()), entry("Body", "Top"), Placement(size), None)
    run, tilts, headings = Simulation(made), [], []
    for _ in range(300):
        run.advance(0.01)
        axis = run.snapshot().bodies.basis[0, 2]
        tilts.append(np.arccos(axis[2]))
        headings.append(np.arctan2(axis[1], axis[0]))
    assert np.abs(np.array(tilts) - 0.3).max() < 0.15
    assert np.ptp(np.unwrap(headings)) > np.pi  # half a turn or more
