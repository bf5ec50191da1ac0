"""Exit status of the commands, and the messages about runs that were stopped early."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from polhode.scene.message import Message
from polhode.scene.problem import message_of, reason_of
from polhode_app.cli.terminal.console import say
from polhode_app.cli.terminal.interrupts import INTERRUPTED
from polhode_app.edit.open_file import is_recording, is_sequence

DONE, CHECK_FAILED, BAD_INPUT, STOPPED = 0, 1, 2, 3


def kept(work: Callable[[], None], source: str, out: Path) -> int:
    """Call `work`, which writes `out`, and return the exit status.

    Divergence, write errors and Ctrl-C are reported with the name of the file that keeps the results so far, if `work`
    has written it; other exceptions propagate.
    """
    from polhode.simulation.diverged import Cancelled
    from polhode.simulation.simulation import Diverged

    before = _version_of(out)
    try:
        work()
    except Diverged as stop:
        why = message_of(stop)
        if _version_of(out) == before:
            say(Message("{file}: {why}", file=source, why=why))
        else:
            say(Message("{file}: {why}. The output until then is in {out}", file=source, why=why, out=out))
        return STOPPED
    except BrokenPipeError:
        raise  # the reader of the output needs no more
    except OSError as error:
        why = reason_of(error)
        whole = is_recording(out) or is_sequence(out)  # an incomplete film is removed; of a table `why` names the rows
        if whole and _version_of(out) != before:
            say(Message("{out}: can't be written any further ({why}). The output until then is kept", out=out, why=why))
        else:
            say(Message("{out}: can't be written any further ({why})", out=out, why=why))
        return STOPPED
    except (KeyboardInterrupt, Cancelled):
        is_there = _version_of(out) != before
        say(Message("Stopped. The output until then is in {out}", out=out) if is_there else Message("Stopped."))
        return INTERRUPTED
    return DONE


def _version_of(out: Path) -> tuple[int, ...] | None:
    """Identity of the output file, which changes when it is written; of single pictures the first; None if missing."""
    try:
        about = (out.with_name(out.name % 0) if is_sequence(out) else out).stat()
    except (OSError, ValueError):
        return None
    return about.st_ino, about.st_size, about.st_mtime_ns
