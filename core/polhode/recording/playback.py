"""Playback of a recording: snapshots and table columns at its frames, and a repetition of the run.

A frame has the exact state, so everything else is computed from it again with the scene of that frame. A repetition
needs only the first frame and the events.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import numpy as np

from polhode.analysis.columns import columns
from polhode.analysis.table.named_columns import NamedColumns
from polhode.engine.diagnostics import observed
from polhode.engine.ledger import JOINT_FRICTION, LEDGER_SIZE, SOURCE
from polhode.engine.work import make_work
from polhode.mesh.mesh import Meshes
from polhode.physics.sensor.sensor_motion import TRACK_SIZE
from polhode.recording.checks.event_checks import event_mismatch, interaction_mismatch
from polhode.recording.checks.state_checks import state_fault
from polhode.recording.compiled_arrays import with_arrays
from polhode.recording.events import EDITS, replay
from polhode.recording.reader import RecordedRun
from polhode.scene.checks.arguments import checked
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.simulation.driven_parameters import build_at, driven_values
from polhode.simulation.simulation import Simulation
from polhode.simulation.snapshot import Snapshot

BATCH_NUMBERS = 2**23  # numbers of states that are read at a time


class Playback:
    """Random access to the frames of a recording and to its table (polhode.analysis.columns).

        from polhode import read_recording

        run = read_recording("run.vtkhdf")
        moment = run.playback.snapshot(0)
        energies = run.playback.table("time", "energy.total")

    Frames count from 0. It has one simulation, which each access moves; for one thread at a time.
    """

    @checked
    def __init__(self, run: RecordedRun, meshes: Meshes | None = None):
        """Compile the scene at the first frame. Raises InputError where that fails, or the states have other sizes."""
        self._run, self.meshes = run, meshes or Meshes()
        self.simulation = self._started(run.scene)
        self._check()
        self._edits = 0  # number of edits in the simulation's scene

    @property
    def columns(self) -> dict[str, str]:
        """Units of the table's columns by name, of the scene at the frame that was last gone to."""
        return columns(self.simulation.compiled)

    @property
    def named(self) -> NamedColumns:
        """The columns, and the arrays that they make."""
        return NamedColumns(str(self._run.path), self.columns)

    @checked
    def go_to(self, row: int) -> Simulation:
        """The simulation at a frame, from which it can continue; `release` ends a recorded interaction.

        row: index of the frame, from 0; a negative one counts from the end

        State, time, scene, driven parameters, muted modes, sensor track and interaction are those of that frame. It is
        always the same object. Raises InputError where the stored frame does not fit its scene.
        """
        run, simulation, row = self._run, self.simulation, self._run.row(row)
        edits = sum(event.name in EDITS and event.row <= row for event in run.events)
        if edits != self._edits:
            simulation.load(run.scene_at(row))
            self._edits = edits
            self._check()
        interaction = run.interaction_at(row)
        if interaction is not None and (wrong := interaction_mismatch(interaction, simulation.compiled)):
            raise self._objection(wrong)
        if simulation.scene.sensor.drive:
            driven = run.driven_at(row) or driven_values(simulation.scene, simulation.scene.sensor.centre)
            if wrong := event_mismatch("drive", {"values": driven}, simulation.compiled):
                raise self._objection(wrong)
            simulation.drive(driven)
        muted = run.muted_modes_at(row)
        for name, mode in simulation.muted ^ muted:
            simulation.mute(name, mode, (name, mode) in muted)
        time, step = float(run.times[row]), int(run.steps[row])
        state = self._states(row, row + 1)[0]
        simulation.restore(time, step, state, run.sensor_tracks[row], interaction)
        return simulation

    def _started(self, scene: Scene) -> Simulation:
        """A simulation of a scene, with the stored arrays if the recording has some for it. Raises InputError."""
        stored = self._run.compiled
        if stored is None or scene.solver != self._run.scene.solver:
            return Simulation(scene, self.meshes)
        made, faults = with_arrays(build_at(scene, scene.sensor.centre, self.meshes), stored)
        if faults:
            raise InputError(str(self._run.path), faults)
        return Simulation(scene, self.meshes, made)

    def _check(self) -> None:
        """Raise InputError where the stored states and sensor tracks do not have the sizes that the scene needs.

        A file of the same format may have been written by a version with other sections of the state. States from
        before the ledger had lines for joints or for coils are read: these lines, the last ones, are 0.
        """
        numbers, hand = self._run.numbers
        needed = len(self.simulation.compiled.start)
        if needed - numbers not in (0, LEDGER_SIZE - SOURCE, LEDGER_SIZE - JOINT_FRICTION) or hand != TRACK_SIZE:
            rule = Message(
                "has {numbers} numbers of each state and {hand} of a hand, "
                "and its scene needs {needed} and {hand_needed}",
                numbers=numbers,
                hand=hand,
                needed=needed,
                hand_needed=TRACK_SIZE,
            )
            raise self._objection(rule)

    def _states(self, start: int, stop: int) -> np.ndarray:
        """(t, k) states of frames that have the current scene. Raises InputError where one is impossible."""
        states = self._run.states(start, stop)
        states = np.pad(states, ((0, 0), (0, len(self.simulation.compiled.start) - states.shape[1])))
        fault = state_fault(self.simulation.compiled, states, start)
        if fault is not None:
            raise InputError(str(self._run.path), [fault])
        return states

    def _objection(self, rule: Message) -> InputError:
        return InputError.of(str(self._run.path), rule, Message("use another copy of it"))

    @checked
    def snapshot(self, row: int, forces: bool = False) -> Snapshot:
        """The snapshot of a frame, with the forces of each law if `forces` is True."""
        return self.go_to(row).snapshot(forces)

    @checked
    def table(self, *names: str, start: int = 0, stop: int | None = None) -> np.ndarray:
        """(t, c) the named columns, or all, at frames start ... stop - 1, in the units of `columns`.

        The name of a vector gives its columns. Frames with the same inputs are evaluated together, at most
        BATCH_NUMBERS numbers of states at a time. Raises InputError for an unknown name.
        """
        known = self.columns
        columns = self.named.single(names) or list(range(len(known)))
        stop = self._run.rows if stop is None else stop
        size = max(1, BATCH_NUMBERS // max(1, len(self.simulation.compiled.start), len(known)))
        parts = [np.empty((0, len(columns)))]
        for begin in range(start, stop, size):
            for rows in self._segments(range(begin, min(begin + size, stop))):
                parts.append(self._numbers(rows)[:, columns])
        return np.concatenate(parts)

    @checked
    def __getitem__(self, name: str) -> np.ndarray:
        """The array of a name at all frames, as of Recording. Raises InputError."""
        shape = self.named.columns_of(name).shape
        return self.table(name).reshape(-1, *shape)

    def _segments(self, rows: range) -> Iterator[range]:
        """Split frames into ranges with the same inputs: without events, and with the same sensor track."""
        turns = {event.row for event in self._run.events}
        hands = self._run.sensor_tracks
        piece = 0

        def number(row: int) -> int:
            nonlocal piece
            piece += row in turns or (row > rows.start and not np.array_equal(hands[row], hands[row - 1]))
            return piece

        for _, alike in groupby(rows, number):
            some = [*alike]
            yield range(some[0], some[-1] + 1)

    def _numbers(self, rows: range) -> np.ndarray:
        """(t, c) all columns at frames that have the same inputs."""
        run, simulation = self._run, self.go_to(rows.start)
        states, times = self._states(rows.start, rows.stop), run.times[rows.start : rows.stop]
        model = simulation.compiled.model
        return observed(model, simulation.inputs, times, states, make_work(model, simulation.inputs))

    @checked
    def start_replay(self, method: str | None = None, time_step: float | None = None) -> Simulation:
        """A simulation at the first frame, with another method or time step [s] if given.

        Where the recording did not begin at the start of its scene, or is portable, the first state is set. The
        recorded events set driven parameters, not the simulation itself. Raises InputError for a run on which a
        function acted that is not in the file (`Simulation.add_force`).
        """
        run = self._run
        run.check_repeatable()
        simulation = self._started(_solved(run.scene, method, time_step))
        simulation.sensor_drive.active = False  # the recorded events set the parameters
        if not run.about.from_start or run.compiled is not None:
            simulation.restore(float(run.times[0]), int(run.steps[0]), run.state(0), run.sensor_tracks[0])
        return simulation

    @checked
    def replay_frames(self, simulation: Simulation) -> Iterator[int]:
        """Run a simulation from `start_replay` with all recorded events; yields the index of each frame it reaches.

        With the method and step of the recording all states are bit by bit the same on the same machine and with the
        same version. With others the simulation is at the whole step nearest to the time of each frame; edits in the
        recording keep that method and step. Raises InputError for an event that does not fit, and Diverged.
        """
        run, solver = self._run, simulation.scene.solver
        exact = solver == run.scene.solver
        events = iter(run.events)
        event = next(events, None)
        for row in range(run.rows):
            while event is not None and event.row <= row:
                _go_to(simulation, event.step, event.time, exact)
                replay(event, simulation)
                if not exact and simulation.scene.solver != solver:
                    simulation.load(simulation.scene.model_copy(update={"solver": solver}))
                event = next(events, None)
            _go_to(simulation, int(run.steps[row]), float(run.times[row]), exact)
            yield row

    @checked
    def rerun(self, method: str | None = None, time_step: float | None = None) -> Iterator[Simulation]:
        """`start_replay` and `replay_frames` in one; yields the simulation, always the same object, at each frame."""
        simulation = self.start_replay(method, time_step)
        return (simulation for _ in self.replay_frames(simulation))


def _go_to(simulation: Simulation, step: int, time: float, exact: bool) -> None:
    """Advance to a step, or with another method or step to the whole step nearest to a time [s]; never back."""
    due = step - simulation.steps if exact else round((time - simulation.time) / simulation.time_step)
    simulation.advance_steps(max(0, due))


def _solved(scene: Scene, method: str | None, time_step: float | None) -> Scene:
    """The scene with another method or time step [s], where given."""
    changed = {"method": method, "time_step": time_step}
    solver = scene.solver.model_copy(update={name: value for name, value in changed.items() if value is not None})
    return scene if solver == scene.solver else scene.model_copy(update={"solver": solver})
