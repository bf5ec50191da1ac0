"""The clock of a simulation, its batches of steps, and updates between them.

A batch is one call of the compiled loop of steps (core/polhode/run/loop.py). It ends when an update is due, such as a
full buffer of samples or a distance of the sensor, or when the next state is not finite.
"""

from __future__ import annotations

from math import floor
from typing import NamedTuple

import numpy as np

from polhode.analysis.model_warnings import ModelWarnings
from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.diagnostics import total_energy, width
from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.engine.work import link, make_work, subjects_in
from polhode.jit.pages import BEHIND, in_large_pages
from polhode.physics.grab.interactions import Interaction
from polhode.physics.magnets.field_in_space import fields, sources
from polhode.physics.modal.mode_control import mute_modes
from polhode.physics.sensor.sensor_motion import sensor_distance
from polhode.run.loop import advance, method_of
from polhode.run.method import CompiledMethod, begin, set_step
from polhode.run.runner import WHOLE, equal_steps
from polhode.scene.checks.arguments import Array, Count, Counts, Duration, PositiveCount, check_array, checked
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode.simulation.batches.helper_thread import HelperThread
from polhode.simulation.batches.sampler import StateSampler
from polhode.simulation.diverged import Cancelled as Cancelled
from polhode.simulation.diverged import DataEnded, diverged
from polhode.simulation.diverged import Diverged as Diverged
from polhode.simulation.saved_run import SavedSteps, arrays_of
from polhode.simulation.snapshot import Snapshot
from polhode.simulation.take_snapshot import take_snapshot

MOST_STEPS = 1e15  # of one call; they would take years


class Structs(NamedTuple):
    """The structs of a run and its state, as kernels get them; only its simulation may change them."""

    method: CompiledMethod
    model: Model
    inputs: Inputs
    work: Work
    state: np.ndarray
    """(k,) flat state."""
    clock: Clock


