"""Search for equilibria of a scene from many starts.

    from polhode import find_equilibria, read_scene

    found = find_equilibria(read_scene("scenes/coupled_needles.toml"), starts=64)
    for each in found.equilibria:
        print(each.stability, each.energy, [mode.frequency for mode in each.modes])

The time is that of the start. Velocities are zero, so laws that depend on them only affect the motion about an
equilibrium. Dry friction, which would hold a body at many positions, is ignored.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, islice
from time import monotonic

import numpy as np

from polhode.data.input_checks import measured_inputs
from polhode.engine.compile import build
from polhode.engine.compiled_scene import CompiledScene
from polhode.equilibria.families import Zero, describe, is_same, nearest
from polhode.equilibria.freedoms import Freedoms
from polhode.equilibria.newton import NEWTON, find_zero
from polhode.equilibria.pose import Pose
from polhode.equilibria.small_oscillations import Mode, Oscillations, Stability, motion_about
from polhode.equilibria.starts import make_starts
from polhode.equilibria.suitable import TIMES, notes_on, prepared
from polhode.equilibria.system import System
from polhode.mesh.mesh import Meshes
from polhode.scene.checks.arguments import Count, Duration, PositiveCount, checked
from polhode.scene.message import Message
from polhode.scene.scene import Scene

STARTS = 128
SAMPLED = 24  # starts for the scales of force and energy
SHOWN = 10  # lines of the text of all equilibria
HIGHEST = 3  # largest index of saddles that are searched for, besides maxima


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A state of a scene in which all items can remain at rest."""

    state: np.ndarray  # (k,) flat state of `Equilibria.compiled`, at rest
    energy: float  # [J] potential energy
    motion: Oscillations
    neutral: int  # number of directions without stiffness, in a family of equilibria
    neutral_items: tuple[str, ...]  # names of the scene items that move along these
    starts: int  # number of starts that led here

    def __repr__(self) -> str:
        neutral = f", neutral directions: {self.neutral}" if self.neutral else ""
        return f"Equilibrium: {self.energy:.6g} J, {self.stability}{neutral}, starts: {self.starts}"

    @property
    def stability(self) -> Stability:
        """Unstable if a small motion grows, neutral if a direction has no stiffness, else stable."""
        return self.motion.stability

    @property
    def eigenvalues(self) -> np.ndarray:
        """(2 t,) complex [1/s] of the linearised motion."""
        return self.motion.eigenvalues

    @property
    def modes(self) -> tuple[Mode, ...]:
        """Modes of small motions; those of stable equilibria are small oscillations."""
        return self.motion.modes


@dataclass(frozen=True, eq=False)
class Equilibria:
    """Results of a search, by rising energy."""

    compiled: CompiledScene  # the scene without dry friction
    equilibria: tuple[Equilibrium, ...]
    starts: int  # number of tried starts
    wanted: int  # requested number of starts; more than `starts` after the time limit
    converged: int  # number of starts from which an equilibrium was found
    notes: tuple[Message, ...]  # on ignored laws

    def __repr__(self) -> str:
        of = f" of {self.compiled.scene.title!r}" if self.compiled.scene.title else ""
        lines = [f"Equilibria{of}: {len(self.equilibria)}, from {self.converged} of {self.starts} starts"]
        lines += [f"  {each!r}" for each in self.equilibria[:SHOWN]]
        further = len(self.equilibria) - SHOWN
        return "\n".join([*lines, f"  ... ({further} more)"] if further > 0 else lines)

    def shaped(self, equilibrium: Equilibrium, mode: Mode, amplitude: float) -> np.ndarray:
        """(k,) the state displaced along a mode: by `amplitude` [rad], or in sizes of the scene."""
        freedoms = Freedoms(self.compiled)
        state = freedoms.displaced(equilibrium.state, amplitude * mode.shape[None])[0]
        freedoms.place(state)
        return state


@checked
def find_equilibria(
    scene: Scene,
    starts: PositiveCount = STARTS,
    seed: Count = 0,
    meshes: Meshes | None = None,
    time_limit: Duration | None = None,
    progress: Callable[[float], None] = lambda done: None,
    check_cancelled: Callable[[], None] = lambda: None,
    present: Pose | None = None,
    found: Callable[[Equilibria], None] = lambda so_far: None,
) -> Equilibria:
    """Equilibria that Newton's method finds from `starts` quasi-random states of a scene, the same for the same `seed`.

    meshes: cache of mesh files; time_limit: [s] of wall time after which the search ends; progress: called
    with the part that is done, from 0 to 1; check_cancelled: called often. Both may raise to end the work. present: a
    pose of the running scene as an additional start; found: called with the results whenever there are more

    Raises InputError for scenes without coordinates.
    """
    over = monotonic() + (np.inf if time_limit is None else time_limit)
    compiled = build(prepared(scene), meshes or Meshes())
    notes = notes_on(scene, compiled)
    system = System(compiled, check_cancelled)
    made = make_starts(system, compiled, starts, seed, present)
    first = list(islice(made, SAMPLED))
    states = np.stack(first)
    typical = _typical_force(system, states)
    energy = _spread_of_energy(system.freedoms.potentials(states))
    if any(measured_inputs(scene)) or _depends_on_time(system, states[:3], typical):
        notes.append(Message("forces depend on time: equilibria are those at t = 0"))
    free = len(system.force(states[0], system.tangent(states[0])))
    kinds = [kind for index in sorted({*range(min(free, HIGHEST) + 1), free}) for kind in (index, NEWTON)]
    known = _Known(system, energy, states[0], check_cancelled)
    tried = 0

    def so_far() -> Equilibria:
        return Equilibria(compiled, known.results(), tried, starts, sum(known.counts), tuple(notes))

    system.check_cancelled = _until(over, check_cancelled)
    with suppress(_TimeOver):
        for number, start in enumerate(chain(first, made)):
            system.check_cancelled()
            indices = (NEWTON, kinds[0]) if number == 0 else (kinds[number % len(kinds)],)  # it may already be at rest
            zeros = (find_zero(system, start, index, typical) for index in indices)
            state = next((zero for zero in zeros if zero is not None), None)
            tried = number + 1
            if state is not None and known.add(describe(system, state)):
                found(so_far())
            progress(min(1.0, tried / starts))
    system.check_cancelled = check_cancelled
    return so_far()


