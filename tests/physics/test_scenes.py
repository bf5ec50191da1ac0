"""Every built-in scene: it reads, says what it shows, runs, and its magnets keep the distance of point dipoles."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from core import gallery
from core.scene import Scene
from core.scene_file import read_scene
from core.simulation import Simulation
from core.snapshot import Bodies


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


def with_two_magnets() -> list[str]:
    """The built-in scenes in which magnets can meet."""
    magnets = {name: sum(len(body.dipole) for body in read_scene(gallery.path(name)).body) for name in gallery.names()}
    return [name for name, count in magnets.items() if count > 1]


@pytest.mark.parametrize("name", with_two_magnets())
def test_magnets_stay_two_sizes_apart(name: str) -> None:
    """Closer than that a point dipole says little about a real magnet. A magnet's size is its shape's radius."""
    scene = read_scene(gallery.path(name))
    simulation = Simulation(scene)
    nearest = np.inf
    for _ in range(200):
        simulation.advance(0.05)
        nearest = min(nearest, smallest_distance(scene, simulation.snapshot().bodies))
    assert nearest > 0.045


def smallest_distance(scene: Scene, bodies: Bodies) -> float:
    """[m] between magnets of different bodies."""
    places = [
        (i, np.array(dipole.position) @ bodies.basis[i] + bodies.position[i])
        for i, body in enumerate(scene.body)
        for dipole in body.dipole
    ]
    return min(float(np.linalg.norm(a - b)) for (i, a), (j, b) in combinations(places, 2) if i != j)
