"""The length by which a sweep tells rests apart of what moves freely: half of how far it moves in some of its cells.

A run rests when its kinetic energy is below CALM of the largest, so what is left of an oscillation is a hundredth of
the motion or so. TOLERANCE of this length is a twentieth of the motion: more than that, and less than the distance of
attractors between which things move. It is found once, before any chunk runs, from cells of fixed numbers.
"""

from __future__ import annotations

import numpy as np

from polhode.run.status import PENDING, SETTLED, UNSETTLED
from polhode.sweep.chunks import ChunkRunner

CELLS = 8  # that are run for it, spread over the sweep


def find_length(chunks: ChunkRunner) -> None:
    """Set `chunks.length` if it is not known yet; it stays unknown if the chunks are cancelled meanwhile.

    Runs that rest count, or else all that end well. Where nothing moves the length is 1 m.
    """
    if not np.isnan(chunks.length):
        return
    status, reach = chunks.displacements(chunks.variation.spread_cells(CELLS))
    if (status == PENDING).any():
        return
    known = reach[status == SETTLED] if (status == SETTLED).any() else reach[status == UNSETTLED]
    chunks.length = 0.5 * float(known.max(initial=0.0)) or 1.0
