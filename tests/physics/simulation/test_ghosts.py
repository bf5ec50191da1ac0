"""Ghosts: what each of them runs, how far apart two runs are, and that a fork leaves its origin alone."""

from __future__ import annotations

import numpy as np
import pytest
from meaning import Meaning

from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.scene.problem import InputError
from polhode.scene.scene import Ghost
from polhode.scene.scene_file import read_scene, scene_of
from polhode.scene.scene_writing import write_scene
from polhode.simulation.ghost_runs import distances, ghost_scene
from polhode.simulation.simulation import Simulation
from scenes import AXLE, FREE, TILTED, scene, sphere


def test_a_ghost_differs_in_what_it_states_alone():
    s = scene(TILTED, FREE)
    other = ghost_scene(s, Ghost(method="euler"))
    assert other.solver.method == "euler"
    assert other.solver.time_step == s.solver.time_step
    assert other.body == s.body
    other = ghost_scene(s, Ghost(body="free", angular_velocity=(0.0, 0.0, 1.0), time_step=5e-4))
    assert other.solver == s.solver.model_copy(update={"time_step": 5e-4})
    assert other.body[0] == s.body[0]
    assert other.body[1] == s.body[1].model_copy(update={"angular_velocity": (0.0, 0.0, 1.0)})


def test_a_ghost_moves_by_another_number_of_modes():
    rope = {"kind": "chain", "name": "rope", "count": 5, "spacing": 0.1, "particle_mass": 0.1, "stiffness": 10.0}
    s = scene_of({"soft": [{**rope, "fixed": [0], "modes": 3}], "ghost": [{"modes": 0}, {"time_step": 1e-4}]}, "test")
    assert [ghost_scene(s, ghost).soft[0].modes for ghost in s.ghost] == [0, 3]
    assert ghost_scene(s, s.ghost[0]).soft[0].model_copy(update={"modes": 3}) == s.soft[0]


def test_a_tilt_turns_the_body_in_the_laboratory_and_about_its_axle_only():
    s = scene(TILTED, AXLE)
    turned = ghost_scene(s, Ghost(body="tilted", tilt=(0.0, 0.0, 0.3))).body[0].orientation.matrix()
    c, s_ = np.cos(0.3), np.sin(0.3)
    expected = np.array([[c, -s_, 0], [s_, c, 0], [0, 0, 1]]) @ s.body[0].orientation.matrix()
    assert np.allclose(turned, expected, atol=1e-15)
    before, after = (x.body[1].orientation.matrix() for x in (s, ghost_scene(s, Ghost(body="wheel", tilt=(0.2, 0, 0)))))
    axis = np.array(AXLE["axis"]) / np.linalg.norm(AXLE["axis"])
    turn = after @ before.T
    assert np.allclose(turn @ axis, axis, atol=1e-14)
    assert np.arccos((np.trace(turn) - 1) / 2) == pytest.approx(abs(0.2 * axis[0]), rel=1e-9)


def test_the_distance_is_that_of_the_pieces_of_mass():
    """A free body of four points: the sum over its points, to rounding."""
    places = np.array([(0.1, 0, 0), (0, 0.2, 0), (0, 0, -0.1), (0.05, 0.05, 0.05)])
    masses = np.array([0.1, 0.2, 0.3, 0.4])
    points = [{"kind": "point", "mass": m, "position": p.tolist()} for m, p in zip(masses, places, strict=True)]
    s = scene({"name": "b", "support": "free", "shape": points, "angular_velocity": [1, 2, 3], "velocity": [0.1, 0, 0]})
    simulation = Simulation(s)
    one = simulation.snapshot().bodies
    simulation.advance(0.4)
    other = simulation.snapshot().bodies
    apart = (places @ other.basis[0] + other.position[0]) - (places @ one.basis[0] + one.position[0])
    expected = np.sqrt(masses @ (apart**2).sum(axis=1) / masses.sum())
    (found,) = distances(simulation.compiled.properties, one, other)
    assert found == pytest.approx(expected, rel=1e-12)
    assert distances(simulation.compiled.properties, one, one)[0] == 0.0


def test_a_fork_goes_its_own_way_from_here():
    s = scene(TILTED, FREE)
    simulation, alone = Simulation(s), Simulation(s)
    simulation.advance_steps(100)
    other = simulation.fork(ghost_scene(s, Ghost(method="euler")))
    assert other.time == simulation.time
    assert np.array_equal(other.snapshot().bodies.basis, simulation.snapshot().bodies.basis)
    other.advance_steps(100)
    simulation.advance_steps(50)
    alone.advance_steps(150)
    assert np.array_equal(simulation.state, alone.state)  # not one bit of it heard of the fork


def test_eulers_ghost_drifts_away_and_that_of_a_smaller_step_does_not():
    """The built-in scene: RK4 at half the step agrees to the error of RK4, Euler's is off by centimetres in 10 s."""
    s = read_scene("scenes/polhode.toml")
    runs = [Simulation(x) for x in (s, ghost_scene(s, s.ghost[0]), ghost_scene(s, Ghost(time_step=1e-3)))]
    for run in runs:
        run.advance(10.0)
    main, euler, finer = (run.snapshot().bodies for run in runs)
    properties = build(s, Meshes()).properties
    assert distances(properties, main, euler)[0] > 0.02
    assert distances(properties, main, finer)[0] < 1e-6


@pytest.mark.parametrize(
    ("ghost", "said"),
    [
        ({"body": "gone", "tilt": [0, 0, 1]}, Meaning("", "changes", "body", body="gone")),
        ({"tilt": [0, 0, 1]}, Meaning("ghost[0]", "otherwise", "body")),
        ({"metod": "euler"}, Meaning("ghost[0].metod", near="method")),
        ({"time_step": -1}, Meaning("ghost[0].time_step", "greater", limit=0)),
        ({"modes": -1}, Meaning("ghost[0].modes", "least", limit=0)),
    ],
)
def test_a_wrong_ghost_is_named(ghost, said):
    body = {"name": "b", "shape": [sphere()]}
    with pytest.raises(InputError) as refused:
        scene_of({"body": [body], "ghost": [ghost]}, "test")
    assert said.of(refused.value)


def test_ghosts_survive_the_file(tmp_path):
    s = scene(TILTED).model_copy(
        update={"ghost": (Ghost(method="euler", time_step=2e-3), Ghost(body="tilted", tilt=(0, 0.1, 0), color="red"))}
    )
    write_scene(s, tmp_path / "s.toml")
    assert read_scene(tmp_path / "s.toml").ghost == s.ghost
