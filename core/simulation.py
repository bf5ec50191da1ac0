"""A scene that runs: the clock, the batches and the stop on numbers that are no longer numbers."""

from __future__ import annotations

from math import ceil

import numpy as np

from core.build import Built, build, carry_state
from core.diagnostics import energy
from core.integrators import METHODS
from core.mesh import Meshes
from core.model import ANGULAR_MOMENTUM, BASIS, POSITION, body_states, make_work
from core.scene import Scene
from core.snapshot import Bodies, Snapshot

# Seconds over steps are never exact in binary: closer than this part of a step to a whole number of steps is whole.
WHOLE = 1e-6


class Diverged(Exception):
    """The next step would leave the finite numbers. The simulation stands on the last good state."""

    def __init__(self, part: str, time: float, time_step: float):
        self.part = part  # name of what left them
        self.time = time  # [s] of the last good state
        super().__init__(
            f"'{part}' diverged at t = {time:.6g} s: the next state is not finite; "
            f"use a smaller time step than {time_step:g} s, or keep magnets farther apart"
        )


class Simulation:
    """A running scene. Owns its state: nothing that it hands out changes it, and nothing in it is shared.

    time_step [s] is the scene's; `advance` takes as many whole steps as fit.
    """

    def __init__(self, scene: Scene, meshes: Meshes | None = None):
        """Build the scene; raises InputError with everything that is wrong with it."""
        self._meshes = meshes or Meshes()
        self._take(build(scene, self._meshes))
        self._state = self._built.start.copy()
        self._start_clock(0.0, 0)
        self.basis_drift = 0.0  # largest |u_i.u_j - delta_ij| before repair in the last batch

    def _take(self, built: Built) -> None:
        self._built = built
        self._work = make_work(built.model)
        self._advance = METHODS[built.scene.solver.method].advance
        self.time_step = built.scene.solver.time_step

    def _start_clock(self, time: float, steps: int) -> None:
        """Time is counted from here in whole steps, so that it does not collect rounding."""
        self._clock_time, self._clock_steps, self.steps = time, steps, steps
        self._clock_step = self.time_step

    @property
    def scene(self) -> Scene:
        return self._built.scene

    @property
    def built(self) -> Built:
        """Model, start and mass properties of the scene."""
        return self._built

    @property
    def state(self) -> np.ndarray:
        """Copy of the flat state; core.model says what stands where."""
        return self._state.copy()

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self._clock_time + (self.steps - self._clock_steps) * self._clock_step

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
        self._start_clock(end, self.steps)

    def advance_steps(self, steps: int) -> None:
        """Go on by a number of whole steps; raises Diverged as `advance` does."""
        self._run(steps, self.time_step)

    def _run(self, steps: int, step: float) -> None:
        if step != self._clock_step:
            self._clock_time, self._clock_steps = self.time, self.steps
            self._clock_step = step
        built = self._built
        done, self.basis_drift = self._advance(built.model, built.inputs, self._state, self._work, step, steps)
        self.steps += done
        if done < steps:
            raise Diverged(self._not_finite(), self.time, step)

    def _not_finite(self) -> str:
        rows = body_states(self._work.stage)
        return self.scene.body[int(np.argmin(np.isfinite(rows).all(axis=1)))].name

    def load(self, scene: Scene) -> None:
        """Go on with another scene; what it shares with this one by name keeps moving.

        Raises InputError, and changes nothing, where the scene can't be built.
        """
        built = build(scene, self._meshes)
        state, time = carry_state(self._built, self._state, built), self.time
        self._take(built)
        self._state = state
        self._start_clock(time, self.steps)

    def reset(self) -> None:
        """Back to the scene's start."""
        self._state = self._built.start.copy()
        self._start_clock(0.0, 0)

    def snapshot(self) -> Snapshot:
        """A copy of this moment."""
        built = self._built
        rows = body_states(self._state)
        energies = energy(built.model, built.inputs, self._state, self._work)
        bodies = Bodies(
            position=_frozen(rows[:, POSITION : POSITION + 3]),
            velocity=_frozen(np.zeros((len(rows), 3))),
            basis=_frozen(rows[:, BASIS:ANGULAR_MOMENTUM].reshape(-1, 3, 3)),
            angular_velocity=_frozen(self._work.angular_velocity),
            angular_momentum=_frozen(rows[:, ANGULAR_MOMENTUM:]),
        )
        return Snapshot(self.time, self.steps, bodies, energies)


def _frozen(values: np.ndarray) -> np.ndarray:
    """A copy that nobody can write to."""
    copy = values.copy()
    copy.flags.writeable = False
    return copy
