"""Compiled functions that sweeps need besides those of their scenes (core/polhode/simulation/units.py)."""

from __future__ import annotations

from numba import typeof, types

from polhode.engine.compile import CompiledScene
from polhode.integrators import runge_kutta_4
from polhode.physics.bodies.arrays import AXLE
from polhode.run.lanes.loop import run_lanes
from polhode.run.neighbours import displace
from polhode.run.observers.features import observe_features
from polhode.run.observers.recurrence import observe_recurrences
from polhode.run.observers.rest import observe_rest
from polhode.run.observers.section import observe_section
from polhode.run.observers.tangents import observe_tangents
from polhode.run.observers.wells import no_wells
from polhode.run.table_types import COUNT, NUMBER, ROW, ROWS
from polhode.run.units import CHART, Unit, types_of_lanes, unit_of_method, units_of_observer
from polhode.scene.variants.sweep import SweepSettings
from polhode.sweep.checks import kind_of
from polhode.sweep.chunks import ChunkRunner
from polhode.sweep.quantities.axle_motion import axle_exponents
from polhode.sweep.quantities.lyapunov import MULTI_STEP

COUNTS, TABLE = types.Array(COUNT, 1, "C"), types.Array(COUNT, 2, "C")
STATUSES = types.Array(types.uint8, 1, "C")
WELLS = no_wells()._numba_type_


def _lanes() -> Unit:
    plan, results = typeof((1, 1.0, 1, True)), types.Tuple((STATUSES, COUNTS))
    return Unit(run_lanes, (*types_of_lanes(are_shared=True), WELLS, plan, ROWS, ROWS, TABLE, COUNTS, results))


def _perturbation() -> Unit:
    return Unit(displace, (CHART, ROW, ROW, ROW))


def _of_axles() -> Unit:
    return Unit(axle_exponents, (types.Array(NUMBER, 3, "C"), ROW, ROW, typeof((1, 1.0, 1)), ROWS, ROW))


def units_of_sweeps() -> list[Unit]:
    """Every unit that a sweep of any scene may need."""
    observers = observe_rest, observe_features, observe_recurrences, observe_section, observe_tangents
    return [_lanes(), _perturbation(), _of_axles(), *(unit for each in observers for unit in units_of_observer(each))]


def units_to_sweep(chunks: ChunkRunner) -> list[Unit]:
    """Units that a sweep needs, besides those of its compiled scene."""
    built, sweep = chunks.built, chunks.variation.sweep
    found = [_perturbation()] if kind_of(sweep) == "perturbation" else []
    if not chunks.has_quantity:
        in_lanes = [_lanes()] if chunks.lane_body is not None else []
        return [*found, *in_lanes, *(units_of_observer(observe_rest) if not in_lanes or chunks.has_lengths else [])]
    return [*found, *_of_quantity(built, sweep)]


def _of_quantity(built: CompiledScene, sweep: SweepSettings) -> list[Unit]:
    """Units of an outcome with a runner of its own; RK4 takes the place of methods of several steps for exponents."""
    if sweep.outcome.grid:
        return units_of_observer(observe_recurrences)
    if sweep.outcome.features:
        return units_of_observer(observe_features)
    if sweep.outcome.kind != "lyapunov":
        return units_of_observer(observe_section)
    method = [unit_of_method(runge_kutta_4.NAME)] if built.scene.solver.method in MULTI_STEP else []
    is_axle = (built.model.bodies.support == AXLE).any()  # its variational equation may be all that is needed
    return [*method, *([_of_axles()] if is_axle else []), *units_of_observer(observe_tangents)]
