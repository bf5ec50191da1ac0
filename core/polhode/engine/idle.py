"""Idle rows: components of the state that a method does not advance, of bodies of beads under their weight alone.

The body of a bead that slides along a path follows from two numbers, q and dl/dt. If no other subject reads or acts on
bodies, a step needs to advance these two only. At the start of a batch the subjects choose the idle rows, the method
advances the components on either side of them, and at the end of the batch they are reconstructed. A method that does
not call `begin_batch` advances all rows, and so do evaluations of rates, energies and columns between batches.
"""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Inputs, Model, Work
from polhode.engine.program import BEGIN, REDUCE, call_phase
from polhode.jit.kernel import kernel


@kernel
def begin_batch(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """BEGIN: start a batch at `time` [s]; `state` (k,). Subjects may set `work.idle`."""
    call_phase(BEGIN, model, inputs, time, state, work, work.rate)


@kernel
def end_batch(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work) -> None:
    """End a batch at `time` [s]: reconstruct the idle rows of `state` (k,) by REDUCE, and set `work.idle` to none."""
    if work.idle[1] > 0:
        work.idle[0], work.idle[1] = 0, 0
        call_phase(REDUCE, model, inputs, time, state, work, work.rate)


@kernel
def contiguous_rows(state: np.ndarray, work: Work) -> int:
    """Number of components of `state` (k,) that a method may advance in one loop: all, or 0 if some are idle."""
    return 0 if has_idle_rows(work) else len(state)


@kernel
def has_idle_rows(work: Work) -> bool:
    """Whether the current batch has idle rows."""
    return work.idle[1] > 0
