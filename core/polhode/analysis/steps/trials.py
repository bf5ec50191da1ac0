"""Trial runs: how far the energy drifts with a step, from a state of a scene.

Limits of the linearised rates (stability.py) hold for small motions about one state. Whether a step is good depends on
the motion: its fastest part, impacts, close magnets. So steps are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import ceil, floor, inf, log10

import numpy as np

from polhode.analysis.steps.energy_drift import BAD, EARLY, HORIZON, SLIGHT, THERMAL, EnergyDrift
from polhode.data.input_checks import NO_END
from polhode.engine.compiled_scene import CompiledScene
from polhode.integrators import AS_PRINTED, METHODS
from polhode.jit.processor_time import worked
from polhode.simulation.diverged import Cancelled
from polhode.simulation.simulation import Diverged, Simulation

LOOKS = 100  # moments of a trial run at which the energy is compared
FEWEST = 10  # steps of a trial run
PIECE = 0.05  # [s] processor time between two calls of `check_cancelled`
TARGET = 0.3 * SLIGHT  # drift of a recommended step, since later parts of a run may be faster than the trial
SHARE = 0.5  # of the drift that must be gone with half of the step, where the step is to blame
FINEST = 1e-7  # [s] shortest step that is tried
ROUND = (5.0, 2.0, 1.0)  # steps are these times powers of ten

CheckCancelled = Callable[[], None]
"""Called between parts of the work; it may raise to end it."""


def never_cancelled() -> None:
    """Do nothing."""


@dataclass(frozen=True, eq=False)
class StepErrors:
    """Energy errors of a trial run with one step."""

    step: float  # [s]
    times: np.ndarray  # (n,) [s] since its begin
    lost: np.ndarray  # (n,) [J] energies that the ledger does not account for
    exchanged: np.ndarray  # (n,) [J] until then
    has_diverged: bool
    is_whole: bool  # it was not ended by its budget

    @property
    def seconds(self) -> float:
        """[s] simulated."""
        return float(self.times[-1])

    @property
    def is_still(self) -> bool:
        """Whether nothing moved."""
        return bool(self.exchanged[-1] <= THERMAL) and not self.has_diverged

    @property
    def scale(self) -> np.ndarray:
        """(n,) [J] what errors are relative to: the energy exchanged until then, or until EARLY."""
        early = self.exchanged[min(int(np.searchsorted(self.times, EARLY)), len(self.times) - 1)]
        return np.maximum(np.maximum(self.exchanged, early), THERMAL)

    @property
    def drift(self) -> float:
        """Largest energy error, relative to the energy exchanged; inf where the run diverged, 0 where nothing moved."""
        if self.has_diverged:
            return inf
        return 0.0 if self.is_still else float((np.abs(self.lost) / self.scale).max())

    def differs(self, finer: StepErrors) -> bool:
        """Whether a trial with a shorter step loses so much less or other energy that the step is the cause."""
        if self.has_diverged or finer.has_diverged:
            return True
        if finer.seconds == 0.0:
            return False
        until = min(self.seconds, finer.seconds)
        times = self.times[self.times <= until]
        lost, scale = (np.interp(times, finer.times, each) for each in (finer.lost, finer.scale))
        gap = np.abs(self.lost[: len(times)] - lost) / np.maximum(self.scale[: len(times)], scale)
        return float(gap.max(initial=0.0)) > SHARE * BAD


def tried(
    compiled: CompiledScene,
    method: str,
    step: float,
    time: float,
    state: np.ndarray,
    budget: float,
    check_cancelled: CheckCancelled = never_cancelled,
    horizon: float = HORIZON,
) -> StepErrors:
    """A run of `horizon` [s], and of FEWEST steps at least, from a state (k,) at `time` [s]; shorter where it would
    take more than `budget` [s] of processor time. `state` is not changed.
    """
    scene, begun = compiled.scene, worked()
    solver = scene.solver.model_copy(update={"method": method, "time_step": step})
    trial = scene.model_copy(update={"solver": solver})
    simulation = Simulation(trial, compiled=replace(compiled, scene=trial, data_end=NO_END))
    simulation.restore(time, 0, state)
    drift = EnergyDrift(simulation.snapshot())
    count = max(ceil(horizon / step), FEWEST)
    times, lost, exchanged, piece, done, diverged = [0.0], [0.0], [0.0], 1, 0, False
    while done < count and not diverged and worked() - begun < budget:
        check_cancelled()
        taken, since = min(piece, max(count // LOOKS, 1), count - done), worked()
        try:
            simulation.advance_steps(taken)
        except (Diverged, Cancelled):
            diverged = True
        done += taken
        piece = 2 * piece if worked() - since < PIECE / 2 else max(piece // 2, 1)
        if done * LOOKS >= len(times) * min(count, LOOKS) or done == count:
            times.append(done * step)
            lost.append(drift.lost(simulation.snapshot()))
            exchanged.append(drift.exchanged)
    found = np.array(times), np.array(lost), np.array(exchanged)
    return StepErrors(step, *found, diverged, is_whole=diverged or done >= count)


def accurate_step(
    compiled: CompiledScene,
    method: str,
    longest: float,
    time: float,
    state: np.ndarray,
    budget: float,
    check_cancelled: CheckCancelled = never_cancelled,
) -> float | None:
    """Longest round step [s] up to `longest` whose trial run from a state (k,) drifts by TARGET at most.

    The energy error of a method of order p shrinks with the step^p: steps that can't do are left out. None where none
    is found within `budget` [s] of processor time, or where nothing moves.
    """
    order, begun, cap = (METHODS | AS_PRINTED)[method].ORDER, worked(), longest
    for step in round_steps(min(longest, HORIZON / FEWEST)):
        if step > cap:
            continue
        trial = tried(compiled, method, step, time, state, budget - (worked() - begun), check_cancelled)
        if trial.is_still or (not trial.is_whole and trial.seconds < FEWEST * step):
            return None
        drift = trial.drift * max(1.0, HORIZON / trial.seconds)
        if drift <= TARGET:
            return step
        if worked() - begun > budget:
            return None
        cap = step * max((TARGET / drift) ** (1 / order), 0.1) if drift < 1 else step
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
