"""The loop of steps: the clock, the batches, their observers, and the stop on a state that is not finite.

A batch is one compiled call of the method's `advance`. It ends where an observer is due, such as a full buffer of
samples or an update of the sensor, and where the next state is not finite. Time is start + steps * step, so that it
has no rounding errors that add up.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import numpy as np

from polhode.analysis.diagnostics import energy
from polhode.analysis.model_warnings import ModelWarnings
from polhode.engine.compile import STOP_STEPS, CompiledScene
from polhode.engine.events import DETECT, FREE, apply_impacts, evaluate_switches
from polhode.engine.model import Clock, Inputs
from polhode.engine.rates import rates
from polhode.engine.work import link, make_work, subjects_in
from polhode.integrators import AS_PRINTED, METHODS
from polhode.physics.grab.interactions import Interaction
from polhode.physics.modal.mode_control import mute_modes
from polhode.scene.problem import Problem
from polhode.scene.scene import Scene
from polhode.simulation.batches.event_location import UNDIVIDED, DividedStep
from polhode.simulation.batches.helper_thread import HelperThread
from polhode.simulation.batches.sampler import StateSampler
from polhode.simulation.diverged import Cancelled as Cancelled
from polhode.simulation.diverged import Diverged as Diverged
from polhode.simulation.diverged import diverged
from polhode.simulation.snapshot import Snapshot
from polhode.simulation.take_snapshot import take_snapshot

WHOLE = 1e-6  # [steps] distance to an integer below which a number of steps counts as whole, for rounding of seconds


class SteppedScene:
    """A compiled scene with its state, advanced in batches of steps.

    Subclasses add what acts between batches: `_before_batch`, `_next_due`.
    """

    time_step: float  # [s] of the scene
    steps: int  # since the start
    _state: np.ndarray  # (k,) flat state; core/polhode/engine/model.py
    _clock: Clock
    _muted: frozenset[tuple[str, int]]
    _sides_known: bool  # whether `work.events.before` belongs to the current state
    _model_warnings: ModelWarnings

    def _set_scene(self, built: CompiledScene) -> None:
        """Replace the compiled scene, with new scratch arrays; the caller sets the state and restarts the clock.

        Muted modes stay muted as far as the new scene has them; the interaction and the samples end.
        """
        self._muted = frozenset((name, mode) for name, mode in self._muted if mode < built.modes_kept(name))
        self._unmuted, self._built = built, mute_modes(built, self._muted)
        self._inputs: Inputs = built.inputs
        self._interaction: Interaction | None = None
        self._model_warnings.set_scene(built)
        self._work, self._linked = make_work(built.model, built.inputs), subjects_in(built.model, built.inputs)
        self._help = HelperThread(built.model, self._work)
        self._samples = StateSampler(self._work)
        self._method = (METHODS | AS_PRINTED)[built.scene.solver.method]
        self.time_step = built.scene.solver.time_step

    def _restart(self, time: float, step: float) -> None:
        """Restart the clock at `time` [s] with steps of `step` [s] and a new history of rates."""
        self._clock = Clock(time, step, 0)
        self._work.stop_time[0] = STOP_STEPS * step
        self._begin_history()
        self._model_warnings.check(self._inputs, time, self._state, self._work)

    def _begin_history(self) -> None:
        """Fill the history of a multistep method with the current rate, after a discontinuity of the forces.

        With f_(-1) = f_0 a method of order 2 keeps its order; the printed version of the document starts with zero
        forces. The hooks of subjects that the inputs add or remove are linked. Whatever acts from outside ends here, so
        the sides of laws that switch are found again.
        """
        model, inputs, self._sides_known = self._built.model, self._inputs, False
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
        """The scene as edited, without the values that the sensor drives."""
        return self._built.scene

    @property
    def inputs(self) -> Inputs:
        """Current inputs: fields, sensor track, interaction."""
        return self._inputs

    @property
    def built(self) -> CompiledScene:
        """The compiled scene that runs, in which muted modes have zero shapes."""
        return self._built

    @property
    def unmuted(self) -> CompiledScene:
        """The compiled scene with all modes of soft bodies."""
        return self._unmuted

    @property
    def state(self) -> np.ndarray:
        """(k,) copy of the flat state; core/polhode/engine/model.py describes its sections."""
        return self._state.copy()

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self._clock.start + self._clock.done * self._clock.step

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """Warnings of this run that the model left its range of validity, each pair of bodies once."""
        return tuple(self._model_warnings.warnings)

    @property
    def basis_drift(self) -> float:
        """Largest |u_i.u_j - delta_ij| before repair in the last batch of steps."""
        return float(self._work.basis_error[0])

    def advance(self, seconds: float) -> None:
        """Advance by `seconds` [s], in equal smaller steps where the time step does not divide them.

        Then the clock stands exactly at the end, and the next whole steps begin there. A multistep method begins a new
        history whenever the length of its steps changes. Raises Diverged where the next state is not finite; the
        simulation keeps the last finite one. Raises Cancelled after `cancel`.
        """
        steps = seconds / self.time_step
        if abs(steps - round(steps)) <= WHOLE:
            self.advance_steps(round(steps))
            return
        end, count = self.time + seconds, ceil(steps)
        self._run(count, seconds / count)
        self._clock = Clock(end, self._clock.step, 0)

    def advance_steps(self, steps: int) -> None:
        """Advance by a number of whole steps of `time_step`; raises Diverged and Cancelled as `advance` does."""
        self._run(steps, self.time_step)

    def _run(self, steps: int, step: float) -> None:
        """Take `steps` steps of `step` [s] in batches, with samples and observers between them.

        Raises Diverged and Cancelled.
        """
        if step != self._clock.step:
            self._restart(self.time, step)
        work, end = self._work, self.steps + steps
        work.basis_error[0], work.step[0] = 0.0, step
        while self.steps < end:
            self._before_batch(step)
            self._watch_for_events()
            due = min(end, self._next_due())
            count = due - self.steps
            model = self._built.model
            with self._help(count, model, self._inputs):
                taken = self._method.advance(model, self._inputs, self._state, self._history, work, self._clock, count)
                divided = bool(work.events.found[0]) and self._divide_step(taken)
            work.events.mode[0] = FREE
            self._samples.collect(model, self._inputs, work, self._clock)
            self._clock = self._clock._replace(done=self._clock.done + taken + divided)
            self.steps += taken + divided
            if taken < count and not divided:
                self._sides_known = False
                break
        self._model_warnings.check(self._inputs, self.time, self._state, work)
        if work.cancel[0] != 0:
            work.cancel[0] = 0
            raise Cancelled
        if self.steps < end:
            self.snapshot()  # updates world positions of the dipoles, which the message needs
            raise diverged(self._built, work, self.time, step, self._method.NAME)

    def _watch_for_events(self) -> None:
        """Make the next steps compare the signs of the switching functions of the laws; nothing without any.

        Their values are those at the end of the last step, wherever a batch ends. Where something acted from outside
        since then, they are evaluated, and an impact that is due happens at once.
        """
        events = self._work.events
        events.found[0] = 0
        if len(events.before) == 0 or self._method.NAME in UNDIVIDED:
            return
        if not self._sides_known:
            events.mode[0] = FREE
            evaluate_switches(self._built.model, self._inputs, self.time, self._state, self._work)
            events.mode[0], events.before[:] = DETECT, events.after
            apply_impacts(self._built.model, self._inputs, self.time, self._state, self._work)
            self._sides_known = True
        events.mode[0] = DETECT

    def _divide_step(self, taken: int) -> bool:
        """Take the step after `taken` steps of the batch in parts, since a law switches within it; False, and nothing
        changes, if one of them has no finite end.
        """
        clock, work = self._clock, self._work
        step = DividedStep(self._method, self._built.model, self._inputs, self._history, work)
        done = step.take(self._state, clock.start + (clock.done + taken) * clock.step, clock.step)
        work.step[0] = clock.step
        return done

    def cancel(self) -> None:
        """End the batch that runs, or the next one, before its next step; it raises Cancelled.

        The only method that other threads may call. An implicit step that is being solved is given up.
        """
        self._work.cancel[0] = 1

    def _before_batch(self, step: float) -> None:
        """Called before each batch of steps of `step` [s]; a subclass may change inputs and state there."""

    def _next_due(self) -> int:
        """Step at which the next batch must end at the latest, counted since the start."""
        return self._samples.next_due(self.steps)

    def _total(self) -> float:
        """Current total energy [J]; updates the world positions in `_work`."""
        return energy(self._built.model, self._inputs, self.time, self._state, self._work).total

    def sample(self, columns: Sequence[int], every: int = 1) -> None:
        """Record these columns of the table at every `every` steps, until another scene is loaded.

        columns: indices of polhode.analysis.columns; none ends it

        Samples that were not fetched are dropped.
        """
        self._samples = StateSampler(self._work, columns, every)
        self._work = self._samples.work

    def sampled(self) -> np.ndarray:
        """(n, columns) samples since the last call, oldest first, in the units of polhode.analysis.columns."""
        return self._samples.collected()

    @property
    def sampling(self) -> float:
        """Processor time [s] spent on samples since `sample` was called."""
        return self._samples.seconds

    def snapshot(self, forces: bool = False) -> Snapshot:
        """The current state as a Snapshot, with the forces of each law if `forces` is True.

        All columns of the table are evaluated; parts become objects when they are read. The simulation's state does not
        change.
        """
        return take_snapshot(
            self._built, self._inputs, self._state, self._work, (self.time, self.steps), self._interaction, forces
        )
