"""`python -m app` and the command `polhode`."""

import sys


def main() -> int:
    """Run the command line; the exit status of the program."""
    try:
        from app.cli import main as command_line  # here, so that Ctrl-C while it loads is no error either
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130
    return command_line()


if __name__ == "__main__":
    sys.exit(main())
