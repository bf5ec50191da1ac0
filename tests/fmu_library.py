"""A library of FMUs with the units of a few scenes, for this platform; building the whole one takes minutes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from polhode import Scene, Simulation
from polhode.compilation.fmi_library.build import library_of
from polhode.compilation.fmi_library.library import FmiLibrary
from polhode.compilation.fmi_library.platforms import PLATFORMS
from polhode.compilation.web_module.units import units_of_module
from polhode.exporters.fmi.settable import changeable
from polhode.formulas import web_assembly
from polhode.mesh.mesh import Meshes

CALLED = (
    *("polhode.run.loop:advance", "polhode.run.method:begin", "polhode.engine.rates:place"),
    *("polhode.engine.diagnostics:energies", "polhode.engine.diagnostics:observe"),
)
"""By the library itself."""


def library_for(scenes: Iterable[Scene]) -> FmiLibrary:
    """A library of no more units than these scenes need; the target of this process must be GENERIC."""
    names = list[str](CALLED)
    for scene in scenes:
        image = changeable(Simulation(scene), Meshes()).image
        names += [*image.units, *(name for form in image.formulas for name in web_assembly.functions_of(form))]
    every = units_of_module()
    return library_of([every[name] for name in dict.fromkeys(names)], _runnable())


def _runnable() -> Sequence:
    """The platform that tests run on."""
    return [platform for platform in PLATFORMS if platform.is_run]
