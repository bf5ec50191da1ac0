"""Every built-in scene: it reads, says what it shows, runs, and its magnets keep the distance of point dipoles."""

from __future__ import annotations

import pytest

from core import gallery
from core.scene_file import read_scene
from core.simulation import Simulation


def test_there_are_enough_scenes_and_the_default_is_one_of_them() -> None:
    assert len(gallery.names()) >= 6
    assert gallery.DEFAULT in gallery.names()


@pytest.mark.parametrize("name", gallery.names())
def test_a_scene_says_what_it_shows(name: str) -> None:
    scene = read_scene(gallery.path(name))
    assert scene.title
    assert len(scene.description) > 60
    assert gallery.path(name).read_text().count("#") >= 1


@pytest.mark.parametrize("name", gallery.names())
def test_a_scene_runs_and_does_not_gain_energy(name: str) -> None:
    """Friction only takes; RK4 may add what its error is: 1e-6 of the energy that moves, in 2 s."""
    simulation = Simulation(read_scene(gallery.path(name)))
    start = simulation.snapshot().energy
    most = start.kinetic
    for _ in range(40):
        simulation.advance(0.05)
        most = max(most, simulation.snapshot().energy.kinetic)
    assert most > 0
    assert simulation.snapshot().energy.total <= start.total + 1e-6 * most


@pytest.mark.parametrize("name", gallery.names())
def test_magnets_stay_where_their_dipoles_say_much(name: str) -> None:
    """Farther apart than two of their sizes, or filled with clouds of dipoles."""
    simulation = Simulation(read_scene(gallery.path(name)))
    for _ in range(200):
        simulation.advance(0.05)
    assert simulation.warnings == ()
