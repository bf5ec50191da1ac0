"""Compiled functions that comparisons and fits need besides those of their scene."""

from __future__ import annotations

import numpy as np
from numba import typeof, types

from polhode.analysis.observe_at import observe_parts
from polhode.physics.magnets.field_in_space import fields, sources_of
from polhode.run.table_types import NUMBER, ROW, ROWS, table_types
from polhode.simulation.units import Unit
from polhode.sweep.lanes.observing import observe_lanes
from polhode.sweep.runs.tangents import difference, displace
from polhode.sweep.units import CHART, COUNTS, TABLE, types_of_lanes


def units_of_comparisons() -> list[Unit]:
    """Units of computed columns at the times of data, and of the magnetic field at places."""
    model, inputs, work, _ = table_types()
    spare = types.Tuple((ROW, ROWS))
    no_dipoles = np.zeros((0, 3)), np.zeros((0, 3))
    kinds = (typeof((1, 2, 3)), model, inputs, ROWS, ROWS, work, typeof((1.0, True)), TABLE, COUNTS)
    return [
        Unit(observe_parts, (*kinds, ROW, spare, ROW, COUNTS, ROWS)),
        Unit(fields, (ROWS, typeof(sources_of(*no_dipoles, np.zeros(3), 0.0)), ROWS)),
    ]


def units_of_fits() -> list[Unit]:
    """Units of comparisons, of runs in SIMD lanes, and of coordinates of states."""
    return [
        *units_of_comparisons(),
        Unit(observe_lanes, (*types_of_lanes(are_shared=False), NUMBER, TABLE, ROWS, COUNTS, TABLE, ROWS, ROWS)),
        Unit(difference, (CHART, ROW, ROW, ROW)),
        Unit(displace, (CHART, ROW, ROW, ROW)),
    ]
