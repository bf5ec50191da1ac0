"""Beads as a snapshot shows them."""

from __future__ import annotations

import numpy as np

from core.engine.model import Model, Work, bead_states
from core.physics.paths.arrays import HOLD
from core.physics.paths.columns import WIDTH
from core.physics.paths.placement import is_held
from core.simulation.snapshot import Beads


def beads_seen(model: Model, state: np.ndarray, work: Work, numbers: np.ndarray) -> Beads:
    """The beads of a placed state; `numbers` are theirs in a row of the table."""
    of_beads, now = numbers.reshape(-1, WIDTH), work.beads
    held = np.array([is_held(hold) for hold in bead_states(model, state)[HOLD]], dtype=bool)
    normal = np.cross(now.tangent, now.across)
    vectors = of_beads[:, 2:], now.shift, now.tangent, now.curvature, normal
    for part in (parts := [part.copy() for part in (of_beads[:, 0], of_beads[:, 1], held, *vectors)]):
        part.flags.writeable = False
    parameter, speed, held, constraint, *of_path = parts
    return Beads(parameter, speed, constraint, held, *of_path)
