"""Preloads heavy modules in a background thread, so that docks open without delay."""

from __future__ import annotations

import gc
import importlib
import threading
from functools import cache

from polhode_app.panels.parts.docks import DOCKS
from polhode_app.panels.shell.menus import scenes

DELAY = 2.0  # [s] in which the first moments of the scene are drawn: imports take the lock of the interpreter
MODULES = tuple(row.module for row in DOCKS if not row.is_light)
_ends = threading.Event()


@cache
def preload_modules() -> threading.Thread:
    """Start the thread; only the first call has an effect."""
    thread = threading.Thread(target=_import_modules, name="ahead", daemon=True)
    thread.start()
    return thread


def end_preloading() -> None:
    """Wait for the module that is being imported and leave the rest out: Python cannot import while it ends."""
    _ends.set()
    if preload_modules.cache_info().currsize:
        preload_modules().join()


def _import_modules() -> None:
    """Body of the thread: import docks, read scenes, and exempt these objects from garbage collection."""
    _ends.wait(DELAY)
    for name in MODULES:
        if _ends.is_set():
            return
        importlib.import_module(name)
    scenes()
    # These objects live until the end. A collection that traverses them would block the window for a sixth of a second.
    gc.freeze()
