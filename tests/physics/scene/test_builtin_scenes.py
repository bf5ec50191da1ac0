"""Every built-in scene: it reads, says what it shows, runs, and its magnets keep the distance of point dipoles."""

from __future__ import annotations

import pytest
from sampling import sampled

from polhode.integrators import METHODS
from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation
from scenes import step_warnings


def test_there_are_enough_scenes_and_the_default_is_one_of_them() -> None:
    assert len(gallery.scene_names()) >= 6
    assert gallery.DEFAULT in gallery.scene_names()


def test_each_scene_says_what_it_shows() -> None:
    scenes = {name: read_scene(gallery.path(name)) for name in gallery.scene_names()}
    assert [name for name, scene in scenes.items() if not scene.title or len(scene.description) <= 60] == []
    assert [name for name in scenes if "#" not in gallery.path(name).read_text()] == []


@pytest.mark.parametrize("name", sampled(gallery.scene_names(), 5, 1))
def test_a_scene_runs_and_does_not_gain_energy(name: str) -> None:
    """The energy drift is the error of the method: 1e-6 of the exchanged energy in 2 s for RK4.

    Methods of order 2 leave 1e-3, order 8 with its long steps 3e-5. Contacts begin and end within a step, and the steps
    of the course and of the implicit method are long: 2 %. A body at rest has the energy of rounding, 1e-27 J.
    """
    scene = read_scene(gallery.path(name))
    simulation = Simulation(scene)
    start = simulation.snapshot()
    most = start.energy.kinetic
    for _ in range(40):
        simulation.advance(0.05)
        most = max(most, simulation.snapshot().energy.kinetic)
    now = simulation.snapshot()
    assert most > 0 or (scene.joint and all(joint.kind == "weld" for joint in scene.joint))
    error = now.energy.total - now.ledger.total - (start.energy.total - start.ledger.total)
    parts = (*scene.bodies, *scene.soft, *scene.particle)
    touching = bool(scene.wall or scene.surface) or any(part.contact for part in parts)
    if touching:  # of which some move little and are driven much
        most = max(most, abs(now.ledger.drive), abs(now.ledger.motor))
    if scene.coil:  # sources give energy that resistances take
        most = max(most, abs(now.ledger.source) + abs(now.ledger.field) + abs(now.ledger.joule))
    long = scene.solver.method in ("semi_implicit_euler", "adams_bashforth_2", "implicit")
    share = 0.02 if touching or long else {8: 3e-5, 4: 1e-6, 2: 1e-3}[METHODS[scene.solver.method].ORDER]
    assert error <= share * most + 1e-25


@pytest.mark.parametrize("name", sampled(gallery.scene_names(), 12))
def test_a_scene_has_a_stable_step(name: str) -> None:
    scene = read_scene(gallery.path(name))
    assert step_warnings(Simulation(scene).compiled, scene.solver.method, scene.solver.time_step) == []


@pytest.mark.parametrize("name", sampled(gallery.scene_names(), 12, 1))
def test_magnets_stay_where_their_dipoles_say_much(name: str) -> None:
    """Farther apart than two of their sizes, or filled with clouds of dipoles; joints may break."""
    simulation = Simulation(read_scene(gallery.path(name)))
    for _ in range(200 if len(simulation.compiled.model.dipoles.moment) else 20):
        simulation.advance(0.05)
    others = ("soft", "joint")
    assert [warning for warning in simulation.warnings if not warning.place.startswith(others)] == []
