"""Samples of a run: the row of a snapshot, and samples between the ends of batches."""

from __future__ import annotations

import numpy as np
import pytest
from kernel_arguments import placed
from meaning import refuses

from polhode import read_scene
from polhode.analysis.columns import columns
from polhode.physics.bodies.arrays import AXLE, BASIS, DRIVEN, body_states
from polhode.physics.points.arrays import point_states
from polhode.scene import gallery
from polhode.simulation.simulation import Diverged, Simulation

SCENES = ("magnet_pendulum", "pendulum_wave", "course_10_moving_floor", "jelly_pendulum")


def numbers_of(simulation: Simulation) -> np.ndarray:
    """The current row in plain numpy, from the state and the positions of the bodies."""
    moment, (model, _, state, work) = simulation.snapshot(), placed(simulation)
    arrays, rows = model.bodies, body_states(model.bodies, state)
    numbers = [simulation.time]
    for b in range(len(arrays.mass)):
        basis = rows[b, BASIS : BASIS + 9].reshape(3, 3)
        arm, omega = arrays.origin[b] @ basis, work.bodies.angular_velocity[b]
        led = arrays.support[b] in (AXLE, DRIVEN)
        spin = basis.T @ arrays.inertia[b] @ basis @ omega if led else rows[b, BASIS + 9 :]
        numbers += [*(work.bodies.position[b] + arm), *(work.bodies.velocity[b] + np.cross(omega, arm)), *basis.ravel()]
        numbers += [*omega, *spin, *(basis @ spin)]
    for place, velocity in zip(*point_states(model.points, state).transpose(0, 2, 1), strict=True):
        numbers += [*place, *velocity]
    energy = moment.energy
    numbers += [energy.kinetic, energy.gravity, energy.magnetic, energy.elastic, energy.total]
    return np.array([*numbers, *state[model.ledger :]])


@pytest.mark.parametrize("name", SCENES)
def test_every_column_has_its_number(name: str) -> None:
    simulation = Simulation(read_scene(gallery.path(name)))
    simulation.advance_steps(20)
    numbers = simulation.snapshot().numbers
    assert len(numbers) == len(columns(simulation.compiled))
    # The same sums in another order: rounding of numbers of the order of the row's own.
    np.testing.assert_allclose(numbers, numbers_of(simulation), rtol=1e-12, atol=1e-14 * np.abs(numbers).max())


@pytest.mark.parametrize("name", SCENES)
def test_samples_are_the_moments_of_their_steps(name: str) -> None:
    """Whatever batches the steps come in, and though the buffer is shorter than the run."""
    scene = read_scene(gallery.path(name))
    sampled, single = Simulation(scene), Simulation(scene)
    count = len(columns(sampled.compiled))
    sampled.sample(range(count), every=3)
    for batch in (2, 5, 1, 3):
        sampled.advance_steps(batch)
    moments = []
    for step in range(1, 12):
        single.advance_steps(1)
        if step % 3 == 0:
            moments.append(single.snapshot().numbers)
    assert (sampled.sampled() == np.array(moments)).all()
    assert sampled.sampled().shape == (0, count)
    assert (sampled.state == single.state).all()


def test_a_run_longer_than_the_tape_loses_no_sample() -> None:
    simulation = Simulation(read_scene(gallery.path("course_1_oscillator")))
    simulation.sample([0], every=1)
    simulation.advance_steps(5000)
    times = simulation.sampled()[:, 0]
    assert (times == simulation.time_step * np.arange(1, 5001)).all()


@pytest.mark.parametrize("rows", [0, 3, 5000, 9000])
def test_samples_beyond_the_rows_of_an_array_are_kept(rows: int) -> None:
    """The buffer has 4096 rows: they come in three batches, of which none, one or two fit."""
    scene, spans = read_scene(gallery.path("course_1_oscillator")), (5000, 100, 4000)
    ours, usual = Simulation(scene), Simulation(scene)
    every = range(len(columns(ours.compiled)))
    into = np.full((rows, len(every)), np.nan)
    ours.sample(every, into=into)
    usual.sample(every)
    for steps in spans:
        ours.advance_steps(steps)
        usual.advance_steps(steps)
        made = ours.sampled()
        assert (made == usual.sampled()).all()
        assert len(made) == steps


def test_arrays_that_can_not_have_the_samples_are_refused() -> None:
    simulation = Simulation(read_scene(gallery.path("course_1_oscillator")))
    width = len(columns(simulation.compiled))
    read_only = np.zeros((9, width))
    read_only.flags.writeable = False
    single, by_columns = np.zeros((9, width), dtype=np.float32), np.zeros((width, 9)).T
    for into in (np.zeros((9, width - 1)), np.zeros(width), single, by_columns, read_only):
        with refuses("into"):
            simulation.sample(range(width), into=into)
    with refuses("into"):
        simulation.sample([0, 1], into=np.zeros((9, width)))


def test_a_run_that_diverges_has_sampled_its_good_steps() -> None:
    scene = read_scene(gallery.path("course_1_oscillator"))
    far_too_long = scene.solver.model_copy(update={"method": "euler", "time_step": 1.0})
    simulation = Simulation(scene.model_copy(update={"solver": far_too_long}))
    simulation.sample([0, 1])
    with pytest.raises(Diverged):
        simulation.advance_steps(100_000)
    samples = simulation.sampled()
    assert len(samples) == simulation.steps
    assert np.isfinite(samples).all()
