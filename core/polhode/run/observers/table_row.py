"""The row of the table for the state of a run, as observers read it."""

from __future__ import annotations

import numpy as np

from polhode.engine.diagnostics import ENERGY_COLUMNS, write_row
from polhode.engine.ledger import LEDGER_SIZE
from polhode.engine.model import Clock, Inputs, Model, Work
from polhode.jit.calls import call_on_state
from polhode.jit.kernel import kernel
from polhode.run.method import CompiledMethod


def empty_row(work: Work) -> np.ndarray:
    """(c,) zeros: a row of the table of a scene with these scratch arrays."""
    return np.zeros(work.program.width[0] + ENERGY_COLUMNS + LEDGER_SIZE)


@kernel
def observe_row(
    method: CompiledMethod, model: Model, inputs: Inputs, now: Clock, state: np.ndarray, work: Work, row: np.ndarray
) -> None:
    """Write the columns of polhode.analysis.columns for `state` (k,) at the time of `now` into `row` (c,)."""
    time = now.start + now.done * now.step
    call_on_state(method.energies, model, inputs, time, state, work)
    write_row(model, inputs, time, state, work, row)
