"""Energies and momenta of a state, and the columns of the table."""

from __future__ import annotations

import numpy as np

from core.engine.model import LEDGER_SIZE, Inputs, Model, Work, point_states
from core.engine.program import ENERGY, call_phase, write_columns
from core.engine.rates import place
from core.engine.registry import SUBJECTS
from core.jit.kernel import kernel
from core.simulation.snapshot import Energy

ENERGY_COLUMNS = 5  # the last one is their sum


@kernel
def energies(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """Write kinetic, gravitational, magnetic and elastic energy [J] into `work.energy`. Places everything."""
    place(model, inputs, time, state, work)
    for k in range(len(work.energy)):
        work.energy[k] = 0.0
    call_phase(ENERGY, model, inputs, time, state, work, work.energy)


@kernel
def observe(
    model: Model, inputs: Inputs, times: np.ndarray, states: np.ndarray, work: Work, numbers: np.ndarray
) -> None:
    """Write into `numbers` (r, c) the columns of core.analysis.columns for states (r, k) at `times` (r,) [s]."""
    at = numbers.shape[1] - LEDGER_SIZE - ENERGY_COLUMNS
    for k in range(len(times)):
        state, out = states[k], numbers[k]
        energies(model, inputs, times[k], state, work)
        out[0], total = times[k], 0.0
        for j in range(ENERGY_COLUMNS - 1):
            out[at + j] = work.energy[j]
            total += work.energy[j]
        out[at + ENERGY_COLUMNS - 1] = total
        for j in range(LEDGER_SIZE):
            out[at + ENERGY_COLUMNS + j] = state[model.ledger + j]
        write_columns(model, inputs, times[k], state, work, out)


def observed(model: Model, inputs: Inputs, times: np.ndarray, states: np.ndarray, work: Work) -> np.ndarray:
    """(r, c) what core.analysis.columns names, for states (r, k) at `times` (r,) [s]."""
    of_things = sum(part.width(model) for part in SUBJECTS)
    numbers = np.empty((len(times), 1 + of_things + ENERGY_COLUMNS + LEDGER_SIZE))
    observe(model, inputs, times, states, work, numbers)
    return numbers


def energy(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> Energy:
    """Energies [J] of the state. Places everything."""
    energies(model, inputs, time, state, work)
    return Energy(*work.energy.tolist())


def momenta(model: Model, state: np.ndarray, work: Work, spin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Momentum (3,) [kg m/s] of everything together, and angular momentum (3,) [kg m^2/s] about the origin.

    Bodies are placed; `spin` (n, 3) [kg m^2/s] is I omega of each about its reference point, laboratory frame.
    """
    mass = model.bodies.mass[:, None]
    momentum = mass * (work.velocity + np.cross(work.angular_velocity, work.arm))
    angular = spin + np.cross(work.position, momentum) + mass * np.cross(work.arm, work.velocity)
    position, velocity = point_states(model, state)
    of_points = model.points.mass * velocity
    of_turning = np.cross(position, of_points, axis=0)
    return momentum.sum(axis=0) + of_points.sum(axis=1), angular.sum(axis=0) + of_turning.sum(axis=1)
