"""Runs scenes in wasmtime and natively, both for a generic processor, and compares the bits of the placed states.

    python tests/web_runs.py STEPS SCENE ...     with a module of the units of these scenes
    python tests/web_runs.py STEPS --all         every scene, with the whole module cut down to what it needs

To be run with the environment GENERIC. Writes one line of JSON for each scene: its name, whether it qualifies, the
number of components that differ after STEPS steps, and the size of the image.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from wasm_host import Host

from polhode import Simulation, read_scene
from polhode.compilation.web_module.build import module_of
from polhode.compilation.web_module.cutting import cut_to
from polhode.compilation.web_module.module import WebModule, kept_module
from polhode.compilation.web_module.units import units_of_module
from polhode.exporters.image.image import Image
from polhode.exporters.image.packing import image_of
from polhode.exporters.image.qualification import problems_of
from polhode.formulas import web_assembly

SCENES = Path(__file__).parents[1] / "scenes"


CALLED = ("polhode.run.loop:advance", "polhode.engine.rates:place")  # by the host itself


def small_module(names: list[str], called: Iterable[str] = CALLED) -> WebModule:
    """A module of no more units than these scenes need, and of those that a host calls itself."""
    images = [image_of(Simulation(read_scene(SCENES / f"{name}.toml"))) for name in names]
    every = units_of_module()
    needed = [*called, *(name for image in images for name in needed_by(image))]
    return module_of(every[name] for name in dict.fromkeys(needed))


def needed_by(image: Image) -> list[str]:
    """Names of the units that a host needs for an image."""
    return [*CALLED, *(name for form in image.formulas for name in web_assembly.functions_of(form)), *image.units]


def compare(module: WebModule, simulation: Simulation, steps: int) -> dict[str, object]:
    """Run a simulation both ways; the module has all units of its scene."""
    if problems := problems_of(simulation):
        return {"qualifies": False, "problems": [str(problem) for problem in problems]}
    image = image_of(simulation)
    host = Host(cut_to(module, needed_by(image)), image, web_assembly.module_of)
    taken = host.advance(steps)
    simulation.advance_steps(steps)  # which places the state at its end, as the host does
    differing = int(np.count_nonzero(simulation.state.view(np.int64) != host.state))
    sizes = {"image": len(image.content), "deflated": len(zlib.compress(image.content, 9))}
    return {"qualifies": True, "taken": taken, "differing": differing, "size": len(host.state), **sizes}


def main(words: list[str]) -> None:
    """Compare the scenes."""
    steps, names = int(words[0]), words[1:]
    if names == ["--all"]:
        names = sorted(path.stem for path in SCENES.glob("*.toml"))
        module = kept_module() or module_of(units_of_module().values())
    else:
        module = small_module(names)
    for name in names:
        found = compare(module, Simulation(read_scene(SCENES / f"{name}.toml")), steps)
        print(json.dumps({"scene": name, **found}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
