"""Exit status of the commands, and the messages about runs that were stopped early."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.cli.console import say
from app.cli.interrupts import INTERRUPTED
from app.edit.open_file import is_recording
from core.scene.message import Message
from core.scene.problem import message_of, reason_of

DONE, CHECK_FAILED, BAD_INPUT, STOPPED = 0, 1, 2, 3


def kept(work: Callable[[], None], source: str, out: Path) -> int:
    """Call `work`, which writes `out`, and return the exit status.

    Divergence, write errors and Ctrl-C are reported with the name of the file that keeps the results so far; other
    exceptions propagate.
    """
    from core.simulation.simulation import Cancelled, Diverged

    try:
        work()
    except Diverged as stop:
        why = message_of(stop)
        say(Message("{file}: {why}. The output until then is in {out}", file=source, why=why, out=out))
        return STOPPED
    except OSError as error:
        why = reason_of(error)
        if is_recording(out) or "%" in out.name:  # an incomplete film is removed; of a table `why` names the rows
            say(Message("{out}: can't be written any further ({why}). The output until then is kept", out=out, why=why))
        else:
            say(Message("{out}: can't be written any further ({why})", out=out, why=why))
        return STOPPED
    except (KeyboardInterrupt, Cancelled):
        say(Message("Stopped. The output until then is in {out}", out=out) if out.exists() else Message("Stopped."))
        return INTERRUPTED
    return DONE
