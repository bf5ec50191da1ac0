"""The run of a lesson: a scene from its start, without interactions, with samples of columns, and states to repeat it.

Its bits are those of `polhode run --portable` where the target of the process is a generic processor (server.py).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from polhode.analysis.columns import columns as columns_of
from polhode.engine.compiled_scene import CompiledScene
from polhode.mesh.mesh import Meshes
from polhode.recording.compiled_arrays import NOISE, ROUNDING, arrays_of, with_arrays
from polhode.recording.contents import CompiledArrays
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem, message_of
from polhode.scene.scene import Scene
from polhode.simulation.batches.chunked_run import ChunkedRun
from polhode.simulation.driven_parameters import build_at
from polhode.simulation.simulation import Diverged, Simulation

ROWS = 1000  # samples of a run, up to twice as many
CHECKPOINTS = 8  # states after the first one
Checkpoints = tuple[tuple[int, np.ndarray], ...]
"""Steps, and the flat states (k,) there; the first one is the start."""


@dataclass(frozen=True, eq=False)
class LessonRun:
    """Samples and checkpoints of a run."""

    times: np.ndarray
    """(n,) [s] of the samples."""
    columns: Mapping[str, np.ndarray]
    """(n,) each, in SI, by the names of columns of the table."""
    stride: int
    """Steps between samples; the last one may come sooner."""
    steps: int
    """Steps that were taken."""
    checkpoints: Checkpoints
    arrays: CompiledArrays
    """Constants and inputs of the compiled scene."""
    stopped: Message | None = None
    """Why the run has ended early; None for a complete one."""


class StoredStart(NamedTuple):
    """Arrays and first state of a run on another computer, from which it is repeated."""

    arrays: CompiledArrays
    state: np.ndarray
    """(k,)"""


def steps_of(until: float, time_step: float) -> tuple[int, int]:
    """Number of steps of a run of `until` [s], at least 1, and steps between its samples."""
    count = max(1, round(until / time_step))
    return count, max(1, count // ROWS)


def sample_steps(count: int, stride: int) -> np.ndarray:
    """(n,) int64 steps of the samples: 0, stride, 2 stride ..., and the last one, `count`."""
    found = np.arange(0, count + 1, stride)
    return found if found[-1] == count else np.append(found, count)


def checkpoint_steps(count: int, stride: int) -> list[int]:
    """Steps with checkpoints: samples, evenly spaced, the first and the last one among them."""
    samples = sample_steps(count, stride)
    chosen = np.arange(CHECKPOINTS + 1) * (len(samples) - 1) // CHECKPOINTS
    return list(dict.fromkeys(samples[chosen].tolist()))


def check_repeatable(scene: Scene) -> None:
    """Raise InputError for a scene whose runs depend on a sensor, or on the computer."""
    faults = []
    if scene.sensor.drive:
        rule = Message("compiles the scene again during the run, so a lesson can't repeat it")
        faults.append(Problem("sensor.drive", rule, Message("remove it, or remove the lesson")))
    if scene.sensor.source != "simulated":
        rule = Message("is '{source}', and a lesson repeats its runs without a sensor", source=scene.sensor.source)
        faults.append(Problem("sensor.source", rule, Message('state source = "simulated"')))
    if faults:
        raise InputError(scene.title or "scene", faults)


def run_lesson(
    scene: Scene,
    until: float,
    columns: Collection[str],
    stored: StoredStart | None = None,
    meshes: Meshes | None = None,
    progress: Callable[[float], None] = lambda time: None,
) -> LessonRun:
    """Run a scene from its start to `until` [s], with samples of `columns`, names of the table.

    stored: arrays and first state in place of those of this computer, which differ by rounding errors
    progress: called with the simulated time [s] several times per second; may raise to end the run

    A run that diverges ends early, and `stopped` says why. Raises InputError for a scene that can't be compiled or
    repeated, for unknown columns, and where `stored` is not that of this scene.
    """
    check_repeatable(scene)
    meshes = meshes or Meshes()
    simulation = _started(build_at(scene, scene.sensor.centre, meshes), stored, meshes)
    known, source = list(columns_of(simulation.compiled)), scene.title or "scene"
    indices = []
    for name in columns:
        if name not in known:
            rule = Message("the table has no column '{name}'", name=name)
            raise InputError.of(source, rule, Message("`columns` has the names of all"), "columns")
        indices.append(known.index(name))
    return _sampled(simulation, until, dict(zip(columns, indices, strict=True)), progress)


def _started(compiled: CompiledScene, stored: StoredStart | None, meshes: Meshes) -> Simulation:
    """A simulation at its start, that of another computer if `stored` is given. Raises InputError."""
    scene = compiled.scene
    if stored is None:
        return Simulation(scene, meshes, compiled)
    made, faults = with_arrays(compiled, stored.arrays)
    if faults:
        raise InputError(scene.title or "scene", faults)
    simulation = Simulation(scene, meshes, made)
    own = simulation.state
    with np.errstate(all="ignore"):
        is_equal = stored.state.shape == own.shape and bool(
            np.all(np.abs(stored.state - own) <= ROUNDING * np.abs(own) + NOISE * np.abs(own).max(initial=1.0))
        )
    if not is_equal:
        rule = Message("is not the start of the scene")
        raise InputError.of(scene.title or "scene", rule, Message("use another copy of it"), "checkpoints[0]")
    simulation.restore(0.0, 0, stored.state, simulation.inputs.sensor_track)
    return simulation


def _sampled(
    simulation: Simulation, until: float, columns: Mapping[str, int], progress: Callable[[float], None]
) -> LessonRun:
    """Advance to the end, with samples and checkpoints."""
    arrays, (count, stride) = arrays_of(simulation.compiled), steps_of(until, simulation.time_step)
    chosen = list(columns.values())
    first = simulation.snapshot().numbers[chosen][None]
    checkpoints, stopped = [(0, simulation.state)], None
    if chosen:
        simulation.sample(chosen, stride)
    advance = ChunkedRun()
    for step in checkpoint_steps(count, stride)[1:]:
        try:
            advance.advance_steps(simulation, step - simulation.steps, progress)
        except Diverged as error:
            stopped = message_of(error)
        if simulation.steps > checkpoints[-1][0]:
            checkpoints.append((simulation.steps, simulation.state))
        if stopped is not None:
            break
    steps = simulation.steps
    rows = [first, simulation.sampled() if chosen else np.empty((steps // stride, 0))]
    if steps % stride:
        rows.append(simulation.snapshot().numbers[chosen][None])
    numbers = np.concatenate(rows)
    times = sample_steps(steps, stride) * simulation.time_step
    found = {name: numbers[:, at] for at, name in enumerate(columns)}
    return LessonRun(times, found, stride, steps, tuple(checkpoints), arrays, stopped)


def equal_states(one: Sequence[tuple[int, np.ndarray]], other: Sequence[tuple[int, np.ndarray]]) -> int | None:
    """The first step at which checkpoints of two runs differ in a bit, or one has none; None where all are equal."""
    for (step, state), (again, repeated) in zip(one, other, strict=False):
        if step != again or state.tobytes() != repeated.tobytes():
            return min(step, again)
    return None if len(one) == len(other) else max(one[-1][0], other[-1][0])
