"""Compiled functions that a fit needs besides those of its scene."""

from __future__ import annotations

import numpy as np
from numba import typeof, types

from core.analysis.observe_at import observe_parts
from core.physics.magnets.field_in_space import fields, sources_of
from core.simulation.table_types import COUNT, NUMBER, ROW, ROWS, table_types
from core.simulation.units import Unit
from core.sweep.lanes.observing import observe_lanes
from core.sweep.runs.tangents import difference, displace
from core.sweep.units import CHART, types_of_lanes


def units_of_fits() -> list[Unit]:
    """Units of computed columns at the times of data, of coordinates of states, and of the magnetic field at places."""
    model, inputs, work, _ = table_types()
    spare = types.Tuple((ROW, ROWS))
    no_dipoles = np.zeros((0, 3)), np.zeros((0, 3))
    counts, table = types.Array(COUNT, 1, "C"), types.Array(COUNT, 2, "C")
    tables = model, inputs, ROWS, ROWS, work
    kinds = (typeof((1, 2, 3)), *tables, typeof((1.0, True)), table, counts, ROW, spare, ROW, counts, ROWS)
    return [
        Unit(observe_parts, kinds),
        Unit(observe_lanes, (*types_of_lanes(), NUMBER, table, ROWS, counts, table, ROWS, ROWS)),
        Unit(difference, (CHART, ROW, ROW, ROW)),
        Unit(displace, (CHART, ROW, ROW, ROW)),
        Unit(fields, (ROWS, typeof(sources_of(*no_dipoles, np.zeros(3), 0.0)), ROWS)),
    ]
