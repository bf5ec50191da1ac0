"""Start of a module that runs as a ChildProcess: limits of memory and time, and Ctrl-C ignored."""

from __future__ import annotations

import signal
import sys
from contextlib import suppress

if sys.platform != "win32":
    import resource


def ignore_interrupts() -> None:
    """Leave Ctrl-C to the process that has started this one, and ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def limit(kind: str, most: int) -> None:
    """Limit a resource of this process, such as RLIMIT_AS. Without effect on Windows."""
    if sys.platform != "win32":
        number = getattr(resource, kind)
        with suppress(ValueError, OSError):  # a lower limit is in force
            resource.setrlimit(number, (most, resource.getrlimit(number)[1]))


def limit_memory(most: int) -> None:
    """Limit the memory of this process to `most` [bytes], and let it leave no core file."""
    limit("RLIMIT_AS", most)
    limit("RLIMIT_CORE", 0)


def allow_time(seconds: int) -> None:
    """Limit processor time [s] from now on; after it the process is killed."""
    if sys.platform != "win32":
        used = resource.getrusage(resource.RUSAGE_SELF)
        limit("RLIMIT_CPU", int(used.ru_utime + used.ru_stime) + 1 + seconds)
