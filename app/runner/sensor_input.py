"""What follows the hand over the sensor is told before every batch where the hand is. No Qt."""

from __future__ import annotations

from collections.abc import Callable

from app.runner.pacing import Pacing
from app.sensor.followers import has_followers
from app.sensor.hub import SensorDistance
from core.simulation.driven_parameters import BUILT, WRITTEN, only_inputs
from core.simulation.simulation import Simulation

CATCH_UP = 0.03  # [s] wall time: measurements come one by one, and are joined by a steady way
SHARE = 0.2  # of the wall time that rewriting driven numbers may take
SLOWEST = 0.05  # of the wished speed: a run that only crawls flings nothing


class SensorInput:
    """Asks where the hand is and leads simulations there."""

    def __init__(self) -> None:
        self._hand: Callable[[float], SensorDistance | None] = lambda _now: None

    def set_source(self, hand: Callable[[float], SensorDistance | None]) -> None:
        """Ask this from now on."""
        self._hand = hand

    def move_followers(self, simulation: Simulation, span: float, pacing: Pacing, now: float) -> None:
        """Before a batch of `span` [s] of simulated time, at a time of perf_counter."""
        scene = simulation.scene
        if not has_followers(scene):
            return
        usual = WRITTEN if only_inputs(scene) else BUILT
        simulation.sensor_drive.every = max(usual, simulation.sensor_drive.cost * pacing.speed / SHARE)
        hand = self._hand(now)
        if hand is not None:
            pace = max(pacing.factor(now), SLOWEST * pacing.speed)  # simulated seconds while the hand moves for one
            simulation.follow(hand.place, hand.velocity / pace, max(CATCH_UP * pace, span))
