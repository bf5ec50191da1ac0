"""Estimation of the step for an energy error of 1e-3, by trial runs from the current state. No Qt.

The largest stable step says only when a motion begins to grow by itself; well below it the energy may still decay or
drift by percents per second. How fast depends on the motion, so it is measured rather than derived.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import ceil, floor, inf, log10

import numpy as np

from app.runner.energy_drift import EnergyDrift
from app.runner.pacing import worked
from core.analysis.steps.limits import may_act_later, shortest
from core.engine.compile import CompiledScene
from core.simulation.simulation import Cancelled, Diverged, Simulation

ACCURACY = 1e-3  # energy error, relative to the energy exchanged
WINDOW = 1.0  # [s] simulated time of a trial run
FEWEST = 10  # steps of a trial run
LOOKS = 40  # snapshots of a trial run in which the energy is compared
BUDGET = 1.0  # [s] CPU time of all trial runs
FORECAST = 0.05  # [s] CPU time of a trial run from which on the rest is estimated
LATER = 0.15  # of its largest stable step, for a contact that is open: rk4 then keeps its energy to 1e-3 per period
FINEST = 1e-6  # [s] shortest step that is tried
ROUND = (5.0, 2.0, 1.0)  # steps are these times powers of ten


def accurate_step(
    built: CompiledScene, time: float, state: np.ndarray, stable: float, breathe: Callable[[], None] = lambda: None
) -> float | None:
    """Longest round step [s] at which the energy error stays within ACCURACY for WINDOW after a state (k,).

    Round steps are 1, 2 and 5 times powers of ten; they are tried downwards from `stable` [s], the largest stable step,
    from what contacts allow that may close later, or from WINDOW / FEWEST. None where no step is found within BUDGET:
    the scene is too large, or its energy has another error, such as that of a damper that acts at once. `breathe` is
    called between batches of steps, and may raise to end the work.
    """
    spent, method = 0.0, built.scene.solver.method
    later, _ = shortest(may_act_later(built), method)
    for step in round_steps(min(stable, LATER * later, WINDOW / FEWEST)):
        begun = worked()
        error = _energy_error(built, step, time, state, BUDGET - spent, breathe)
        if error is None:
            return None
        if error <= ACCURACY:
            return step
        spent += worked() - begun
    return None


def round_steps(longest: float) -> Iterator[float]:
    """Steps [s] of 1, 2 and 5 times powers of ten, from `longest` down to FINEST."""
    if not 0 < longest < inf:
        return
    power = floor(log10(longest))
    while True:
        for factor in ROUND:
            step = float(f"{factor:g}e{power}")
            if step < FINEST:
                return
            if step <= longest:
                yield step
        power -= 1


def _energy_error(
    built: CompiledScene, step: float, time: float, state: np.ndarray, budget: float, breathe: Callable[[], None]
) -> float | None:
    """Largest energy error of a trial run with `step` [s], relative to the energy exchanged; inf where it diverges.

    None where it would take more than `budget` [s] of CPU time.
    """
    scene, begun = built.scene, worked()
    trial = scene.model_copy(update={"solver": scene.solver.model_copy(update={"time_step": step})})
    simulation = Simulation(trial, built=replace(built, scene=trial))
    simulation.go_back(time, 0, state)
    drift = EnergyDrift(simulation.snapshot())
    count = ceil(WINDOW / step)
    batch = max(count // LOOKS, 1)
    error, done = 0.0, 0
    while done < count:
        breathe()
        try:
            simulation.advance_steps(batch)
        except (Diverged, Cancelled):
            return inf
        done += batch
        error = max(error, abs(drift.lost(simulation.snapshot())))
        used = worked() - begun
        if used > FORECAST and used * count > budget * done:
            return None
    return error / drift.exchanged if drift.exchanged > 0 else 0.0