class _Known:
    """Distinct equilibria found so far."""

    def __init__(self, system: System, energy: float, start: np.ndarray, check_cancelled: Callable[[], None]):
        """energy: [J] scale; start: (k,) the start of the scene, for the nearest members of families."""
        self._system, self._energy, self._start, self._check_cancelled = system, energy, start, check_cancelled
        self._zeros: list[Zero] = []
        self._found: list[Equilibrium] = []
        self.counts: list[int] = []

    def add(self, zero: Zero) -> bool:
        """Add a zero, or count it with an equal one; returns whether it is new."""
        for number, other in enumerate(self._zeros):
            if is_same(self._system, zero, other, self._energy):
                self.counts[number] += 1
                return False
        limited = self._system.check_cancelled
        self._system.check_cancelled = self._check_cancelled  # a found zero is kept after the time limit
        try:
            self._found.append(_result(self._system, zero, 1, self._start))
        finally:
            self._system.check_cancelled = limited
        self._zeros.append(zero)
        self.counts.append(1)
        return True

    def results(self) -> tuple[Equilibrium, ...]:
        """All equilibria, by rising energy."""
        counted = (replace(each, starts=count) for each, count in zip(self._found, self.counts, strict=True))
        return tuple(sorted(counted, key=lambda each: _order(self._system, each, self._energy)))


class _TimeOver(Exception):
    """The time limit of a search has passed."""


def _until(over: float, check_cancelled: Callable[[], None]) -> Callable[[], None]:
    """`check_cancelled`, which raises _TimeOver after the time `over` [s] of the monotonic clock."""

    def check() -> None:
        check_cancelled()
        if monotonic() >= over:
            raise _TimeOver

    return check


def _spread_of_energy(heights: np.ndarray) -> float:
    """[J] median of the potential energies (m,) of the starts above the lowest, never zero."""
    return float(np.nanmedian(np.abs(heights - np.nanmin(heights)))) + 1e-300


def _typical_force(system: System, states: np.ndarray) -> float:
    """Typical mass-weighted force: median of the starts (m, k), or after a displacement by 1 % if they are zeros."""
    forces = np.linalg.norm(system.freedoms.accelerations(states), axis=1)
    typical = float(np.median(forces[np.isfinite(forces)])) if np.isfinite(forces).any() else 0.0
    slope = system.slope(states[0], system.tangent(states[0]))
    stiff = 1e-2 * float(np.linalg.norm(slope)) * float(system.unit.min()) if np.isfinite(slope).all() else 0.0
    return typical if typical > 1e-6 * stiff else stiff


def _result(system: System, zero: Zero, count: int, start: np.ndarray) -> Equilibrium:
    """The equilibrium; of a family the member nearest to the start of the scene."""
    if zero.neutral.shape[1]:
        zero = describe(system, nearest(system, zero, start))
    system.freedoms.place(zero.state)
    directions = system.embedded(zero.neutral.T, zero.tangent)
    moves = np.abs(directions / system.unit).max(axis=0, initial=0.0)
    owners = system.freedoms.owners()
    items = [owners[k] for k in np.flatnonzero(moves > 1e-3 * moves.max(initial=0.0))]
    neutral = zero.neutral.shape[1]
    return Equilibrium(zero.state, zero.energy, motion_about(system, zero), neutral, tuple(dict.fromkeys(items)), count)


def _depends_on_time(system: System, states: np.ndarray, typical: float) -> bool:
    """Whether the forces of some states differ between times."""
    now = system.freedoms.accelerations(states)
    later = [system.freedoms.accelerations(states, time) for time in TIMES]
    return any(np.abs(then - now).max(initial=0.0) > 1e-9 * max(typical, 1e-300) for then in later)


def _order(system: System, each: Equilibrium, energy: float) -> tuple[float, ...]:
    """Sort key: energy, then coordinates, both rounded against rounding errors."""
    moves = (
        system.freedoms.difference(system.freedoms.at_rest(system.freedoms.compiled.start), each.state) / system.unit
    )
    return (round(each.energy / energy, 6), *np.round(moves, 4).tolist())
