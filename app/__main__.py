"""`python -m app` and the command `polhode`."""

import gc
import sys


def main() -> int:
    """Run the command line; the exit status of the program."""
    gc.disable()  # what modules make while they load is no garbage
    try:
        from app.cli.commands import main as command_line  # here, so that Ctrl-C while it loads is no error either
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130
    finally:
        gc.freeze()
        gc.enable()
    try:
        return command_line()
    finally:
        _excuse()


def _excuse() -> None:
    """Say why the next start will compile again, if it will; a window says so itself."""
    if "core.jit.machine_code" in sys.modules and "app.main_window" not in sys.modules:
        from app.compilation.preparation import cache_problem
        from app.i18n.translation import translate_problem

        if (why := cache_problem()) is not None:
            print(f"polhode: {translate_problem(why)}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
