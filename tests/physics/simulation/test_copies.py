"""Copies of a running simulation, and its transport to other processes: both continue with the same bits."""

from __future__ import annotations

import multiprocessing
import pickle  # noqa: TID251  # of objects of this process

import numpy as np
import pytest

from polhode.physics.grab.interactions import Grab, PullAll, Twist
from polhode.scene import gallery
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation

QUICK = ("heavy_top", "bead_on_circle", "jelly_pendulum", "rolling_17_rough_spheres_at_once")
METHODS = ("rk4", "adams_bashforth_2", "splitting", "implicit")


def running(scene: Scene, steps: int = 37) -> Simulation:
    """A simulation in the middle of its run, not at a whole step."""
    simulation = Simulation(scene)
    simulation.advance_steps(steps)
    simulation.advance(0.4 * simulation.time_step)
    simulation.advance_steps(5)
    return simulation


def sent(simulation: Simulation) -> Simulation:
    """The simulation after a round trip through pickle."""
    made = pickle.loads(pickle.dumps(simulation))
    assert isinstance(made, Simulation)
    return made


def continue_alike(first: Simulation, second: Simulation, steps: int = 40) -> None:
    """Run both on; they must agree to the bit, and in all that is said of them."""
    assert first.state.tobytes() == second.state.tobytes()
    first.advance_steps(steps)
    second.advance_steps(steps)
    assert first.state.tobytes() == second.state.tobytes()
    assert (first.time, first.steps, first.warnings) == (second.time, second.steps, second.warnings)
    assert first.snapshot().numbers.tobytes() == second.snapshot().numbers.tobytes()


@pytest.mark.parametrize("name", QUICK)
def test_copies_continue_with_the_same_bits(name: str) -> None:
    simulation = running(read_scene(name))
    copied, travelled = simulation.copy(), sent(simulation)
    before = simulation.state
    continue_alike(copied, travelled)
    assert simulation.state.tobytes() == before.tobytes(), "neither acts on the other"
    simulation.advance_steps(40)
    continue_alike(simulation, copied)


@pytest.mark.nightly
@pytest.mark.parametrize("name", gallery.scene_names())
def test_copies_of_every_scene_continue_with_the_same_bits(name: str) -> None:
    simulation = running(read_scene(name))
    continue_alike(simulation.copy(), sent(simulation))
    continue_alike(simulation.copy(), simulation)


@pytest.mark.parametrize("method", METHODS)
def test_the_history_of_a_method_is_copied(method: str) -> None:
    simulation = running(read_scene("heavy_top").with_values({"solver.method": method}))
    continue_alike(simulation.copy(), sent(simulation))
    continue_alike(simulation.copy(), simulation)


def test_interactions_muted_modes_and_measured_distances_are_copied() -> None:
    simulation = running(read_scene("jelly_pendulum"))
    simulation.grab(Grab(3, tuple(simulation.snapshot().points.position[3]), (0.1, 0.0, 0.0)))
    continue_alike(simulation.copy(), sent(simulation))
    simulation.grab(PullAll((0.0, 0.2, 0.1)))
    simulation.track(0.31, 0.0, 0.02)
    continue_alike(simulation.copy(), sent(simulation))
    continue_alike(simulation.copy(), simulation)
    assert simulation.copy().snapshot().interaction_marker is not None
    top = running(read_scene("heavy_top"))
    top.grab(Twist(0, (0.0, 0.2, 0.0)))
    top.advance_steps(10)
    continue_alike(top.copy(), sent(top))


def test_driven_parameters_are_copied() -> None:
    gravity = {"parameter": "world.gravity[2]", "offset": -9.0}
    friction = {"parameter": "body[0].friction", "scale": 1e-4}
    driven = read_scene("heavy_top").with_values({"sensor.drive": (gravity, friction)})
    simulation = running(driven)
    assert simulation.driven
    continue_alike(simulation.copy(), sent(simulation))
    continue_alike(simulation.copy(), simulation)


def test_scenes_are_pickled_whole() -> None:
    for name in QUICK:
        scene = read_scene(name)
        made = pickle.loads(pickle.dumps(scene))
        assert made == scene
        assert made.folder == scene.folder


def test_a_spawned_process_continues_with_the_same_bits() -> None:
    simulation = running(read_scene("heavy_top"))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        states = pool.map(advanced, [simulation])
    simulation.advance_steps(40)
    assert np.array_equal(states[0], simulation.state)


def advanced(simulation: Simulation) -> np.ndarray:
    """(k,) state after 40 more steps."""
    simulation.advance_steps(40)
    return simulation.state
