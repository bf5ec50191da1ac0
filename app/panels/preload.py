"""What a person asks for sooner or later is read before, beside what runs: nobody waits for it then."""

from __future__ import annotations

import gc
import threading
from functools import cache

from app.panels.shell.menus import scenes


@cache
def preload_modules() -> None:
    """Begin with it, once in a program."""
    threading.Thread(target=_import_modules, name="ahead", daemon=True).start()


def _import_modules() -> None:
    # Here and not at the top: the first frame waits for none of these.
    import app.panels.modes.modes_dock
    import app.panels.plots.plot_dock
    import app.panels.sensor.sensor_dock  # noqa: F401

    scenes()
    # All of it stays until the end. A collection that looked at it would hold the window for a sixth of a second.
    gc.freeze()
