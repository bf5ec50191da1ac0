"""Forces by functions of a program: as laws and held over a step, their work, exceptions, copies and recordings."""

from __future__ import annotations

import copy
import pickle  # noqa: TID251  # of objects of this process
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from meaning import Meaning, refuses
from recording_files import advance, begun, ended

from polhode.mesh.mesh import Meshes
from polhode.recording.playback import Playback
from polhode.recording.reader import read_recording
from polhode.recording.writer import RecordingWriter
from polhode.scene.scene import Scene
from polhode.simulation.diverged import Diverged
from polhode.simulation.simulation import Simulation
from polhode_app.cli.results.batch import Request, resume
from polhode_app.runner.geometry import geometry
from scenes import scene

STIFFNESS, TWIST = 3.0, 0.02
ROD = {"kind": "cylinder", "radius": 0.02, "length": 0.3, "mass": 0.4, "position": [0.0, 0.0, 0.0]}
BOB = {"name": "bob", "support": "free", "position": [0.2, 0.0, 0.1], "velocity": [0.0, 0.5, 0.0], "shape": [ROD]}
SPUN = {**BOB, "angular_velocity": [1.0, 2.0, 0.5]}
FORMULA = {"on": "bob", "force": ["-3*x", "-3*y", "-3*z - 0.1*vz*t"], "torque": ["0.02*x", "0", "0.02*vy"]}
DUST = {"name": "dust", "position": [0.1, 0.2, 0.0], "mass": 0.01, "velocity": [0.0, 0.0, 0.3]}
IMPLICIT = pytest.param("implicit", marks=pytest.mark.nightly)


def spring(time: float, position: Any, velocity: Any, basis: Any, angular_velocity: Any) -> Any:
    x, y, z = position
    force = np.array([-STIFFNESS * x, -STIFFNESS * y, -STIFFNESS * z - 0.1 * velocity[2] * time])
    return force, (TWIST * x, 0.0, TWIST * velocity[1])


@numba.njit
def compiled_spring(time: float, position: Any, velocity: Any, basis: Any, angular_velocity: Any) -> Any:
    force = np.array([-3.0 * position[0], -3.0 * position[1], -3.0 * position[2] - 0.1 * velocity[2] * time])
    return force, (0.02 * position[0], 0.0, 0.02 * velocity[1])


@numba.njit
def along_axis(time: float, position: Any, velocity: Any, basis: Any, angular_velocity: Any) -> Any:
    """A thrust along the body's third axis, and a brake of its rotation."""
    return 2.0 * basis[2], -0.05 * angular_velocity


@numba.njit
def breaks_at_half(time: float, position: Any, velocity: Any, basis: Any, angular_velocity: Any) -> Any:
    if time > 0.5:
        raise ValueError("half a second is over")
    return -3.0 * position, np.zeros(3)


def free(body: dict[str, Any] = SPUN, **more: Any) -> Scene:
    return scene(body, gravity=[0, 0, 0], **more)


def balance(simulation: Simulation) -> float:
    now = simulation.snapshot()
    return now.energy.total - now.ledger.total


@pytest.mark.parametrize(
    "method", ["rk4", "adams_bashforth_2", "verlet", pytest.param("implicit", marks=pytest.mark.nightly)]
)
def test_a_compiled_function_is_a_law_as_a_formula_is(method: str) -> None:
    simulation = Simulation(free(method=method))
    simulation.add_force("bob", compiled_spring)
    other = Simulation(free(method=method, force=[FORMULA]))
    for each in (simulation, other):
        each.advance(1.0)
    assert np.abs(simulation.state - other.state).max() < 1e-12
    assert np.abs(simulation.state - Simulation(free()).state).max() > 0.1
    assert simulation.snapshot().ledger.drive == pytest.approx(other.snapshot().ledger.drive, abs=1e-12)


def test_a_function_of_the_orientation_acts_at_the_centre_of_mass_and_its_work_is_counted() -> None:
    hung = {**SPUN, "support": "pivot", "position": [0, 0, 0], "shape": [{**ROD, "position": [0.0, 0.0, -0.2]}]}
    simulation = Simulation(scene({**hung, "velocity": [0, 0, 0]}))
    simulation.add_force("bob", along_axis)
    before = balance(simulation)
    simulation.advance(2.0)
    now = simulation.snapshot()
    assert abs(now.ledger.drive) > 0.01
    assert balance(simulation) == pytest.approx(before, abs=1e-6)
    of_function = simulation.snapshot(forces=True).forces["function"]
    axis = now.bodies.basis[0, 2]
    assert of_function.on_bodies[0] == pytest.approx(2.0 * axis)
    expected = np.cross(-0.2 * axis, 2.0 * axis) - 0.05 * now.bodies.angular_velocity[0]
    assert of_function.torque[0] == pytest.approx(expected)


