"""Rates and energies of many states of one scene in one compiled call, for searches and maps of potentials."""

from __future__ import annotations

import numpy as np

from polhode.engine.diagnostics import energies
from polhode.engine.model import Inputs, Model, Work
from polhode.engine.rates import rates
from polhode.jit.kernel import kernel


@kernel
def rates_of_states(
    model: Model, inputs: Inputs, time: float, states: np.ndarray, work: Work, found: np.ndarray
) -> None:
    """Write d(state)/dt of each of `states` (m, k) at `time` [s] into `found` (m, k). The states are placed."""
    for i in range(len(states)):
        rates(model, inputs, time, states[i], work, found[i])


@kernel
def energies_of_states(
    model: Model, inputs: Inputs, time: float, states: np.ndarray, work: Work, found: np.ndarray
) -> None:
    """Write the energies [J] of each of `states` (m, k) at `time` [s] into `found` (m, ENERGIES): kinetic first.

    The states are placed; the order is that of core/polhode/engine/ledger.py.
    """
    for i in range(len(states)):
        energies(model, inputs, time, states[i], work)
        for j in range(len(work.energy)):
            found[i, j] = work.energy[j]
