"""The program of a step: addresses of the hooks of a scene's subjects, phase by phase."""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Inputs, Model, Step, Work
from polhode.jit.calls import call_hook
from polhode.jit.kernel import kernel

BEGIN, REDUCE, PLACE, REST, LAW, SOLVE, PROJECT, FINISH, ENERGY, OBSERVE, MOMENTUM, SHARED, SWITCH, IMPACT = range(14)
COUPLE, INDUCE, LINK, MAGNETISE, SATURATE = 14, 15, 16, 17, 18
PHASES = 19
DECIDE, STORE, STORED = range(3)
"""When laws decide what touches: at every evaluation; so, and store it; as stored by the last evaluation with STORE."""


@kernel
def call_phase(
    phase: int, model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray
) -> None:
    """Call the hooks of a phase in order by address, with `state` (k,) and its `out` (core/polhode/engine/part.py)."""
    program = work.program
    for k in range(program.first[phase], program.first[phase + 1]):
        call_hook(program.address[k], Step(model, inputs, time, state, work, out))


@kernel
def write_columns(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> None:
    """Call the observe hooks; each writes its columns of one row `out` (c,) of the table.

    `state` (k,) must be placed at `time` [s]. A hook gets the part of the row that begins with its first column. It may
    call laws, which overwrites `work.energy`.
    """
    program = work.program
    for k in range(program.first[OBSERVE], program.first[OBSERVE + 1]):
        call_hook(program.address[k], Step(model, inputs, time, state, work, out[program.column[k] :]))
