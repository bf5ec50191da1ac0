"""Values that can be drawn: graphics cards compute in single precision."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polhode.simulation.snapshot import Snapshot

FAR = 1e15  # [m] farther is nothing but an error


def drawable(now: Snapshot) -> bool:
    """Whether all positions, and their squares, are finite in single precision."""
    return all(np.vdot(positions, positions) < FAR**2 for positions in (now.bodies.position, now.points.position))


def drawable_ones(ghosts: Sequence[Snapshot | None]) -> list[Snapshot | None]:
    """The same ghosts, with None for those that cannot be drawn."""
    return [ghost if ghost is not None and drawable(ghost) else None for ghost in ghosts]
