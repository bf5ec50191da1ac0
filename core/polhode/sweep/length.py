"""The length that scales features of freely moving items: half of their largest displacement in some cells.

A run rests when its kinetic energy is below CALM of the largest: the remaining oscillation is about a hundredth of the
motion. TOLERANCE of this length is a twentieth of the motion: more than that, and less than the distance of attractors.
It is computed once, before any chunk runs, from fixed cells.
"""

from __future__ import annotations

import numpy as np

from polhode.run.status import PENDING, SETTLED, UNSETTLED
from polhode.sweep.chunks import ChunkRunner

CELLS = 8  # spread over the sweep


def find_length(chunks: ChunkRunner) -> None:
    """Set an unknown `chunks.length`, unless cancelled, from runs that rest, or else from those that do not diverge."""
    if not np.isnan(chunks.length):
        return
    status, reach = chunks.displacements(chunks.variation.spread_cells(CELLS))
    if (status == PENDING).any():
        return
    known = reach[status == SETTLED] if (status == SETTLED).any() else reach[status == UNSETTLED]
    chunks.length = 0.5 * float(known.max(initial=0.0)) or 1.0
