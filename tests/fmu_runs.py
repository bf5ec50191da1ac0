"""Runs scenes as FMUs by FMPy and natively, both for a generic processor, and compares the bits of all columns.

    python tests/fmu_runs.py FOLDER SCENE ...     with a library of the units of these scenes; FMUs stay in FOLDER
    python tests/fmu_runs.py FOLDER --all         every scene, with the whole library

To be run with the environment GENERIC. Writes one line of JSON for each scene: its name, the number of columns that
differ after each of some communication steps, in the middle of which all inputs are changed, and what the validation of
FMPy says.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import numpy as np
from fmpy.validation import validate_fmu
from fmu_host import RunningFmu
from fmu_library import library_for

from polhode import Scene, Simulation, read_scene
from polhode.compilation.fmi_library.library import FILE, FmiLibrary, fmi_library
from polhode.engine.diagnostics import observed
from polhode.exporters.fmi.fmu import fmu_of
from polhode.exporters.image.qualification import problems_of
from polhode.scene import gallery

STEPS = (100, 33, 7.25, 0.5, 100)  # lengths of communication steps, in steps of the scene


def row(simulation: Simulation) -> np.ndarray:
    """(c,) columns of the table at the present time, without the time."""
    model, inputs, work, state = (getattr(simulation.structs, name) for name in ("model", "inputs", "work", "state"))
    return observed(model, inputs, np.array([simulation.time]), state[None].copy(), work)[0][1:]


def compare(scene: Scene, library: FmiLibrary, folder: Path, name: str) -> dict[str, object]:
    """Run a scene both ways, at first as it is, then with other inputs."""
    simulation = Simulation(scene)
    if problems := problems_of(simulation):
        return {"refused": [str(problem) for problem in problems]}
    path = folder / f"{name}.fmu"
    path.write_bytes(fmu_of(scene, name, lambda: library).content)
    fmu, differing = RunningFmu(path, folder / name), []

    def run() -> None:
        for steps in STEPS:
            fmu.step(steps * simulation.time_step)
            simulation.advance(steps * simulation.time_step)
            differing.append(int(np.count_nonzero(fmu.get().view(np.int64) != row(simulation).view(np.int64))))

    run()
    inputs = fmu.names["input"]
    others = dict(zip(inputs, 1.0625 * fmu.get(*inputs) + 0.015625 if inputs else [], strict=True))
    fmu.set(others)
    simulation.set(others)
    run()
    fmu.close()
    counts = {kind: len(names) for kind, names in fmu.names.items()}
    return {"differing": differing, "said": validate_fmu(str(path)), **counts}


def main(words: list[str]) -> None:
    """Compare the scenes."""
    folder, names = Path(words[0]), words[1:]
    is_whole = names == ["--all"]
    scenes = {Path(name).stem: read_scene(name) for name in (gallery.scene_names() if is_whole else names)}
    library = fmi_library() if FILE.read() is not None else library_for(scenes.values())
    for name, scene in scenes.items():
        print(json.dumps({"scene": name, **compare(scene, library, folder, name)}), flush=True)
        if is_whole:
            shutil.rmtree(folder / name, ignore_errors=True)
            (folder / f"{name}.fmu").unlink(missing_ok=True)


if __name__ == "__main__":
    main(sys.argv[1:])
