"""Compiled functions that comparisons and fits need besides those of their scene."""

from __future__ import annotations

import numpy as np
from numba import typeof, types

from polhode.physics.magnets.field_in_space import fields, sources_of
from polhode.run.lanes.observing import observe_lanes
from polhode.run.neighbours import difference, displace
from polhode.run.observers.at_times import observe_at_times
from polhode.run.table_types import COUNT, NUMBER, ROW, ROWS
from polhode.run.units import CHART, Unit, types_of_lanes, units_of_observer


def units_of_comparisons() -> list[Unit]:
    """Units of computed columns at the times of data, and of the magnetic field at places."""
    no_dipoles = np.zeros((0, 3)), np.zeros((0, 3))
    sources = sources_of(*no_dipoles, np.zeros(3), 0.0)
    return [*units_of_observer(observe_at_times), Unit(fields, (ROWS, typeof(sources), ROWS))]


COUNTS, TABLE = types.Array(COUNT, 1, "C"), types.Array(COUNT, 2, "C")


def units_of_fits() -> list[Unit]:
    """Units of comparisons, of runs in SIMD lanes, and of coordinates of states."""
    return [
        *units_of_comparisons(),
        Unit(observe_lanes, (*types_of_lanes(are_shared=False), NUMBER, TABLE, ROWS, COUNTS, TABLE, ROWS, ROWS)),
        Unit(difference, (CHART, ROW, ROW, ROW)),
        Unit(displace, (CHART, ROW, ROW, ROW)),
    ]
