"""Units of a run: functions with argument types, which follow from its method, its hooks and its observer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np

from polhode.engine.diagnostics import energies
from polhode.engine.rates import rates
from polhode.integrators import AS_PRINTED, METHODS
from polhode.jit.kernel_struct import KernelStruct
from polhode.jit.simd import WIDTH
from polhode.process.messages import Message
from polhode.run.lanes.constants import LaneConstants
from polhode.run.lanes.tableau import TABLEAUS
from polhode.run.loop import advance, advance_divided, run_each
from polhode.run.method import (
    CompiledMethod,
    advance_types,
    begin,
    begin_types,
    loop_types,
    observer_types,
    run_types,
)
from polhode.run.neighbours import Chart
from polhode.run.observers.at_times import AtTimes, observe_at_times
from polhode.run.observers.axle_tangents import AxleTangents, observe_axle_tangents
from polhode.run.observers.features import Features, observe_features
from polhode.run.observers.joint_force import JointForce, observe_joint_force
from polhode.run.observers.recurrence import Recurrences, observe_recurrences
from polhode.run.observers.rest import Rest, observe_rest
from polhode.run.observers.section import Section, observe_section
from polhode.run.observers.tangents import Tangents, observe_tangents
from polhode.run.observers.wells import no_wells
from polhode.run.table_types import ROW as STATE
from polhode.run.table_types import step_types


@dataclass(frozen=True)
class Unit:
    """A compiled function and the types of its arguments.

    Two units with the same function and types are equal; `name` is "module:function", with a third part where a
    function is compiled for several types.
    """

    kernel: Any
    kinds: tuple[Any, ...]
    of: str = ""
    """Which types these are."""

    @property
    def name(self) -> str:
        return ":".join(filter(None, (self.kernel.py_func.__module__, self.kernel.__name__, self.of)))

    @property
    def is_kept(self) -> bool:
        """Whether it is compiled, in memory or on the disk; found without reading the code."""
        return bool(self.kernel.is_kept(self.kinds))

    @property
    def request(self) -> Message:
        """The message that asks another process to compile it."""
        return {"unit": self.name}, []

    def compile(self) -> None:
        """Compile it unless that has been done, and store the machine code on the disk."""
        self.kernel.compile(self.kinds)


class Work(Protocol):
    """Something made once, also by another process, and kept on the disk: a unit, or a shape of a mesh."""

    @property
    def name(self) -> str:
        """Unique."""

    @property
    def is_kept(self) -> bool:
        """Whether it is made; found without reading it."""

    @property
    def request(self) -> Message:
        """The message that asks another process to make it; its name is `unit` there."""

    def compile(self) -> None:
        """Make it unless that has been done."""


W = TypeVar("W", bound=Work)


def missing(units: Iterable[W]) -> list[W]:
    """Those that are not made yet, found without making or reading them."""
    return [unit for unit in units if not unit.is_kept]


def unit_of_method(name: str) -> Unit:
    """The steps of an integration method."""
    return Unit((METHODS | AS_PRINTED)[name].advance.native, advance_types())


def units_of_loop() -> list[Unit]:
    """The loop of steps without an observer."""
    return [Unit(advance, loop_types()), Unit(begin, begin_types())]


def unit_of_events() -> Unit:
    """The loop of steps that are divided where a law switches."""
    return Unit(advance_divided.native, loop_types())


def units_of_states() -> list[Unit]:
    """Rates and energies of a state, which methods call by address."""
    return [Unit(rates, (*step_types(), STATE)), Unit(energies, step_types())]


def units_of_observer(observe: Any) -> list[Unit]:
    """An observer (core/polhode/run/observers), and the loop of steps for its record."""
    record = RECORDS[observe]
    return [Unit(observe.native, observer_types(record)), Unit(run_each, run_types(record), type(record).__name__)]


def types_of_lanes(are_shared: bool) -> tuple[Any, Any]:
    """numba types of constants, of one scene in all lanes or of one in each, and of the table of a method."""
    rows, indices = np.zeros(0) if are_shared else np.zeros((0, WIDTH)), np.zeros((0, WIDTH), dtype=np.int64)
    constants = LaneConstants(
        0, 0, False, False, False, False, False, 1.0, rows, rows, rows, rows, rows, rows, indices, indices, np.zeros(0)
    )
    return constants._numba_type_, next(iter(TABLEAUS.values()))._numba_type_


COUNTS, ROW = np.zeros(0, dtype=np.int64), np.zeros(0)
ROWS, TABLES = np.zeros((0, 0)), np.zeros((0, 0, 0))
METHOD = CompiledMethod(0, 0, 0, 0, True, ROWS)
NO_CHART = Chart(COUNTS, ROW, COUNTS, COUNTS, TABLES, ROWS)
CHART = NO_CHART._numba_type_
RECORDS: dict[Any, KernelStruct] = {
    observe_at_times: AtTimes(COUNTS, ROW, COUNTS, COUNTS, ROW, ROWS, COUNTS, METHOD, ROW, ROW),
    observe_axle_tangents: AxleTangents(0, 0, COUNTS, 0, ROWS, TABLES, ROW, ROW, ROWS, ROW, ROWS),
    observe_features: Features(0, 0, 0, COUNTS, COUNTS, ROW, np.zeros((0, 0, 0, 0)), ROWS),
    observe_joint_force: JointForce(0, 0, COUNTS),
    observe_recurrences: Recurrences(0, COUNTS, COUNTS, ROWS, ROW, COUNTS, COUNTS),
    observe_rest: Rest(0, 0, 0, 0, 0.0, False, no_wells(), COUNTS, ROW, ROW, ROWS, COUNTS, COUNTS),
    observe_section: Section(0, 0, 0, 0, 0.0, COUNTS, ROW, ROWS, ROWS),
    observe_tangents: Tangents(0, 0, COUNTS, NO_CHART, ROWS, ROW, ROWS, ROWS, ROW, METHOD, COUNTS),
}
"""An empty record of each observer, for the types of its members."""
