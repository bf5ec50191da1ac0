"""Entry point of `python -m polhode_app` and of the command `polhode`."""

import os
import sys
from _signal import SIGINT, default_int_handler, getsignal, signal  # built in; the module signal loads others first

INTERRUPTED = 130  # exit status


def main() -> int:
    """Run the command line and return the exit status of the process."""
    if getsignal(SIGINT) is default_int_handler:  # else the parent process has told this one to ignore Ctrl-C
        signal(SIGINT, _stop)
        from polhode_app.cli.terminal import interrupts

        interrupts.listen()
    import gc

    gc.disable()  # objects created while modules load live as long as the process
    from polhode_app.cli.main import main as command_line  # imported here so that Ctrl-C is handled meanwhile

    gc.freeze()
    gc.enable()
    try:
        return command_line()
    finally:
        _excuse()


def _stop(*_: object) -> None:
    """End the process at once with one line; handles Ctrl-C until app/polhode_app/cli/terminal/interrupts.py does."""
    try:
        os.write(2, b"Stopped.\n")
    finally:
        os._exit(INTERRUPTED)


def _excuse() -> None:
    """Print why the next start will compile again, if it will; the window reports that by itself."""
    if "polhode.jit.storage.machine_code" in sys.modules and "polhode_app.main_window" not in sys.modules:
        from polhode_app.compilation.preparation import cache_problem
        from polhode_app.i18n.translation import translate_problem

        if (why := cache_problem()) is not None:
            print(f"polhode: {translate_problem(why)}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