def test_a_function_of_python_is_held_during_a_step_and_converges_with_order_one() -> None:
    exact = Simulation(free(force=[FORMULA], time_step=1e-3))
    exact.advance(0.5)
    errors = []
    for step in (4e-3, 2e-3, 1e-3):
        simulation, calls = Simulation(free(time_step=step)), []

        def counted(time: float, *motion: np.ndarray, calls: list[float] = calls) -> Any:
            calls.append(time)
            return spring(time, *motion)

        simulation.add_force("bob", counted)
        before = balance(simulation)
        simulation.advance(0.5)
        assert calls == pytest.approx(np.arange(round(0.5 / step)) * step)
        assert balance(simulation) == pytest.approx(before, abs=1e-6)
        ledger = exact.compiled.model.ledger
        errors.append(np.abs(simulation.state - exact.state)[:ledger].max())
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.1)
    assert errors[1] / errors[2] == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize("function", [compiled_spring, spring])
def test_functions_act_on_particles(function: Any) -> None:
    simulation = Simulation(free(particle=[DUST], time_step=1e-4))
    simulation.add_force("dust", function)
    simulation.add_force("bob", function)
    formula = {key: value for key, value in FORMULA.items() if key != "torque"} | {"on": "dust"}
    other = Simulation(free(particle=[DUST], time_step=1e-4, force=[formula, FORMULA]))
    for each in (simulation, other):
        each.advance(0.2)
    tolerance = 1e-12 if function is compiled_spring else 1e-3
    first, second = simulation.snapshot().points, other.snapshot().points
    assert first.position == pytest.approx(second.position, abs=tolerance)
    assert np.abs(first.position - Simulation(free(particle=[DUST])).snapshot().points.position).max() > 0.01


def test_a_second_function_replaces_the_first_and_a_removed_one_acts_no_more() -> None:
    simulation, other, still = (Simulation(free()) for _ in range(3))
    simulation.add_force("bob", along_axis)
    simulation.add_force("bob", compiled_spring)
    other.add_force("bob", compiled_spring)
    for each in (simulation, other):
        each.advance(0.3)
    assert simulation.state.tobytes() == other.state.tobytes()
    simulation.remove_force("bob")
    assert not simulation.has_functions
    still.restore(simulation.time, simulation.steps, simulation.state)
    for each in (simulation, still):
        each.advance(0.3)
    assert simulation.state.tobytes() == still.state.tobytes()
    with refuses("on", name="bob"):
        simulation.remove_force("bob")


def test_edits_and_a_reset_keep_functions_and_warn_where_their_body_is_gone() -> None:
    simulation, other = Simulation(free()), Simulation(free({**SPUN, "shape": [{**ROD, "mass": 0.8}]}))
    for each in (simulation, other):
        each.add_force("bob", compiled_spring)
    simulation.advance(0.2)
    simulation.load(other.scene)
    simulation.reset()
    for each in (simulation, other):
        each.advance(0.2)
    assert simulation.state.tobytes() == other.state.tobytes()
    simulation.set({"world.gravity[2]": -1.0, "body[0].shape[0].mass": 0.7})
    assert simulation.has_functions
    simulation.load(free({**SPUN, "name": "other"}))
    assert not simulation.has_functions
    assert any(Meaning("add_force.bob", name="bob").of(warning) for warning in simulation.warnings)


def test_an_exception_of_a_compiled_function_ends_the_run_at_a_whole_step() -> None:
    simulation = Simulation(free(BOB, method="adams_bashforth_2"))
    simulation.add_force("bob", breaks_at_half)
    with pytest.raises(ValueError, match="half a second"):
        simulation.advance(1.0)
    assert simulation.time == pytest.approx(0.501)  # this method calls it at the start of a step
    assert np.isfinite(simulation.state).all()
    simulation.remove_force("bob")
    simulation.advance(0.1)
    assert np.isfinite(simulation.state).all()


