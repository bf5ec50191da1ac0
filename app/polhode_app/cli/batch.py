"""Headless runs: a scene is advanced to a given time and written to a table or a recording."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from errno import EIO
from pathlib import Path

import numpy as np

from polhode.analysis.columns import columns
from polhode.analysis.steps.energy_drift import HORIZON
from polhode.analysis.steps.limits import judged, step_limits, warnings_of
from polhode.analysis.steps.trials import LOOKS
from polhode.analysis.table.row_times import RowTimes, decimal_times
from polhode.analysis.table.sampling import sampled_rows, strided_rows
from polhode.analysis.table.table_file import TABLES
from polhode.mesh.mesh import Meshes
from polhode.recording.playback import Playback
from polhode.recording.reader import RecordedRun
from polhode.recording.writer import RecordingWriter
from polhode.scene.file_writing import problem_of_place, target_of
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem, reason_of
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_text
from polhode.simulation.batches.chunked_run import ChunkedRun
from polhode.simulation.simulation import Simulation
from polhode_app.cli.run_watches import DriftWatch, PeakWatch, Progress, Warn
from polhode_app.cli.standard_streams import is_standard, table_to
from polhode_app.compilation.preparation import start_simulation
from polhode_app.edit.open_file import RECORDING
from polhode_app.runner.slow_steps import watching
from polhode_app.runner.step_limits import MOST_BODIES
from polhode_app.sensor.playback import connect_sensor
from polhode_app.version import version as program_version

LARGE = 2**30  # [bytes] of an output above which a run needs force
WORTH_TELLING = 2**27  # [bytes] of an output from which its size is reported before the run
DIGITS = 19.5  # [bytes] of a number in a table, on average
REMEMBERING = ("adams_bashforth_2", "adams_bashforth_2_as_printed", "implicit")  # methods that use earlier steps


def run_to_table(
    scene: Scene,
    until: float,
    every: float,
    out: Path,
    progress: Progress,
    warn: Warn,
    maxima: Sequence[str] = (),
    force: bool = False,
    units: bool = False,
) -> None:
    """Run a scene and write the table `out` with a row every `every` [s] of simulated time, up to `until` [s].

    Each column named in `maxima` gets two more columns: the time of its last maximum and the period. An output of more
    than LARGE is refused, unless `force` is True. With `units` the units of the columns are written beside it.

    Raises InputError before anything is written. Raises Diverged or OSError if the run has to stop; the rows written up
    to that time are kept.
    """
    _check_target(out)
    simulation = start_simulation(scene, Meshes(), progress)
    connect_sensor(scene, [simulation])
    tabulate(simulation, until, every, out, progress, warn, maxima, force, units)


def tabulate(
    simulation: Simulation,
    until: float,
    every: float,
    out: Path,
    progress: Progress,
    warn: Warn,
    maxima: Sequence[str] = (),
    force: bool = False,
    units: bool = False,
) -> None:
    """Write the table of a simulation from its present state on; `run_to_table` describes it."""
    keeps = _check_step(simulation, until, progress, warn)
    watch, times = PeakWatch(simulation, maxima), RowTimes(until, every, simulation.time)
    table_columns = columns(simulation.compiled) | dict.fromkeys(watch.columns(), "s")
    _check_size(out, len(times), len(times) * DIGITS * len(table_columns), force, warn)
    drift = DriftWatch(simulation, warn) if keeps else None
    if maxima:
        rows = strided_rows(simulation, times, progress, watch)
    else:
        rows = sampled_rows(simulation, times, progress, round(HORIZON / LOOKS / simulation.time_step))
    about = _about(simulation.scene.title, program_version(), scene_text(simulation.scene))
    with (
        watching(simulation, warn),
        warned(simulation, warn) as pass_on,
        table_to(out, table_columns, about, units) as table,
    ):
        for block in rows:
            pass_on()
            table.add_rows(np.hstack((block, [watch.numbers()] * len(block))) if maxima else block)
            if drift is not None and drift.is_due:
                drift.look(simulation.snapshot())


def _about(title: str, version: str, scene: str) -> dict[str, str]:
    """Metadata of a table; scene: as TOML."""
    return {"title": title, "program": f"Polhode {version}", "scene": scene}


@contextmanager
def warned(simulation: Simulation, warn: Warn) -> Iterator[Callable[[], None]]:
    """Yields a function that passes on the warnings since its last call; the end does so in any case.

    A warning often says why a run diverged.
    """
    known = 0

    def pass_on() -> None:
        nonlocal known
        for warning in simulation.warnings[known:]:
            warn(warning)
        known = len(simulation.warnings)

    try:
        yield pass_on
    finally:
        pass_on()


def run_to_recording(
    scene: Scene,
    until: float,
    every: float,
    out: Path,
    progress: Progress,
    warn: Warn,
    version: str,
    force: bool = False,
) -> None:
    """Run a scene and record it to `out`.

    States are stored at the whole steps that are nearest to multiples of `every` [s], and at the last step before
    `until` [s]. An output of more than LARGE is refused, unless `force` is True.

    Raises the same errors as `run_to_table`; the recording stays valid up to the time of the error.
    """
    _check_target(out)
    meshes = Meshes()
    simulation = start_simulation(scene, meshes, progress)
    connect_sensor(scene, [simulation])
    record(simulation, meshes, until, every, out, progress, warn, version, force)


def repeat_to_recording(scene: Scene, until: float, every: float, out: Path) -> None:
    """As `run_to_recording`, for Run.save of the library; warnings are those of Python."""

    def warn(problem: Problem) -> None:
        warnings.warn(str(problem), RuntimeWarning, stacklevel=2)

    run_to_recording(scene, until, every, out, lambda time: None, warn, program_version(), force=True)


def record(
    simulation: Simulation,
    meshes: Meshes,
    until: float,
    every: float,
    out: Path,
    progress: Progress,
    warn: Warn,
    version: str,
    force: bool = False,
) -> None:
    """Record a simulation from its present state on; `run_to_recording` describes it."""
    drift = DriftWatch(simulation, warn) if _check_step(simulation, until, progress, warn) else None
    step = simulation.time_step
    with (
        watching(simulation, warn),
        warned(simulation, warn) as pass_on,
        recording(simulation, out, max(1, round(every / step)), meshes, version) as taping,
    ):
        rows = (until - simulation.time) / (taping.every * step) + 1
        _check_size(out, rows, rows * taping.expected, force, warn)
        last, run = simulation.steps + round((until - simulation.time) / step), ChunkedRun()
        while simulation.steps < last:
            count = min(taping.until_next(simulation.steps), last - simulation.steps)
            run.advance_steps(simulation, count, progress)
            pass_on()
            taping.take()
            _go_on(taping)
            progress(simulation.time)
            if drift is not None and drift.is_due:
                drift.look(simulation.snapshot())
        progress(until)


def resume(
    run: RecordedRun,
    until: float,
    every: float,
    out: Path,
    progress: Progress,
    warn: Warn,
    version: str,
    force: bool = False,
    units: bool = False,
) -> None:
    """Continue a recording from its last frame up to `until` [s], and write what follows, that frame first.

    Interactions, edits, driven parameters and muted modes of that frame hold on. The states are bit by bit those of
    an uninterrupted run, unless the method uses earlier steps: it then begins again, which a warning says. Options and
    errors are as of `run_to_table`.
    """
    _check_target(out)
    run.check_repeatable()
    playback = Playback(run)
    simulation = playback.go_to(-1)
    getattr(progress, "running", lambda simulation: None)(simulation)
    connect_sensor(simulation.scene, [simulation])
    if simulation.scene.solver.method in REMEMBERING:
        rule = Message("{method} uses earlier steps, which a recording lacks", method=simulation.scene.solver.method)
        remedy = Message("the states differ from those of an uninterrupted run by the error of the method")
        warn(Problem("solver.method", rule, remedy))
    if out.suffix.lower() == RECORDING:
        record(simulation, playback.meshes, until, every, out, progress, warn, version, force)
    else:
        tabulate(simulation, until, every, out, progress, warn, (), force, units)


def rerun(
    run: RecordedRun,
    method: str | None,
    step: float | None,
    out: Path,
    progress: Progress,
    version: str,
    units: bool = False,
) -> None:
    """Replay a recording with all its events and write the result to a table or to another recording.

    `method` and `step` [s] replace those of the recording; None keeps them. `units` and errors are as of
    `run_to_table`.
    """
    _check_target(out)
    playback = Playback(run)
    simulation = playback.start_replay(method, step)
    getattr(progress, "running", lambda simulation: None)(simulation)
    if out.suffix.lower() == RECORDING:
        with recording(simulation, out, 1, Meshes(), version) as taping:
            for row in playback.replay_frames(simulation):
                taping.take()
                _go_on(taping)
                progress(float(run.times[row]))
        return
    about = _about(run.about.title, version, run.text)
    with table_to(out, columns(simulation.compiled), about, units) as table:
        stated = decimal_times(run.times)
        for row in playback.replay_frames(simulation):
            numbers = simulation.snapshot().numbers[None].copy()
            numbers[0, 0] = stated[row]
            table.add_rows(numbers)
            progress(float(run.times[row]))


@contextmanager
def recording(simulation: Simulation, out: Path, every: int, meshes: Meshes, version: str) -> Iterator[RecordingWriter]:
    """Context manager that records a simulation to `out`, every `every` steps.

    The file is completed on exit, also after an exception. Raises OSError if writing fails.
    """
    from polhode_app.runner.geometry import geometry  # imported here because it loads VTK, which tables do not need

    taping = RecordingWriter(out, simulation, every, version, geometry(meshes))
    refused = False
    try:
        yield taping
    except InputError:  # before the first step
        refused = True
        raise
    finally:
        taping.finish()
        taping.join()
        if refused:
            out.unlink(missing_ok=True)
    _go_on(taping)


def _go_on(taping: RecordingWriter) -> None:
    """Raise OSError if the writer has failed, or if its file cannot hold the next state."""
    if why := taping.failure or taping.over:
        raise OSError(EIO, why)


def _check_step(simulation: Simulation, until: float, progress: Progress, warn: Warn) -> bool:
    """Warn of a time step that is too long for a run of `until` [s]; scenes of more than MOST_BODIES bodies are not
    evaluated. Returns whether a drift in the run is to be warned of.

    A step below the largest stable one is not tried: the run itself shows whether its energy drifts.
    """
    if len(simulation.scene.bodies) > MOST_BODIES:
        return True
    compiled, method, step = simulation.compiled, simulation.scene.solver.method, simulation.time_step
    if step <= step_limits(compiled, 0.0, compiled.start, lambda: progress(0.0))[method].step:
        return True
    found = judged(compiled, method, step, 0.0, compiled.start, lambda: progress(0.0), min(until, HORIZON))
    for warning in warnings_of(compiled, found):
        warn(warning)
    return found.verdict.problem is None and found.verdict.keeps_energy


def _check_size(out: Path, rows: float, size: float, force: bool, warn: Warn) -> None:
    """Tell rows and bytes of a large output, `size` [bytes]. Raises InputError above LARGE, unless `force` is True."""
    rule = Message("will have {rows:.3g} rows, about {size:.2g} GB", rows=rows, size=size / 2**30)
    if size > LARGE and not force:
        raise InputError(str(out), [Problem("", rule, Message("give a longer --every, or --force"))])
    if size > WORTH_TELLING:
        warn(Problem(str(out), rule, Message("a longer --every makes it smaller")))


def _check_target(out: Path) -> None:
    """Check that `out` can be written, before the run starts. Raises InputError.

    A pipe or a device that gets a table is not tried: its reader would see the end of the table.
    """
    if is_standard(out):
        return
    try:
        problem = _wrong_target(out)
        if problem is None and not (_is_stream(out) and out.suffix.lower() != RECORDING):
            target_of(out)
            existed = out.exists()
            out.open("a").close()
            if not existed:
                out.unlink()  # a run that cannot start leaves no empty file
    except OSError as error:
        problem = Problem(
            "", Message("can't be written: {reason}", reason=reason_of(error)), Message("choose another name or folder")
        )
    if problem is not None:
        raise InputError(str(out), [problem])


def _is_stream(out: Path) -> bool:
    """Whether an output is a device, a pipe or a socket."""
    return out.exists() and not out.is_file()


def _wrong_target(out: Path) -> Problem | None:
    """The problem with the name or the folder of an output file, or None."""
    if out.suffix.lower() not in (*TABLES, RECORDING):
        return Problem(
            "",
            Message("the ending '{ending}' is not a known one", ending=out.suffix),
            Message("use {endings}", endings=" or ".join((*TABLES, RECORDING))),
        )
    return problem_of_place(out)
