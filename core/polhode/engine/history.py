"""The start of the history of methods of several steps, in compiled loops."""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Inputs, Model, Work
from polhode.jit.calls import call_rates
from polhode.jit.kernel import kernel


@kernel
def begin_history(
    rate: int,
    model: Model,
    inputs: Inputs,
    time: float,
    state: np.ndarray,
    history: np.ndarray,
    work: Work,
    is_printed: bool,
) -> None:
    """Fill each row of `history` (h, k) with the rates of `state` (k,) at `time` [s]: f_(-1) = f_0.

    rate: address of `rates`; is_printed: zero forces in place of those at the start, as the printed versions of methods
    begin. Nothing is evaluated where the method has no history.
    """
    if len(history) == 0:
        return
    call_rates(rate, model, inputs, time, state, work, work.rate)
    for h in range(len(history)):
        for i in range(len(state)):
            history[h, i] = 0.0 if is_printed and model.is_momentum[i] else work.rate[i]
