"""Wind of a scene as kernel arrays; wind and drag of points are inputs, and may change between batches."""

from __future__ import annotations

import numpy as np

from core.physics.air.arrays import Air
from core.scene.scene import World


def build_air(world: World) -> Air:
    """The wind and the air of a world as kernel arrays; frequency 2 pi/period, 0 for a steady wind."""
    wind = world.wind
    return Air(np.array(wind.velocity), 2 * np.pi / wind.period if wind.period > 0 else 0.0, wind.drag)