def test_an_exception_of_a_python_function_ends_the_run_at_a_whole_step() -> None:
    simulation, is_bad = Simulation(free(BOB)), [True]

    def moody(time: float, *_: np.ndarray) -> Any:
        if time > 0.0995 and is_bad[0]:
            raise LookupError("no such force")
        return np.zeros(3), np.zeros(3)

    simulation.add_force("bob", moody)
    with pytest.raises(LookupError, match="no such force"):
        simulation.run(until=0.2)
    assert (simulation.steps, simulation.time) == (100, pytest.approx(0.1))
    is_bad[0] = False
    simulation.advance(0.1)
    assert simulation.steps == 200


def test_a_run_that_diverges_by_numbers_is_no_exception_of_the_function() -> None:
    @numba.njit
    def endless(time: float, position: Any, velocity: Any, basis: Any, angular_velocity: Any) -> Any:
        return position / (position[1] * 0.0), np.zeros(3)

    simulation = Simulation(free(BOB))
    simulation.add_force("bob", endless)
    with pytest.raises(Diverged):
        simulation.advance(0.1)


@pytest.mark.parametrize("result", [None, 5.0, (np.zeros(3),), (np.zeros(2), np.zeros(3)), (np.full(3, np.nan),) * 2])
def test_a_function_that_returns_no_vectors_is_refused(result: Any) -> None:
    simulation = Simulation(free())
    simulation.add_force("bob", lambda *_: result)
    with refuses("function", name="bob"):
        simulation.advance(0.1)
    assert simulation.steps == 0


def test_what_is_no_body_and_what_numba_can_not_compile_is_refused() -> None:
    @numba.njit
    def two_arguments(time: float, position: Any) -> Any:
        return position, position

    simulation = Simulation(free())
    with refuses("on", name="bib"):
        simulation.add_force("bib", spring)
    with refuses("function", "velocity"):
        simulation.add_force("bob", two_arguments)
    assert not simulation.has_functions


@pytest.mark.parametrize("function", [compiled_spring, spring])
def test_a_copy_keeps_the_function_and_a_pickle_is_refused(function: Any) -> None:
    simulation = Simulation(free())
    simulation.add_force("bob", function)
    simulation.advance(0.1)
    copies, forked = [simulation.copy(), copy.copy(simulation)], simulation.fork(simulation.scene)
    for each in (simulation, *copies, forked):
        each.advance(0.1)
    for each in copies:
        assert each.state.tobytes() == simulation.state.tobytes()
    ledger = simulation.compiled.model.ledger
    assert forked.state[:ledger] == pytest.approx(simulation.state[:ledger], abs=1e-12)
    with refuses("add_force", "remove_force"):
        pickle.dumps(simulation)
    simulation.remove_force("bob")
    assert pickle.loads(pickle.dumps(simulation)).state.tobytes() == simulation.state.tobytes()


@pytest.mark.parametrize("is_late", [False, True])
def test_a_recording_says_that_it_can_not_be_replayed(tmp_path: Path, is_late: bool) -> None:
    simulation, taping = begun(free(BOB), tmp_path / "run.vtkhdf", 5)
    if is_late:
        advance(simulation, taping, 2)
    simulation.add_force("bob", compiled_spring)
    advance(simulation, taping, 4)
    ended(taping)
    run = read_recording(taping.path)
    assert not run.about.repeatable
    playback = Playback(run)
    assert playback.snapshot(run.rows - 1).bodies.position == pytest.approx(simulation.snapshot().bodies.position)
    for attempt in (playback.start_replay, lambda: resume(run, Request(1.0, 0.1, tmp_path / "a.csv"))):
        with refuses("", "add_force"):
            attempt()


def test_a_recording_of_a_simulation_with_a_function_is_marked_from_its_start(tmp_path: Path) -> None:
    simulation = Simulation(free(BOB))
    simulation.add_force("bob", spring)
    taping = RecordingWriter(tmp_path / "run.vtkhdf", simulation, 5, "test", geometry(Meshes()))
    advance(simulation, taping, 2)
    ended(taping)
    assert not read_recording(taping.path).about.repeatable
    plain, other = begun(free(BOB), tmp_path / "other.vtkhdf", 5)
    advance(plain, other, 2)
    ended(other)
    assert read_recording(other.path).about.repeatable


def test_a_scene_without_functions_calls_none() -> None:
    simulation, plain = Simulation(free()), Simulation(free())
    simulation.add_force("bob", compiled_spring)
    simulation.remove_force("bob")
    first, second = simulation._work.program, plain._work.program
    assert first.first.tolist() == second.first.tolist()
