"""Compiled functions that sweeps need besides those of their scenes (core/polhode/simulation/units.py)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import typeof, types

from polhode.engine.compile import CompiledScene
from polhode.integrators import runge_kutta_4
from polhode.jit.simd import WIDTH
from polhode.physics.bodies.arrays import AXLE
from polhode.run.table_types import COUNT, NUMBER, ROW, ROWS, table_types
from polhode.scene.variants.sweep import SweepSettings
from polhode.simulation.units import Unit, unit_of_method
from polhode.sweep.chunks import ChunkRunner
from polhode.sweep.lanes.constants import LaneConstants
from polhode.sweep.lanes.loop import run_lanes
from polhode.sweep.lanes.tableau import TABLEAUS
from polhode.sweep.quantities.axle_motion import advance_axle, axle_exponents
from polhode.sweep.quantities.grouped import run_features
from polhode.sweep.quantities.lyapunov import run_exponents
from polhode.sweep.quantities.recurrence import run_recurrences
from polhode.sweep.quantities.section import run_section
from polhode.sweep.quantities.steps import MULTI_STEP
from polhode.sweep.runs.cells import run_cells
from polhode.sweep.runs.checks import kind_of
from polhode.sweep.runs.tangents import Chart, displace
from polhode.sweep.runs.wells import no_wells

COUNTS, TABLE = types.Array(COUNT, 1, "C"), types.Array(COUNT, 2, "C")
STATUSES = types.Array(types.uint8, 1, "C")
TWO, THREE = typeof((1, 2)), typeof((1, 2, 3))  # addresses
WELLS = no_wells()._numba_type_
CHART = types.NamedTuple((COUNTS, ROW, COUNTS, COUNTS, types.Array(NUMBER, 3, "C"), ROWS), Chart)


def _cells() -> Unit:
    model, inputs, work, _ = table_types()
    plan, results = typeof((1, 1.0, 1, 1, 1, True, True)), types.Tuple((ROWS, STATUSES, COUNTS))
    return Unit(run_cells, (THREE, model, inputs, ROWS, ROWS, work, plan, NUMBER, WELLS, ROW, ROW, results))


def types_of_lanes(are_shared: bool) -> tuple[Any, Any]:
    """numba types of constants, of one scene in all lanes or of one in each, and of the table of a method."""
    rows = np.zeros(0) if are_shared else np.zeros((0, WIDTH))
    constants = LaneConstants(0, 0, False, False, False, False, 1.0, rows, rows, rows, rows, rows)
    return constants._numba_type_, next(iter(TABLEAUS.values()))._numba_type_


def _lanes() -> Unit:
    plan, results = typeof((1, 1.0, 1, True)), types.Tuple((STATUSES, COUNTS))
    return Unit(run_lanes, (*types_of_lanes(are_shared=True), WELLS, plan, ROWS, ROWS, TABLE, COUNTS, results))


def _features() -> Unit:
    model, inputs, work, _ = table_types()
    plan, found = typeof((1, 1, 1.0, 1)), types.Array(NUMBER, 3, "C")
    return Unit(run_features, (TWO, model, inputs, ROW, ROWS, work, plan, COUNTS, ROW, found, ROW))


def _recurrences() -> Unit:
    model, inputs, work, _ = table_types()
    plan = typeof((1, 1, 1.0, 1))
    return Unit(run_recurrences, (TWO, model, inputs, ROW, ROWS, work, plan, COUNTS, ROWS, ROW, COUNTS, ROW))


def _section() -> Unit:
    model, inputs, work, _ = table_types()
    plan, watched = typeof((1, 1, 1.0, 1)), typeof((1, 1, 1.0))
    return Unit(run_section, (TWO, model, inputs, ROW, ROWS, work, plan, watched, ROW, ROW, ROW))


def _exponents() -> Unit:
    model, inputs, work, _ = table_types()
    plan = typeof((1, 1, 1.0, 1))
    return Unit(run_exponents, (COUNT, model, inputs, ROWS, ROWS, work, CHART, ROWS, ROW, plan, ROWS))


def _of_axles() -> list[Unit]:
    harmonics = types.Array(NUMBER, 3, "C")
    return [
        Unit(axle_exponents, (harmonics, ROW, ROW, typeof((1, 1.0, 1)), ROWS, ROW)),
        Unit(advance_axle, (harmonics, ROW, ROW, COUNT, COUNT, NUMBER)),
    ]


def _perturbation() -> Unit:
    return Unit(displace, (CHART, ROW, ROW, ROW))


def units_of_sweeps() -> list[Unit]:
    """Every unit that a sweep of any scene may need."""
    quantities = [_features(), _recurrences(), _section(), _exponents(), *_of_axles()]
    return [_cells(), _lanes(), _perturbation(), *quantities]


def units_to_sweep(chunks: ChunkRunner) -> list[Unit]:
    """Units that a sweep needs, besides those of its compiled scene."""
    built, sweep = chunks.built, chunks.variation.sweep
    found = [_perturbation()] if kind_of(sweep) == "perturbation" else []
    if not chunks.has_quantity:
        in_lanes = [_lanes()] if chunks.lane_body is not None else []
        return [*found, *in_lanes, *([_cells()] if not in_lanes or chunks.has_lengths else [])]
    return [*found, *_of_quantity(built, sweep)]


def _of_quantity(built: CompiledScene, sweep: SweepSettings) -> list[Unit]:
    """Units of an outcome with a runner of its own; RK4 stands in for methods of several steps."""
    method = [unit_of_method(runge_kutta_4.NAME)] if built.scene.solver.method in MULTI_STEP else []
    if sweep.outcome.grid:
        return [*method, _recurrences()]
    if sweep.outcome.features:
        return [*method, _features()]
    is_axle = (built.model.bodies.support == AXLE).any()  # its equation of motion may stand in for the steps
    general = _exponents() if sweep.outcome.kind == "lyapunov" else _section()
    return [*method, *(_of_axles() if is_axle else []), general]
