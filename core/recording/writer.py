"""Recordings: the moments of a simulation and all that is done to it, written by a thread while it runs."""

from __future__ import annotations

import logging
import queue
import threading
import time as clock
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np

from core.analysis.diagnostics import observed
from core.engine.compile import CompiledScene
from core.engine.model import Inputs, Work
from core.engine.rates import add_forces, place
from core.engine.work import make_work
from core.physics.contact.penetration import wall_displacements
from core.physics.sensor.sensor_motion import HAND_SIZE, sensor_distance
from core.recording.events import ENDS, Deed, told
from core.recording.reader import FORMAT, ROOT, scene_text
from core.recording.scene_bundle import bundle_scene
from core.recording.vtkhdf import Block, Writer
from core.scene.message import Message
from core.scene.problem import message_of, reason_of
from core.simulation.simulation import Simulation

log = logging.getLogger(__name__)

COMMIT = 0.8  # [s] wall time between two commits: who dies loses less than a second, with one of them under way
WAITING = 2**26  # [bytes] of moments that wait for the disk; then the simulation waits, too
FEWEST, MOST = 4, 1024  # moments, likewise
PACKED, PACKED_STATE = 0.5, 0.8  # size of what is drawn, and of states, when compressed, of the built-in scenes


@dataclass(frozen=True, eq=False)
class Moments:
    """What the physics says of r moments."""

    times: np.ndarray  # (r,) [s]
    table: np.ndarray  # (r, c) what core.analysis.columns names
    body_force: np.ndarray  # (r, n, 3) [N] on each body, of all laws
    point_force: np.ndarray  # (r, p, 3) [N]
    ways: np.ndarray  # (r, w) [m] of each wall along its normal
    distances: np.ndarray  # (r,) [m] of the hand over the sensor


class Geometry(Protocol):
    """What other programs are to see of a scene: blocks of geometry, and what moves in them."""

    @property
    def blocks(self) -> tuple[Block, ...]: ...

    def with_built(self, built: CompiledScene) -> Self:
        """The same things, of which some numbers are others."""

    def fits(self, other: Self) -> bool:
        """Whether its moments can follow those of another in the same file."""

    def moved(self, now: Moments) -> Mapping[str, Mapping[str, np.ndarray]]:
        """The arrays of the blocks at r moments."""


@dataclass(frozen=True, eq=False)
class _Row:
    """A moment as it was."""

    time: float
    step: int
    state: np.ndarray
    inputs: Inputs
    built: CompiledScene
    pieces: Geometry


