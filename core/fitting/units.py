"""Compiled functions that a fit needs besides those of its scene."""

from __future__ import annotations

from numba import typeof, types

from core.analysis.observe_at import observe_at
from core.simulation.table_types import COUNT, NUMBER, ROW, ROWS, table_types
from core.simulation.units import Unit


def units_of_fits() -> list[Unit]:
    """Units of computed columns at the times of data."""
    model, inputs, work, _ = table_types()
    spare, chosen = types.Tuple((ROW, ROWS)), types.Array(COUNT, 1, "C")
    kinds = typeof((1, 2, 3)), model, inputs, ROW, ROWS, work, NUMBER, ROW, spare, ROW, chosen, ROWS
    return [Unit(observe_at, kinds)]
