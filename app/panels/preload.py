"""Preloads heavy modules in a background thread, so that docks open without delay."""

from __future__ import annotations

import gc
import threading
import time
from functools import cache

from app.panels.shell.menus import scenes

DELAY = 2.0  # [s] in which the first moments of the scene are drawn: imports take the lock of the interpreter


@cache
def preload_modules() -> None:
    """Start the thread; only the first call has an effect."""
    threading.Thread(target=_import_modules, name="ahead", daemon=True).start()


def _import_modules() -> None:
    """Body of the thread: import docks, read scenes, and exempt these objects from garbage collection."""
    time.sleep(DELAY)
    # Imported here, because the first frame must not wait for them.
    import app.panels.equilibria.equilibria_dock
    import app.panels.maps.map_controller
    import app.panels.measured.data_controller
    import app.panels.measured.fit_controller
    import app.panels.measured.live.phone_controller
    import app.panels.measured.live.sensor_controller
    import app.panels.measured.measured_dock
    import app.panels.modes.modes_dock
    import app.panels.paths.path_dock
    import app.panels.plots.plot_dock
    import app.panels.sensor.sensor_dock  # noqa: F401

    scenes()
    # These objects live until the end. A collection that traverses them would block the window for a sixth of a second.
    gc.freeze()
