"""Runs of lessons: the bits of a portable run, their samples and checkpoints, and runs that end early."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from command_line import polhode
from lesson_files import lesson_scene, run_in_process

from polhode.lessons.lesson_run import (
    CHECKPOINTS,
    ROWS,
    StoredStart,
    checkpoint_steps,
    equal_states,
    run_lesson,
    sample_steps,
    steps_of,
)
from polhode.lessons.process import LessonProcess
from polhode.recording.reader import read_recording
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_writing import write_scene
from polhode.simulation.simulation import Simulation

COLUMN = "bob.u3.x"


@pytest.mark.parametrize(
    ("until", "time_step", "count", "stride"),
    [(1.0, 1e-3, 1000, 1), (2.0, 1e-3, 2000, 2), (1e-4, 1e-3, 1, 1), (3.0, 2e-3, 1500, 1), (2.999, 1e-3, 2999, 2)],
)
def test_steps_follow_from_length_and_time_step(until: float, time_step: float, count: int, stride: int) -> None:
    assert steps_of(until, time_step) == (count, stride)


@pytest.mark.parametrize("count", [1, 2, 7, 999, 1000, 1001, 2999, 100_003])
def test_samples_and_checkpoints_have_the_first_and_the_last_step(count: int) -> None:
    _, stride = steps_of(count * 0.5, 0.5)
    samples, points = sample_steps(count, stride).tolist(), checkpoint_steps(count, stride)
    assert (samples[0], samples[-1], points[0], points[-1]) == (0, count, 0, count)
    assert set(points) <= set(samples)
    assert samples == sorted(set(samples))
    assert points == sorted(set(points))
    assert len(points) == min(CHECKPOINTS, count) + 1
    assert len(samples) <= 2 * ROWS + 1


def test_samples_are_those_of_a_simulation() -> None:
    scene = lesson_scene()
    found = run_lesson(scene, 1.0, [COLUMN, "energy.total"])
    simulation = Simulation(scene)
    rows = [simulation.snapshot()]
    for _ in range(250):
        simulation.advance_steps(1)
        rows.append(simulation.snapshot())
    assert np.array_equal(found.columns[COLUMN], [row.bodies.basis[0, 2, 0] for row in rows])
    assert np.array_equal(found.columns["energy.total"], [row.energy.total for row in rows])
    assert np.allclose(found.times, [row.time for row in rows], rtol=1e-14)
    assert np.array_equal(found.checkpoints[-1][1], simulation.state)


def test_the_last_sample_is_at_the_end_of_a_run_that_no_stride_divides() -> None:
    scene = lesson_scene().with_values({"solver.time_step": 1e-3})
    found = run_lesson(scene, 2.001, [COLUMN])
    assert (found.stride, found.steps, len(found.times)) == (2, 2001, 1002)
    assert found.times[-1] == pytest.approx(2.001)
    assert len(found.columns[COLUMN]) == 1002


def test_a_run_repeats_from_its_stored_start() -> None:
    scene = lesson_scene()
    found = run_lesson(scene, 0.5, [])
    again = run_lesson(scene, 0.5, [], StoredStart(found.arrays, found.checkpoints[0][1]))
    assert equal_states(found.checkpoints, again.checkpoints) is None


def test_a_difference_of_one_bit_is_found() -> None:
    found = run_lesson(lesson_scene(), 0.5, [])
    step, state = found.checkpoints[3]
    other = state.copy()
    other[1] = np.nextafter(other[1], 2.0)
    changed = (*found.checkpoints[:3], (step, other), *found.checkpoints[4:])
    assert equal_states(found.checkpoints, changed) == step
    assert equal_states(found.checkpoints, found.checkpoints[:-1]) == found.steps


def test_another_start_than_that_of_the_scene_is_refused() -> None:
    found = run_lesson(lesson_scene(), 0.1, [])
    state = found.checkpoints[0][1].copy()
    state[3] += 1e-3
    with pytest.raises(InputError, match="is not the start of the scene"):
        run_lesson(lesson_scene(), 0.1, [], StoredStart(found.arrays, state))


def test_an_unknown_column_is_refused() -> None:
    with pytest.raises(InputError, match="the table has no column 'bob.speed'"):
        run_lesson(lesson_scene(), 0.1, ["bob.speed"])


def diverging() -> Scene:
    """A pendulum whose explicit steps are too long for its speed."""
    return lesson_scene().with_values({"solver.time_step": 0.5, "body[0].angular_velocity": [0.0, 3e4, 0.0]})


def test_a_run_that_diverges_ends_early_and_repeats() -> None:
    found, again = run_lesson(diverging(), 500.0, [COLUMN]), run_lesson(diverging(), 500.0, [COLUMN])
    assert found.stopped is not None
    assert found.steps < 1000
    assert len(found.times) == len(found.columns[COLUMN])
    assert found.steps == again.steps
    assert equal_states(found.checkpoints, again.checkpoints) is None


def test_the_process_has_the_bits_of_a_portable_run(tmp_path: Path) -> None:
    scene = lesson_scene()
    write_scene(scene, tmp_path / "bob.toml")
    command = ("run", "bob.toml", "--portable", "--until", 1.0, "--every", 0.004, "--out", "run.vtkhdf")
    done = polhode(*command, folder=tmp_path, PYTHONHASHSEED="0")
    assert done.returncode == 0, done.stderr
    found = run_in_process(scene, 1.0, [COLUMN])
    with read_recording(tmp_path / "run.vtkhdf") as recorded:
        steps = recorded.steps.tolist()
        for step, state in found.checkpoints:
            assert recorded.state(steps.index(step)).tobytes() == state.tobytes()


def test_the_process_refuses_what_the_run_refuses() -> None:
    with pytest.raises(InputError, match="the table has no column 'bob.speed'"):
        run_in_process(lesson_scene(), 1.0, ["bob.speed"])


def test_a_process_that_ends_by_itself_is_reported() -> None:
    process = LessonProcess()
    process.prepare(lesson_scene())
    assert process._process is not None
    process._process._process.kill()
    answers = []
    while not answers:
        answers += [answer for answer in process.answers() if isinstance(answer, InputError)]
    assert "has ended too early" in str(answers[0])
