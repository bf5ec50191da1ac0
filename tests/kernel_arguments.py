"""Arguments of a kernel of a law, for tests that call one directly."""

from __future__ import annotations

import numpy as np

from polhode.engine.model import Inputs, Model, Work
from polhode.engine.rates import place
from polhode.engine.work import make_work
from polhode.simulation.simulation import Simulation


def placed(simulation: Simulation) -> tuple[Model, Inputs, np.ndarray, Work]:
    """Model, inputs, a copy of the state (k,), and new scratch arrays in which the state is placed."""
    model, inputs, state = simulation.compiled.model, simulation.inputs, simulation.state
    work = make_work(model, inputs)
    place(model, inputs, simulation.time, state, work)
    return model, inputs, state, work
