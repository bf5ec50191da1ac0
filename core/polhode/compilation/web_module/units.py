"""Units of the module: what runs and outputs of any scene call, all methods, and what runs cells of maps until they
rest; nothing that compiles a scene.
"""

from __future__ import annotations

from polhode.engine.diagnostics import energies, observe
from polhode.engine.rates import place, rates
from polhode.physics.contact.penetration import wall_displacements
from polhode.physics.sensor.sensor_motion import sensor_distance
from polhode.run.loop import advance
from polhode.run.method import begin
from polhode.run.observers.rest import observe_rest
from polhode.run.units import Unit, units_of_observer
from polhode.simulation.take_snapshot import measure
from polhode.simulation.units import units_of_hooks, units_of_scenes

CALLED = (advance, begin, place, rates, energies, measure, observe, sensor_distance, wall_displacements)
"""Kernels that a page or another host calls; hooks, methods and `advance_divided` are called by these."""
CALLED_FOLDERS = ("polhode.integrators.", "polhode.jit.libm.")
ENTRY = {f"{kernel.py_func.__module__}:{kernel.__name__}" for kernel in CALLED}


def units_of_module() -> dict[str, Unit]:
    """Units of the whole module by name."""
    hooks = {unit.name for unit in units_of_hooks()}
    of_scenes = (unit for unit in units_of_scenes() if unit.name in hooks or is_of_run(unit))
    return {unit.name: unit for unit in (*of_scenes, *units_of_observer(observe_rest))}


def is_of_run(unit: Unit) -> bool:
    """Whether a unit is a method of integration, the loop of divided steps, an elementary function, which formulas
    call, or a kernel that a host calls.
    """
    module, name = unit.kernel.py_func.__module__, unit.kernel.__name__
    return name == "advance_divided" or module.startswith(CALLED_FOLDERS) or unit.name in ENTRY
