"""`polhode run`: motion of a scene as a table or a recording, and recordings repeated or continued."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from polhode.scene.message import Message
from polhode_app.cli.options.arguments import (
    check_numbers,
    check_steps,
    naming,
    refusal,
    row_interval,
    tell_of_short_steps,
    with_solver,
)
from polhode_app.cli.options.outputs import INPUT, OUTPUT, written
from polhode_app.cli.options.portable_target import Portable, choose_generic
from polhode_app.cli.options.scene_argument import SCENE, scenes_and_files
from polhode_app.cli.options.scene_settings import AS_STATED, SceneSettings, described_by
from polhode_app.cli.recorded_runs import check_units, resume_recording, run_again
from polhode_app.cli.terminal.console import progress, say, warning_about
from polhode_app.cli.terminal.exit_status import kept
from polhode_app.cli.terminal.progress_options import DEFAULT, ProgressOptions
from polhode_app.edit.open_file import is_recording

UNITS = "Write the units of the columns of a table beside it, to NAME.units.csv."


def run(
    scene: Annotated[
        str | None,
        Parameter(help=f"{SCENE} A recording (.vtkhdf) is repeated with all its events.", completer=scenes_and_files),
        INPUT,
    ] = None,
    /,
    *,
    until: Annotated[float | None, Parameter(help="Simulated time at the end [s]; a recording has its own.")] = None,
    out: Annotated[
        Path,
        Parameter(
            allow_leading_hyphen=True, help="Table (.csv .parquet, - for standard output) or recording (.vtkhdf)."
        ),
        OUTPUT,
    ],
    resume: Annotated[
        Path | None,
        Parameter(help="Recording (.vtkhdf) to continue from its last frame, in place of a scene."),
        INPUT,
    ] = None,
    every: Annotated[
        float | None, Parameter(help="Time between rows [s]; default: 0.01, or the time step if that is longer.")
    ] = None,
    method: Annotated[str | None, Parameter(help="Integration method in place of the scene's.")] = None,
    step: Annotated[float | None, Parameter(help="Time step in place of the scene's [s].")] = None,
    inertia: Annotated[
        str | None, Parameter(help="Inertia of bodies: from their shapes, or as stated in the file (as in PEM).")
    ] = None,
    maxima: Annotated[
        tuple[str, ...], Parameter(help="Columns, such as ball.position.z, whose maxima and periods become columns.")
    ] = (),
    settings: SceneSettings = AS_STATED,
    portable: Portable = False,
    force: Annotated[bool, Parameter(negative="", help="Allow outputs larger than 1 GB.")] = False,
    units: Annotated[bool, Parameter(negative="", help=UNITS)] = False,
    shown: ProgressOptions = DEFAULT,
) -> int:
    """Run a scene without a window and write its motion to a table or a recording."""
    if (scene is None) == (resume is None):
        rule = Message("is missing") if scene is None else Message("can't be given with {other}", other="--resume")
        raise refusal("SCENE", rule, Message("name a scene, or give a recording as --resume"))
    if scene is not None and is_recording(Path(scene)):
        settings.refuse()
        return run_again(scene, out, method, step, units, shown, portable)
    if until is None:
        rule = Message("is missing; it sets the end of the run")
        raise refusal("--until", rule, Message("add, for example, --until 10"))
    check_numbers(("--until", until, True), *([("--every", every, False)] if every is not None else []))
    check_units(units, out)
    if resume is not None:
        given = {"--method": method, "--step": step, "--inertia": inertia, "--maxima": maxima or None}
        given |= settings.given | {"--portable": portable or None}
        return resume_recording(resume, until, every, out, given, force, units, shown)
    assert scene is not None
    if maxima and is_recording(out):
        rule = Message("is for tables; a recording has every column")
        raise refusal("--maxima", rule, Message("leave it out, or write a .csv"))
    described = described_by(scene, settings, *written(out, units))
    described = with_solver(described, method, step, inertia)
    interval = row_interval(every, until, described.solver.time_step)
    if not is_recording(out):
        tell_of_short_steps(interval, described.solver.time_step)
    check_steps(until, described)
    choose_generic(portable)
    from polhode_app.cli.results.batch import Request, run_to_file

    def work() -> None:
        with naming(scene, out), progress(scene, until, shown, "s") as listener:
            request = Request(until, interval, out, listener, warning_about(scene), maxima, force, units, say, portable)
            run_to_file(described, request)

    return kept(work, scene, out)
