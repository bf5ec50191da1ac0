"""Preloads heavy modules in a background thread, so that docks open without delay."""

from __future__ import annotations

import gc
import importlib
from functools import cache

from polhode_app.jobs import CheckCancelled, Job
from polhode_app.window.parts.docks import DOCKS
from polhode_app.window.shell.menus import scenes

DELAY = 2.0  # [s] in which the first frames of the scene are drawn: imports take the lock of the interpreter
MODULES = tuple(row.module for row in DOCKS if not row.is_light)
_job = Job("ahead")


@cache
def preload_modules() -> None:
    """Start the thread; only the first call has an effect."""
    _job.start(_import_modules)


def end_preloading() -> None:
    """Wait for the module that is being imported and leave the rest out: Python cannot import while it ends."""
    _job.cancel()
    _job.wait()


def _import_modules(check_cancelled: CheckCancelled) -> None:
    """Import docks, read scenes, and exempt these objects from garbage collection."""
    check_cancelled.wait(DELAY)
    for name in MODULES:
        check_cancelled()
        importlib.import_module(name)
    scenes()
    # These objects live until the end. A collection that traverses them would block the window for a sixth of a second.
    gc.freeze()
