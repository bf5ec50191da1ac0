"""The program of a step: addresses of the hooks of a scene's subjects, phase by phase."""

from __future__ import annotations

import numpy as np

from core.engine.model import Inputs, Model, Work
from core.jit.calls import call_hook
from core.jit.kernel import kernel

BEGIN, REDUCE, PLACE, REST, LAW, SOLVE, PROJECT, FINISH, ENERGY, OBSERVE, MOMENTUM, SHARED, PHASES = range(13)


@kernel
def call_phase(
    phase: int, model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray
) -> None:
    """Call all hooks of a phase in their order; `state` (k,), and `out` as the phase defines it
    (core/engine/part.py).
    """
    program = work.program
    for k in range(program.first[phase], program.first[phase + 1]):
        call_hook(program.address[k], model, inputs, time, state, work, out)


@kernel
def write_columns(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> None:
    """Call the observe hooks; each writes its columns of one row `out` (c,) of the table. `state` (k,) is placed."""
    program = work.program
    for k in range(program.first[OBSERVE], program.first[OBSERVE + 1]):
        call_hook(program.address[k], model, inputs, time, state, work, out[program.column[k] :])
