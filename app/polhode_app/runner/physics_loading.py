"""Loads the physics in a thread while the window is made: much of either waits for the other's processor. No Qt."""

from __future__ import annotations

# Before the thread starts: modules of pydantic import each other, and of two threads that import them at once one may
# get a module that is not complete.
from polhode.scene.scene import Scene
from polhode_app.jobs import CheckCancelled, Job


def load_physics() -> None:
    """Start the thread. What fails in it fails again, and is reported, when a scene is opened."""
    Job("loading physics").start(_load)


def _load(_check: CheckCancelled) -> None:
    """Import what simulates, and load the machine code that every scene needs, if it has been compiled."""
    # Imported here, because this thread is there to import them.
    import polhode_app.runner.loop  # noqa: F401
    from polhode.simulation.units import units_of_method

    for unit in units_of_method(Scene()):
        if unit.is_kept:
            unit.compile()
