"""Frames in which everything is displaced at random: from what the views draw of them follows what each part follows.

The frames are no states of the scene: bodies, points and paths are displaced independently of each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.mesh.mesh import Meshes
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode.simulation.snapshot import BeadStates, ForceStates, Snapshot
from polhode.simulation.take_snapshot import Moment
from polhode_app.export.web.live.channels import BASIS, OF_BEAD, VECTOR, Channels

PROBES = 5  # frames beside the first, which is undisplaced
SHARE = 0.4  # of the displacements, in radii of the stage
SEED = 20261129


class ProbeSource:
    """Frames of a run, and after them frames with displacements, as a source for `Capture`."""

    def __init__(self, simulation: Simulation, meshes: Meshes):
        """The source of a simulation; `simulation` and `meshes` are as of FrameSource."""
        self.meshes, self.running = meshes, simulation
        self.simulation = self
        self.channels = Channels.of(simulation)
        self.frames: list[np.ndarray] = []
        self.last: np.ndarray | None = None  # frame of the run that was read last
        self._random = np.random.default_rng(SEED)
        self._radius: float | None = None
        self._time = 0.0

    @property
    def scene(self) -> Scene:
        """The scene that runs."""
        return self.running.scene

    @property
    def compiled(self) -> CompiledScene:
        """The compiled scene that runs."""
        return self.running.compiled

    def go_to(self, time: float) -> None:
        """Advance to the whole step nearest to a time [s]; the simulation never goes back. Raises Diverged."""
        self.running.advance_steps(max(0, round(time / self.running.time_step) - self.running.steps))

    def ghosts(self) -> Sequence[Snapshot | None]:
        """An empty sequence: ghosts are runs of their own."""
        return ()

    def displace(self, radius: float) -> None:
        """Let the next snapshots be displaced ones, in a stage of this radius [m]."""
        self._radius, self._time = radius, self.running.time

    def snapshot(self, forces: bool = False) -> Snapshot:
        """The current frame, or the next displaced one, whose channels are kept in `frames`."""
        now = self.running.snapshot(forces)
        if self._radius is None:
            self.last = self._frame(now)
            return now
        self._time += 1.0
        return self._displaced(now, self._radius)

    def _displaced(self, now: Snapshot, radius: float) -> Snapshot:
        """A snapshot with random positions, rotations and vectors."""
        channels, random = self.channels, self._random
        known: Moment = now.__dict__["measured"]
        start = self._frame(now)
        frame = start.copy()
        for first in channels.vectors:  # of similar lengths: the views leave short arrows out
            vector = random.normal(size=VECTOR)
            frame[first : first + VECTOR] = random.uniform(0.5, 1.0) * vector / np.linalg.norm(vector)
        at = channels.places
        frame[at] = start[at] + radius * SHARE * random.uniform(-1, 1, at.shape)
        for body in range(channels.bodies):
            at = channels.of_body(body) + BASIS
            frame[at : at + 9] = _rotation(random).ravel()
        walls = slice(channels.of_wall(0), channels.measured)
        frame[walls] += radius * SHARE * random.uniform(-1, 1, channels.walls)
        self.frames.append(frame)
        numbers = frame[: channels.measured]
        moment = Moment(known.model, known.columns, numbers)
        parts = {name: value for name, value in vars(now).items() if name not in MEASURED}
        forces = {law: self._shaken(each, radius) for law, each in now.forces.items()}
        return Snapshot.of(
            parts
            | {"time": self._time, "measured": moment, "beads": self._beads(now.beads, frame), "forces": forces}
            | {"currents": now.currents + random.uniform(-1, 1, now.currents.shape)}
        )

    def _frame(self, now: Snapshot) -> np.ndarray:
        """(c,) the channels of a snapshot."""
        known: Moment = now.__dict__["measured"]
        return np.concatenate([known.array, now.beads.shift.ravel()])

    def _beads(self, beads: BeadStates, frame: np.ndarray) -> BeadStates:
        """Beads of a displaced frame; their normals belong to no channel."""
        channels = self.channels
        if not channels.beads:
            return beads
        first = [channels.of_bead(bead) for bead in range(channels.beads)]
        force, tangent, curvature = (
            np.array([frame[at + inner : at + inner + VECTOR] for at in first]) for inner in OF_BEAD
        )
        shift = frame[channels.measured :].reshape(-1, VECTOR)
        normal = self._random.uniform(-1, 1, beads.normal.shape)
        return replace(beads, constraint=force, shift=shift, tangent=tangent, curvature=curvature, normal=normal)

    def _shaken(self, states: ForceStates, radius: float) -> ForceStates:
        """Forces of a law at random places, which belong to no channel."""
        return ForceStates(
            *(
                getattr(states, field.name) + radius * self._random.uniform(-1, 1, getattr(states, field.name).shape)
                for field in fields(states)
            )
        )


MEASURED = ("bodies", "points", "energy", "ledger", "momentum", "angular_momentum", "joints", "walls", "numbers")
"""Parts of a snapshot that follow from `measured`."""


def _rotation(random: np.random.Generator) -> np.ndarray:
    """(3, 3) a random rotation."""
    q, r = np.linalg.qr(random.normal(size=(3, 3)))
    q = q * np.sign(np.diagonal(r))
    return q if np.linalg.det(q) > 0 else -q
