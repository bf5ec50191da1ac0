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
    """Set `chunks.length` if it is unknown; it stays unknown if the chunks are cancelled meanwhile.

    From the runs that rest, or else from all that do not diverge; 1 m if nothing moves.
    """
    if not np.isnan(chunks.length):
        return
    status, reach = chunks.displacements(chunks.variation.spread_cells(CELLS))
    if (status == PENDING).any():
        return
    known = reach[status == SETTLED] if (status == SETTLED).any() else reach[status == UNSETTLED]
    chunks.length = 0.5 * float(known.max(initial=0.0)) or 1.0
