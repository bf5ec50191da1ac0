"""Degrees of freedom of a compiled scene, as mass-weighted coordinates about a state.

    rotation of a pivoted, axled or free body   angle about each principal axis that it can turn about, times sqrt(I)
    translation of a free body                  displacement of its reference point, times sqrt(m)
    bead                                        length along its path, times sqrt(f m)
    point that is not fixed                     displacement, times sqrt(m)
    mode of a soft body                         amplitude; its shape has unit modal mass

With these y the equation of motion at low speeds is y'' = M^(-1/2) Q: forces and accelerations are the same numbers,
and the Jacobian of a force with a potential is symmetric. Units are those of the accelerations: sqrt(kg) m/s^2. Both
come from the rates that the engine integrates, so every law counts. Coordinates of joined bodies are redundant:
core/polhode/equilibria/system.py restricts them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from polhode.analysis.at_rest import energies_of_states, rates_of_states
from polhode.engine.compile import item_of
from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.ledger import ENERGIES, KINETIC
from polhode.engine.rates import rates
from polhode.engine.work import make_work
from polhode.equilibria.rotations import matrices, vectors
from polhode.physics.bodies.arrays import ANGULAR_MOMENTUM, BASIS, BODY_SIZE, MOMENTUM, POSITION
from polhode.physics.paths.arrays import ON_ITS_PATH, bead_states

MOVING = ("pivot", "axle", "free")


@dataclass(frozen=True, eq=False)
class Indices:
    """Components of the state for the coordinates, which have the order of the fields."""

    turning: np.ndarray  # (t, 2) int64 body and principal axis
    shifting: np.ndarray  # (s,) int64 components of the state: positions of free bodies, 3 each
    beads: np.ndarray  # (c,) int64 all beads
    points: np.ndarray  # (p,) int64 components of the state: positions of free points
    modes: np.ndarray  # (k,) int64 components of the state: amplitudes


class Freedoms:
    """Coordinates of a compiled scene and the forces along them, at the start of the scene's time. For one thread."""

    def __init__(self, compiled: CompiledScene):
        self.compiled = compiled
        self._work = make_work(compiled.model, compiled.inputs)
        self._at = _indices(compiled)
        bodies, points, beads = compiled.model.bodies, compiled.model.points, compiled.model.beads
        turn, count = self._at.turning, len(points.mass)
        self._body, self._axes = turn[:, 0], bodies.axes[turn[:, 0], turn[:, 1]].reshape(-1, 3)
        turned, self._first, self._slot = np.unique(self._body, return_index=True, return_inverse=True)
        self._rows = BODY_SIZE * turned[:, None] + BASIS + np.arange(9)  # (b, 9) components of bases in the state
        self._speed_of_point = 3 * count  # from a position in the state to its velocity
        mass_of_point = np.tile(points.mass, 3)[self._at.points - points.at]
        parts = [
            1.0 / np.sqrt(bodies.inverse_moments[turn[:, 0], turn[:, 1]]),
            np.sqrt(bodies.mass[self._at.shifting // BODY_SIZE]),
            np.sqrt(beads.inertia * bodies.mass[beads.body]),
            np.sqrt(mass_of_point),
            np.ones(len(self._at.modes)),
        ]
        self.weight = np.concatenate(parts)  # (n,) square roots of the inertias
        ends = np.cumsum([0, *map(len, parts)])
        self.turning, self.shifting, self.beads, self.points, self.modes = (
            slice(int(a), int(b)) for a, b in pairwise(ends)
        )
        self.count = int(ends[-1])

    @property
    def indices(self) -> Indices:
        """Components of the state for the coordinates."""
        return self._at

    def owners(self) -> list[str]:
        """Name of the scene item of each coordinate."""
        bodies = self.compiled.scene.bodies
        rest = [*self._at.points.tolist(), *self._at.modes.tolist()]
        return [
            *(bodies[b].name for b in self._body.tolist()),
            *(bodies[k // BODY_SIZE].name for k in self._at.shifting.tolist()),
            *(bead.name for bead in self.compiled.scene.bead),
            *(item_of(self.compiled, number) for number in rest),
        ]

    def at_rest(self, state: np.ndarray) -> np.ndarray:
        """A copy of `state` (k,) with all velocities zero, the ledger zero, and beads on their paths."""
        still = state.copy()
        still[self.compiled.model.is_momentum] = 0.0
        rows = bead_states(self.compiled.model.beads, still)
        rows[1], rows[2] = 0.0, ON_ITS_PATH
        still[self._at.points + self._speed_of_point] = 0.0
        still[self._at.modes + len(self.compiled.model.modal.damping)] = 0.0
        return still

    def displaced(self, state: np.ndarray, moves: np.ndarray) -> np.ndarray:
        """(m, k) states that are moved from `state` (k,), at rest, by `moves` (m, n) of the coordinates.

        Rotations of a body are one rotation vector about its axes; beads move by the length along the tangent.
        """
        states = np.tile(state, (len(moves), 1))
        steps = moves / self.weight
        if len(self._body):
            angles = np.add.reduceat(steps[:, self.turning, None] * self._directions(state), self._first, axis=1)
            turned = state[self._rows].reshape(-1, 3, 3) @ np.swapaxes(matrices(angles), -1, -2)
            states[:, self._rows] = turned.reshape(len(moves), -1, 9)
        states[:, self._at.shifting] += steps[:, self.shifting]
        if len(self._at.beads):
            self._rates(state[None])  # places the beads: `stretch` is of this state
            at = self.compiled.model.beads.at
            stretch = np.maximum(self._work.beads.stretch, 1e-300)
            states[:, at : at + len(stretch)] += steps[:, self.beads] / stretch
        states[:, self._at.points] += steps[:, self.points]
        states[:, self._at.modes] += steps[:, self.modes]
        return states

    def moving(self, state: np.ndarray, speeds: np.ndarray) -> np.ndarray:
        """(m, k) states at the positions of `state` (k,), at rest, with `speeds` (m, n): rates of the coordinates."""
        states = np.tile(state, (len(speeds), 1))
        momenta, model = speeds * self.weight, self.compiled.model
        if len(self._body):
            spins = np.add.reduceat(momenta[:, self.turning, None] * self._directions(state), self._first, axis=1)
            states[:, self._rows[:, :3] + ANGULAR_MOMENTUM - BASIS] += spins
        states[:, self._at.shifting + MOMENTUM - POSITION] += momenta[:, self.shifting]
        at = model.beads.at + len(self._at.beads)
        states[:, at : at + len(self._at.beads)] += speeds[:, self.beads] / self.weight[self.beads]
        states[:, self._at.points + self._speed_of_point] += speeds[:, self.points] / self.weight[self.points]
        states[:, self._at.modes + len(model.modal.damping)] += speeds[:, self.modes]
        return states

    def accelerations(self, states: np.ndarray, time: float = 0.0) -> np.ndarray:
        """(m, n) accelerations y'' of the coordinates in `states` (m, k), linear in their speeds."""
        found = self._rates(states, time)
        at = BODY_SIZE * self._body[:, None] + np.arange(3)
        axes = np.stack([states[:, at + BASIS + 3 * i] for i in range(3)], axis=2)  # (m, t, 3, 3) rows u1, u2, u3
        torque = found[:, at + ANGULAR_MOMENTUM]
        model, beads = self.compiled.model, len(self._at.beads)
        speed_of_bead = model.beads.at + beads
        return np.concatenate(
            [
                np.einsum("mti,tj,mtji->mt", torque, self._axes, axes) / self.weight[self.turning],
                found[:, self._at.shifting + MOMENTUM - POSITION] / self.weight[self.shifting],
                found[:, speed_of_bead : speed_of_bead + beads] * self.weight[self.beads],
                found[:, self._at.points + self._speed_of_point] * self.weight[self.points],
                found[:, self._at.modes + len(model.modal.damping)],
            ],
            axis=1,
        )

    def potentials(self, states: np.ndarray) -> np.ndarray:
        """(m,) [J] potential energies of `states` (m, k): of weight, magnets, springs, contacts and forces."""
        found = np.empty((len(states), ENERGIES))
        states = np.ascontiguousarray(states)
        energies_of_states(self.compiled.model, self.compiled.inputs, 0.0, states, self._work, found)
        return np.asarray(np.delete(found, KINETIC, axis=1).sum(axis=1))

    def difference(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """(n,) the move from the state `start` (k,) to `end` (k,): inverse of `displaced`, rotations by at most pi."""
        moves = np.zeros(self.count)
        if len(self._body):
            before, after = (state[self._rows].reshape(-1, 3, 3) for state in (start, end))
            turns = vectors(np.swapaxes(after, 1, 2) @ before)
            moves[self.turning] = (self._directions(start) * turns[self._slot]).sum(axis=1)
        moves[self.shifting] = (end - start)[self._at.shifting]
        moves[self.beads] = self._along(start, end)
        moves[self.points] = (end - start)[self._at.points]
        moves[self.modes] = (end - start)[self._at.modes]
        return moves * self.weight

    def _along(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """(c,) [m] lengths along the paths from one state to another, to first order; the shorter direction on closed
        paths. A periodic path has no stated period: equal points have distance 0.
        """
        beads = self.compiled.model.beads
        if not len(beads.body):
            return np.zeros(0)
        self._rates(np.stack([start, end]))
        shift = bead_states(beads, end)[0] - bead_states(beads, start)[0]
        width = beads.paths.stop - beads.paths.start
        shift -= np.where(beads.paths.closed, np.round(shift / width) * width, 0.0)
        return np.asarray(shift * self._work.beads.stretch)

    def _rates(self, states: np.ndarray, time: float = 0.0) -> np.ndarray:
        """(m, k) rates of `states` (m, k)."""
        found = np.empty(states.shape)
        states = np.ascontiguousarray(states)
        rates_of_states(self.compiled.model, self.compiled.inputs, time, states, self._work, found)
        return found

    def place(self, state: np.ndarray) -> None:
        """Write positions that follow from others, such as those of beads, into `state` (k,)."""
        rates(self.compiled.model, self.compiled.inputs, 0.0, state, self._work, np.empty_like(state))

    def _directions(self, state: np.ndarray) -> np.ndarray:
        """(t, 3) the axes about which bodies turn, laboratory frame."""
        bases = state[self._rows].reshape(-1, 3, 3)[self._slot]
        return np.asarray((self._axes[:, None] @ bases)[:, 0])


def _indices(compiled: CompiledScene) -> Indices:
    """Coordinates that forces move."""
    model, scene = compiled.model, compiled.scene
    moving = [b for b, body in enumerate(scene.bodies[: model.bodies.first_bead]) if body.support in MOVING]
    turning = [(b, k) for b in moving for k in range(3) if model.bodies.inverse_moments[b, k] > 0]
    free = [b for b in moving if scene.bodies[b].support == "free"]
    count = len(model.points.mass)
    loose = ~model.points.fixed
    for name in compiled.modal:
        loose[compiled.points[name]] = False  # placed by their modes
    return Indices(
        turning=np.array(turning, dtype=np.int64).reshape(-1, 2),
        shifting=np.array([BODY_SIZE * b + POSITION + axis for b in free for axis in range(3)], dtype=np.int64),
        beads=np.arange(len(model.beads.body)),
        points=model.points.at + (np.arange(3)[:, None] * count + np.flatnonzero(loose)).ravel(),
        modes=model.modal.at + np.arange(len(model.modal.damping)),
    )
