"""Columns of coils and circuits in tables and plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polhode.physics.coils.wiring import wirings
from polhode.scene.column_names import Columns, vectors

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene

COLUMNS = {"current": "A", "voltage": "V", "flux": "Wb", "heat": "W"}
FORCE = {"force": "N"}
WIDTH = 7


def columns(compiled: CompiledScene) -> Columns:
    """Of each coil current, voltage at its ends, flux linkage, heat of its resistance, and the force on it; the charges
    of capacitors.
    """
    for coil in compiled.scene.coil:
        scalars = [(f"{coil.name}.{what}", unit) for what, unit in COLUMNS.items()]
        yield coil.name, WIDTH, [*scalars, *vectors([coil.name], FORCE)]
    for one in wirings(compiled.scene.coil, compiled.scene.circuit):
        if one.elastance > 0.0:
            yield one.name, 1, [(f"{one.name}.charge", "C")]
