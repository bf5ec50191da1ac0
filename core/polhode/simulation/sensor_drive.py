"""Updates the sensor track from a played motion, and driven parameters, at whole steps of a run.

Updates fall on multiples of a fixed simulated time, not of wall time, so that a run has the same result at any speed of
the computer.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Protocol

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Inputs
from polhode.physics.sensor.sensor_motion import sensor_distance
from polhode.scene.scene import Scene
from polhode.simulation.driven_parameters import BUILT, WRITTEN, driven_values, only_inputs


class Driven(Protocol):
    """The part of a simulation that SensorDrive uses; see core/polhode/simulation/simulation.py."""

    steps: int

    @property
    def time(self) -> float: ...

    @property
    def scene(self) -> Scene: ...

    @property
    def inputs(self) -> Inputs: ...

    def track(self, place: float, velocity: float, within: float) -> None: ...

    def drive(self, values: tuple[float, ...]) -> None: ...


class SensorDrive:
    """An observer of the loop of steps. It acts at multiples of `every`, and never moves the clock.

    `every` [s] is simulated time; `cost` [s] the processor time of the last update; `active` whether it updates driven
    parameters itself, or leaves that to callers of `Simulation.drive`; `due` the step of its next action; `track` the
    distance [m] of the target at a time [s], if a motion is played.
    """

    def __init__(self) -> None:
        self.every, self.cost, self.active, self.due = WRITTEN, 0.0, True, 0
        self.track: Callable[[float], float] | None = None  # distance [m] at a time [s]

    def set_scene(self, compiled: CompiledScene) -> None:
        """Observe a new compiled scene, from the next batch on."""
        self.every, self.cost, self.due = WRITTEN if only_inputs(compiled.scene) else BUILT, 0.0, 0

    def next_due(self, simulation: Driven) -> int:
        """Step before which the loop has to stop; sys.maxsize if there is nothing to update."""
        return self.due if self._is_in(simulation) else sys.maxsize

    def act(self, simulation: Driven, step: float) -> None:
        """Update track and parameters if due, for the time until the next update; `step` [s] is the length of a step.

        The track is followed from its place now to the one at the next update. Parameters take their values for the
        distance in the middle of that time, which is correct to the second order.
        """
        if not self._is_in(simulation) or simulation.steps < self.due:
            return
        pace = max(1, round(self.every / step))
        self.due, span = simulation.steps + pace, pace * step
        if self.track is not None:
            here, there = self.track(simulation.time), self.track(simulation.time + span)
            simulation.track(here, (there - here) / span, span)
        if self.active and simulation.scene.sensor.drive:
            middle = sensor_distance(simulation.inputs.sensor_track, simulation.time + span / 2)[0]
            simulation.drive(driven_values(simulation.scene, middle))

    def _is_in(self, simulation: Driven) -> bool:
        """Whether there is anything to update."""
        return self.track is not None or (self.active and bool(simulation.scene.sensor.drive))
