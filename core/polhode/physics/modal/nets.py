"""The springs that count in the modes of a soft body: its own, single ones between its points, and to fixed points."""

from __future__ import annotations

import numpy as np

from polhode.physics.modal.normal_modes import Net
from polhode.physics.points.arrays import Points, Springs


def net_of(here: slice, rest: np.ndarray, points: Points, springs: Springs, fixed_anchors: np.ndarray) -> Net:
    """The soft body with the points `here` at rest, as a Net.

    rest: (p, 3) [m] positions of all points at rest; springs: all of the scene, ends as in Springs
    fixed_anchors: (q, 3) [m] of anchors that never move, nan of the others

    A spring to a fixed point of something else counts as one to a fixed anchor; springs to what moves do not count.
    """
    still = np.concatenate([np.where(points.fixed[:, None], rest, np.nan), fixed_anchors])
    ends = np.column_stack([springs.first, springs.second])
    own = (ends >= here.start) & (ends < here.stop)
    counted = own.any(axis=1) & (own | np.isfinite(still[ends]).all(axis=2)).all(axis=1)
    ends, own = ends[counted], own[counted]
    outside, number = np.unique(ends[~own], return_inverse=True)
    pairs = ends - here.start
    pairs[~own] = here.stop - here.start + number
    return Net(
        positions=rest[here],
        mass=points.mass[here],
        fixed=points.fixed[here],
        pairs=pairs,
        rest=springs.rest[counted],
        stiffness=springs.stiffness[counted],
        fixed_anchors=still[outside],
    )
