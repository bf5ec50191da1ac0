"""Rows of the state that a method leaves out of a batch of steps: bodies of beads on which only weight acts.

Where a bead slides along its path, its body follows from two numbers. If no subject of the scene reads where bodies are
or acts on them, the two are all that a step has to move: at the start of a batch the subjects choose the rows, the
method moves what is on either side of them, and at its end they are written from what they follow from. A method that
does not call `begin_batch` moves them along with the rest, and so does whoever asks for rates, energies or columns
between two batches.
"""

from __future__ import annotations

import numpy as np

from core.engine.model import Inputs, Model, Work
from core.engine.program import BEGIN, REDUCE, call_phase
from core.jit.kernel import kernel


@kernel
def begin_batch(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """Start a batch at `time` [s]: subjects may write into `work.idle` which rows it leaves out."""
    call_phase(BEGIN, model, inputs, time, state, work, work.rate)


@kernel
def end_batch(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """End a batch at `time` [s]: write the rows that were left out."""
    if work.idle[1] > 0:
        work.idle[0], work.idle[1] = 0, 0
        call_phase(REDUCE, model, inputs, time, state, work, work.rate)


@kernel
def contiguous_rows(state: np.ndarray, work: Work) -> int:
    """How many numbers from the first on a method may move in one loop: all, or 0 where some between them are idle."""
    return 0 if has_idle_rows(work) else len(state)


@kernel
def has_idle_rows(work: Work) -> bool:
    return work.idle[1] > 0
