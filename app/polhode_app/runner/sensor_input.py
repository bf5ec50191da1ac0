"""Feeds the sensor distance to the simulations before every batch. No Qt."""

from __future__ import annotations

from collections.abc import Callable

from polhode.analysis.followers import has_followers
from polhode.simulation.driven_parameters import BUILT, WRITTEN, only_inputs
from polhode.simulation.simulation import Simulation
from polhode_app.runner.pacing import Pacing
from polhode_app.sensor.hub import SensorDistance

CATCH_UP = 0.03  # [s] wall time in which followers reach a new measurement, at constant velocity
SHARE = 0.2  # fraction of wall time for updating driven parameters
SLOWEST = 0.05  # of the target speed: bounds the velocity of followers in a run that is much too slow


class SensorInput:
    """Polls the sensor and moves the followers of simulations."""

    def __init__(self) -> None:
        self._hand: Callable[[float], SensorDistance | None] = lambda _now: None

    def set_source(self, hand: Callable[[float], SensorDistance | None]) -> None:
        """Set the function that returns the sensor distance at a time [s] of perf_counter, or None."""
        self._hand = hand

    def move_followers(self, simulation: Simulation, span: float, pacing: Pacing, now: float) -> None:
        """Set the track of the followers for a batch of `span` [s] of simulated time.

        `now` is a time [s] of perf_counter. Velocities are converted to simulated time by the measured speed of the
        run.
        """
        scene = simulation.scene
        if not has_followers(scene):
            return
        usual = WRITTEN if only_inputs(scene) else BUILT
        simulation.sensor_drive.every = max(usual, simulation.sensor_drive.cost * pacing.speed / SHARE)
        hand = self._hand(now)
        if hand is not None:
            pace = max(pacing.factor(now), SLOWEST * pacing.speed)  # simulated seconds per wall second
            simulation.track(hand.position, hand.velocity / pace, max(CATCH_UP * pace, span))
