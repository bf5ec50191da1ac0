"""Addresses and scratch arrays of the steps of one compiled scene, for compiled loops over its states."""

from __future__ import annotations

import numpy as np
from numba import typeof

from polhode.analysis.diagnostics import ENERGY_COLUMNS, energies
from polhode.engine.compile import STOP_STEPS, CompiledScene
from polhode.engine.ledger import LEDGER_SIZE
from polhode.engine.model import Clock
from polhode.engine.rates import rates
from polhode.engine.work import make_work
from polhode.integrators import AS_PRINTED, METHODS, runge_kutta_4
from polhode.run.table_types import COUNT, ROW, ROWS, step_types, table_types

MULTI_STEP = ("adams_bashforth_2", "adams_bashforth_2_as_printed")  # their states are no points of the state space


class Steps:
    """The method of a scene by its address, with scratch arrays of its own: one for each thread.

    Methods of several steps remember earlier rates, which neighbouring states do not share: RK4 stands in for them.
    """

    def __init__(self, built: CompiledScene, step: float):
        """Link the hooks of the scene, which compiles them if necessary. step: [s]"""
        self.built, self.work = built, make_work(built.model, built.inputs)
        name = built.scene.solver.method
        method = runge_kutta_4 if name in MULTI_STEP else (METHODS | AS_PRINTED)[name]
        model, inputs, work, _ = table_types()
        kinds = (model, inputs, ROW, ROWS, work, typeof(Clock(0.0, 0.0, 0)), COUNT)
        self.advance = method.advance.address(kinds)
        self.measure = energies.address(step_types())
        self.rates = rates.address((*step_types(), ROW))
        self.history = np.zeros((method.HISTORY, len(built.start)))
        self.row = np.zeros(self.work.program.width[0] + ENERGY_COLUMNS + LEDGER_SIZE)
        self.set_step(step)

    def set_step(self, step: float) -> None:
        """Take steps of this length [s] from now on."""
        self.work.step[0], self.work.stop_time[0] = step, STOP_STEPS * step

    def cancel(self) -> None:
        """End the run before its next step; other threads may call this."""
        self.work.cancel[0] = 1

    @property
    def is_cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return bool(self.work.cancel[0])
