"""The physics and the files of Polhode, as a library.

    from polhode import Simulation, read_scene

    simulation = Simulation(read_scene("scenes/heavy_top.toml"))
    for _ in range(5):
        simulation.advance(0.1)  # [s]
        moment = simulation.snapshot()
        print(moment.time, moment.bodies.position[0], moment.energy.total)

- `read_scene`, `write_scene`, `Scene`, `scene_schema`: scenes in TOML files, and their JSON Schema
- `Simulation`, `Snapshot`, `Diverged`: a running scene, its state at one time, and why it had to stop
- `Run`, `read_run`, `columns`: the table of a run as named arrays, from a simulation or a file, and its columns
- `read_recording`, `Recording`, `RecordedRun`, `Playback`: recorded runs, frame by frame, and their repetition
- `Sweep`, `SweepSettings`, `read_map`: many runs of a scene over values of its numbers, and their maps
- `find_equilibria`, `Equilibria`, `potential_landscape`: where a scene may rest, small oscillations about it, and its
  potential energy over coordinates
- `read_udf`, `write_udf`, `read_records`: files of PEM
- `fit`, `FitResult`, `profile`: numbers of a scene from measured data, with intervals
- `read_data`, `MeasuredData`: measured columns of text, zip, workbooks and Tracker, in SI
- `read_robot`: models of MuJoCo and URDF, as a scene with notes
- `InputError`, `Problem`: what is wrong with a file or a scene

Numbers are in SI and vectors in the laboratory frame, unless a name says otherwise. Names are imported when they are
first used: reading a scene needs no compiler.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from polhode.analysis.table.run import Run
    from polhode.analysis.table.scene_columns import columns
    from polhode.data.measured import MeasuredData
    from polhode.data.reading import read_data
    from polhode.equilibria.equilibria import Equilibria, find_equilibria
    from polhode.equilibria.landscape import potential_landscape
    from polhode.fitting.fit import fit
    from polhode.fitting.profile import profile
    from polhode.fitting.result import FitResult
    from polhode.importers.opening import read_robot
    from polhode.recording.playback import Playback
    from polhode.recording.reader import RecordedRun
    from polhode.recording.recording import Recording, read_recording
    from polhode.recording.run_file import read_run
    from polhode.scene.problem import InputError, Problem
    from polhode.scene.scene import Scene
    from polhode.scene.scene_file import read_scene, scene_schema, write_scene
    from polhode.scene.variants.sweep import SweepSettings
    from polhode.simulation.simulation import Diverged, Simulation
    from polhode.simulation.snapshot import Snapshot
    from polhode.sweep.maps.map_file import read_map
    from polhode.sweep.sweep import Sweep
    from polhode.udf.reading import read_udf
    from polhode.udf.records import read_records
    from polhode.udf.writing import write_udf

# Looked up at first use: reading a scene then imports no compiler, and `import polhode` next to nothing.
_HOMES = {
    "Diverged": "polhode.simulation.simulation",
    "Equilibria": "polhode.equilibria.equilibria",
    "FitResult": "polhode.fitting.result",
    "InputError": "polhode.scene.problem",
    "MeasuredData": "polhode.data.measured",
    "Playback": "polhode.recording.playback",
    "Problem": "polhode.scene.problem",
    "RecordedRun": "polhode.recording.reader",
    "Recording": "polhode.recording.recording",
    "Run": "polhode.analysis.table.run",
    "Scene": "polhode.scene.scene",
    "Simulation": "polhode.simulation.simulation",
    "Snapshot": "polhode.simulation.snapshot",
    "Sweep": "polhode.sweep.sweep",
    "SweepSettings": "polhode.scene.variants.sweep",
    "columns": "polhode.analysis.table.scene_columns",
    "find_equilibria": "polhode.equilibria.equilibria",
    "potential_landscape": "polhode.equilibria.landscape",
    "fit": "polhode.fitting.fit",
    "profile": "polhode.fitting.profile",
    "read_data": "polhode.data.reading",
    "read_map": "polhode.sweep.maps.map_file",
    "read_recording": "polhode.recording.recording",
    "read_robot": "polhode.importers.opening",
    "read_run": "polhode.recording.run_file",
    "read_scene": "polhode.scene.scene_file",
    "scene_schema": "polhode.scene.scene_file",
    "write_scene": "polhode.scene.scene_file",
    "read_udf": "polhode.udf.reading",
    "read_records": "polhode.udf.records",
    "write_udf": "polhode.udf.writing",
}

__all__ = [
    "Diverged",
    "Equilibria",
    "FitResult",
    "InputError",
    "MeasuredData",
    "Playback",
    "Problem",
    "RecordedRun",
    "Recording",
    "Run",
    "Scene",
    "Simulation",
    "Snapshot",
    "Sweep",
    "SweepSettings",
    "columns",
    "find_equilibria",
    "fit",
    "potential_landscape",
    "profile",
    "read_data",
    "read_map",
    "read_recording",
    "read_records",
    "read_robot",
    "read_run",
    "read_scene",
    "read_udf",
    "scene_schema",
    "write_scene",
    "write_udf",
]


def __getattr__(name: str) -> object:
    """The public name, from the module that defines it. Raises AttributeError for any other."""
    if name not in _HOMES:
        raise AttributeError(f"module 'polhode' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)
