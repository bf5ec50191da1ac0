"""Division of a batch of steps, so that lines of the past are as smooth as the motion, however seldom a frame is drawn.

Trails and other lines are drawn from published states. A batch that catches up on a slow frame covers up to a tenth of
a second, in which a top turns several times; its states in between are published as well. No Qt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from polhode.simulation.simulation import Simulation
from polhode.simulation.snapshot import Snapshot
from polhode_app.messages import FrameData
from polhode_app.runner.ghosts import Ghosts

SPAN = 1 / 120  # [s] simulated time between two states at most
TURN = 0.12  # [rad] rotation of a body, or of the tangent of a bead, between two states
LEAST_LIMIT = 16  # states that a batch may have however short it is
STATES_PER_SECOND = 1000  # of wall time, which limits the cost: 0.15 to 0.7 ms a state, here and in the view


def turning(now: Snapshot) -> float:
    """Largest rate [rad/s] at which bodies rotate and tangents of beads turn."""
    spin, beads = now.bodies.angular_velocity, now.beads
    rates = [np.sqrt(np.einsum("ni,ni->n", spin, spin).max(initial=0.0))]
    if len(beads.speed):
        rates.append((np.abs(beads.speed) * np.linalg.norm(beads.curvature, axis=1)).max())
    return float(max(rates))


def most_parts(wall: float) -> int:
    """Largest number of states of a batch that covers `wall` seconds of wall time."""
    return max(LEAST_LIMIT, round(wall * STATES_PER_SECOND))


def parts_of(count: int, time_step: float, rate: float, wall: float) -> Iterator[int]:
    """Divide `count` steps of `time_step` [s] into parts after which a state is published; the last one ends the batch.

    `rate` [rad/s] is that of `turning`; if it is not finite, only SPAN counts. The batch covers `wall` seconds of
    wall time, which limit the number of parts: a late batch has as many as several that come in time.
    """
    span = count * time_step
    wanted = max(span / SPAN, span * rate / TURN if np.isfinite(rate) else 0.0)
    parts = int(np.clip(np.ceil(wanted - 1e-6), 1, min(most_parts(wall), max(count, 1))))
    ends = [round(count * k / parts) for k in range(parts + 1)]
    yield from (end - start for start, end in pairwise(ends))


def published_parts(
    simulation: Simulation,
    count: int,
    wall: float,
    before: FrameData | None,
    ghosts: Ghosts,
    publish: Callable[[FrameData], None],
) -> Iterator[int]:
    """Numbers of steps to advance by, in turn, `count` in all; the states between them are published.

    The steps cover `wall` seconds of wall time. `before` is the frame before the batch, which the published ones
    resemble but for their states.
    """
    rate = turning(before.snapshot) if before is not None else 0.0
    for number, steps in enumerate(parts_of(count, simulation.time_step, rate, wall)):
        if number and before is not None:
            publish(replace(before, snapshot=simulation.snapshot(), ghosts=ghosts.snapshots()))
        yield steps
