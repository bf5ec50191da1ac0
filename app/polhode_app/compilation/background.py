"""Compilation of every unit by a process of lowest priority. No Qt."""

from __future__ import annotations

from polhode.compilation.all_units import all_units
from polhode.jit.storage.kept import FILES
from polhode.jit.storage.shipped_code import is_generic
from polhode.run.units import missing
from polhode_app.compilation.preparation import CompilerPool
from polhode_app.compilation.processes import BACKGROUND


def start_background_compilation() -> CompilerPool | None:
    """Start a child process of lowest priority that compiles the units any scene may need; None if none is missing.

    Where this process uses shipped code, that one compiles for this processor, and is asked for every unit.
    """
    every = list(all_units().values()) if FILES.usable else []
    units = every if is_generic() else missing(every)
    try:
        return CompilerPool(units, 1, BACKGROUND) if units else None
    except OSError:
        return None
