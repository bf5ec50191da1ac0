"""Where the items of a scene start, for checks of what depends on the position."""

from __future__ import annotations

import numpy as np

from polhode.scene.scene import Scene


def start_positions(scene: Scene) -> np.ndarray:
    """(n, 3) [m] positions of bodies, spheres, beads, soft bodies and particles at the start; the origin if none."""
    positions = [item.position for item in (*scene.bodies, *scene.soft, *scene.particle)]
    return np.array(positions or [(0.0, 0.0, 0.0)])
