"""Runs the command of a command line and turns errors into messages and exit statuses."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from errno import EBADF

from polhode.scene.message import Message
from polhode.scene.problem import InputError, message_of, reason_of
from polhode_app.cli.opening import is_opening, open_window
from polhode_app.cli.terminal import interrupts
from polhode_app.cli.terminal.console import say
from polhode_app.cli.terminal.exit_status import BAD_INPUT, DONE, STOPPED
from polhode_app.i18n.language import set_language_from_environment
from polhode_app.i18n.translation import translate


class ClosedOutput(io.TextIOBase):
    """In place of a stdout that the parent process has closed: whatever is printed raises OSError."""

    def write(self, text: str) -> int:
        """Raise OSError, as a write to the closed file would."""
        raise OSError(EBADF, os.strerror(EBADF))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command given by `arguments`, by default those of the process, and return the exit status.

    Errors in the input are printed to stderr, and so is the reason why stdout cannot be written; a closed pipe, as of
    `| head`, ends the program silently.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    set_language_from_environment()
    interrupts.line = translate(Message("Stopped."))
    sys.stdout = sys.stdout or ClosedOutput()
    try:
        status = _run(given)
        sys.stdout.flush()
        return status
    except InputError as error:
        say(message_of(error))
    except KeyboardInterrupt:
        say(Message("Stopped."))
        return interrupts.INTERRUPTED
    except BrokenPipeError:  # the reader of our output has closed the pipe
        _discard_output()
        return DONE
    except OSError as error:
        say(Message("polhode: the output can't be written ({why})", why=reason_of(error)))
        _discard_output()
        return STOPPED
    return BAD_INPUT


def _run(given: list[str]) -> int:
    """Open the window, or run another command, for which more has to be loaded."""
    if is_opening(given):
        return open_window(given[0] if given else None)
    from cyclopts import CycloptsError, MissingArgumentError

    from polhode_app.cli.commands import app
    from polhode_app.cli.options.arguments import check_sources, find_file, source_among, usage
    from polhode_app.cli.options.outputs import INPUT, check_arguments, roles
    from polhode_app.cli.options.scene_argument import with_options_repeated
    from polhode_app.cli.terminal.standard_streams import named

    given = with_options_repeated(named(given))

    try:
        command, bound, _ = app.parse_args(given, print_error=False, exit_on_error=False)
        check_sources(command, bound.arguments)
        check_arguments(command, bound.arguments)
        status = app(given)
    except CycloptsError as error:
        if isinstance(error, MissingArgumentError) and given[0] in app:
            command, source = app[given[0]].default_command, source_among(app[given[0]], given[1:])
            if source is not None and command is not None and next(iter(roles(command).values()), None) is INPUT:
                find_file(source)  # what is not there is reported before what is missing
        say(Message("polhode: {fault}", fault=usage(error, given, [name for name in app if name.isalpha()])))
        return BAD_INPUT
    return status if isinstance(status, int) else DONE


def _discard_output() -> None:
    """Discard what stdout still holds, which Python would try to write as it ends."""
    with suppress(OSError, io.UnsupportedOperation):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
