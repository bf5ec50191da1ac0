"""Energies and momenta of a state, and the columns of the table.

Each subject adds its own part in a hook (core/polhode/engine/part.py): potentials and kinetic energy in the phase
ENERGY, momenta in MOMENTUM, columns in OBSERVE. All functions place the state, which writes world positions into
`work`, and completes coordinates of the state that depend on others.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.ledger import LEDGER_SIZE, sum_in_order
from polhode.engine.model import Inputs, Model, Work
from polhode.engine.program import ENERGY, MOMENTUM, call_phase, write_columns
from polhode.engine.rates import place
from polhode.jit.kernel import kernel

ENERGY_COLUMNS = 5  # the last one is the sum


@kernel
def energies(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """Write the energies [J] to `work.energy` (ENERGIES,) by core/polhode/engine/ledger.py; places the state."""
    place(model, inputs, time, state, work)
    for k in range(len(work.energy)):
        work.energy[k] = 0.0
    call_phase(ENERGY, model, inputs, time, state, work, work.energy)


@kernel
def observe(
    model: Model, inputs: Inputs, times: np.ndarray, states: np.ndarray, work: Work, numbers: np.ndarray
) -> None:
    """Write into `numbers` (r, c) the columns of polhode.analysis.columns for states (r, k) at `times` (r,) [s].

    All rows have the same `inputs`. The states are placed.
    """
    for k in range(len(times)):
        energies(model, inputs, times[k], states[k], work)
        write_row(model, inputs, times[k], states[k], work, numbers[k])


@kernel
def write_row(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> None:
    """Write the columns of polhode.analysis.columns for one state into `out` (c,), just after `energies` of it.

    time [s], then the columns of the subjects, ENERGY_COLUMNS energies [J] of which the last is their sum with those of
    the centrifugal force and of forces by formulas, LEDGER_SIZE lines of the ledger [J]. Overwrites `work.energy`.
    """
    at = len(out) - LEDGER_SIZE - ENERGY_COLUMNS
    out[0], total = time, 0.0
    for j in range(ENERGY_COLUMNS - 1):
        out[at + j] = work.energy[j]
    for j in range(len(work.energy)):
        total += work.energy[j]
    out[at + ENERGY_COLUMNS - 1] = total
    for j in range(LEDGER_SIZE):
        out[at + ENERGY_COLUMNS + j] = state[model.ledger + j]
    write_columns(model, inputs, time, state, work, out)


def width(work: Work) -> int:
    """Number of columns of the table."""
    return int(work.program.width[0]) + ENERGY_COLUMNS + LEDGER_SIZE


def observed(model: Model, inputs: Inputs, times: np.ndarray, states: np.ndarray, work: Work) -> np.ndarray:
    """(r, c) columns of polhode.analysis.columns for states (r, k) at `times` (r,) [s], which are placed."""
    numbers = np.empty((len(times), width(work)))
    observe(model, inputs, times, states, work, numbers)
    return numbers


def total_energy(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> float:
    """Sum of the energies [J] of the state (k,), which is placed."""
    energies(model, inputs, time, state, work)
    return sum_in_order(work.energy.tolist())


@kernel
def momenta(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, found: np.ndarray) -> None:
    """Write momentum [kg m/s] and angular momentum [kg m^2/s] about the origin of the placed state to `found` (6,)."""
    for k in range(len(found)):
        found[k] = 0.0
    call_phase(MOMENTUM, model, inputs, time, state, work, found)
