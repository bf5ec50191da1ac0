"""Headless runs: a scene is advanced to a given time and written to a table or a recording."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from errno import EIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from polhode.analysis.columns import columns
from polhode.analysis.steps.energy_drift import HORIZON
from polhode.analysis.steps.limits import judged, step_limits, warnings_of
from polhode.analysis.steps.trials import LOOKS
from polhode.analysis.table.row_times import RowTimes, decimal_times
from polhode.analysis.table.sampling import sampled_rows, strided_rows
from polhode.analysis.table.table_file import TABLES
from polhode.data.input_checks import check_until
from polhode.mesh.mesh import Meshes
from polhode.recording.compiled_arrays import check_portable
from polhode.recording.playback import Playback
from polhode.recording.reader import RecordedRun
from polhode.recording.writer import RecordingWriter
from polhode.scene.files.file_writing import problem_of_place, target_of
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem, reason_of
from polhode.scene.scene import Scene
from polhode.scene.scene_writing import scene_text
from polhode.scene.uncertain import uncertain_numbers
from polhode.simulation.batches.chunked_run import ChunkedRun
from polhode.simulation.simulation import Simulation
from polhode_app.cli.results.run_watches import DriftWatch, PeakWatch, Progress, Warn
from polhode_app.cli.terminal.standard_streams import is_standard, table_to
from polhode_app.compilation.preparation import start_simulation
from polhode_app.edit.open_file import RECORDING
from polhode_app.runner.slow_steps import watching
from polhode_app.runner.step_limits import MOST_BODIES
from polhode_app.sensor.playback import connect_sensor
from polhode_app.version import version

if TYPE_CHECKING:
    from polhode_app.cli.results.uncertain_output import DeviationColumns

LARGE = 2**30  # [bytes] of an output above which a run needs force
WORTH_TELLING = 2**27  # [bytes] of an output from which its size is reported before the run
DIGITS = 19.5  # [bytes] of a number in a table, on average
REMEMBERING = ("adams_bashforth_2", "adams_bashforth_2_as_printed", "implicit")  # methods that use earlier steps


@dataclass(frozen=True)
class Request:
    """Output of a run, and the functions that it reports to.

    A table has a row for each `every` [s] of simulated time, up to `until` [s]; a recording the states at the whole
    steps that are nearest to these times, and at the last step before `until`. An output of more than LARGE is refused,
    unless `force` is True.
    """

    until: float
    every: float
    out: Path
    progress: Progress = lambda time: None
    warn: Warn = lambda problem: None
    maxima: Sequence[str] = ()  # columns of a table with two more columns each: time of the last maximum, and period
    force: bool = False
    units: bool = False  # write the units of the columns beside a table
    note: Callable[[Message], None] = lambda message: None  # called with statements about the whole run
    portable: bool = False  # store the arrays of the compiled scene in a recording; a scene that can't is refused


def run_to_file(scene: Scene, request: Request) -> None:
    """Run a scene and write a table or a recording, by the ending of the file.

    Raises InputError before anything is written. Raises Diverged or OSError if the run has to stop; what is written up
    to that time is kept, and a recording stays valid.
    """
    _check_target(request.out)
    if request.portable:
        check_portable(scene)
    meshes = Meshes()
    simulation = start_simulation(scene, meshes, request.progress)
    connect_sensor(scene, [simulation])
    _write(simulation, meshes, request)


def _write(simulation: Simulation, meshes: Meshes, request: Request) -> None:
    """Run a simulation from its present state on, and write what is requested. Raises InputError before that."""
    check_until(simulation.scene, simulation.compiled.data_end, request.until)
    keeps = _check_step(simulation, request)
    drift = DriftWatch(simulation, request.warn) if keeps else None
    if request.out.suffix.lower() == RECORDING:
        _record(simulation, meshes, request, drift)
    else:
        _tabulate(simulation, meshes, request, drift)


def _tabulate(simulation: Simulation, meshes: Meshes, request: Request, drift: DriftWatch | None) -> None:
    watch, times = PeakWatch(simulation, request.maxima), RowTimes(request.until, request.every, simulation.time)
    of_run = columns(simulation.compiled)
    deviations = _deviations(simulation, of_run, times, meshes, request)
    table_columns = of_run | dict.fromkeys(watch.columns(), "s") | (deviations.units if deviations else {})
    _check_size(request, len(times), len(times) * DIGITS * len(table_columns))
    if request.maxima:
        rows = strided_rows(simulation, times, request.progress, watch)
    else:
        rows = sampled_rows(simulation, times, request.progress, round(HORIZON / LOOKS / simulation.time_step))
    about = _about(simulation.scene.title, scene_text(simulation.scene))
    with (
        watching(simulation, request.warn),
        warned(simulation, request.warn) as pass_on,
        table_to(request.out, table_columns, about, request.units) as table,
    ):
        for block in rows:
            pass_on()
            parts = [block, *([[watch.numbers()] * len(block)] if request.maxima else [])]
            parts += [deviations.next_rows(len(block))] if deviations else []
            table.add_rows(np.hstack(parts) if len(parts) > 1 else block)
            if drift is not None and drift.is_due:
                drift.look(simulation.snapshot())
    for each in deviations.statements() if deviations else []:
        request.note(each)


def _deviations(
    simulation: Simulation, table: dict[str, str], times: RowTimes, meshes: Meshes, request: Request
) -> DeviationColumns | None:
    """The further columns of a scene with uncertain numbers; None without any, and for runs that began before.

    Those that memory can't hold are left out, with a warning.
    """
    if simulation.time != 0.0 or not uncertain_numbers(simulation.scene):
        return None
    from polhode_app.cli.results.uncertain_output import deviation_columns  # imported here because few scenes need it

    found = deviation_columns(simulation.scene, table, times, meshes, lambda part: request.progress(simulation.time))
    if found is None:
        rule = Message("{rows:.3g} rows are too many for columns with standard deviations", rows=len(times))
        request.warn(Problem("uncertainty", rule, Message("the table has none; give a longer --every for them")))
    return found


def _about(title: str, scene: str) -> dict[str, str]:
    """Metadata of a table; scene: as TOML."""
    return {"title": title, "program": f"Polhode {version()}", "scene": scene}


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


def repeat_to_recording(scene: Scene, until: float, every: float, out: Path) -> None:
    """Run a scene and record it, for Run.save of the library; warnings are those of Python."""

    def warn(problem: Problem) -> None:
        warnings.warn(str(problem), RuntimeWarning, stacklevel=2)

    run_to_file(scene, Request(until, every, out, warn=warn, force=True))


def _record(simulation: Simulation, meshes: Meshes, request: Request, drift: DriftWatch | None) -> None:
    step, until = simulation.time_step, request.until
    every = max(1, round(request.every / step))
    rows = (until - simulation.time) / (every * step) + 1
    options = request.portable, lambda size: _check_size(request, rows, rows * size)
    with (
        watching(simulation, request.warn),
        warned(simulation, request.warn) as pass_on,
        recording(simulation, request.out, every, meshes, *options) as taping,
    ):
        last, run = simulation.steps + round((until - simulation.time) / step), ChunkedRun()
        while simulation.steps < last:
            count = min(taping.until_next(simulation.steps), last - simulation.steps)
            run.advance_steps(simulation, count, request.progress)
            pass_on()
            taping.take()
            _go_on(taping)
            request.progress(simulation.time)
            if drift is not None and drift.is_due:
                drift.look(simulation.snapshot())
        request.progress(until)


def resume(run: RecordedRun, request: Request) -> None:
    """Continue a recording from its last frame, and write what follows, that frame first.

    Interactions, edits, driven parameters and muted modes of that frame hold on. The states are bit by bit those of
    an uninterrupted run, unless the method uses earlier steps: it then begins again, which a warning says. Errors are
    as of `run_to_file`.
    """
    _check_target(request.out)
    run.check_repeatable()
    playback = Playback(run)
    simulation = playback.go_to(-1)
    getattr(request.progress, "running", lambda simulation: None)(simulation)
    connect_sensor(simulation.scene, [simulation])
    if simulation.scene.solver.method in REMEMBERING:
        rule = Message("{method} uses earlier steps, which a recording lacks", method=simulation.scene.solver.method)
        remedy = Message("the states differ from those of an uninterrupted run by the error of the method")
        request.warn(Problem("solver.method", rule, remedy))
    _write(simulation, playback.meshes, request)


def rerun(
    run: RecordedRun,
    method: str | None,
    step: float | None,
    out: Path,
    progress: Progress,
    units: bool = False,
) -> None:
    """Replay a recording with all its events and write the result to a table or to another recording.

    `method` and `step` [s] replace those of the recording; None keeps them. `units` and errors are as of
    `run_to_file`.
    """
    _check_target(out)
    playback = Playback(run)
    simulation = playback.start_replay(method, step)
    getattr(progress, "running", lambda simulation: None)(simulation)
    if out.suffix.lower() == RECORDING:
        is_portable = run.about.portable and simulation.scene.solver == run.scene.solver
        with recording(simulation, out, 1, Meshes(), is_portable) as taping:
            for row in playback.replay_frames(simulation):
                taping.take()
                _go_on(taping)
                progress(float(run.times[row]))
        return
    about = _about(run.about.title, run.text)
    with table_to(out, columns(simulation.compiled), about, units) as table:
        stated = decimal_times(run.times)
        for row in playback.replay_frames(simulation):
            numbers = simulation.snapshot().numbers[None].copy()
            numbers[0, 0] = stated[row]
            table.add_rows(numbers)
            progress(float(run.times[row]))


@contextmanager
def recording(
    simulation: Simulation,
    out: Path,
    every: int,
    meshes: Meshes,
    is_portable: bool = False,
    check: Callable[[float], None] = lambda size: None,
) -> Iterator[RecordingWriter]:
    """Context manager that records a simulation to `out`, every `every` steps.

    is_portable: with the arrays of the compiled scene
    check: called with the expected size [bytes] of a frame before there is a file; may raise

    The file is completed on exit, also after an exception. Raises OSError if writing fails.
    """
    from polhode_app.runner.geometry import geometry  # imported here because it loads VTK, which tables do not need

    taping = RecordingWriter(out, simulation, every, version(), geometry(meshes), is_portable, check)
    try:
        yield taping
    finally:
        taping.finish()
        taping.join()
    _go_on(taping)


def _go_on(taping: RecordingWriter) -> None:
    """Raise OSError if the writer has failed, or if its file cannot hold the next state."""
    if why := taping.failure or taping.over:
        raise OSError(EIO, why)


def _check_step(simulation: Simulation, request: Request) -> bool:
    """Warn of a time step that is too long for a run; scenes of more than MOST_BODIES bodies are not
    evaluated. Returns whether a drift in the run is to be warned of.

    A step below the largest stable one is not tried: the run itself shows whether its energy drifts.
    """
    if len(simulation.scene.bodies) > MOST_BODIES:
        return True

    def check_cancelled() -> None:
        request.progress(0.0)

    compiled, method, step = simulation.compiled, simulation.scene.solver.method, simulation.time_step
    if step <= step_limits(compiled, 0.0, compiled.start, check_cancelled)[method].step:
        return True
    found = judged(compiled, method, step, 0.0, compiled.start, check_cancelled, min(request.until, HORIZON))
    for warning in warnings_of(compiled, found):
        request.warn(warning)
    return found.verdict.problem is None and found.verdict.keeps_energy


def _check_size(request: Request, rows: float, size: float) -> None:
    """Tell rows and bytes of a large output, `size` [bytes]. Raises InputError above LARGE, unless it is forced."""
    rule = Message("will have {rows:.3g} rows, about {size:.2g} GB", rows=rows, size=size / 2**30)
    if size > LARGE and not request.force:
        raise InputError(str(request.out), [Problem("", rule, Message("give a longer --every, or --force"))])
    if size > WORTH_TELLING:
        request.warn(Problem(str(request.out), rule, Message("a longer --every makes it smaller")))


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
