"""The loop of steps: the clock, the batches, their observers, and the stop on a state that is not finite."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import numpy as np

from core.analysis.diagnostics import energy
from core.analysis.model_warnings import ModelWarnings
from core.engine.compile import STOP_STEPS, CompiledScene
from core.engine.model import Clock, Inputs
from core.engine.rates import rates
from core.engine.work import link, make_work, subjects_in
from core.integrators import AS_PRINTED, METHODS
from core.physics.grab.interactions import Grip
from core.physics.modal.mode_control import mute_modes
from core.scene.problem import Problem
from core.scene.scene import Scene
from core.simulation.diverged import Diverged as Diverged
from core.simulation.diverged import diverged
from core.simulation.helper_thread import HelperThread
from core.simulation.sampler import StateSampler
from core.simulation.snapshot import Snapshot
from core.simulation.take_snapshot import take_snapshot

WHOLE = 1e-6  # of a step: closer than this to a whole number of steps is whole, for seconds are not exact in binary


class SteppedScene:
    """A compiled scene with its state, advanced in batches of steps.

    time_step [s] is the scene's; `advance` takes as many whole steps as fit.
    """

    time_step: float  # [s]
    steps: int  # since the start
    _state: np.ndarray  # (k,)
    _clock: Clock
    _silent: frozenset[tuple[str, int]]
    _watch: ModelWarnings

    def _take(self, built: CompiledScene) -> None:
        self._silent = frozenset((name, mode) for name, mode in self._silent if mode < built.modes_kept(name))
        self._whole, self._built = built, mute_modes(built, self._silent)
        self._inputs: Inputs = built.inputs
        self._grip: Grip | None = None
        self._watch.take(built)
        self._work, self._linked = make_work(built.model, built.inputs), subjects_in(built.model, built.inputs)
        self._help = HelperThread(built.model, self._work)
        self._samples = StateSampler(self._work)
        self._method = (METHODS | AS_PRINTED)[built.scene.solver.method]
        self.time_step = built.scene.solver.time_step

    def _restart(self, time: float, step: float) -> None:
        """Count time from here in steps of another length, with a history that begins here."""
        self._clock = Clock(time, step, 0)
        self._work.stop_time[0] = STOP_STEPS * step
        self._begin_history()
        self._watch.look(self._inputs, time, self._state, self._work)

    def _begin_history(self) -> None:
        """Something acts otherwise from here on, which older rates do not know."""
        model, inputs = self._built.model, self._inputs
        if (present := subjects_in(model, inputs)) != self._linked:
            link(model, inputs, self._work)
            self._linked = present
        rate = np.empty_like(self._state)
        rates(model, inputs, self.time, self._state, self._work, rate)
        if self._method.NAME in AS_PRINTED:
            rate[model.is_momentum] = 0.0
        self._history = np.tile(rate, (self._method.HISTORY, 1))  # f_(-1) = f_0

    @property
    def scene(self) -> Scene:
        return self._built.scene

    @property
    def inputs(self) -> Inputs:
        """What the outside world does now."""
        return self._inputs

    @property
    def built(self) -> CompiledScene:
        """Model, start and mass properties of the scene."""
        return self._built

    @property
    def unmuted(self) -> CompiledScene:
        """The same with all modes of soft bodies, also those that are kept out of the motion."""
        return self._whole

    @property
    def state(self) -> np.ndarray:
        """Copy of the flat state; core.engine.model says what stands where."""
        return self._state.copy()

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self._clock.start + self._clock.done * self._clock.step

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """What has left the range of the model so far: magnets that came too near, each pair of bodies once."""
        return tuple(self._watch.warnings)

    @property
    def basis_drift(self) -> float:
        """Largest |u_i.u_j - delta_ij| before repair in the last batch of steps."""
        return float(self._work.drift[0])

    def advance(self, seconds: float) -> None:
        """Go on by `seconds` [s]. Where the time step does not divide them, equal smaller steps are taken.

        Raises Diverged, and stands on the last good state, where a step would not be finite.
        """
        steps = seconds / self.time_step
        if abs(steps - round(steps)) <= WHOLE:
            self.advance_steps(round(steps))
            return
        end, count = self.time + seconds, ceil(steps)
        self._run(count, seconds / count)
        self._clock = Clock(end, self._clock.step, 0)

    def advance_steps(self, steps: int) -> None:
        """Go on by a number of whole steps; raises Diverged as `advance` does."""
        self._run(steps, self.time_step)

    def _run(self, steps: int, step: float) -> None:
        if step != self._clock.step:
            self._restart(self.time, step)
        work, end = self._work, self.steps + steps
        work.drift[0] = 0.0
        while self.steps < end:
            self._act(step)
            due = min(end, self._next_due())
            count = due - self.steps
            model = self._built.model
            with self._help(count, model, self._inputs):
                taken = self._method.advance(model, self._inputs, self._state, self._history, work, self._clock, count)
            self._samples.take(model, self._inputs, work, self._clock)
            self._clock = self._clock._replace(done=self._clock.done + taken)
            self.steps += taken
            if taken < count:
                break
        self._watch.look(self._inputs, self.time, self._state, work)
        if self.steps < end:
            self.snapshot()  # places the dipoles of the last good state
            raise diverged(self._built, work, self.time, step, self._method.NAME)

    def _act(self, step: float) -> None:
        """What is due before the next steps, of `step` [s] each."""

    def _next_due(self) -> int:
        """Step at which a batch has to stop."""
        return self._samples.next_due(self.steps)

    def _total(self) -> float:
        """Current energy [J]; all is placed."""
        return energy(self._built.model, self._inputs, self.time, self._state, self._work).total

    def sample(self, columns: Sequence[int], every: int = 1) -> None:
        """From now on keep these columns of the table at every so many steps, until another scene is loaded."""
        self._samples = StateSampler(self._work, columns, every)
        self._work = self._samples.work

    def sampled(self) -> np.ndarray:
        """(n, columns) what was kept since the last call, oldest first."""
        return self._samples.given()

    @property
    def sampling(self) -> float:
        """Processor time [s] that samples have taken since `sample` was called."""
        return self._samples.seconds

    def snapshot(self, forces: bool = False) -> Snapshot:
        """A copy of this moment, with the forces law by law if they are asked for."""
        return take_snapshot(
            self._built, self._inputs, self._state, self._work, (self.time, self.steps), self._grip, forces
        )
