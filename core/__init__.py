"""The physics and the files of Polhode, as a library.

    from core import Simulation, read_scene

    simulation = Simulation(read_scene("scenes/heavy_top.toml"))
    for _ in range(5):
        simulation.advance(0.1)  # [s]
        moment = simulation.snapshot()
        print(moment.time, moment.bodies.position[0], moment.energy.total)

- `read_scene`, `write_scene`, `Scene`, `scene_schema`: scenes in TOML files, and their JSON Schema
- `Simulation`, `Snapshot`, `Diverged`: a running scene, its state at one time, and why it had to stop
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
    from core.data.measured import MeasuredData
    from core.data.reading import read_data
    from core.equilibria.equilibria import Equilibria, find_equilibria
    from core.equilibria.landscape import potential_landscape
    from core.fitting.fit import fit
    from core.fitting.profile import profile
    from core.fitting.result import FitResult
    from core.recording.playback import Playback
    from core.recording.reader import RecordedRun
    from core.recording.recording import Recording, read_recording
    from core.robot.opening import read_robot
    from core.scene.problem import InputError, Problem
    from core.scene.scene import Scene
    from core.scene.scene_file import read_scene, scene_schema, write_scene
    from core.scene.variants.sweep import SweepSettings
    from core.simulation.simulation import Diverged, Simulation
    from core.simulation.snapshot import Snapshot
    from core.sweep.maps.map_file import read_map
    from core.sweep.sweep import Sweep
    from core.udf.reading import read_udf
    from core.udf.records import read_records
    from core.udf.writing import write_udf

# Looked up at first use: reading a scene then imports no compiler, and `import core` next to nothing.
_HOMES = {
    "Diverged": "core.simulation.simulation",
    "Equilibria": "core.equilibria.equilibria",
    "FitResult": "core.fitting.result",
    "InputError": "core.scene.problem",
    "MeasuredData": "core.data.measured",
    "Playback": "core.recording.playback",
    "Problem": "core.scene.problem",
    "RecordedRun": "core.recording.reader",
    "Recording": "core.recording.recording",
    "Scene": "core.scene.scene",
    "Simulation": "core.simulation.simulation",
    "Snapshot": "core.simulation.snapshot",
    "Sweep": "core.sweep.sweep",
    "SweepSettings": "core.scene.variants.sweep",
    "find_equilibria": "core.equilibria.equilibria",
    "potential_landscape": "core.equilibria.landscape",
    "fit": "core.fitting.fit",
    "profile": "core.fitting.profile",
    "read_data": "core.data.reading",
    "read_map": "core.sweep.maps.map_file",
    "read_recording": "core.recording.recording",
    "read_robot": "core.robot.opening",
    "read_scene": "core.scene.scene_file",
    "scene_schema": "core.scene.scene_file",
    "write_scene": "core.scene.scene_file",
    "read_udf": "core.udf.reading",
    "read_records": "core.udf.records",
    "write_udf": "core.udf.writing",
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
    "Scene",
    "Simulation",
    "Snapshot",
    "Sweep",
    "SweepSettings",
    "find_equilibria",
    "fit",
    "potential_landscape",
    "profile",
    "read_data",
    "read_map",
    "read_recording",
    "read_records",
    "read_robot",
    "read_scene",
    "read_udf",
    "scene_schema",
    "write_scene",
    "write_udf",
]


def __getattr__(name: str) -> object:
    """The public name, from the module that defines it. Raises AttributeError for any other."""
    if name not in _HOMES:
        raise AttributeError(f"module 'core' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)
