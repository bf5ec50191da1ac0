"""Every unit that the program may need: those of scenes, of sweeps and of fits."""

from __future__ import annotations

from functools import cache

from polhode.fitting.units import units_of_fits
from polhode.run.units import Unit
from polhode.simulation.units import units_of_scenes
from polhode.sweep.units import units_of_sweeps


@cache
def all_units() -> dict[str, Unit]:
    """Every unit by its name, those that others contain first."""
    units = [*units_of_scenes(), *units_of_sweeps(), *units_of_fits()]
    return {unit.name: unit for unit in units}
