"""Numbers of the state that wait while a method takes its steps: the bodies of beads on which only weight acts.

Where a bead slides along its path, its body follows from two numbers. If no subject of the scene reads where bodies are
or acts on them, the two are all that a step has to move: a method lays the bodies down at the start of a batch, moves
what is on either side of them, and wakes them at its end. A method that knows nothing of this moves them along with the
rest, and so does whoever asks for rates, energies or columns between two batches.
"""

from __future__ import annotations

import numpy as np

from core.engine.model import Inputs, Model, Work, bead_rows
from core.engine.program import REDUCE, call_phase
from core.jit.kernel import kernel
from core.physics.bodies.arrays import BODY_SIZE
from core.physics.paths.alone import forget_pieces
from core.physics.paths.placement import can_wait


@kernel
def lay_down(model: Model, state: np.ndarray, work: Work) -> None:
    """Let the bodies of beads wait, where they can; their bases, which stay, stand in `work.stage` as well."""
    count = len(model.beads.body)
    if count == 0 or work.program.alone[0] == 0:
        return
    rows = bead_rows(model.beads, state)
    for i in range(count):
        if not can_wait(model.beads, i, rows):
            return
    forget_pieces(work.beads)
    stop = BODY_SIZE * len(model.bodies.mass)
    first = stop - BODY_SIZE * count
    for i in range(first, stop):
        work.stage[i] = state[i]
    work.idle[0], work.idle[1] = first, stop


@kernel
def wake_up(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """End a batch at `time` [s]: write into the state where the bodies are that have waited."""
    if work.idle[1] > 0:
        work.idle[0], work.idle[1] = 0, 0
        call_phase(REDUCE, model, inputs, time, state, work, work.rate)


@kernel
def in_one_go(state: np.ndarray, work: Work) -> int:
    """How many numbers from the first on a method may move in one loop: all, or 0 where some between them wait."""
    return 0 if is_laid_down(work) else len(state)


@kernel
def is_laid_down(work: Work) -> bool:
    return work.idle[1] > 0
