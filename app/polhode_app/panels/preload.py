"""Preloads heavy modules in a background thread, so that docks open without delay."""

from __future__ import annotations

import gc
import importlib
from functools import cache

from polhode_app.jobs import CheckCancelled, Job
from polhode_app.panels.shell.menus import scenes

DELAY = 2.0  # [s] in which the first moments of the scene are drawn: imports take the lock of the interpreter
MODULES = (
    "polhode_app.panels.equilibria.equilibria_dock",
    "polhode_app.panels.maps.map_controller",
    "polhode_app.panels.measured.data_controller",
    "polhode_app.panels.measured.fit_controller",
    "polhode_app.panels.measured.live.phone_controller",
    "polhode_app.panels.measured.live.sensor_controller",
    "polhode_app.panels.measured.measured_dock",
    "polhode_app.panels.modes.modes_dock",
    "polhode_app.panels.paths.path_dock",
    "polhode_app.panels.plots.plot_dock",
    "polhode_app.panels.sensor.sensor_dock",
)
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
