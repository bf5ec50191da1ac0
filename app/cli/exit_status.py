"""How a command ends: the exit status of the program, and what is said where the work was stopped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.cli.console import say
from core.scene.message import Message
from core.scene.problem import message_of, reason_of

DONE, CHECK_FAILED, BAD_INPUT, STOPPED, INTERRUPTED = 0, 1, 2, 3, 130


def kept(work: Callable[[], None], source: str, out: Path) -> int:
    """Do what writes `out`, which is kept whatever stops it; the exit status."""
    from core.simulation.simulation import Diverged

    try:
        work()
    except Diverged as stop:
        why = message_of(stop)
        say(Message("{file}: {why}. The rows until then are in {out}", file=source, why=why, out=out))
        return STOPPED
    except OSError as error:
        why = reason_of(error)
        if out.exists() or "%" in out.name:  # of a film nothing is
            say(Message("{out}: can't be written any further ({why}). The rows until then are kept", out=out, why=why))
        else:
            say(Message("{out}: can't be written any further ({why})", out=out, why=why))
        return STOPPED
    except KeyboardInterrupt:
        say(Message("Stopped. The rows until then are in {out}", out=out) if out.exists() else Message("Stopped."))
        return INTERRUPTED
    return DONE
