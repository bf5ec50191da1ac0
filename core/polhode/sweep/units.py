"""Compiled functions that sweeps need besides those of their scenes (core/polhode/simulation/units.py)."""

from __future__ import annotations

from numba import typeof, types

from polhode.run.lanes.loop import run_lanes
from polhode.run.neighbours import displace
from polhode.run.observers.rest import observe_rest
from polhode.run.observers.wells import no_wells
from polhode.run.table_types import COUNT, ROW, ROWS
from polhode.run.units import CHART, Unit, types_of_lanes, units_of_observer
from polhode.sweep.checks import kind_of
from polhode.sweep.chunks import ChunkRunner
from polhode.sweep.outcomes.outcome_runner import all_runs

COUNTS, TABLE = types.Array(COUNT, 1, "C"), types.Array(COUNT, 2, "C")
STATUSES = types.Array(types.uint8, 1, "C")
WELLS = no_wells()._numba_type_


def _lanes() -> Unit:
    plan, results = typeof((1, 1.0, 1, True)), types.Tuple((STATUSES, COUNTS))
    return Unit(run_lanes, (*types_of_lanes(are_shared=True), WELLS, plan, ROWS, ROWS, TABLE, COUNTS, results))


def _perturbation() -> Unit:
    return Unit(displace, (CHART, ROW, ROW, ROW))


def units_of_sweeps() -> list[Unit]:
    """Every unit that a sweep of any scene may need."""
    units = [_lanes(), _perturbation(), *units_of_observer(observe_rest)]
    return [*units, *(unit for runs in all_runs() for unit in runs.units(None))]


def units_to_sweep(chunks: ChunkRunner) -> list[Unit]:
    """Units that a sweep needs, besides those of its compiled scene."""
    compiled, sweep = chunks.compiled, chunks.variation.sweep
    found = [_perturbation()] if kind_of(sweep) == "perturbation" else []
    if chunks.runs is not None:
        return [*found, *chunks.runs.units(compiled)]
    in_lanes = [_lanes()] if chunks.lane_body is not None else []
    return [*found, *in_lanes, *(units_of_observer(observe_rest) if not in_lanes or chunks.has_lengths else [])]
