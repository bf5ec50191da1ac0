"""The physics and the files of Polhode, as a library.

    from polhode import Simulation, read_scene

    simulation = Simulation(read_scene("heavy_top"))
    for _ in range(5):
        simulation.advance(0.1)  # [s]
        now = simulation.snapshot()
        print(now.time, now.bodies.position[0], now.energy.total)

- `read_scene`, `scene_names`, `write_scene`, `Scene`, `scene_schema`: scenes in TOML files, the built-in ones by name,
  and their JSON Schema
- `Body`, `Cuboid`, `Spring`, `World` and all other models: the parts of a scene; `help` states their fields
- `Simulation`, `Snapshot`, `Checkpoint`, `Diverged`: a running scene, its state at one time, and why it had to stop
- `Grab`, `Carry`, `PullBody`, `PullPoint`, `PullAll`, `Twist`: interactions for `Simulation.grab`
- `picture`, `film`: what the program draws of a simulation, as an array and as a file
- `mass_properties`, `MeshReport`: volume, mass, centre of mass and inertia tensor of any closed mesh
- `Run`, `read_run`, `columns`: the table of a run as named arrays, from a simulation or a file, and its columns
- `read_recording`, `Recording`, `RecordedRun`, `Playback`: recorded runs, frame by frame, and their repetition
- `Sweep`, `Outcome`, `SweepSettings`, `read_map`: many runs of a scene over values of its numbers, and their maps
- `find_equilibria`, `Equilibria`, `potential_landscape`: where a scene may rest, small oscillations about it, and its
  potential energy over coordinates
- `read_udf`, `write_udf`, `read_records`: files of PEM
- `fit`, `FitResult`, `profile`: numbers of a scene from measured data, with intervals
- `uncertainties`, `Uncertainties`: columns of a run with the uncertainties that follow from those of numbers
  of the scene, "0.458 +- 0.001"
- `read_data`, `MeasuredData`: measured columns of text, zip, workbooks and Tracker, in SI
- `read_hand_in`, `HandIn`, `collect`, `ClassResult`: answers and runs of lessons, and those of a class, repeated
- `read_robot`, `write_mjcf`: models of MuJoCo and URDF, as a scene with notes, and scenes as models of MuJoCo
- `InputError`, `Problem`: what is wrong with a file or a scene

Numbers are in SI and vectors in the laboratory frame, unless a name says otherwise. Names are imported when they are
first used: reading a scene needs no compiler.
"""

from __future__ import annotations

import atexit
import gc
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

# Looked up at first use: reading a scene then imports no compiler, and `import polhode` next to nothing.
_LINES = Path(__file__).with_suffix(".pyi").read_text("utf-8")
_HOMES = {name: module for module, name in re.findall(r"^from (\S+) import (\w+)", _LINES, re.MULTILINE)}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    """The public name, from the module that defines it. Raises AttributeError for any other."""
    if name not in _HOMES:
        raise AttributeError(f"module 'polhode' has no attribute '{name}'")
    thing = getattr(_imported(_HOMES[name]), name)
    if hasattr(thing, "model_fields"):
        _imported("polhode.scene.field_docs").document(thing)
    globals()[name] = thing  # the next time it is found at once, also where a module of that name is imported
    return thing


def _imported(module: str) -> Any:
    """A module. If it is new, the search for cycles is paused: what modules make lives as long as the process.

    Objects made meanwhile then count as old, as if they had been searched: only the next full search reads them.
    Freezing and thawing does that without reading them; it is left out where the caller keeps objects frozen, which
    takes as long to find out as to count them.
    """
    if module in sys.modules:
        return import_module(module)  # which waits where another thread is about to import it
    is_enabled = gc.isenabled()
    gc.disable()
    try:
        return import_module(module)
    finally:
        if is_enabled:
            if gc.get_freeze_count() == 0:
                gc.freeze()
                gc.unfreeze()
            gc.enable()


atexit.register(gc.freeze)  # else the interpreter searches everything for cycles as it ends, which takes 0.3 s


def __dir__() -> list[str]:
    """Public names, for completion."""
    return __all__
