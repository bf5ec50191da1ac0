"""A recording before the eyes of the physics: snapshots and columns of its moments, and the same run once more."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from itertools import groupby

import numpy as np

from core.analysis.columns import columns
from core.analysis.diagnostics import observed
from core.engine.work import make_work
from core.mesh.mesh import Meshes
from core.physics.sensor.sensor_motion import HAND_SIZE
from core.recording.event_checks import unsuited, unsuited_grip
from core.recording.events import do
from core.recording.reader import RecordedRun
from core.scene.message import Message
from core.scene.problem import InputError, Problem
from core.scene.scene import Scene
from core.simulation.driven_parameters import driven_values
from core.simulation.simulation import Simulation
from core.simulation.snapshot import Snapshot

SOME = 2**23  # numbers of states that are read at once


class Playback:
    """Moments of a recording one by one, in any order, and its table (core.analysis.columns)."""

    def __init__(self, run: RecordedRun, meshes: Meshes | None = None):
        self._run, self.meshes = run, meshes or Meshes()
        self.simulation = Simulation(run.scene, self.meshes)
        self._check()
        self._edits = 0  # that the simulation's scene has

    @property
    def columns(self) -> dict[str, str]:
        """Units of the table's columns by their names."""
        return columns(self.simulation.built)

    def go_to(self, row: int) -> Simulation:
        """The simulation as it stood in a moment; it can go on from there, and `release` frees it from hands."""
        run, simulation = self._run, self.simulation
        edits = sum(deed.what == "load" and deed.row <= row for deed in run.deeds)
        if edits != self._edits:
            simulation.load(run.scene_at(row))
            self._edits = edits
            self._check()
        grip = run.grip_at(row)
        if grip is not None and (wrong := unsuited_grip(grip, simulation.built)):
            raise self._objection(wrong)
        if simulation.scene.sensor.drive:
            driven = run.driven_at(row) or driven_values(simulation.scene, simulation.scene.sensor.centre)
            if wrong := unsuited("drive", {"values": driven}, simulation.built):
                raise self._objection(wrong)
            simulation.drive(driven)
        silent = run.silent_at(row)
        for name, mode in simulation.silent ^ silent:
            simulation.silence(name, mode, (name, mode) in silent)
        time, step = float(run.times[row]), int(run.steps[row])
        simulation.go_back(time, step, run.state(row), run.hands[row], grip)
        return simulation

    def _check(self) -> None:
        """Raises InputError where the states are those of another scene."""
        numbers, hand = self._run.numbers
        needed = len(self.simulation.built.start)
        if (numbers, hand) != (needed, HAND_SIZE):
            rule = Message(
                "has {numbers} numbers of each state and {hand} of a hand, "
                "and its scene needs {needed} and {hand_needed}",
                numbers=numbers,
                hand=hand,
                needed=needed,
                hand_needed=HAND_SIZE,
            )
            raise self._objection(rule)

    def _objection(self, rule: Message) -> InputError:
        return InputError(str(self._run.path), [Problem("", rule, Message("use another copy of it"))])

    def snapshot(self, row: int, forces: bool = False) -> Snapshot:
        """What was to be seen in a moment."""
        return self.go_to(row).snapshot(forces)

    def table(self, *names: str, start: int = 0, stop: int | None = None) -> np.ndarray:
        """(t, c) these columns, all where none is named, at the moments start ... stop - 1; SI. Raises InputError."""
        known = [*self.columns]
        places = [self._place(name, known) for name in names] or list(range(len(known)))
        stop = self._run.rows if stop is None else stop
        size = max(1, SOME // max(1, len(self.simulation.built.start), len(known)))
        parts = [np.empty((0, len(places)))]
        for begin in range(start, stop, size):
            for rows in self._alike(range(begin, min(begin + size, stop))):
                parts.append(self._numbers(rows)[:, places])
        return np.concatenate(parts)

    def __getitem__(self, name: str) -> np.ndarray:
        """(t,) one column, such as "bob.position.x" [m] or "energy.total" [J]."""
        return self.table(name)[:, 0]

    def _place(self, name: str, known: list[str]) -> int:
        if name in known:
            return known.index(name)
        near = get_close_matches(name, known, 1)
        remedy = Message("did you mean '{near}'?", near=near[0]) if near else Message("`columns` has the names of all")
        raise InputError(str(self._run.path), [Problem("", Message("has no column '{name}'", name=name), remedy)])

    def _alike(self, rows: range) -> Iterator[range]:
        """The rows in pieces in which the outside world does the same."""
        turns = {deed.row for deed in self._run.deeds}
        hands = self._run.hands
        piece = 0

        def number(row: int) -> int:
            nonlocal piece
            piece += row in turns or (row > rows.start and not np.array_equal(hands[row], hands[row - 1]))
            return piece

        for _, alike in groupby(rows, number):
            some = [*alike]
            yield range(some[0], some[-1] + 1)

    def _numbers(self, rows: range) -> np.ndarray:
        run, simulation = self._run, self.go_to(rows.start)
        states, times = run.states(rows.start, rows.stop), run.times[rows.start : rows.stop]
        model = simulation.built.model
        return observed(model, simulation.inputs, times, states, make_work(model, simulation.inputs))

    def begun(self, method: str | None = None, time_step: float | None = None) -> Simulation:
        """A simulation that stands where the recording begins, with another method or step [s] where one is given.

        A recording that begins in mid-run begins at its first moment.
        """
        run = self._run
        simulation = Simulation(_solved(run.scene, method, time_step), self.meshes)
        simulation.sensor_drive.active = False  # the deeds say when
        if not run.about.from_start:
            simulation.go_back(float(run.times[0]), int(run.steps[0]), run.state(0), run.hands[0])
        return simulation

    def follow(self, simulation: Simulation) -> Iterator[int]:
        """Run one that has `begun`, with all that was done to it; yields the number of each moment that it reaches.

        With the scene's own method and step every state has the same bytes, on the same machine. With others it is at
        the whole step that is nearest to each time.
        """
        run, solver = self._run, simulation.scene.solver
        exact = solver == run.scene.solver
        deeds = iter(run.deeds)
        deed = next(deeds, None)
        for row in range(run.rows):
            while deed is not None and deed.row <= row:
                _go_to(simulation, deed.step, deed.time, exact)
                do(deed, simulation)
                if not exact and simulation.scene.solver != solver:
                    simulation.load(simulation.scene.model_copy(update={"solver": solver}))
                deed = next(deeds, None)
            _go_to(simulation, int(run.steps[row]), float(run.times[row]), exact)
            yield row

    def rerun(self, method: str | None = None, time_step: float | None = None) -> Iterator[Simulation]:
        """`follow` one that has `begun` so; yields it at each moment."""
        simulation = self.begun(method, time_step)
        return (simulation for _ in self.follow(simulation))


def _go_to(simulation: Simulation, step: int, time: float, exact: bool) -> None:
    due = step - simulation.steps if exact else round((time - simulation.time) / simulation.time_step)
    simulation.advance_steps(max(0, due))


def _solved(scene: Scene, method: str | None, time_step: float | None) -> Scene:
    changed = {"method": method, "time_step": time_step}
    solver = scene.solver.model_copy(update={name: value for name, value in changed.items() if value is not None})
    return scene if solver == scene.solver else scene.model_copy(update={"solver": solver})