class Taping:
    """Writes a simulation to a file from now on. Raises InputError or OSError where that can't begin.

    What is written up to its end is whole. `failure` says why it had to end; `over`, why what comes now can't follow in
    the same file.
    """

    def __init__(
        self,
        path: Path,
        simulation: Simulation,
        every: int,
        version: str,
        geometry: Callable[[CompiledScene], Geometry],
    ):
        """`every` is in steps; `geometry` makes what is to be seen of a scene, or raises InputError."""
        self.path, self.every, self.failure, self.over, self.rows = path, every, "", "", 0
        self._simulation, self._geometry = simulation, geometry
        self._built = simulation.built
        self._pieces = geometry(self._built)
        self._begun = simulation.time
        self._last: int | None = None  # step of the newest moment
        self.time = simulation.time  # [s] of it
        room = int(np.clip(WAITING // max(1, self.row_bytes), FEWEST, MOST))
        self._rows: queue.Queue[_Row | Deed | None] = queue.Queue(room)
        self._work: tuple[CompiledScene, Work] | None = None
        self._thread = threading.Thread(target=self._write, name="recording", daemon=True)
        self._bundle = bundle_scene(simulation.scene)
        self._writer = Writer(path, self._pieces.blocks)
        with ExitStack() as undo:  # whatever stops it, Ctrl-C as well: a file without a moment is no recording
            undo.callback(self._discard)
            self._begin(simulation, version)
            undo.pop_all()

    def _discard(self) -> None:
        self.finish()
        if self._thread.ident is not None:
            self.join()
        self._writer.abandon()

    def _begin(self, simulation: Simulation, version: str) -> None:
        writer, bundle = self._writer, self._bundle
        self._numbers = {
            "step": writer.grow(f"{ROOT}/Step", 1, (), "i8", packs=False),
            "state": writer.grow(f"{ROOT}/State", 1, (len(simulation.state),), "f8"),
            "hand": writer.grow(f"{ROOT}/Hand", 1, (HAND_SIZE,), "f8"),
        }
        self._deeds = writer.grow(f"{ROOT}/Deeds", 1, (), "u1", packs=False)
        self._head(simulation, bundle.files, scene_text(bundle.scene), version)
        writer.commit()
        self._thread.start()
        simulation.told = self._hear
        self._tell_start()
        self.take()

    def _tell_start(self) -> None:
        """What has been done already, and lasts."""
        hand = self._simulation.snapshot().hand
        if self._simulation.driven:
            self._hear("drive", (self._simulation.driven,))
        for name, mode in sorted(self._simulation.silent):
            self._hear("silence", (name, mode, True))
        if hand is not None:
            self._hear("hold", (hand.grip,))

    def _head(self, simulation: Simulation, files: Mapping[str, bytes], text: str, version: str) -> None:
        head = self._writer.file[ROOT]
        solver = simulation.scene.solver
        for name, value in {
            "format": FORMAT,
            "program": f"Polhode {version}",
            "created": datetime.now().astimezone().isoformat(timespec="seconds"),
            "title": simulation.scene.title,
            "method": solver.method,
            "time_step": solver.time_step,
            "from_start": simulation.steps == 0,
        }.items():
            head.attrs[name] = value
        head["Scene"] = text
        kept = head.create_group("Files")
        for name, content in files.items():
            kept[name] = np.frombuffer(content, np.uint8)

    @property
    def row_bytes(self) -> int:
        """[bytes] of a moment, uncompressed."""
        of_blocks = sum(block.row_bytes for block in self._pieces.blocks)
        return of_blocks + 8 * (len(self._simulation.state) + HAND_SIZE + 2)

    @property
    def expected(self) -> float:
        """[bytes] of a moment in the file, about."""
        of_state = 8 * len(self._simulation.state)
        return PACKED * (self.row_bytes - of_state) + PACKED_STATE * of_state

    @property
    def seconds(self) -> float:
        """Simulated time so far [s]."""
        return self.time - self._begun

    @property
    def going(self) -> bool:
        return self._thread.is_alive() and not self.failure and not self.over

    def until_next(self, steps: int) -> int:
        """How many steps there are from a step to the next moment that is recorded."""
        return max(1, self.every - (steps - (self._last or 0))) if self._last is not None else 1

    def take(self) -> None:
        """Record the moment that the simulation stands in, unless it has been."""
        simulation = self._simulation
        if not self.going or simulation.steps == self._last:
            return
        self.look()
        if self.over:
            return
        self._last, self.time = simulation.steps, simulation.time
        self.rows += 1
        moment = simulation.time, simulation.steps, simulation.state, simulation.inputs
        self._put(_Row(*moment, simulation.built, self._pieces))

    def look(self) -> None:
        """See whether what the simulation has become can follow in this file; else it is over."""
        if self.going and self._simulation.built is not self._built:
            self._follow_edit(self._simulation.built)

    def _follow_edit(self, built: CompiledScene) -> None:
        if built.scene is self._built.scene:  # the hand drives numbers of it, or a mode is silent
            self._built, self._pieces = built, self._pieces.with_built(built)
            return
        pieces = self._geometry(built)
        if len(built.start) != len(self._built.start) or not pieces.fits(self._pieces):
            self._end(Message("there are other things now"))
            return
        self._built, self._pieces = built, pieces

    def _hear(self, what: str, how: tuple[Any, ...]) -> None:
        """Something is being done to the simulation."""
        if what in ENDS:
            self.take()
            self._end(Message("time is turned back"))
        elif self.going:
            simulation = self._simulation
            try:
                how = (self._bundle.renamed(how[0]),) if what == "load" else how
                arguments = told(what, how, self._bundle.renamed(simulation.scene))
            except KeyError:
                self._end(Message("there are other files now"))
                return
            self._put(Deed(self.rows, simulation.steps, simulation.time, what, arguments))

    def _put(self, what: _Row | Deed) -> None:
        """Hand over to the thread; wait for it where it is behind, and no longer than it lives."""
        while self.going:
            try:
                self._rows.put(what, timeout=0.5)
                return
            except queue.Full:
                continue

    def _end(self, why: Message) -> None:
        self.over = why
        self.finish()

    def finish(self) -> None:
        """No more moments; the rest is written in the background."""
        if self._simulation.told == self._hear:
            self._simulation.told = None
        threading.Thread(target=self._rows.put, args=(None,), daemon=True).start()

    def join(self, patience: float | None = None) -> None:
        """Wait until the file is whole."""
        self._thread.join(patience)

    # Inside the thread

    def _write(self) -> None:
        try:
            for some in self._batches():
                for is_deed, of_kind in groupby(some, lambda each: isinstance(each, Deed)):
                    if is_deed:
                        for deed in of_kind:
                            self._deeds.add(np.frombuffer(deed.line(), np.uint8))  # type: ignore[union-attr]
                    else:
                        self._add([*of_kind])  # type: ignore[list-item]
                self._writer.commit()
        except OSError as error:
            reason = reason_of(error)
            self.failure = self.failure or Message("{file}: {reason}", file=self.path, reason=reason)
        except Exception as error:  # the thread boundary: the simulation goes on, and the window says it
            log.exception(Message("the recording could not be written"))
            self.failure = self.failure or message_of(error)
        finally:
            self._writer.close()

    def _batches(self) -> Iterator[list[_Row | Deed]]:
        """What has come since the last commit, in its order; the last one before the end."""
        done = False
        while not done:
            some: list[_Row | Deed] = []
            until = clock.perf_counter() + COMMIT
            while not done and len(some) < MOST and (left := until - clock.perf_counter()) > 0:
                try:
                    each = self._rows.get(timeout=left)
                except queue.Empty:
                    break
                done = each is None
                if each is not None:
                    some.append(each)
            if some:
                yield some

    def _add(self, rows: list[_Row]) -> None:
        for _, alike in groupby(rows, lambda row: (id(row.built), id(row.inputs))):
            self._add_alike([*alike])

    def _add_alike(self, rows: list[_Row]) -> None:
        built, inputs = rows[0].built, rows[0].inputs
        if self._work is None or self._work[0] is not built:
            self._work = built, make_work(built.model, built.inputs)
        times, states = np.array([row.time for row in rows]), np.array([row.state for row in rows])
        self._numbers["step"].add(np.array([row.step for row in rows]))
        self._numbers["state"].add(states)
        self._numbers["hand"].add(np.tile(inputs.hand, (len(rows), 1)))
        self._writer.add(times, rows[0].pieces.moved(moments(built, inputs, times, states.copy(), self._work[1])))


def moments(built: CompiledScene, inputs: Inputs, times: np.ndarray, states: np.ndarray, work: Work) -> Moments:
    """What the physics says of states (r, k) at times (r,) [s]; these are placed."""
    model = built.model
    table = observed(model, inputs, times, states, work)
    body_force = np.empty((len(times), *work.bodies.force.shape))
    point_force = np.empty((len(times), *work.points.force.T.shape))
    ways = np.empty((len(times), len(model.walls.stiffness)))
    for row, (time, state) in enumerate(zip(times.tolist(), states, strict=True)):
        place(model, inputs, time, state, work)
        add_forces(model, inputs, time, state, work)
        body_force[row], point_force[row] = work.bodies.force, work.points.force.T
        wall_displacements(model.walls, inputs.hand, time, ways[row])
    distances = np.array([sensor_distance(inputs.hand, time)[0] for time in times.tolist()])
    return Moments(times, table, body_force[:, : len(built.scene.bodies)], point_force, ways, distances)