class SteppedScene:
    """A compiled scene with its state, advanced in batches; subclasses add `_before_batch` and `_next_due`."""

    time_step: float  # [s] of the scene
    steps: int  # since the start
    _state: np.ndarray  # (k,) flat state; core/polhode/engine/model.py
    _clock: Clock
    _muted: frozenset[tuple[str, int]]
    _model_warnings: ModelWarnings
    _seen: Snapshot | None  # of the current state and inputs

    def _set_scene(self, compiled: CompiledScene) -> None:
        """Replace the compiled scene, with new scratch arrays; the caller sets the state and restarts the clock.

        Muted modes stay muted as far as the new scene has them; the interaction and the samples end.
        """
        self._muted = frozenset((name, mode) for name, mode in self._muted if mode < compiled.modes_kept(name))
        self._set_compiled(compiled)
        self._inputs: Inputs = self._built.inputs
        self._interaction: Interaction | None = None
        self._model_warnings.set_scene(compiled)
        self._work, self._linked = (
            make_work(compiled.model, self._inputs),
            subjects_in(compiled.model, self._inputs),
        )
        self._help = HelperThread(compiled.model, self._work)
        self._samples = StateSampler(self._work)
        self._method = method_of(compiled)
        self.time_step = compiled.scene.solver.time_step

    def _set_compiled(self, compiled: CompiledScene) -> None:
        """Replace the compiled scene by one with the same layout of the state; the caller sets the inputs."""
        self._unmuted, self._built = compiled, mute_modes(compiled, self._muted)

    def _restart(self, time: float, step: float) -> None:
        """Restart the clock at `time` [s] with steps of `step` [s] and a new history of rates."""
        self._clock, self._state = Clock(time, step, 0), in_large_pages(self._state, BEHIND["state"])
        set_step(self._work, step)
        self._begin_history()
        self._model_warnings.check(self._inputs, time, self._state, self._work)

    def _begin_history(self) -> None:
        """Begin the run of the method again, after an action from outside; hooks are linked again."""
        model, inputs, self._seen = self._built.model, self._inputs, None
        if (present := subjects_in(model, inputs)) != self._linked:
            link(model, inputs, self._work)
            self._linked = present
        begin(self._method, model, inputs, self.time, self._state, self._work)

    @property
    def structs(self) -> Structs:
        """The arguments of the kernels of this run, for exports; the memory is the simulation's own."""
        return Structs(self._method, self._built.model, self._inputs, self._work, self._state, self._clock)

    def _saved_steps(self) -> SavedSteps:
        """Copies of what `_continue_steps` needs to continue with the same bits."""
        work, history = tuple(array.copy() for array in arrays_of(self._work)), self._method.history.copy()
        return SavedSteps(self.state, self._clock, self.steps, history, work, self._model_warnings.saved)

    def _continue_steps(self, saved: SavedSteps) -> None:
        """Continue the steps of another simulation of the same scene and inputs."""
        self._state, self.steps = saved.state.copy(), saved.steps
        self._restart(saved.clock.start, saved.clock.step)
        self._clock, self._state[:], self._method.history[...] = saved.clock, saved.state, saved.history
        for array, known in zip(arrays_of(self._work), saved.work, strict=True):
            array[...] = known
        self._model_warnings.saved = saved.warnings

    @property
    def scene(self) -> Scene:
        """The scene as edited, without the values that the sensor drives."""
        return self._built.scene

    @property
    def inputs(self) -> Inputs:
        """Current inputs: fields, sensor track, interaction."""
        return self._inputs

    @property
    def compiled(self) -> CompiledScene:
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
    def sensor_distance(self) -> float:
        """Distance [m] of the target from the sensor."""
        return float(sensor_distance(self._inputs.sensor_track, self.time)[0])

    @checked
    def field(self, points: Array) -> np.ndarray:
        """(n, 3) [T] magnetic flux density at points (n, 3) [m] at the present time, laboratory frame.

        That of all dipoles, magnets and iron, of the currents of coils and in metal, and of the world's field; at a
        dipole and at the wire of a coil it is not finite. Raises InputError for points of another shape.
        """
        check_array("field", "points", points, (-1, 3))
        now, model = self.snapshot(), self._built.model
        found = np.empty((len(points), 3))
        bodies = now.bodies
        known = now.currents, now.in_metal, now.charges
        of = sources(model, self._inputs, bodies.position, bodies.basis, self.time, *known)
        fields(np.ascontiguousarray(points, dtype=np.float64), of, found)
        return found

    def inductance(self) -> np.ndarray:
        """(k, k) [H] inductances of the coils at the present time: on the diagonal their own, beside it mutual ones.

        Iron and metal beside the coils are included; of iron that saturates these are the derivatives of flux linkages.
        Mutual ones of coils that induce nothing in each other, as of resistive ones, are without iron 0.
        """
        self.snapshot()
        return np.asarray(self._work.coils.inductance.copy())

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """Warnings of this run that the model left its range of validity, each pair of bodies once."""
        return tuple(self._model_warnings.warnings)

    @property
    def basis_drift(self) -> float:
        """Largest |u_i.u_j - delta_ij| before repair in the last batch of steps."""
        return float(self._work.basis_error[0])

    @checked
    def advance(self, seconds: Duration) -> None:
        """Advance by `seconds` [s], in equal smaller steps where the time step does not divide them.

        Then the clock is exactly at the end, and the next whole steps begin there. A multistep method begins a new
        history whenever the length of its steps changes. Raises Diverged where the next state is not finite; the
        simulation keeps the last finite one. Raises Cancelled after `cancel`, and InputError for a time that is
        negative, not finite, or longer than MOST_STEPS steps.
        """
        if not seconds < MOST_STEPS * self.time_step:
            rule = Message("are more than {most:g} steps of {step:g} s", most=MOST_STEPS, step=self.time_step)
            raise InputError.of("advance", rule, Message("give a smaller number"), "seconds")
        end, (count, step) = self.time + seconds, equal_steps(seconds, self.time_step)
        self._run(count, step)
        if step != self.time_step:
            self._clock = Clock(end, self._clock.step, 0)

    @checked
    def advance_steps(self, steps: Count) -> None:
        """Advance by a number of whole steps of `time_step`; raises as `advance` does."""
        self._run(steps, self.time_step)

    def _run(self, steps: int, step: float) -> None:
        """Take `steps` steps of `step` [s] in batches with samples and observers. Raises Diverged and Cancelled."""
        if step != self._clock.step:
            self._restart(self.time, step)
        work, end, self._seen = self._work, self.steps + steps, None
        work.basis_error[0], work.step[0] = 0.0, step
        while self.steps < end:
            self._before_batch(step)
            within = floor(min((self._built.data_end.time - self.time) / step + WHOLE, MOST_STEPS))
            count = min(end, self._next_due(), self.steps + within) - self.steps
            if count <= 0:
                break
            model, inputs = self._built.model, self._inputs
            with self._help(count, model, inputs):
                taken = advance(self._method, model, inputs, self._state, work, self._clock, count)
            self._samples.collect(model, self._inputs, work, self._clock)
            self._clock = self._clock._replace(done=self._clock.done + taken)
            self.steps += taken
            if taken < count:
                break
        self._model_warnings.check(self._inputs, self.time, self._state, work)
        if work.cancel[0] != 0:
            work.cancel[0] = 0
            raise Cancelled
        if self.steps < end:
            if count <= 0:
                raise DataEnded(*self._built.data_end, step)
            self._after_failure()
            self.snapshot()  # updates world positions of the dipoles, which the message needs
            raise diverged(self._built, work, self.time, step, self._built.scene.solver.method)

    def cancel(self) -> None:
        """End the batch that runs, or the next one, before its next step; it raises Cancelled.

        The only method that other threads may call. An implicit step that is being solved is given up.
        """
        self._work.cancel[0] = 1

    def _before_batch(self, step: float) -> None:
        """Called before each batch of steps of `step` [s]; a subclass may change inputs and state there."""

    def _after_failure(self) -> None:
        """Called where the next state is not finite; a subclass that knows the reason raises it."""

    def _next_due(self) -> int:
        """Step at which the next batch must end at the latest, counted since the start."""
        return self._samples.next_due(self.steps)

    def _energy_before(self) -> float:
        """Total energy [J] of the current state, before something acts on it; that of its snapshot, if it has one."""
        return self._total() if self._seen is None else self._seen.energy.total

    def _total(self) -> float:
        """Current total energy [J]; updates the world positions in `_work`."""
        return total_energy(self._built.model, self._inputs, self.time, self._state, self._work)

    @checked
    def sample(self, columns: Counts, every: PositiveCount = 1, into: np.ndarray | None = None) -> None:
        """Record these columns of the table at every `every` steps, until another scene is loaded.

        columns: indices of polhode.analysis.columns; none ends it
        into: (rows, c) array in which the samples are made, of all columns of the table, as far as it has rows

        Samples that were not fetched are dropped.
        """
        count = width(self._work)
        if columns and max(columns) >= count:
            rule = Message("the table has {count} columns, and none {number}", count=count, number=max(columns))
            raise InputError.of("sample", rule, Message("count from 0"), "columns")
        if into is not None:
            check_array("sample", "into", into, (-1, count), is_written=True)
            if tuple(columns) != tuple(range(count)):
                rule = Message("gets all {count} columns, and not a choice of them", count=count)
                raise InputError.of("sample", rule, Message("give all in their order, or leave it out"), "into")
        if columns:
            self._samples.begin(tuple(columns), every, into)
            self._work = self._samples.work
        else:
            self._samples.end()

    def sampled(self) -> np.ndarray:
        """(n, columns) samples since the last call, oldest first, in the units of polhode.analysis.columns."""
        return self._samples.collected()

    @property
    def sampling(self) -> float:
        """Processor time [s] spent on samples since `sample` was called."""
        return self._samples.seconds

    @checked
    def snapshot(self, forces: bool = False) -> Snapshot:
        """The current state as a Snapshot; with the forces of each law and the angular accelerations of bodies if
        `forces` is True.

        All columns of the table are evaluated; parts become objects when they are read. The simulation's state does not
        change.
        """
        self._seen = take_snapshot(
            self._built, self._inputs, self._state, self._work, (self.time, self.steps), self._interaction, forces
        )
        return self._seen
