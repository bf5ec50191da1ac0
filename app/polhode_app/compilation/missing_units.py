"""Compilation of the missing kernels of a computation in the background, before it begins. No Qt."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from polhode.jit.storage.kept import FILES
from polhode.run.units import Unit, missing
from polhode_app.compilation.preparation import CompilerPool

POLLED = 0.05  # [s] between polls of the compilers


def compile_missing(units: Sequence[Unit], check_cancelled: Callable[[], None]) -> None:
    """Compile the missing ones of these units in a child process, because numba would hold the interpreter's lock.

    `check_cancelled` is called meanwhile, and may raise. Where no process can be started, first use compiles them.
    """
    needed = missing(units) if FILES.usable else []
    if not needed:
        return
    try:
        pool = CompilerPool(needed, 1)
    except OSError:
        return
    try:
        while not pool.over:
            pool.poll()
            check_cancelled()
            time.sleep(POLLED)
    finally:
        pool.kill()
