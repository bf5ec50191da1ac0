"""`polhode run` of recordings: to repeat them, or to continue them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from polhode.recording.reader import read_recording
from polhode.scene.message import Message
from polhode_app.cli.options.arguments import check_steps, naming, refusal, row_interval, with_solver
from polhode_app.cli.options.portable_target import choose_generic
from polhode_app.cli.terminal.console import progress, warning_about
from polhode_app.cli.terminal.exit_status import kept
from polhode_app.cli.terminal.progress_options import ProgressOptions
from polhode_app.cli.terminal.standard_streams import is_standard
from polhode_app.edit.open_file import is_recording


def check_units(units: bool, out: Path) -> None:
    """Refuse --units where no table is written. Raises InputError."""
    if units and (is_recording(out) or is_standard(out)):
        raise refusal("--units", Message("is for tables in CSV files"), Message("leave it out, or write a .csv"))


def resume_recording(
    source: Path,
    until: float,
    every: float | None,
    out: Path,
    given: Mapping[str, object],
    force: bool,
    units: bool,
    shown: ProgressOptions,
) -> int:
    """Continue a recording from its last frame; returns the exit status. given: options that scenes alone have."""
    for option, value in given.items():
        if value is not None:
            raise refusal(option, Message("can't be given with {other}", other="--resume"), Message("leave it out"))
    with read_recording(source) as recorded:
        if until <= recorded.until:
            rule = Message("is {until:g} s, and the recording ends at {last:g} s", until=until, last=recorded.until)
            raise refusal("--until", rule, Message("give a later time"))
        interval = row_interval(every, until, recorded.about.time_step)
        check_steps(until, recorded.scene_at(recorded.rows - 1))
        choose_generic(recorded.about.portable)
        from polhode_app.cli.results.batch import Request, resume

        def work() -> None:
            with naming(str(source), out), progress(str(source), until, shown, "s") as listener:
                warn = warning_about(str(source))
                resume(recorded, Request(until, interval, out, listener, warn, force=force, units=units))

        return kept(work, str(source), out)


def run_again(
    source: str,
    out: Path,
    method: str | None,
    step: float | None,
    units: bool,
    shown: ProgressOptions,
    portable: bool = False,
) -> int:
    """Replay a recording with all its events to a table or another recording; returns the exit status.

    A portable one is replayed by code for a generic processor. Raises InputError for another one with `portable`.
    """
    recorded = read_recording(source)
    if portable and not recorded.about.portable:
        rule = Message("can't be given with a recording that was not made with it")
        raise refusal("--portable", rule, Message("run its scene with --portable"))
    choose_generic(recorded.about.portable)
    check_units(units, out)
    with_solver(recorded.scene, method, step)  # raises InputError for invalid options
    from polhode_app.cli.results.batch import rerun

    def work() -> None:
        with naming(source, out), progress(source, recorded.until, shown, "s") as listener:
            rerun(recorded, method, step, out, listener, units)

    return kept(work, source, out)
